import { expect } from 'vitest'
import { IMAGE, type Reply } from '../harness.ts'
import type { Row } from './parse.ts'
import { REQUESTS, UPLOAD } from './requests.ts'
import { rulesIn, type Rule } from './rules.ts'
import { at, expectError, walk, type Walk } from './walk.ts'

/** "Errors": the fields of the bodies, the codes seen, the meanings of the statuses. */
const { every, named } = rulesIn('primary')

const FIELDS = 'Errors › Error body fields (not all on every error)'

const slotsFull = async (w: Walk): Promise<Reply> => {
  await w.create({ text: '[[stuck]]' })
  await w.create({ text: '[[stuck]]' })
  return w.create()
}
const audioVideo = (w: Walk, audioUrl: string): Promise<Reply> =>
  w.primary('/api/v1/videos/audio', { body: { image_url: IMAGE, audio_url: audioUrl } })
const missingJob = (w: Walk): Promise<Reply> => w.primary('/api/v1/videos/api_video_nothing')
const upload = (w: Walk, more: Record<string, unknown>, headers = {}): Promise<Reply> =>
  w.primary('/api/v1/uploads/audio-url', { body: { ...UPLOAD, ...more }, headers })

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const FORMS: Readonly<Record<string, (value: unknown) => void>> = {
  string: (value) => expect(typeof value).toBe('string'),
  boolean: (value) => expect(typeof value).toBe('boolean'),
  integer: (value) => expect(Number.isInteger(value)).toBe(true),
  'string, date-time': (value) => expect(value).toMatch(ISO),
}
const isJobField = (cells: Row['cells']): boolean => /job id|poll path/.test(cells['Type'] ?? '')

/** Which error carries the field, and that it has its type, at the top and again in `details`. */
const field = async ({ name, cells }: Row): Promise<void> => {
  const w = await walk()
  const blocked = /^retry_?block/i.test(name)
  const { body } = isJobField(cells) || blocked ? await missingJob(w) : await slotsFull(w)
  if (name === 'details') return detailsRepeat(w, body)
  const form = FORMS[(cells['Type'] ?? '').replace(/ \(.*\)$/, '')]
  form?.(body[name])
  expect(body).toHaveProperty(name)
  if (isJobField(cells)) expect(String(body[name])).toMatch(/api_video_nothing$/)
  if (!['error', 'message'].includes(name)) expect(at(body, 'details')[name]).toBe(body[name])
}

/** "object repeating the above and possibly: max_body_bytes, max_file_bytes, code, reason, video_generation". */
const detailsRepeat = async (w: Walk, body: Record<string, unknown>): Promise<void> => {
  const { error, message, details: _, ...shared } = body
  expect(body['details']).toMatchObject({ ...shared, code: error, reason: message })
  expect(at(body, 'details', 'videoGeneration')).toEqual(at(body, 'details', 'video_generation'))
  const file = await upload(w, { content_length: 52_428_801 })
  expect(file.body['details']).toMatchObject({ max_file_bytes: 52_428_800 })
  const padding = 'x'.repeat(9_000)
  expect((await upload(w, { padding })).body['details']).toMatchObject({ max_body_bytes: 8_192 })
}

const fields = [
  ...named(FIELDS, {
    '`video_generation`…': async () => {
      const w = await walk()
      const { body } = await slotsFull(w)
      const generation = at(body, 'details', 'video_generation')
      const seconds = { retry_after_seconds: 20, retryAfter: 20, retryAfterSeconds: 20 }
      const times = { next_poll_at: body['next_poll_at'], nextPollAt: body['next_poll_at'] }
      expect(generation).toEqual({
        can_create: false,
        canCreate: false,
        reason: 'concurrent_job_limit_reached',
        active_jobs: 2,
        activeJobs: 2,
        available_slots: 0,
        availableSlots: 0,
        ...seconds,
        ...times,
      })
    },
  }),
  ...every(FIELDS, /./, field),
]

