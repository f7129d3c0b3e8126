import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import { CONTEXT, fixture, NOW_MS, ORDERS, speak, type Spoken } from './harness.ts'

const JOB = 'api_video_Abc-123_x'
const ORDER = ORDERS.primary

let backend: ScriptedBackend
let spoken: Spoken
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.close())
beforeEach(() => {
  backend.requests.length = 0
  spoken = speak('primary', backend.url)
})
afterEach(() => spoken.agents.close())

describe('create', () => {
  const create = () => spoken.adapter.create(spoken.adapter.createRequest(ORDER, CONTEXT))

  test('leaves out what the interface lacks', () => {
    const { body } = spoken.adapter.createRequest({ ...ORDER, resolution: '720p' }, CONTEXT)
    expect(body).not.toContain('720p')
  })

  test('a replay of a finished job is accepted as finished', async () => {
    backend.next(fixture('primary', 'job-completed'))
    expect(await create()).toMatchObject({
      kind: 'accepted',
      jobId: JOB,
      report: { status: 'completed' },
      credits: null,
    })
  })

  test.each(['idempotency_key_conflict', 'idempotency_key_in_progress', 'something_new'])(
    'a 409 %s that names a job names our own: it is adopted, and its error is no report',
    async (error) => {
      const headers = { location: `https://b.example/api/v1/videos/${JOB}`, 'retry-after': '3' }
      backend.next({ status: 409, headers, body: { error, message: 'Key reused', status: 'failed' } })
      expect(await create()).toMatchObject({
        kind: 'accepted',
        jobId: JOB,
        report: { status: null, failure: null, nextPollAtMs: NOW_MS + 3_000 },
      })
    },
  )

  test('a 409 conflict that names none is a doubt that says so', async () => {
    backend.next({ status: 409, body: { error: 'idempotency_key_conflict', message: 'Key reused', job_id: JOB } })
    expect(await create()).toMatchObject({
      kind: 'doubt',
      problem: { code: 'idempotency_key_conflict', retryable: false, message: expect.stringContaining('names no job') },
    })
  })

  test('a 409 in progress is a doubt, with its hint', async () => {
    backend.next({ status: 409, headers: { 'retry-after': '2' }, body: { error: 'idempotency_key_in_progress' } })
    expect(await create()).toMatchObject({ kind: 'doubt', problem: { retryAtMs: NOW_MS + 2_000 } })
  })

  test('a shaped 503 is a definite no that may be repeated', async () => {
    backend.next({ status: 503, headers: { 'retry-after': '4' }, body: { error: 'counter_down', message: 'Later' } })
    expect(await create()).toMatchObject({
      kind: 'refused',
      waits: null,
      problem: { code: 'backend_unavailable', retryable: true, retryAtMs: NOW_MS + 4_000 },
    })
  })

  test.each([401, 403, 429])('an empty %i is no word of this backend: a doubt', async (status) => {
    backend.next({ status, body: '' })
    expect((await create()).kind).toBe('doubt')
  })

  test.each([
    ['concurrent_job_limit_reached', 'slot'],
    ['rate_limited', 'budget'],
  ])('a 429 %s waits for a %s', async (error, waits) => {
    backend.next({ status: 429, headers: { 'retry-after': '6' }, body: { error, message: 'Later', retryable: true } })
    expect(await create()).toMatchObject({ kind: 'refused', waits, problem: { retryAtMs: NOW_MS + 6_000 } })
  })
})

