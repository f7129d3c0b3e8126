import { expect } from 'vitest'
import { IMAGE, type Reply } from '../harness.ts'
import type { Row } from './parse.ts'
import { UPLOAD } from './requests.ts'
import { rulesIn, type Rule } from './rules.ts'
import { expectError, HOUR_MS, listAt, walk, type Walk } from './walk.ts'

/** The query and body tables of "Endpoints", alias by alias, and the rules between them. */
const { every, named } = rulesIn('primary')

const TEXT = 'Endpoints › POST /api/v1/videos/text'
const AUDIO = 'Endpoints › POST /api/v1/videos/audio'
const UPLOADS = 'Endpoints › POST /api/v1/uploads/audio-url'

/** `Image: photo` → the group and the alias. */
const aliasIn = ({ name }: Row): { group: string; alias: string } => {
  const [group = '', alias = ''] = name.split(': ')
  return { group: group.replace(' (optional)', ''), alias }
}

/** A wrong value of each group's type. */
const WRONG: Readonly<Record<string, unknown>> = {
  Image: 'not a URL',
  Script: 7,
  Voice: 7,
  language: 7,
  expressiveness: 'lively',
  Audio: 'not a URL',
  'Idempotency key': 7,
  'MIME type': 'text/plain',
  'Size in bytes': 'big',
  'Video readiness': 'yes',
}

const VIDEO: Readonly<Record<string, unknown>> = { Image: IMAGE, Script: 'Hello there' }
const OPTIONAL: Readonly<Record<string, unknown>> = {
  Voice: 'sandbox-de-de-lena',
  language: 'de-DE',
  expressiveness: 1.2,
  'Idempotency key': 'k',
  'Video readiness': true,
}
const CANONICAL: Readonly<Record<string, string>> = {
  Image: 'image_url',
  Script: 'text',
  Audio: 'audio_url',
  'MIME type': 'mime_type',
  'Size in bytes': 'content_length',
}

/** The body's groups under their first names, but this one under `alias`. */
const bodyOf = (groups: Readonly<Record<string, unknown>>, group: string, alias: string, value: unknown) => {
  const others = Object.entries(groups).filter(([name]) => name !== group)
  return Object.fromEntries([...others.map(([name, one]) => [CANONICAL[name] ?? name, one]), [alias, value]])
}

const aliasTest =
  (path: string, groupsOf: (w: Walk) => Promise<Readonly<Record<string, unknown>>>) =>
  async (row: Row): Promise<void> => {
    const w = await walk({ unlimitedRate: true, unlimitedSlots: true })
    const { group, alias } = aliasIn(row)
    const groups = await groupsOf(w)
    const send = (body: unknown): Promise<Reply> => w.primary(path, { body })
    const required = row.cells['Required'] !== 'optional' && !Object.hasOwn(OPTIONAL, group)
    const good = await send(bodyOf(groups, group, alias, groups[group] ?? OPTIONAL[group]))
    expect(good.status).toBe(path.endsWith('audio-url') ? 200 : 202)
    expectError(await send(bodyOf(groups, group, alias, WRONG[group])), 400, 'invalid_request')
    expectError(await send(bodyOf(groups, group, alias, null)), 400, 'invalid_request')
    const absent = bodyOf(groups, group, 'unknown', 1)
    if (required) expectError(await send(absent), 400, 'invalid_request')
    if (group === 'Idempotency key') {
      const again = await send(bodyOf(groups, group, alias, 'k'))
      expect(again.body['id']).toBe(good.body['id'])
    }
  }

const aliases = [
  ...every(TEXT, /: /, async (row) => {
    if (row.name.startsWith('Body limit')) return videoBodyLimit('/api/v1/videos/text')
    return aliasTest('/api/v1/videos/text', async () => VIDEO)(row)
  }),
  ...every(AUDIO, /^(Image|Audio|expressiveness|Idempotency key): /, (row) =>
    aliasTest('/api/v1/videos/audio', async (w) => ({ Image: IMAGE, Audio: await w.uploaded() }))(row),
  ),
  ...every(
    UPLOADS,
    /^(MIME type|Size in bytes|Idempotency key \(optional\)|Video readiness \(optional\)): /,
    async (row) => {
      await aliasTest('/api/v1/uploads/audio-url', async () => ({ 'MIME type': 'audio/wav', 'Size in bytes': 1_000 }))(
        row,
      )
      if (!row.name.startsWith('MIME type')) return
      const types = (row.cells['Type / allowed values'] ?? '').replace('one of ', '').split(', ')
      expect(types).toHaveLength(7)
      const w = await walk()
      for (const type of types) {
        const body = { [aliasIn(row).alias]: type, sizeBytes: 10 }
        expect((await w.primary('/api/v1/uploads/audio-url', { body })).status).toBe(200)
      }
    },
  ),
]

