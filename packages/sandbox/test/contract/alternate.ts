import { expect } from 'vitest'
import { receiver, type Reply } from '../harness.ts'
import type { Row } from './parse.ts'
import { rulesIn, type Rule } from './rules.ts'
import { at, HOUR_MS, listAt, walk, type Walk } from './walk.ts'

/** The whole alternate contract. */
const { every, named } = rulesIn('alternate')

const make = (w: Walk, body: Record<string, unknown> = {}, key?: string | null): Promise<Reply> =>
  w.alternate('/v1/videos', {
    body: { script: 'Hello', puppet_id: 'pup_ada', ...body },
    ...(key !== undefined && { key }),
  })

/** A completed video's path. */
const completed = async (w: Walk, body: Record<string, unknown> = {}): Promise<string> => {
  const id = String((await make(w, body)).body['id'])
  await w.clock.advance(HOUR_MS)
  return `/v1/videos/${id}`
}

/** One example of each row of "Resources and their fields". */
const EXAMPLES: Readonly<Record<string, (w: Walk) => Promise<Record<string, unknown>>>> = {
  'Video (create response)': async (w) => (await make(w)).body,
  'Video (list item)': async (w) => {
    await completed(w)
    return at((await w.alternate('/v1/videos')).body, 'data', 0)
  },
  'Video (detail)': async (w) => (await w.alternate(await completed(w))).body,
  'Download link': async (w) => (await w.alternate(`${await completed(w)}/download`)).body,
  Voice: async (w) => at((await w.alternate('/v1/voices')).body, 'data', 0),
  Puppet: async (w) => at((await w.alternate('/v1/puppets')).body, 'data', 0),
  Pagination: async (w) => at((await w.alternate('/v1/videos')).body, 'pagination'),
}

const FORMS: Readonly<Record<string, RegExp>> = {
  status: /^(processing|completed|failed)$/,
  resolution: /^1080p$/,
  created_at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  completed_at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  expires_at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  download_url: /^http.*sig(nature)?=/,
  thumbnail_url: /^http/,
  preview_url: /^http/,
  type: /^(stock|custom)$/,
  language: /^[a-z]{2}-[A-Z]{2}$/,
}
const isNumber = (name: string): boolean => /_sec$|^(page|limit|total|total_pages)$/.test(name)

const field = async ({ name }: Row): Promise<void> => {
  const [resource = '', fieldName = ''] = name.split(': ')
  const example = await EXAMPLES[resource]?.(await walk())
  const value = example?.[fieldName]
  if (isNumber(fieldName)) expect(Number.isInteger(value)).toBe(true)
  else expect(value).toMatch(FORMS[fieldName] ?? /\S/)
}

const resources = [
  ...every('Resources and their fields', /^[A-Z][^:]*: /, field),
  ...named('Resources and their fields', {
    'List responses wrap items in `data`.': async () => {
      const w = await walk()
      for (const path of ['/v1/videos', '/v1/voices', '/v1/puppets'])
        expect(Array.isArray((await w.alternate(path)).body['data'])).toBe(true)
    },
  }),
]

const states = named('States and transitions', {
  processing: async () => {
    const w = await walk()
    expect((await make(w)).body['status']).toBe('processing')
  },
  completed: async () => {
    const w = await walk()
    const path = await completed(w)
    expect((await w.alternate(path)).body['status']).toBe('completed')
    const { body } = await w.alternate(`${path}/download`)
    expect((await fetch(String(body['download_url']))).headers.get('content-type')).toBe('video/mp4')
  },
  failed: async () => {
    const w = await walk()
    const { body } = await w.alternate(await completed(w, { script: '[[fail]]' }))
    expect([body['status'], body['download_url']]).toEqual(['failed', null])
    expect(Object.keys(at(body, 'error'))).not.toEqual([])
  },
})

