import { expect } from 'vitest'
import { IMAGE, type Reply } from '../harness.ts'
import type { Row } from './parse.ts'
import { ALL_SCOPES, OPERATIONS, requestOf, send } from './requests.ts'
import { rulesIn, type Rule } from './rules.ts'
import { expectError, walk, type Walk } from './walk.ts'

/** Operations × statuses: each status that a section names is reached over HTTP. */
const { every } = rulesIn('primary')

type Reach = (w: Walk, section: string) => Promise<Reply>

const withoutScope: Reach = async (w, section) => {
  const scopes = ALL_SCOPES.filter((scope) => scope !== OPERATIONS.get(section)?.scope)
  // The body first: its audio is uploaded with the sandbox's own key.
  const { path, ask } = await requestOf(w, section)
  return w.primary(path, { ...ask, key: await w.newKey('primary', { scopes }) })
}

const rateLimited: Reach = async (w, section) => {
  const { path, ask } = await requestOf(w, section)
  for (let i = 0; i < 10; i += 1) await w.primary('/api/v1/voices/service')
  return w.primary(path, ask)
}

/** A failure of the service itself: asked for by a magic input where the request has a text, else by a fault. */
const failing =
  (status: number): Reach =>
  async (w, section) => {
    const magic = status === 502 ? '[[asset-error]]' : '[[unavailable]]'
    const bodies: Record<string, () => object | Promise<object>> = {
      'POST /api/v1/videos/text': () => ({ image_url: IMAGE, text: magic }),
      'POST /api/v1/videos/audio': async () => ({ image_url: `${IMAGE}?${magic}`, audio_url: await w.uploaded() }),
      'POST /api/v1/tts/service': () => ({ voice_id: 'sandbox-en-us-ava', text: magic }),
      'POST /api/v1/puppets': () => ({ imageUrl: `${IMAGE}?${magic}` }),
    }
    const body = await bodies[section]?.()
    if (body) return send(w, section, { body })
    const operation = OPERATIONS.get(section)?.name
    await w.fault({ operation, kind: 'status', status, retryable: true, retry_after_seconds: 5 })
    return send(w, section)
  }

const statusRead =
  (status: number): Reach =>
  async (w) => {
    const path = String((await w.create({ text: `[[status-${status}]]` })).body['status_url'])
    const reply = await w.primary(path)
    expectError(await w.primary(path), status, String(reply.body['error']))
    // "keep polling the same job id": it was there all the time.
    expect((await w.primary(path)).status).toBe(200)
    return reply
  }

/** The same idempotency key, then another input. */
const conflicting: Reach = async (w, section) => {
  const { path, ask } = await requestOf(w, section)
  const headers = { 'idempotency-key': 'k' }
  expect((await w.primary(path, { ...ask, headers })).status).toBeLessThan(300)
  const changed: Record<string, unknown> = {
    imageUrl: `${IMAGE}?other`,
    image_url: `${IMAGE}?other`,
    content_length: 1_000,
  }
  const old = Object.entries(Object(ask.body)).map(([name, value]) => [name, changed[name] ?? value])
  const reply = await w.primary(path, { ...ask, body: Object.fromEntries(old), headers })
  expectError(reply, 409, 'idempotency_key_conflict')
  return reply
}

const spent: Reach = async (w, section) => {
  const { path, ask } = await requestOf(w, section)
  for (let i = 0; i < 10; i += 1) await w.create()
  const body = section.endsWith('audio-url') ? { require_video_readiness: true } : {}
  return w.primary(path, { ...ask, body: { ...Object(ask.body), ...body } })
}

const replayed =
  (ended: boolean): Reach =>
  async (w, section) => {
    const { path, ask } = await requestOf(w, section)
    const headers = { 'idempotency-key': 'k' }
    const first = await w.primary(path, { ...ask, headers })
    if (ended) await w.clock.advance(600_000)
    const reply = await w.primary(path, { ...ask, headers })
    expect(reply.body['id']).toBe(first.body['id'])
    return reply
  }

const bad: Reach = (w, section) => send(w, section, { body: '{' })

const BAD_PATHS: Readonly<Record<string, string>> = {
  'GET /api/v1/puppets': '/api/v1/puppets?limit=0',
  'GET /api/v1/puppets/{puppetId}': '/api/v1/puppets/a%20b',
  'DELETE /api/v1/puppets/{puppetId}': '/api/v1/puppets/a%20b',
  'GET /api/v1/videos/{jobId}': '/api/v1/videos/clip_1',
}
const MISSING_PATHS: Readonly<Record<string, string>> = {
  'GET /api/v1/puppets/{puppetId}': '/api/v1/puppets/nobody',
  'DELETE /api/v1/puppets/{puppetId}': '/api/v1/puppets/nobody',
  'GET /api/v1/videos/{jobId}': '/api/v1/videos/api_video_nothing',
}

const at =
  (paths: Readonly<Record<string, string>>, otherwise: Reach): Reach =>
  async (w, section) => {
    const path = paths[section]
    return path === undefined ? otherwise(w, section) : w.primary(path, { method: section.split(' ')[0] ?? 'GET' })
  }

const unknownVoice: Reach = async (w, section) => {
  const { path, ask } = await requestOf(w, section)
  return w.primary(path, { ...ask, body: { ...Object(ask.body), voice_id: 'nobody' } })
}

const tooLarge: Reach = (w, section) => send(w, section, { body: JSON.stringify({ padding: 'x'.repeat(70_000) }) })

const REACH: Readonly<Record<string, Reach>> = {
  200: async (w, section) => (/POST .*videos/.test(section) ? replayed(true)(w, section) : ok(w, section)),
  201: send,
  202: async (w, section) => {
    expect((await send(w, section)).status).toBe(202)
    return replayed(false)(w, section)
  },
  204: send,
  400: at(BAD_PATHS, bad),
  401: async (w, section) => {
    const { path, ask } = await requestOf(w, section)
    for (const key of ['wrong', 'sandbox-alternate-key'])
      expect((await w.primary(path, { ...ask, key })).status).toBe(401)
    return w.primary(path, { ...ask, key: null })
  },
  402: spent,
  403: withoutScope,
  404: at(MISSING_PATHS, unknownVoice),
  409: conflicting,
  413: tooLarge,
  415: (w, section) => send(w, section, { body: '{}', headers: { 'content-type': 'text/plain' } }),
  429: rateLimited,
  502: async (w, section) => (section.endsWith('{jobId}') ? statusRead(502) : failing(502))(w, section),
  503: failing(503),
  504: statusRead(504),
}

const ok: Reach = async (w, section) => (section === 'POST /api/v1/puppets' ? replayed(false) : send)(w, section)

const run = async (row: Row): Promise<void> => {
  const status = row.cells['status'] ?? ''
  const reach = REACH[status]
  if (!reach) throw new Error(`Nothing reaches ${status}.`)
  const w = await walk(status === '429' ? {} : { unlimitedRate: true, unlimitedSlots: true })
  const reply = await reach(w, row.section.replace('Endpoints › ', ''))
  expect(reply.status).toBe(Number(status))
  expect(reply.headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/)
  if (reply.status < 400) return
  expect([typeof reply.body['error'], typeof reply.body['message']]).toEqual(['string', 'string'])
}

export const primaryStatuses: Rule[] = every(/^Endpoints › (GET|POST|DELETE) \/api/, /^status \d{3}$/, run)
