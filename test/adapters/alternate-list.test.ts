import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readCallbackJobId, readJobs } from '../../src/adapters/alternate/wire.ts'
import { DIALECT } from '../../src/adapters/alternate/index.ts'
import { startBackend, type Script, type ScriptedBackend } from '../fakes/backend.ts'
import { CANARY_KEY, NOW_MS, speak, type Spoken } from './harness.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

const DATE = { date: 'Fri, 20 Nov 2026 10:00:00 GMT' }
const CREATED = '2026-11-20T09:59:30Z'
const ITEM = { id: 'vid-1', status: 'processing', puppet_id: 'pup_1', duration_sec: null, created_at: CREATED }
const JOB = { jobId: 'vid-1', status: 'processing', puppetId: 'pup_1', createdAtMs: NOW_MS - 30_000 }
const PAGINATION = { page: 1, limit: 100, total: 1, total_pages: 1 }

let backend: ScriptedBackend
let spoken: Spoken
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.close())
beforeEach(() => {
  backend.requests.length = 0
  spoken = speak('alternate', backend.url)
})
afterEach(() => spoken.agents.close())

describe('list', () => {
  test('is one page of a hundred, with what the backend says of its length and its time', async () => {
    backend.next({ headers: DATE, body: { data: [ITEM], pagination: PAGINATION } })
    expect(await spoken.adapter.list(3)).toMatchObject({
      ok: true,
      value: { items: [JOB], total: 1, totalPages: 1, dateMs: NOW_MS },
    })
    expect(backend.requests).toMatchObject([{ method: 'GET', path: '/v1/videos?page=3&limit=100' }])
    expect(spoken.drifts).toEqual([])
  })

  test.each<[string, unknown]>([
    ['data', { data: [ITEM] }],
    ['items', { items: [ITEM] }],
    ['results', { results: [ITEM] }],
    ['the plural noun', { videos: [ITEM] }],
    ['the body itself', [ITEM]],
    ['an object in data', { data: { items: [ITEM] } }],
  ])('items under %s', async (_, body) => {
    backend.next({ headers: DATE, body })
    expect(await spoken.adapter.list(1)).toMatchObject({
      ok: true,
      value: { items: [JOB], total: null, totalPages: null, dateMs: NOW_MS },
    })
  })

  test('an empty list is a list', async () => {
    backend.next({ headers: DATE, body: { data: [], pagination: { ...PAGINATION, total: 0, total_pages: 0 } } })
    expect(await spoken.adapter.list(1)).toMatchObject({ ok: true, value: { items: [], total: 0, totalPages: 0 } })
  })

  test.each<[string, Record<string, unknown>, object]>([
    ['other spellings', { video_id: 'vid-1', state: 'PROCESSING', puppetId: 'pup_1', createdAt: NOW_MS / 1000 }, {}],
    ['a number for an id', { id: 77 }, { jobId: '77', status: null, puppetId: null, createdAtMs: null }],
    ['a word nobody knows', { id: 'v', status: 'rendering' }, { jobId: 'v', status: null }],
    ['a time nobody can read', { id: 'v', created_at: 'yesterday' }, { jobId: 'v', createdAtMs: null }],
    ['values of the wrong kind', { id: 'v', status: 5, puppet_id: {}, created_at: [] }, { jobId: 'v', puppetId: null }],
  ])('a line with %s', async (_, item, expected) => {
    backend.next({ body: { data: [item] } })
    expect(await spoken.adapter.list(1)).toMatchObject({ ok: true, value: { items: [expected] } })
  })

  test.each([null, 5, 'x', [], {}, { id: '../x' }, { id: '' }, { status: 'processing' }, { id: 'a/b' }])(
    'a line that names no job is left out: %j',
    async (item) => {
      backend.next({ body: { data: [item, ITEM], pagination: { ...PAGINATION, total: 2 } } })
      expect(await spoken.adapter.list(1)).toMatchObject({ ok: true, value: { items: [JOB], total: 2 } })
    },
  )

  test.each([-1, 1.5, 'many', null, {}, 1e300])('a length of %j is none', async (total) => {
    backend.next({ body: { data: [], pagination: { ...PAGINATION, total, total_pages: total } } })
    expect(await spoken.adapter.list(1)).toMatchObject({ ok: true, value: { total: null, totalPages: null } })
  })

  test('without a Date nobody knows what its times mean', async () => {
    backend.next({ body: { data: [ITEM], pagination: PAGINATION } })
    expect(await spoken.adapter.list(1)).toMatchObject({ ok: true, value: { dateMs: null } })
  })

  test.each<[string, Script]>([
    ['no list', { body: { data: 'none' } }],
    ['an empty object', { body: {} }],
    ['HTML', { body: '<html></html>' }],
    ['nothing', { body: '' }],
    ['a 404', { status: 404, body: { error: { code: 'not_found', message: 'No' } } }],
    ['a 500', { status: 500, body: '' }],
    ['a reset', { fault: 'reset' }],
  ])('%s is a failed attempt, and proves no loss', async (_, script) => {
    backend.next(script)
    expect(await spoken.adapter.list(1)).toMatchObject({ ok: false, lost: false })
  })

  test('the key appears in nothing, even where the backend echoes it', async () => {
    const echoing = { id: 'v', status: CANARY_KEY, puppet_id: 'p', [CANARY_KEY]: 1 }
    backend.next({ body: { data: [echoing], pagination: { page: CANARY_KEY } } })
    const outcome = await spoken.adapter.list(1)
    expect(JSON.stringify([outcome, spoken.drifts])).not.toContain('canary')
  })
})

