import { expect } from 'vitest'
import { IMAGE } from '../harness.ts'
import type { Row } from './parse.ts'
import { OPERATIONS, send } from './requests.ts'
import { rulesIn, type Rule } from './rules.ts'
import { at, expectError, HOUR_MS, listAt, putAudio, walk, WAV } from './walk.ts'

/** "What the service does", "Resources and their fields", "States and transitions". */
const { named, every } = rulesIn('primary')

const voices = async () => {
  const w = await walk()
  return { w, body: (await w.primary('/api/v1/voices/service')).body }
}

/** The meanings that can be held against a value, by field. */
const VOICE: Readonly<Record<string, RegExp>> = {
  id: /^[^-]+-.+$/,
  object: /^voice$/,
  language_code: /^[a-z]{2}(-[A-Z]{2})?$/,
  gender: /^[A-Z][a-z]+$/,
  preview_url: /^\/[^/]/,
}

const operation = async ({ name, cells }: Row): Promise<void> => {
  const w = await walk({ unlimitedSlots: true })
  const section = `${cells['Method']} ${cells['Path']}`
  const reply = await send(w, section, { key: await w.newKey('primary', { scopes: [cells['Required scope']] }) })
  // The other account has neither the default account's puppets and jobs nor its audio: not 403 is what counts.
  expect([200, 201, 202, 204, 400, 404]).toContain(reply.status)
  const own = await send(w, section)
  expect([200, 201, 202, 204]).toContain(own.status)
  expect(w.sandbox.ledger().requests.at(-1)?.operation).toBe(name)
  const others = [...new Set([...OPERATIONS.values()].map(({ scope }) => scope))]
  const scopes = others.filter((scope) => scope !== cells['Required scope'])
  expect((await send(w, section, { key: await w.newKey('primary', { scopes }) })).status).toBe(403)
}

const service = named('What the service does', {
  'An HTTPS JSON API…': async () => {
    const { w } = await voices()
    for (const path of ['/v1/voices/service', '/voices/service', '/api/v2/voices/service'])
      expect((await w.primary(path)).status).toBe(404)
  },
  'It creates credit-backed…': async () => {
    const w = await walk()
    const audio = await w.primary('/api/v1/videos/audio', { body: { image: IMAGE, audio: await w.uploaded() } })
    for (const made of [await w.create(), audio]) {
      expect(made.status).toBe(202)
      await w.clock.advance(HOUR_MS)
      expect(String((await w.primary(String(made.body['status_url']))).body['video_url'])).toMatch(/^http/)
    }
  },
  'It lists a public voice catalog…': async () => {
    const { body } = await voices()
    expect(listAt(body, 'data')).toHaveLength(45)
    expect(listAt(body, 'data').every((voice) => voice['preview_url'])).toBe(true)
  },
  'Everything is scoped…': async () => {
    const w = await walk()
    const made = await w.create()
    const key = await w.newKey('primary')
    expectError(await w.primary(String(made.body['status_url']), { key }), 404, 'job_not_found')
    expect(listAt((await w.primary('/api/v1/puppets', { key })).body, 'data')).toEqual([])
  },
  'The interface is polling-first…': async () => {
    const w = await walk()
    expect((await w.create()).body).not.toHaveProperty('webhook_url')
  },
})

const fields = [
  ...every('Resources and their fields › Voice', /./, async ({ name, cells }) => {
    const { body } = await voices()
    for (const voice of listAt(body, 'data')) {
      expect(typeof voice[name]).toBe(cells['Type'])
      expect(String(voice[name])).toMatch(VOICE[name] ?? /\S/)
    }
  }),
  ...named('Resources and their fields › Voice list', {
    object: async () => expect((await voices()).body['object']).toBe('list'),
    data: async () => {
      const ids = listAt((await voices()).body, 'data').map(({ id }) => id)
      expect(new Set(ids).size).toBe(45)
    },
  }),
]