const paddedTo = (bytes: number): string => {
  const body = { image_url: IMAGE, text: '' }
  return JSON.stringify({ ...body, text: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(body))) })
}

const videoBodyLimit = async (path: string): Promise<void> => {
  const w = await walk()
  const most = await w.primary(path, { body: paddedTo(65_536) })
  expect(most.status).toBe(path.endsWith('text') ? 202 : 400)
  const over = await w.primary(path, { body: paddedTo(65_537) })
  expectError(over, 413, 'payload_too_large')
  expect(over.body['details']).toMatchObject({ max_body_bytes: 65_536 })
  const plain = await w.primary(path, { body: '{}', headers: { 'content-type': 'text/plain' } })
  expectError(plain, 415, 'unsupported_media_type')
}

const uploads = named(UPLOADS, {
  'Body limit: 8192 bytes…': async () => {
    const w = await walk()
    const bare = JSON.stringify({ ...UPLOAD, padding: '' }).length
    const send = (bytes: number) =>
      w.primary('/api/v1/uploads/audio-url', {
        body: JSON.stringify({ ...UPLOAD, padding: 'x'.repeat(bytes - bare) }),
      })
    const most = await send(8_192)
    expect(most.status).toBe(200)
    const over = await send(8_193)
    expectError(over, 413, 'payload_too_large')
    expect(over.body['details']).toMatchObject({ max_body_bytes: 8_192 })
  },
  'When the readiness flag is true…': async () => {
    const w = await walk({ unlimitedRate: true })
    const ask = (requireIt: boolean) =>
      w.primary('/api/v1/uploads/audio-url', { body: { ...UPLOAD, requireVideoReadiness: requireIt } })
    await w.create({ text: '[[stuck]]' })
    await w.create({ text: '[[stuck]]' })
    const busy = await ask(true)
    expectError(busy, 429, 'concurrent_job_limit_reached')
    expect(busy.headers.get('Retry-After')).toBe('20')
    expect(busy.headers.get('X-Service-Next-Poll-At')).toBe(busy.body['next_poll_at'])
    expect(busy.body['details']).toMatchObject({ video_generation: { can_create: false, available_slots: 0 } })
    expect((await ask(false)).status).toBe(200)
    // No upload quota was reserved by the refusals: 249 are left.
    for (let i = 0; i < 249; i += 1) expect((await ask(false)).status).toBe(200)
    expect((await ask(false)).status).toBe(429)
  },
})

