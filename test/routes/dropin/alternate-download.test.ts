import { expect, test } from 'vitest'
import { bearer, KEYS, testApp } from '../../fakes/gateway.ts'

const LINK = { download_url: 'https://cdn.example/1.mp4?sig=2', expires_at: '2036-01-01T00:00:00.000Z' }

test('GET /v1/videos/:id/download tells how long the link holds, and answers the one that it has if that cannot be told', async () => {
  const app = await testApp({ routing: { dropin: { alternate: 'alt' } }, runsEngine: true })
  const detail = { id: 'clip_1', status: 'completed', download_url: 'https://cdn.example/1.mp4?sig=1' }
  app.alt.answer(({ method }) => ({ status: method === 'POST' ? 201 : 200, body: detail }))
  const get = (path: string) => app.raw.get(path).set(bearer(KEYS.anna))
  const script = { script: 'Hello', puppet_id: 'pup_1' }
  const made = await app.raw.post('/v1/videos').set(bearer(KEYS.anna)).send(script)
  const path = `/v1/videos/${made.body.id}`
  await expect.poll(async () => (await get(path)).body.status, { timeout: 120_000 }).toBe('completed')
  app.alt.answer({ status: 503, body: {} })
  expect((await get(`${path}/download`)).body).toEqual({ download_url: detail.download_url, expires_at: null })
  const fresh = await testApp({ routing: { dropin: { alternate: 'alt' } }, runsEngine: true })
  fresh.alt.answer(({ method, path: at }) => ({
    status: method === 'POST' ? 201 : 200,
    body: at.endsWith('/download') ? LINK : detail,
  }))
  const again = await fresh.raw.post('/v1/videos').set(bearer(KEYS.anna)).send(script)
  const read = () => fresh.raw.get(`/v1/videos/${again.body.id}/download`).set(bearer(KEYS.anna))
  await expect.poll(async () => (await read()).body, { timeout: 120_000 }).toEqual(LINK)
})
