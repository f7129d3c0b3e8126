import { expect, onTestFinished, test } from 'vitest'
import { PROXY_PASSWORD, startConnectProxy } from '../fakes/connect-proxy.ts'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { ALT, MAIN, stage } from './harness.ts'

test('a backend behind a proxy: creates, polls and what is handed through go there; refused, nothing was sent', async () => {
  const proxy = await startConnectProxy()
  onTestFinished(() => proxy.close())
  const s = await stage({ config: { backends: { main: { proxy: proxy.url }, alt: { proxy: proxy.wrongUrl } } } })
  const { gateway, logs } = s.gateway()
  const main = new URL(s.sandbox.primaryUrl).host

  const created = await s.create(MAIN)
  // A connection of its own.
  expect(proxy.connected).toEqual([main])
  expect((await s.ended(created.id)).status).toBe('completed')
  const polled = proxy.connected.length
  expect(polled).toBeGreaterThan(1)
  const ask = async (path: string, body?: object): Promise<unknown[]> => {
    const headers = { ...bearer(KEYS.anna), 'content-type': 'application/json' }
    const answer = await fetch(
      gateway.url + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return [answer.status, await answer.json()]
  }
  expect(await ask('/api/v1/tts/service', { voice_id: 'sandbox-en-us-ava', text: 'Hello' })).toMatchObject([200, {}])
  expect(proxy.connected.length).toBeGreaterThan(polled)
  expect(new Set(proxy.connected)).toEqual(new Set([main]))

  const refused = await s.call('/videos', {
    method: 'POST',
    body: JSON.stringify(ALT),
    headers: { 'content-type': 'application/json' },
  })
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    {
      code: 'backend_unavailable',
      detail: expect.stringContaining('cannot be reached (PROXY_AUTHENTICATION_REQUIRED)'),
      // Definite: no video is left, in doubt or waiting.
      video_id: null,
    },
  ])
  const before = proxy.refused()
  expect(await ask('/v1/voices')).toMatchObject([503, {}])
  expect(proxy.refused()).toBeGreaterThan(before)
  const listed: unknown = await (await s.call('/videos')).json()
  expect(listed).toMatchObject({ data: [{ id: created.id }] })
  expect(s.sandbox.ledger().jobs).toHaveLength(1)

  await s.stop()
  for (const canary of [PROXY_PASSWORD, encodeURIComponent(PROXY_PASSWORD)]) {
    expect(logs.join('\n')).not.toContain(canary)
  }
})