const bodies = [
  ...named('Resources and their fields › Puppet (saved portrait)', {
    'Created from `imageUrl`…': async () => {
      const w = await walk({ unlimitedRate: true })
      const make = (body: unknown) => w.primary('/api/v1/puppets', { body })
      const made = await make({ imageUrl: IMAGE, name: 'Me' })
      expect([made.status, made.body['imageUrl'], made.body['name']]).toEqual([201, IMAGE, 'Me'])
      expect(typeof made.body['id']).toBe('string')
      expect((await make({ imageUrl: IMAGE })).status).toBe(201)
      for (const body of [{ name: 'Me' }, { imageUrl: 'face' }, { imageUrl: IMAGE, name: 7 }])
        expect((await make(body)).status).toBe(400)
      expect((await w.primary(`/api/v1/puppets/${String(made.body['id'])}`)).body).toEqual(made.body)
    },
    'Puppet list response: carries a cursor…': async () => {
      const w = await walk()
      const { body } = await w.primary('/api/v1/puppets?limit=2')
      expect(body['nextCursor']).toBe(listAt(body, 'data')[1]?.['id'])
    },
  }),
  ...named('Resources and their fields › Speech result', {
    'A hosted WAV audio file created from text.': async () => {
      const w = await walk()
      const secondsOf = async (text: string, speed: number) => {
        const { body } = await w.primary('/api/v1/tts/service', {
          body: { voice_id: 'sandbox-de-de-lena', text, speed },
        })
        const file = Buffer.from(await (await fetch(String(body['audio_url']))).arrayBuffer())
        expect([file.toString('latin1', 0, 4), file.readUInt32LE(4)]).toEqual(['RIFF', file.length - 8])
        return (file.length - 44) / file.readUInt32LE(28)
      }
      expect(await secondsOf('x'.repeat(300), 1)).toBeCloseTo(20, 1)
      expect(await secondsOf('x'.repeat(300), 2)).toBeCloseTo(10, 1)
    },
  }),
  ...named('Resources and their fields › Hosted audio upload', {
    'The response carries a short-lived signed PUT URL…': async () => {
      const w = await walk()
      const body = { mime_type: 'audio/wav', content_length: WAV.length }
      const reserved = (await w.primary('/api/v1/uploads/audio-url', { body })).body
      const [put, read] = [String(reserved['upload_url']), String(reserved['read_url'])]
      const forged = put.replace(/signature=(.)/, (_, first: string) => `signature=${first === 'A' ? 'B' : 'A'}`)
      expect((await putAudio(forged, WAV)).status).toBe(403)
      expect((await putAudio(put, WAV)).status).toBe(200)
      expect(Buffer.from(await (await fetch(read)).arrayBuffer())).toEqual(WAV)
      await w.clock.advance(15 * 60_000)
      expect((await putAudio(put, WAV)).status).toBe(403)
      await w.clock.advance(45 * 60_000)
      expect((await fetch(read)).status).toBe(403)
    },
  }),
  ...named('Resources and their fields › Usage', {
    'The response reports: current video credit balance…': async () => {
      const w = await walk()
      await w.create()
      const { body } = await w.primary('/api/v1/usage')
      expect(body['credits']).toMatchObject({ balance: 9, used_this_month: 1, included: 10, purchased: 0 })
      expect(body['checkout_available']).toBe(false)
      expect(listAt(body, 'credit_packs')).not.toEqual([])
      expect(at(body, 'video_generation')).toMatchObject({ can_create: true, available_slots: 1 })
    },
  }),
]

