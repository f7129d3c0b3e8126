import { expect, test } from 'vitest'
import { KEYS, bearer, testApp } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { completed, record } from './sample.ts'
import { must } from '../fakes/must.ts'

const PATH = '/migration/report?from=main&to=alt'

test('one report at a time: another one is told to come back, and a reader that hangs up ends its own', async () => {
  const held = Promise.withResolvers<void>()
  let asked = 0
  const app = await testApp({
    wrapStore: (store) => ({
      ...store,
      async recorded(...args) {
        asked += 1
        if (asked === 1) await held.promise
        return store.recorded(...args)
      },
    }),
  })
  const reader = new AbortController()
  const first = fetch(`${app.url}/unified/v1${PATH}`, { headers: bearer(KEYS.anna), signal: reader.signal })
  await until(() => asked === 1)
  const second = await app.get(PATH)
  expect(second.status).toBe(429)
  expect(second.body).toMatchObject({ code: 'rate_limited', retryable: true })
  reader.abort()
  await expect(first).rejects.toThrow('aborted')
  held.resolve()
  await until(async () => (await app.get(PATH)).status === 200)
  // The one that was left read no page after the one that it was at.
  expect(asked).toBeLessThanOrEqual(4)
})

test('while it is made, other requests are answered', async () => {
  const app = await testApp()
  const main = must(app.deps.backends.get('main'))
  const nowMs = app.deps.clock.now()
  for (let n = 0; n < 1_500; n += 1) {
    const input = { image_url: 'https://example.com/a.png', text: 'word '.repeat(500) }
    await record(
      app.deps.store,
      completed(`vid_${String(n).padStart(5, '0')}`, main, input, { createdAtMs: nowMs - 60_000 + n }),
    )
  }
  const state = { isOver: false }
  const report = app.get(PATH).then((answer) => {
    state.isOver = true
    return answer
  })
  let between = 0
  while (!state.isOver) {
    await app.raw.get('/healthz')
    if (!state.isOver) between += 1
  }
  expect((await report).body).toMatchObject({ videos: 1_500 })
  expect(between).toBeGreaterThanOrEqual(3)
})

test.each([
  ['/migration/report', 'from'],
  ['/migration/report?from=main', 'to'],
  ['/migration/report?from=main&to=alt&since=soon', 'since'],
  ['/migration/report?from=main&to=alt&more=1', 'more'],
  ['/migration/report?from=nobody&to=alt', 'from'],
])('%s is refused, and names %s', async (path, param) => {
  const app = await testApp()
  const { status, body } = await app.get(path)
  expect([status, body.code, body.param]).toEqual([400, 'invalid_request', param])
})

test('needs the scope admin', async () => {
  const clients = [{ id: 'reader', key: KEYS.bert, scopes: ['videos:read', 'videos:create'] }]
  const app = await testApp({ clients })
  const { status } = await app.raw.get(`/unified/v1${PATH}`).set(bearer(KEYS.bert))
  expect(status).toBe(403)
})
