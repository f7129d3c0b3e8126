import { expect, test } from 'vitest'
import { MAX_UNANSWERED } from '../../src/lines.ts'
import { until } from '../fakes/until.ts'
import { startAttacked, type Attacked } from './process.ts'

/** Many requests on one connection, and nobody who reads the answers: no key is needed for either. */

const requests = (path: string, count: number): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count)

const begunOf = async (attacked: Attacked, path: string): Promise<number> =>
  (await attacked.state()).requests[path]?.begun ?? 0

const sizeOf = async ({ url }: Attacked, path: string): Promise<number> => {
  const response = await fetch(url + path)
  expect(response.status).toBe(200)
  return (await response.arrayBuffer()).byteLength
}

/** Everybody else is served meanwhile; by the last answer the process has had many chances to read what was sent. */
const othersAreServed = async ({ url }: Attacked): Promise<void> => {
  for (let n = 0; n < 50; n += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200)
}

test('1,500 requests for the API document: eight at most are begun, and no answer is a copy', async () => {
  const attacked = await startAttacked()
  const path = '/openapi.json'
  const size = await sizeOf(attacked, path)
  await othersAreServed(attacked)
  const before = await attacked.state()

  await attacked.unread(requests(path, 1_500))
  await until(async () => (await begunOf(attacked, path)) > 1, 60_000)
  await othersAreServed(attacked)

  const after = await attacked.state()
  const { begun = 0, mostOpen = 0 } = after.requests[path] ?? {}
  expect(mostOpen).toBeLessThanOrEqual(MAX_UNANSWERED)
  expect(begun).toBeLessThan(1_500 / 10)
  expect(after.bufferBytes - before.bufferBytes).toBeLessThan(MAX_UNANSWERED * size)
  expect(after.rssBytes - before.rssBytes).toBeLessThan((1_500 * size) / 10)
})

test.skipIf(process.platform !== 'linux')(
  '4 x 1,100 requests for a file of the page, and then gone: no descriptor stays open',
  async () => {
    const attacked = await startAttacked()
    const path = '/docs/assets/swagger-ui-bundle.js'
    await sizeOf(attacked, path)
    await othersAreServed(attacked)
    const before = attacked.descriptors()
    for (let n = 0; n < 4; n += 1) {
      const begunBefore = await begunOf(attacked, path)
      const socket = await attacked.unread(requests(path, 1_100))
      await until(async () => (await begunOf(attacked, path)) > begunBefore, 60_000)
      await othersAreServed(attacked)
      socket.resetAndDestroy()
    }
    await othersAreServed(attacked)
    await until(() => attacked.descriptors() <= before, 30_000)
  },
)
