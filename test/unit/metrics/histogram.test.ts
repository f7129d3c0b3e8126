import { Histogram, Registry } from '@prometheus-io/client'
import { expect, test } from 'vitest'
import { QuickHistogram } from '../../../src/metrics/scrape.ts'
import { seededRandom } from '../../fakes/random.ts'

const BUCKETS = [0.005, 0.01, 0.1, 1, 10]
const definition = (labels: readonly string[]) => ({
  name: 'took_seconds',
  help: 'How long.',
  labels,
  buckets: BUCKETS,
})

const bothOf = (labels: readonly string[]) => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const quick = new QuickHistogram(definition(labels))
  ours.registerMetric(quick)
  const { name, help } = definition(labels)
  const slow = new Histogram<string>({ name, help, labelNames: labels, buckets: BUCKETS, registers: [theirs] })
  const add = (given: Record<string, string>, value: number): void => {
    quick.add(given, value)
    slow.observe({ ...given }, value)
  }
  return { add, texts: async () => [await ours.metrics(), await theirs.metrics()] as const }
}

test('it tells what the library tells, series by series', async () => {
  const random = seededRandom(3)
  const { add, texts } = bothOf(['method', 'route'])
  const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? ''
  for (let n = 0; n < 500; n += 1)
    add(
      { method: pick(['GET', 'POST', '']), route: pick(['/a', '/b', '"\n\\']) },
      pick(['x', 'y']) === 'x' ? random() : random() * 20,
    )
  for (const bound of BUCKETS) add({ method: 'GET', route: '/a' }, bound)
  add({ method: 'GET', route: '/a' }, 0)
  const [ours, theirs] = await texts()
  expect(ours.match(/took_seconds_count/g)).toHaveLength(9)
  expect(ours).toBe(theirs)
})

test('without labels it stands at 0 at once; with labels nothing is told before it was seen', async () => {
  for (const labels of [[], ['method']]) {
    const [ours, theirs] = await bothOf(labels).texts()
    expect(ours).toBe(theirs)
  }
})

test('labels in another order are the same series', async () => {
  const { add, texts } = bothOf(['method', 'route'])
  add({ method: 'GET', route: '/a' }, 1)
  add({ route: '/a', method: 'GET' }, 1)
  const [ours] = await texts()
  expect(ours.match(/took_seconds_count.* 2$/gm)).toHaveLength(1)
})