test('the primary lists no jobs, and is not asked to', async () => {
  const { adapter, agents } = speak('primary', backend.url)
  expect(await adapter.list(1)).toMatchObject({ ok: false, lost: false, problem: { code: 'capability_not_supported' } })
  expect(adapter.callbackJobId({ id: 'api_video_1' })).toBeNull()
  expect(backend.requests).toEqual([])
  await agents.close()
})

describe('callbackJobId', () => {
  test.each<[string, unknown]>([
    ['plainly', { id: 'vid-7', status: 'completed' }],
    ['as a video_id', { video_id: 'vid-7' }],
    ['in camel case', { videoId: 'vid-7' }],
    ['as a job', { job_id: 'vid-7' }],
    ['in data', { event: 'video.completed', data: { id: 'vid-7' } }],
    ['in a video', { notification: 'video_finished', video: { video_id: 'vid-7' } }],
    ['in a job', { job: { id: 'vid-7' } }],
    ['in a payload', { type: 'x', payload: { id: 'vid-7' } }],
    ['in a result', { result: { videoId: 'vid-7' } }],
    ['in an event', { event: { id: 'vid-7' } }],
    ['beside the notification’s own id', { id: 'evt_1', data: { id: 'vid-7' } }],
  ])('is named %s', (_, body) => {
    expect(spoken.adapter.callbackJobId(body)).toBe('vid-7')
  })

  test.each([null, undefined, 5, 'vid-7', [], ['vid-7'], {}, { id: null }, { id: '../../x' }, { id: 'x'.repeat(201) }])(
    'is not named by %j',
    (body) => {
      expect(spoken.adapter.callbackJobId(body)).toBeNull()
    },
  )
})

describe('any JSON at all', () => {
  const NAMES = 'id video_id data items videos video job event payload result pagination total __proto__ toString'
  const names = fc.constantFrom(...NAMES.split(' '))
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(fc.string({ unit: anyCodePoint }), fc.double(), fc.boolean(), fc.constant(null)),
      fc.constantFrom('vid-1', 'processing', CREATED, 1e300),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(names, tie('node'), { maxKeys: 6 }),
    ),
  })).node
  const headers = fc.dictionary(fc.constantFrom('date', 'location', 'service-operation-id'), fc.string())

  test('is read without a throw, and names only what may stand in a path', () => {
    fc.assert(
      fc.property(value, headers, (body, given) => {
        const page = readJobs(
          body,
          { base: new URL('https://alternate.example'), headers: given, nowMs: NOW_MS },
          DIALECT,
        )
        const ids = [...(page?.items.map(({ jobId }) => jobId) ?? []), readCallbackJobId(body, DIALECT)]
        for (const id of ids) if (id !== null) expect(id).toMatch(/^[^./?#%\s][^/?#%\s]{0,199}$/)
        expect(JSON.parse(JSON.stringify(page))).toEqual(page)
      }),
      { seed: 20_261_120, numRuns: 2_000 },
    )
  })
})
