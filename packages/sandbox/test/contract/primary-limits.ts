import { expect } from 'vitest'
import { IMAGE } from '../harness.ts'
import { REQUESTS, UPLOAD } from './requests.ts'
import { rulesIn, type Rule } from './rules.ts'
import { expectError, walk, type Walk } from './walk.ts'

/** "Limits", "Authentication", "Events", "Versioning", and what "Endpoints" says of all. */
const { named } = rulesIn('primary')

const upload = (w: Walk, bytes: number) =>
  w.primary('/api/v1/uploads/audio-url', { body: { ...UPLOAD, content_length: bytes } })
const voices = (w: Walk, key?: string | null) => w.primary('/api/v1/voices/service', key === undefined ? {} : { key })
const speak = (w: Walk, characters: number) =>
  w.primary('/api/v1/tts/service', { body: { voice_id: 'sandbox-en-us-ava', text: 'x'.repeat(characters) } })

const oneKey = async (): Promise<void> => {
  const w = await walk()
  const first = await w.newKey('primary', { account: 'a' })
  const second = await w.newKey('primary', { account: 'a' })
  expect([(await voices(w, first)).status, (await voices(w, second)).status]).toEqual([401, 200])
}

const slots = async (): Promise<void> => {
  const w = await walk()
  const jobs = [await w.create(), await w.create()]
  expect(jobs.map(({ status }) => status)).toEqual([202, 202])
  expectError(await w.create(), 429, 'concurrent_job_limit_reached')
  await w.clock.advance(3_600_000)
  expect((await w.create()).status).toBe(202)
}

const credits = async (): Promise<void> => {
  const w = await walk({ unlimitedRate: true, unlimitedSlots: true })
  for (let i = 0; i < 10; i += 1) expect((await w.create()).status).toBe(202)
  expectError(await w.create(), 402, 'insufficient_credits')
  await w.clock.advance(31 * 86_400_000)
  expect((await w.create()).status).toBe(202)
}

const limits = named('Limits', {
  'Active API keys per account': oneKey,
  'Requests per minute': async () => {
    const w = await walk()
    for (let i = 0; i < 10; i += 1) expect((await voices(w)).status).toBe(200)
    expectError(await voices(w), 429, 'rate_limited')
    await w.clock.advance(60_000)
    expect((await voices(w)).status).toBe(200)
  },
  'Concurrent API video jobs': slots,
  'API video credits per month': credits,
  'Voice characters per month': async () => {
    const w = await walk({ unlimitedRate: true })
    for (let i = 0; i < 20; i += 1) expect((await speak(w, 5_000)).status).toBe(200)
    const over = await speak(w, 1)
    expectError(over, 429, 'monthly_quota_exceeded')
    expect(over.body['retryable']).toBe(false)
    await w.clock.advance(31 * 86_400_000)
    expect((await speak(w, 1)).status).toBe(200)
  },
  'Hosted audio storage': async () => {
    const w = await walk({ unlimitedRate: true })
    const files = Math.floor((2 * 1024 ** 3) / 52_428_800)
    for (let i = 0; i < files; i += 1) expect((await upload(w, 52_428_800)).status).toBe(200)
    expectError(await upload(w, 52_428_800), 429, 'monthly_quota_exceeded')
    const rest = 2 * 1024 ** 3 - files * 52_428_800
    expect((await upload(w, rest)).status).toBe(200)
    expectError(await upload(w, 1), 429, 'monthly_quota_exceeded')
    await w.clock.advance(31 * 86_400_000)
    expect((await upload(w, 52_428_800)).status).toBe(200)
  },
  'Audio uploads per month': async () => {
    const w = await walk({ unlimitedRate: true })
    for (let i = 0; i < 250; i += 1) expect((await upload(w, 10)).status).toBe(200)
    expectError(await upload(w, 10), 429, 'monthly_quota_exceeded')
    await w.clock.advance(31 * 86_400_000)
    expect((await upload(w, 10)).status).toBe(200)
  },
  'Maximum audio file': async () => {
    const w = await walk()
    expect((await upload(w, 52_428_800)).status).toBe(200)
    expectError(await upload(w, 52_428_801), 413, 'file_too_large')
  },
  'Upload-URL request body': async () => {
    const w = await walk()
    const body = JSON.stringify(UPLOAD).padEnd(8_192)
    expect((await w.primary('/api/v1/uploads/audio-url', { body })).status).toBe(200)
    expectError(await w.primary('/api/v1/uploads/audio-url', { body: `${body} ` }), 413, 'payload_too_large')
  },
  'Video create request body': async () => {
    const w = await walk()
    const body = JSON.stringify({ image: IMAGE, text: 'x' }).padEnd(65_536)
    expect((await w.primary('/api/v1/videos/text', { body })).status).toBe(202)
    expectError(await w.primary('/api/v1/videos/text', { body: `${body} ` }), 413, 'payload_too_large')
  },
  'Idempotency-Key length': async () => {
    const w = await walk()
    for (const length of [1, 200]) expect((await w.create({ idempotency_key: 'k'.repeat(length) })).status).toBe(202)
    for (const key of ['', 'k'.repeat(201), '   '])
      expectError(await w.create({ idempotency_key: key }), 400, 'invalid_request')
  },
  'Puppet list page size': async () => {
    const w = await walk()
    for (const [limit, status] of [
      [1, 200],
      [100, 200],
      [0, 400],
      [101, 400],
    ] as const)
      expect((await w.primary(`/api/v1/puppets?limit=${limit}`)).status).toBe(status)
  },
  'When a limit is exceeded…': async () => {
    await slots()
    await credits()
    const w = await walk()
    expect((await w.create({ text: '[[quota-exceeded]]' })).status).toBe(429)
    expect((await upload(w, 52_428_801)).status).toBe(413)
  },
})