const job = named('Resources and their fields › Video job', {
  'Public job id matches…': async () => {
    const w = await walk()
    const { body, headers } = await w.create()
    expect(body['id']).toMatch(/^api_video_[A-Za-z0-9_-]+$/)
    expect([body['operation_id'], body['request_id']]).toEqual([body['id'], body['id']])
    expect(headers.get('Service-Operation-Id')).toBe(body['id'])
  },
  'Known body fields…': async () => {
    const w = await walk()
    const made = await w.create({ text: 'x'.repeat(500) })
    const known = ['id', 'operation_id', 'request_id', 'status_url', 'content_location', 'status']
    for (const name of known) expect([name, typeof made.body[name]]).toEqual([name, 'string'])
    await w.clock.advance(30_000)
    const { body } = await w.primary(String(made.body['status_url']))
    expect(body['progress']).toBeGreaterThan(0)
    expect(body['progress']).toBeLessThan(1)
    expect((await w.ended()).body['video_url']).toMatch(/^http/)
  },
  'Error bodies for a missing job…': async () => {
    const w = await walk()
    const { body } = await w.primary('/api/v1/videos/api_video_nothing')
    for (const name of ['job_id', 'jobId', 'task_id', 'taskId', 'operation_id', 'operationId'])
      expect(body[name]).toBe('api_video_nothing')
  },
})

const aliases = named('Resources and their fields › Alias convention', {
  'Many request fields accept several names…': async () => {
    const w = await walk({ unlimitedRate: true })
    const send = (body: Record<string, unknown>, headers = {}) => w.primary('/api/v1/videos/text', { body, headers })
    expectError(await send({ text: 'x' }), 400, 'invalid_request')
    expectError(await send({ image: IMAGE, photo: `${IMAGE}?2`, text: 'x' }), 400, 'invalid_request')
    const body = { image: IMAGE, text: 'x', idempotencyKey: 'a', idempotency_key: 'b' }
    expectError(await send(body), 400, 'idempotency_key_mismatch')
    const { idempotency_key: _, ...one } = body
    expectError(await send(one, { 'idempotency-key': 'b' }), 400, 'idempotency_key_mismatch')
    expect((await send(one, { 'idempotency-key': 'a' })).status).toBe(202)
  },
})

const states = named('States and transitions', {
  queued: async () => {
    const w = await walk()
    expect((await w.create()).body['status']).toBe('queued')
  },
  processing: async () => {
    const w = await walk()
    const path = String((await w.create({ text: '[[stuck]]' })).body['status_url'])
    await w.clock.advance(HOUR_MS)
    expect((await w.primary(path)).body).toMatchObject({ status: 'processing', progress: 0.42 })
  },
  completed: async () => {
    const { body } = await (await walk()).ended()
    expect([body['status'], typeof body['video_url'], body['next_poll_at']]).toEqual(['completed', 'string', undefined])
  },
  'A failed outcome exists…': async () => {
    const w = await walk()
    expect((await w.ended({ text: '[[fail-retryable]]', idempotencyKey: 'k' })).body['status']).toBe('failed')
    const replay = await w.create({ text: '[[fail-retryable]]', idempotencyKey: 'k' })
    expect([replay.status, replay.body['retryable']]).toEqual([200, true])
    expect(replay.headers.get('Retry-After')).toBe('30')
  },
  'Hosted audio upload has a pending state…': async () => {
    const w = await walk()
    const body = { mime_type: 'audio/wav', content_length: WAV.length }
    const reserved = (await w.primary('/api/v1/uploads/audio-url', { body })).body
    const create = () => w.primary('/api/v1/videos/audio', { body: { image: IMAGE, audio_url: reserved['read_url'] } })
    const refused = await create()
    expectError(refused, 400, 'invalid_request')
    expect(refused.body['retry_block_code']).toBe('HOSTED_AUDIO_UPLOAD_PENDING')
    await putAudio(String(reserved['upload_url']), WAV)
    expect((await create()).status).toBe(202)
  },
})

export const primaryResources: Rule[] = [
  ...service,
  ...every('What the service does', /^[a-z]+[A-Z]/, operation),
  ...fields,
  ...bodies,
  ...job,
  ...aliases,
  ...states,
]