const operations = named('Endpoints', {
  'POST /v1/videos': async () => expect((await make(await walk())).status).toBe(201),
  'GET /v1/videos': async () => {
    const w = await walk()
    const ids = [await make(w), await make(w)].map(({ body }) => body['id'])
    expect(listAt((await w.alternate('/v1/videos')).body, 'data').map(({ id }) => id)).toEqual(ids.toReversed())
  },
  'GET /v1/videos/:id': async () => {
    const w = await walk()
    const { body } = await make(w)
    expect((await w.alternate(`/v1/videos/${String(body['id'])}`)).body).toMatchObject({ id: body['id'] })
    expect((await w.alternate('/v1/videos/nothing')).status).toBe(404)
  },
  'GET /v1/videos/:id/download': async () => {
    const w = await walk()
    const { body } = await make(w)
    expect((await w.alternate(`/v1/videos/${String(body['id'])}/download`)).status).toBe(409)
    expect((await w.alternate(`${await completed(w)}/download`)).status).toBe(200)
    expect((await w.alternate('/v1/videos/nothing/download')).status).toBe(404)
  },
  'GET /v1/voices': async () => {
    const w = await walk()
    const [voice] = listAt((await w.alternate('/v1/voices')).body, 'data')
    expect((await fetch(String(voice?.['preview_url']))).headers.get('content-type')).toMatch(/^audio\//)
  },
  'GET /v1/puppets': async () => {
    const w = await walk()
    const puppets = listAt((await w.alternate('/v1/puppets')).body, 'data')
    expect(new Set(puppets.map(({ type }) => type))).toEqual(new Set(['stock', 'custom']))
    expect((await fetch(String(puppets[0]?.['thumbnail_url']))).headers.get('content-type')).toBe('image/png')
  },
})

const body = named('Endpoints', {
  script: async () => {
    const w = await walk()
    expect((await make(w, { script: 'x'.repeat(5_000) })).status).toBe(201)
    for (const script of ['x'.repeat(5_001), undefined, 7]) expect((await make(w, { script })).status).toBe(400)
  },
  puppet_id: async () => {
    const w = await walk()
    expect((await make(w, { puppet_id: undefined })).status).toBe(400)
    expect((await make(w, { puppet_id: 'nobody' })).status).toBe(404)
  },
  voice_id: async () => {
    const w = await walk()
    const voiceOf = async (more: Record<string, unknown>) => (await make(w, more)).body['voice_id']
    const first = await voiceOf({})
    expect(await voiceOf({ puppet_id: 'pup_ben' })).not.toBe(first)
    expect(await voiceOf({ voice_id: 'voice_fern' })).toBe('voice_fern')
    expect((await make(w, { voice_id: 'nobody' })).status).toBe(404)
  },
  resolution: async () => {
    const w = await walk()
    expect((await make(w)).body['resolution']).toBe('1080p')
    expect((await make(w, { resolution: '720p' })).body['resolution']).toBe('720p')
    expect((await make(w, { resolution: '4k' })).status).toBe(400)
  },
  webhook_url: async () => {
    const w = await walk()
    expect((await make(w, { webhook_url: 'mailto:me@example.com' })).status).toBe(400)
    await announced(w)
  },
  'List query: `page`…': async () => {
    const w = await walk({ unlimitedRate: true })
    for (let i = 0; i < 21; i += 1) await make(w, { script: i === 0 ? '[[fail]]' : 'x' })
    await w.clock.advance(HOUR_MS)
    const page = async (query: string) => (await w.alternate(`/v1/videos${query}`)).body
    expect((await page(''))['pagination']).toEqual({ page: 1, limit: 20, total: 21, total_pages: 2 })
    expect(listAt(await page('?page=2'), 'data')).toHaveLength(1)
    expect((await page('?status=failed'))['pagination']).toMatchObject({ total: 1 })
    for (const query of ['?limit=0', '?limit=101', '?page=0', '?page=x', '?status=queued'])
      expect((await w.alternate(`/v1/videos${query}`)).status).toBe(400)
  },
})

/** The callback comes when the video is ready, and only then. */
const announced = async (w: Walk): Promise<void> => {
  const hook = await receiver(200)
  const { body } = await make(w, { webhook_url: hook.url })
  expect(hook.bodies).toEqual([])
  await w.clock.advance(HOUR_MS)
  await expect.poll(() => w.sandbox.ledger().callbacks.map(({ status }) => status)).toEqual([200])
  expect(JSON.stringify(hook.bodies)).toContain(String(body['id']))
}

const rest = [
  ...named('What the service does', {
    'Creates talking-head videos from a script and a puppet…': async () => {
      const w = await walk()
      expect((await w.alternate(`${await completed(w)}/download`)).status).toBe(200)
    },
    'JSON over HTTPS; bearer authentication.': async () => {
      const w = await walk()
      expect((await make(w)).headers.get('content-type')).toMatch(/^application\/json/)
      expect((await make(w, {}, null)).status).toBe(401)
    },
  }),
  ...named('Authentication', {
    'Every request carries…': async () => {
      const w = await walk()
      for (const path of ['/v1/videos', '/v1/videos/x', '/v1/videos/x/download', '/v1/voices', '/v1/puppets'])
        for (const key of [null, 'sandbox-primary-key']) expect((await w.alternate(path, { key })).status).toBe(401)
      expect((await make(w, {}, await w.newKey('alternate'))).status).toBe(201)
    },
  }),
  ...named('Events', { 'When `webhook_url` is given…': async () => announced(await walk()) }),
  ...named('Limits', {
    'Requests are limited per API key…': async () => {
      const w = await walk()
      const { headers } = await w.alternate('/v1/voices')
      const limit = Number(headers.get('X-RateLimit-Limit'))
      expect(Number(headers.get('X-RateLimit-Remaining'))).toBe(limit - 1)
      expect(Number(headers.get('X-RateLimit-Reset')) * 1000 - w.clock.now()).toBe(60_000)
      for (let i = 1; i < limit; i += 1) await w.alternate('/v1/voices')
      expect((await w.alternate('/v1/voices')).status).toBe(429)
      expect((await w.alternate('/v1/voices', { key: await w.newKey('alternate') })).status).toBe(200)
    },
    'Script at most 5000 characters…': async () => {
      const w = await walk()
      expect((await make(w, { script: 'x'.repeat(5_001) })).status).toBe(400)
      expect((await w.alternate('/v1/videos?limit=101')).status).toBe(400)
      const { body } = await w.alternate(`${await completed(w)}/download`)
      expect(Date.parse(String(body['expires_at'])) - w.clock.now()).toBe(HOUR_MS)
      await w.clock.advance(HOUR_MS)
      expect((await fetch(String(body['download_url']))).status).toBe(403)
    },
  }),
  ...named('Versioning', {
    'The path prefix is `/v1`.': async () => expect((await (await walk()).alternate('/videos')).status).toBe(404),
  }),
]

export const alternateRules: Rule[] = [...resources, ...states, ...operations, ...body, ...rest]