const authentication = named('Authentication', {
  'Every endpoint uses HTTP bearer authentication…': async () => {
    const w = await walk({ unlimitedRate: true })
    for (const make of Object.values(REQUESTS)) {
      const { path, ask } = await make(w)
      expect((await w.primary(path, { ...ask, key: null })).status).toBe(401)
    }
    const basic = await w.primary('/api/v1/usage', { key: null, headers: { authorization: 'Basic c2FuZGJveA==' } })
    expect(basic.status).toBe(401)
    expect((await w.primary('/api/v1/usage?api_key=sandbox-primary-key', { key: null })).status).toBe(401)
  },
  'A key is a live API key…': oneKey,
  'Each endpoint requires a scope…': async () => {
    const w = await walk()
    const key = await w.newKey('primary', { scopes: ['voices:read'] })
    expect([(await voices(w, key)).status, (await w.primary('/api/v1/usage', { key })).status]).toEqual([200, 403])
  },
  'Missing, malformed, invalid or revoked key…': async () => {
    const w = await walk()
    for (const authorization of ['Bearer', 'Bearer  ', 'sandbox-primary-key', 'Bearer a b', 'Bearer nothing'])
      expect((await w.primary('/api/v1/usage', { key: null, headers: { authorization } })).status).toBe(401)
    const key = await w.newKey('primary', { scopes: [] })
    const { status, body } = await w.primary('/api/v1/usage', { key })
    expect([status, body['retryable']]).toEqual([403, false])
  },
  'A video job is readable only…': async () => {
    const w = await walk()
    const path = String((await w.create()).body['status_url'])
    expect((await w.primary(path)).status).toBe(200)
    expectError(await w.primary(path, { key: await w.newKey('primary') }), 404, 'job_not_found')
  },
})

const others = [
  ...named('Endpoints', {
    'All request bodies are `application/json`…': async () => {
      const w = await walk({ unlimitedRate: true })
      for (const [section, make] of Object.entries(REQUESTS).filter(([section]) => section.startsWith('POST'))) {
        const { path, ask } = await make(w)
        const { status } = await w.primary(path, { ...ask, headers: { 'content-type': 'text/plain' } })
        // 415 where the operation lists it.
        expect(status).toBe(/puppets|tts/.test(section) ? 400 : 415)
      }
    },
  }),
  ...named('Events', {
    'None…': async () => {
      const w = await walk()
      const { status, body } = await w.primary('/api/v1/videos/text', {
        body: JSON.stringify({ image: IMAGE, text: 'x', webhook_url: 'http://127.0.0.1:9/hook' }),
      })
      await w.clock.advance(3_600_000)
      expect([status, w.sandbox.ledger().callbacks]).toEqual([202, []])
      expect(body['status_url']).toMatch(/^\/api\/v1\/videos\//)
    },
  }),
  ...named('Versioning', {
    'The contract version is 2026-05-11.': async () => {
      const w = await walk()
      expect((await w.primary('/openapi.json', { key: null })).body).toMatchObject({ info: { version: '2026-05-11' } })
    },
    'All paths carry the prefix `/api/v1`.': async () => {
      const w = await walk()
      const { body } = await w.primary('/openapi.json', { key: null })
      for (const path of Object.keys(Object(body['paths']))) expect(path).toMatch(/^\/api\/v1\//)
    },
    'The machine-readable contract is served…': async () => {
      const { status, body } = await (await walk()).primary('/openapi.json', { key: null })
      expect([status, body['openapi']]).toEqual([200, '3.1.0'])
    },
    'The interface is labeled beta.': async () => {
      const w = await walk()
      expect((await w.create({ text: '[[quota-exceeded]]' })).body['message']).toMatch(/beta/)
    },
  }),
]

export const primaryLimits: Rule[] = [...limits, ...authentication, ...others]
