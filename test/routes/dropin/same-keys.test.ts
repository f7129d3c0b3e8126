import { expect, test } from 'vitest'
import { bearer, KEYS, testApp } from '../../fakes/gateway.ts'
import { serveResources } from '../resource-services.ts'
import { servePrimary } from '../services.ts'

/** Two clients of one workspace that use the same idempotency key never meet. */

const KEY = { 'idempotency-key': 'order-1' }
const IMAGE = 'https://img.example/me.png'

const BODIES = {
  '/videos/text': (who: string) => ({ imageUrl: IMAGE, text: `I am ${who}` }),
  '/videos/audio': (who: string) => ({ imageUrl: IMAGE, audioUrl: `https://cdn.example/${who}.wav` }),
  '/puppets': (who: string) => ({ imageUrl: `https://img.example/${who}.png`, name: who }),
  '/uploads/audio-url': (who: string) => ({ mimeType: 'audio/wav', contentLength: who === 'anna' ? 1_000 : 2_000 }),
} as const

const setUp = async (path: keyof typeof BODIES) => {
  const app = await testApp()
  if (path.startsWith('/videos')) {
    let jobs = 0
    servePrimary(app.main)
    app.main.answer(({ method }) => {
      if (method !== 'POST') return { status: 404, body: {} }
      jobs += 1
      return { status: 202, body: { id: `api_video_${jobs}`, status: 'queued' } }
    })
  } else serveResources(app.main)
  const ask = (client: keyof typeof KEYS, who: string = client) =>
    app.raw
      .post(`/api/v1${path}`)
      .set({ ...bearer(KEYS[client]), ...KEY })
      .send(BODIES[path](who))
  const outboundKeys = () =>
    app.main.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key'])
  return { ask, outboundKeys }
}

const nameOf = (body: unknown): unknown => {
  const { id, upload_url: url }: { id?: unknown; upload_url?: unknown } = Object(body)
  // An upload is signed anew each time.
  return id ?? String(url).replace(/\?.*/, '')
}

test.each(Object.keys(BODIES) as (keyof typeof BODIES)[])('POST /api/v1%s', async (path) => {
  const { ask, outboundKeys } = await setUp(path)
  const [anna, bert] = [await ask('anna'), await ask('bert')]
  expect([anna.status, bert.status].every((status) => status < 300)).toBe(true)
  expect(nameOf(bert.body)).not.toBe(nameOf(anna.body))
  const made = outboundKeys()
  expect(new Set(made).size).toBe(2)
  // Each finds its own again, and meets a conflict with its own alone.
  expect(nameOf((await ask('anna')).body)).toBe(nameOf(anna.body))
  expect(nameOf((await ask('bert')).body)).toBe(nameOf(bert.body))
  expect(new Set(outboundKeys()).size).toBe(2)
  const conflict = await ask('anna', 'bert')
  expect([conflict.status, conflict.body]).toEqual([
    409,
    expect.objectContaining({ error: 'idempotency_key_conflict' }),
  ])
  expect(JSON.stringify(conflict.body)).not.toContain(String(nameOf(bert.body)))
})