/** How each row of "Error codes seen" comes about: by its status, code and condition. */
const CAUSES: readonly (readonly [RegExp, (w: Walk) => Promise<Reply>])[] = [
  [/not a hosted upload owned/, (w) => audioVideo(w, 'https://example.com/a.wav')],
  [/upload not finished/, async (w) => audioVideo(w, String((await upload(w, {})).body['read_url']))],
  [/not a supported image/, (w) => w.create({ image_url: 'https://example.com/a.pdf' })],
  [/ownership check/, async (w) => audioVideo(w, `${await w.uploaded()}&x=[[audio-check-unavailable]]`)],
  [/unknown voice id/, (w) => w.create({ voice_id: 'nobody' })],
  [/no such job/, missingJob],
  [
    /key reused/,
    async (w) => {
      await upload(w, {}, { 'idempotency-key': 'k' })
      return upload(w, { content_length: 9 }, { 'idempotency-key': 'k' })
    },
  ],
  [
    /is being created/,
    async (w) => {
      const fault = { operation: 'createHostedAudioUploadUrl', kind: 'latency', when: 'during', latency_ms: 1_000 }
      await w.fault(fault)
      const state = { isAnswered: false }
      const first = upload(w, {}, { 'idempotency-key': 'k' }).finally(() => (state.isAnswered = true))
      await expect.poll(() => state.isAnswered || w.clock.pending() === 1).toBe(true)
      const second = await upload(w, {}, { 'idempotency-key': 'k' })
      await w.clock.advance(1_000)
      expect((await first).status).toBe(200)
      return second
    },
  ],
  [/AUDIO_UPLOAD_PAYLOAD/, (w) => upload(w, { padding: 'x'.repeat(8_192) })],
  [/VIDEO_CREATE_PAYLOAD/, (w) => w.create({ text: 'x'.repeat(65_536) })],
  [/audio over 50 MB/, (w) => upload(w, { content_length: 52_428_801 })],
  [/not application\/json/, (w) => upload(w, {}, { 'content-type': 'text/plain' })],
  [/active job slots full/, slotsFull],
  [
    /per-minute limit/,
    async (w) => {
      for (let i = 0; i < 10; i += 1) await w.primary('/api/v1/usage')
      return w.primary('/api/v1/usage')
    },
  ],
]

const codes = every('Errors › Error codes seen', /./, async ({ name, cells }) => {
  const cause = CAUSES.find(([pattern]) => pattern.test(name))?.[1]
  if (!cause) throw new Error('Nothing causes this error.')
  const w = await walk()
  const reply = await cause(w)
  expectError(reply, Number(cells['Status']), cells['error'] ?? '')
  const [, blockCode] = name.split(' → ')
  expect([reply.body['retry_block_code'], reply.body['retryBlockCode']]).toEqual([blockCode, blockCode])
  expect(at(reply.body, 'details')['retry_block_code']).toBe(blockCode)
  const retryable = /retryable|temporarily/.test(cells['Condition'] ?? '')
  expect(reply.body['retryable']).toBe(retryable)
  if (!retryable) return
  expect(reply.headers.get('Retry-After')).toBe(String(reply.body['retry_after_seconds']))
  expect(reply.headers.get('X-Service-Next-Poll-At')).toBe(reply.body['next_poll_at'])
  expect(at(reply.body, 'details')).toMatchObject({ retryAfter: reply.body['retry_after_seconds'] })
})

/** One cause of each status, wherever it is easiest. */
const MEANINGS: Readonly<Record<string, (w: Walk) => Promise<Reply>>> = {
  400: (w) => w.primary('/api/v1/videos/text', { body: '[]' }),
  401: async (w) => {
    const key = await w.newKey('primary', { account: 'a' })
    expect((await w.primary('/api/v1/usage', { key })).status).toBe(200)
    await w.newKey('primary', { account: 'a' })
    return w.primary('/api/v1/usage', { key })
  },
  402: (w) => w.create({ text: '[[no-credits]]' }),
  403: async (w) => w.primary('/api/v1/usage', { key: await w.newKey('primary', { scopes: [] }) }),
  404: missingJob,
  409: async (w) => {
    await w.create({ idempotencyKey: 'k' })
    return w.create({ idempotencyKey: 'k', text: 'other' })
  },
  413: (w) => upload(w, { sizeBytes: 52_428_801, content_length: 52_428_801 }),
  415: (w) => upload(w, {}, { 'content-type': 'application/xml' }),
  429: (w) => w.create({ text: '[[quota-exceeded]]' }),
  502: (w) => w.create({ text: '[[asset-error]]' }),
  503: async (w) => {
    const reply = await w.create({ text: '[[unavailable]]' })
    expect(reply.headers.get('Retry-After')).toBe('10')
    return reply
  },
  504: async (w) => {
    const made = await w.create({ text: '[[status-504]]' })
    const reply = await w.primary(String(made.body['status_url']))
    expect(reply.headers.get('Location')).toBe(made.headers.get('Location'))
    return reply
  },
}

const meanings = every('Errors › Status code meanings', /^\d{3}$/, async ({ name }) => {
  const reply = await MEANINGS[name]?.(await walk())
  expect(reply?.status).toBe(Number(name))
})

const general = named('Errors', {
  'Every JSON error has `error`…': async () => {
    const w = await walk({ unlimitedRate: true })
    for (const make of Object.values(REQUESTS)) {
      const { path, ask } = await make(w)
      const { body } = await w.primary(path, { ...ask, key: null })
      expect([typeof body['error'], typeof body['message'], body['retryable']]).toEqual(['string', 'string', false])
    }
    const refused = await w.create({ text: '[[unavailable]]' }, { 'idempotency-key': 'k' })
    expect(refused.body['retryable']).toBe(true)
    // "reuse the same Idempotency-Key when retrying a write": a refusal has not used it up.
    expect((await w.create({}, { 'idempotency-key': 'k' })).status).toBe(202)
  },
})

export const primaryErrors: Rule[] = [...fields, ...codes, ...meanings, ...general]