describe('status', () => {
  const status = async () => {
    const outcome = await spoken.adapter.status(JOB)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return outcome.value
  }

  test('completed without a link is for the engine to doubt', async () => {
    backend.next({ body: { id: JOB, status: 'Completed' } })
    expect(await status()).toMatchObject({ status: 'completed', backendStatus: 'Completed', link: null })
  })

  test.each<[string, Record<string, unknown>, unknown]>([
    ['an error beside a running word', { status: 'processing', error: { message: 'Oops' } }, { message: 'Oops' }],
    [
      'an error without a message',
      { status: 'processing', error: { at: 3 } },
      { message: 'The backend reported an error' },
    ],
    ['a message of a running job', { status: 'processing', message: 'Working on it' }, null],
    ['an empty error', { status: 'processing', error: {} }, null],
    ['no error', { status: 'completed', error: null, video_url: 'https://a.example/1' }, null],
  ])('%s', async (_name, body, failure) => {
    backend.next({ body: { id: JOB, ...body } })
    const report = await status()
    if (failure === null) expect(report.failure).toBeNull()
    else expect(report.failure).toMatchObject(failure as object)
  })

  test('an unknown word changes nothing and is reported; so are unknown fields, by shape only', async () => {
    backend.next({ body: { id: JOB, status: 'Dreaming', mood: 'https://x.example/?t=secret', layers: [1, 2] } })
    expect(await status()).toMatchObject({ status: null, backendStatus: 'Dreaming' })
    const at = { operation: 'getVideo' }
    expect(spoken.drifts).toEqual([
      { ...at, kind: 'status', value: 'Dreaming', sample: 'Dreaming' },
      { ...at, kind: 'field', value: 'mood', sample: 'string of 27' },
      { ...at, kind: 'field', value: 'layers', sample: 'array of 2' },
    ])
  })

  test('an unknown error code is reported', async () => {
    backend.next({ status: 400, body: { error: 'novel_code', message: 'New' } })
    expect(await spoken.adapter.status(JOB)).toMatchObject({ ok: false, problem: { code: 'invalid_request' } })
    expect(spoken.drifts).toEqual([
      { kind: 'error_code', operation: 'getVideo', value: 'novel_code', sample: 'novel_code' },
    ])
  })

  test.each([
    [502, 'backend_error'],
    [504, 'backend_timeout'],
  ])('a %i is a failed attempt that keeps its hint', async (code, expected) => {
    backend.next({ status: code, headers: { 'retry-after': '5' }, body: { error: 'lookup', message: 'Later' } })
    expect(await spoken.adapter.status(JOB)).toMatchObject({
      ok: false,
      lost: false,
      problem: { code: expected, retryable: true, retryAtMs: NOW_MS + 5_000 },
    })
  })

  test('a 404 with another code proves no loss', async () => {
    backend.next({ status: 404, body: { error: 'route_not_found', message: 'What?' } })
    expect(await spoken.adapter.status(JOB)).toMatchObject({ ok: false, lost: false })
  })
})

describe('download', () => {
  test('of a job without one is not completed', async () => {
    backend.next(fixture('primary', 'job-processing'))
    expect(await spoken.adapter.download(JOB)).toMatchObject({
      ok: false,
      lost: false,
      problem: { code: 'video_not_completed', retryable: true },
    })
  })
})

test.each([
  { data: { items: [{ id: 7 }], nextCursor: 7 } },
  { data: { puppets: [{ id: 7 }], next_cursor: '7' } },
  { puppets: [{ id: 7 }], pagination: { nextCursor: 7 } },
])('puppets: ids and cursors are one kind, wherever they are: %j', async (body) => {
  backend.next({ body })
  expect(await spoken.adapter.puppets(null)).toMatchObject({ value: { items: [{ id: '7' }], nextCursor: '7' } })
})

test('puppets: pages of a hundred by cursor, until none or the same one comes', async () => {
  backend.next(fixture('primary', 'puppets'), fixture('primary', 'puppets'), { body: [] })
  expect(await spoken.adapter.puppets(null)).toMatchObject({
    value: {
      items: [
        {
          id: 'pup_1',
          name: 'Ada',
          type: 'custom',
          imageUrl: 'https://img.example/ada.png',
          createdAtMs: 1767323045000,
        },
        { id: 'pup_2', name: null, imageUrl: 'https://img.example/bob.png', thumbnailUrl: null, createdAtMs: null },
      ],
      nextCursor: 'pup_2',
    },
  })
  expect(await spoken.adapter.puppets('pup_2')).toMatchObject({ value: { nextCursor: null } })
  expect(await spoken.adapter.puppets('a&b=\ud800')).toMatchObject({ ok: true, value: { items: [], nextCursor: null } })
  expect(backend.requests.map(({ path }) => path)).toEqual([
    '/api/v1/puppets?limit=100',
    '/api/v1/puppets?limit=100&cursor=pup_2',
    '/api/v1/puppets?limit=100&cursor=a%26b%3D%EF%BF%BD',
  ])
})
