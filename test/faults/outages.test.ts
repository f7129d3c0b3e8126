import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { ALT, MAIN, virtualStage, type VirtualStage } from './virtual.ts'

/** How many requests each minute since `fromMs` took. */
const perMinute = ({ sandbox }: VirtualStage, fromMs: number): number[] => {
  const counts: number[] = []
  for (const { at } of sandbox.ledger().requests) {
    const minute = Math.floor((Date.parse(at) - fromMs) / MINUTE)
    if (minute >= 0) counts[minute] = (counts[minute] ?? 0) + 1
  }
  return Array.from(counts, (count) => count ?? 0)
}
const refused = ({ sandbox }: VirtualStage) => sandbox.ledger().requests.filter(({ status }) => status === 429)
const completed = async (s: VirtualStage, ids: string[]): Promise<void> => {
  const records = await Promise.all(ids.map((id) => s.record(id)))
  expect(records.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
}

describe('a backend that is down for ten minutes', () => {
  test.each<[string, object]>([
    ['resets every connection', { kind: 'reset', when: 'before' }],
    ['answers with a proxy’s error page', { kind: 'html', when: 'before' }],
    ['answers 503 without a body', { kind: 'status', status: 503, body: 'none', when: 'before' }],
  ])('%s: no storm, neither then nor after, and all jobs end', async (_, fault) => {
    const s = await virtualStage()
    const ids: string[] = []
    for (let n = 0; n < 20; n += 1) ids.push(await s.create(MAIN))
    await s.pass(30 * SECOND)
    await s.fault('primary', { operation: '*', times: 100_000, ...fault })
    const downMs = s.clock.now()
    await s.pass(10 * MINUTE)
    const whileDown = perMinute(s, downMs)
    // Found dead, it is asked about once a minute.
    expect(Math.max(...whileDown)).toBeLessThanOrEqual(10)
    expect(Math.max(...whileDown.slice(2))).toBeLessThanOrEqual(3)
    await s.clearFaults()
    const upMs = s.clock.now()
    await s.passUntil(2 * HOUR, () => s.allEnded(ids))
    expect(Math.max(...perMinute(s, upMs))).toBeLessThanOrEqual(20)
    expect(refused(s)).toEqual([])
    await completed(s, ids)
    expect(s.sandbox.ledger().jobs).toHaveLength(20)
    expect(s.sandbox.ledger().charges).toHaveLength(20)
  })

  test('creates meanwhile are refused or held, and none is made twice', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: '*', times: 100_000, kind: 'reset', when: 'before' })
    const ids: string[] = []
    for (let n = 0; n < 10; n += 1) {
      const { status, body } = await s.post(MAIN, 'anna', `order-${n}`)
      if (status === 202) ids.push(String(body['id']))
      else expect([status, body['code']]).toEqual([503, 'backend_unavailable'])
      await s.pass(MINUTE)
    }
    expect(ids.length).toBeGreaterThan(0)
    await s.clearFaults()
    await s.passUntil(2 * HOUR, () => s.allEnded(ids))
    await completed(s, ids)
    expect(s.sandbox.ledger().charges).toHaveLength(ids.length)
  })

  test('the alternate, with 50 jobs under way: one list is asked for them all', async () => {
    const s = await virtualStage()
    const ids: string[] = []
    for (let n = 0; n < 50; n += 1) ids.push(await s.create({ ...ALT, text: 'Hello [[never-callback]] [[slow]]' }))
    await s.fault('alternate', { operation: '*', times: 100_000, kind: 'html', when: 'before' })
    const downMs = s.clock.now()
    await s.pass(10 * MINUTE)
    expect(Math.max(...perMinute(s, downMs).slice(2))).toBeLessThanOrEqual(3)
    await s.clearFaults()
    await s.passUntil(2 * HOUR, () => s.allEnded(ids))
    await completed(s, ids)
    expect(refused(s)).toEqual([])
    const listings = s.sandbox
      .ledger()
      .requests.filter(({ operation, status }) => operation === 'listVideos' && status === 200)
    expect(listings.length).toBeGreaterThan(0)
  })
})
