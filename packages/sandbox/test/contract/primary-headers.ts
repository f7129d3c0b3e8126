import { expect } from 'vitest'
import type { Reply } from '../harness.ts'
import { send } from './requests.ts'
import { rulesIn, type Rule } from './rules.ts'
import { expectError, walk, type Walk } from './walk.ts'

/** "Shared response headers" and "Idempotency-Key". */
const { every, named } = rulesIn('primary')

const SECTION = 'Endpoints › Shared response headers'

const FORMS: Readonly<Record<string, RegExp>> = {
  integer: /^\d+$/,
  'integer >= 0': /^\d+$/,
  'string, date-time (UTC)': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  string: /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/videos\/api_video_/,
  'string, pattern `^api_video_`': /^api_video_/,
}

const rateLimit = async (w: Walk): Promise<void> => {
  const { headers } = await w.primary('/api/v1/voices/service')
  expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['10', '9'])
  const resetMs = Number(headers.get('X-RateLimit-Reset')) * 1000 - w.clock.now()
  expect(resetMs).toBe(60_000)
}

/** Every header of the table is on a create's answer; its value has the form of the table and means what it says. */
const headers = every(SECTION, /./, async ({ name, cells }) => {
  const w = await walk()
  if (name.startsWith('X-RateLimit')) await rateLimit(w)
  const reply: Reply = await w.create()
  const value = reply.headers.get(name)
  expect(value).toMatch(FORMS[cells['Type'] ?? ''] ?? /$^/)
  if (name.endsWith('-Id')) expect(value).toBe(reply.body['id'])
  if (name.endsWith('Location')) expect(value).toBe(`${w.sandbox.primaryUrl}${String(reply.body['status_url'])}`)
  if (name === 'X-Service-Next-Poll-At') {
    expect([reply.body['next_poll_at'], reply.body['nextPollAt']]).toEqual([value, value])
    expect(Date.parse(value ?? '') - w.clock.now()).toBe(Number(reply.headers.get('Retry-After')) * 1000)
  }
  if (name === 'X-Service-Credits-Required') expect(value).toBe('1')
  if (name === 'X-Service-Credits-Remaining') expect(value).toBe('9')
})

const ACCEPTING = [
  'POST /api/v1/puppets',
  'POST /api/v1/uploads/audio-url',
  'POST /api/v1/videos/text',
  'POST /api/v1/videos/audio',
]

const replays = async (section: string): Promise<void> => {
  const w = await walk({ unlimitedRate: true })
  const headers = { 'idempotency-key': 'k' }
  const first = await send(w, section, { headers })
  // The body of an audio create names a fresh upload: the key is the same, the input is not.
  if (!section.endsWith('/audio')) {
    const again = await send(w, section, { headers })
    expect(again.body['id']).toBe(first.body['id'])
  }
  for (const key of ['x'.repeat(200)])
    expect((await send(w, section, { headers: { 'idempotency-key': key } })).status).toBeLessThan(300)
  for (const key of ['x'.repeat(201), ''])
    expectError(await send(w, section, { headers: { 'idempotency-key': key } }), 400, 'invalid_request')
  expect(w.sandbox.ledger().charges.length).toBe(section.includes('videos') ? 2 : 0)
}

const idempotency = named('Endpoints › Idempotency-Key (request header, optional)', {
  'String, length 1 to 200, non-blank…': async () => {
    for (const section of ACCEPTING) await replays(section)
    const w = await walk({ unlimitedRate: true, unlimitedSlots: true })
    const headers = { 'idempotency-key': 'k' }
    // Scoped to the endpoint and the workspace.
    for (const section of ACCEPTING) expect((await send(w, section, { headers })).status).toBeLessThan(300)
    const key = await w.newKey('primary')
    const other = await send(w, 'POST /api/v1/videos/text', { headers, key })
    expect(other.status).toBe(202)
    expectError(await w.create({ text: 'other' }, headers), 409, 'idempotency_key_conflict')
    // A pending hosted upload: a fresh signed PUT URL, no second reservation.
    await w.clock.advance(60_000)
    const [first, second] = [
      await send(w, ACCEPTING[1] ?? '', { headers }),
      await send(w, ACCEPTING[1] ?? '', { headers }),
    ]
    expect(first.body['id']).toBe(second.body['id'])
    expect(String(first.body['upload_expires_at'])).toBe(new Date(w.clock.now() + 900_000).toISOString())
  },
})

export const primaryHeaders: Rule[] = [...headers, ...idempotency]