const videos = [
  ...named(TEXT, {
    'Each create debits video credits and occupies an active job slot.': async () => {
      const w = await walk()
      expect((await w.create()).headers.get('X-Service-Credits-Remaining')).toBe('9')
      expect((await w.create()).headers.get('X-Service-Credits-Remaining')).toBe('8')
      expectError(await w.create(), 429, 'concurrent_job_limit_reached')
    },
  }),
  ...named(AUDIO, {
    'Same body limit, headers and statuses…': () => videoBodyLimit('/api/v1/videos/audio'),
    'Audio rules…': async () => {
      const w = await walk({ unlimitedRate: true, unlimitedSlots: true })
      const url = await w.uploaded()
      const create = (audioUrl: string, headers = {}, key?: string) =>
        w.primary('/api/v1/videos/audio', {
          body: { image_url: IMAGE, audio_url: audioUrl },
          headers,
          ...(key !== undefined && { key }),
        })
      const foreign = await create(url, {}, await w.newKey('primary'))
      expect([foreign.status, foreign.body['retry_block_code']]).toEqual([400, 'HOSTED_AUDIO_UPLOAD_NOT_FOUND'])
      const elsewhere = await create('https://example.com/a.wav')
      expect([elsewhere.status, elsewhere.body['retry_block_code']]).toEqual([400, 'HOSTED_AUDIO_UPLOAD_NOT_FOUND'])
      const first = await create(url, { 'idempotency-key': 'k' })
      await w.clock.advance(2 * HOUR_MS)
      const rotated = await create(`${url.split('?')[0]}?expires=1&signature=other`, { 'idempotency-key': 'k' })
      expect([first.status, rotated.status]).toEqual([202, 200])
      expect(rotated.body['id']).toBe(first.body['id'])
      // Expired, yet the stored key is re-signed: a new job may use it.
      expect((await create(url)).status).toBe(202)
      const speech = await w.primary('/api/v1/tts/service', { body: { voice_id: 'sandbox-en-us-ava', text: 'Hi' } })
      expect((await create(String(speech.body['audio_url']))).status).toBe(202)
    },
  }),
  ...named('Endpoints › GET /api/v1/videos/{jobId}', {
    'Path `jobId`…': async () => {
      const w = await walk()
      for (const id of ['clip_1', 'api_video_', 'api_video_a.b'])
        expectError(await w.primary(`/api/v1/videos/${id}`), 400, 'invalid_request')
      const path = String((await w.create()).body['status_url'])
      const key = await w.newKey('primary')
      expectError(await w.primary(path, { key }), 404, 'job_not_found')
      // Another key of the same account is another key.
      const second = await w.newKey('primary', { account: 'sandbox' })
      expectError(await w.primary(path, { key: second }), 404, 'job_not_found')
    },
  }),
]

const queries = named('Endpoints › GET /api/v1/puppets', {
  limit: async () => {
    const w = await walk({ unlimitedRate: true })
    for (let i = 0; i < 18; i += 1) await w.primary('/api/v1/puppets', { body: { imageUrl: IMAGE } })
    const sizeOf = async (query: string) => listAt((await w.primary(`/api/v1/puppets${query}`)).body, 'data').length
    expect([await sizeOf(''), await sizeOf('?limit=1'), await sizeOf('?limit=100')]).toEqual([20, 1, 22])
    for (const limit of ['0', '101', 'x', '1.5'])
      expect((await w.primary(`/api/v1/puppets?limit=${limit}`)).status).toBe(400)
  },
  cursor: async () => {
    const w = await walk()
    const first = (await w.primary('/api/v1/puppets?limit=2')).body
    const path = `/api/v1/puppets/${String(first['nextCursor'])}`
    // Its puppet may be gone by the time the next page is asked for.
    expect((await w.primary(path, { method: 'DELETE' })).status).toBe(204)
    const second = (await w.primary(`/api/v1/puppets?limit=2&cursor=${String(first['nextCursor'])}`)).body
    expect(listAt(second, 'data').map(({ id }) => id)).toEqual(['puppet_cleo', 'puppet_dov'])
    expect(second['nextCursor']).toBe(null)
    expectError(await w.primary('/api/v1/puppets?cursor=nobody'), 400, 'invalid_request')
  },
})

const speak = (w: Walk, body: Record<string, unknown>) =>
  w.primary('/api/v1/tts/service', { body: { voice_id: 'sandbox-en-us-ava', text: 'Hello', ...body } })

const speech = named('Endpoints › POST /api/v1/tts/service', {
  voice_id: async () => {
    const w = await walk()
    expectError(await speak(w, { voice_id: 'nobody' }), 404, 'voice_not_found')
    expectError(await w.primary('/api/v1/tts/service', { body: { text: 'x' } }), 400, 'invalid_request')
    expect((await speak(w, {})).status).toBe(200)
  },
  text: async () => {
    const w = await walk()
    for (const text of [' ', 7, 'x'.repeat(5_001)]) expectError(await speak(w, { text }), 400, 'invalid_request')
    const body = { voice_id: 'sandbox-en-us-ava' }
    expectError(await w.primary('/api/v1/tts/service', { body }), 400, 'invalid_request')
  },
  speed: async () => {
    const w = await walk()
    for (const speed of [0.4, 2.1, '1']) expectError(await speak(w, { speed }), 400, 'invalid_request')
    expect((await speak(w, { speed: 1.5 })).status).toBe(200)
  },
})

export const primaryBodies: Rule[] = [...uploads, ...videos, ...aliases, ...queries, ...speech]
