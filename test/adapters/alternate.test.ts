import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBackend, type Script, type ScriptedBackend } from '../fakes/backend.ts'
import { CONTEXT, fixture, NOW_MS, ORDERS, speak, type Spoken } from './harness.ts'

const JOB = 'vid-77'
const ORDER = ORDERS.alternate

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

describe('create', () => {
  const create = () => spoken.adapter.create(spoken.adapter.createRequest(ORDER, CONTEXT))

  test('leaves out what the interface lacks', () => {
    const { body } = spoken.adapter.createRequest({ ...ORDER, language: 'en', expressiveness: 1 }, CONTEXT)
    expect(body).toBe(spoken.adapter.createRequest(ORDER, CONTEXT).body)
  })

  test('a shaped 503 is a doubt: nothing says what it looks like when this backend refuses', async () => {
    backend.next({ status: 503, body: { error: 'busy', message: 'Later' } })
    expect((await create()).kind).toBe('doubt')
  })

  test('a job named beside a refusal is not ours', async () => {
    backend.next({ status: 409, headers: { location: '/v1/videos/other' }, body: { error: 'conflict' } })
    expect((await create()).kind).toBe('refused')
  })

  test('a request id is no job id', async () => {
    backend.next({ status: 201, body: { request_id: 'req_1', status: 'processing' } })
    expect((await create()).kind).toBe('doubt')
  })

  test.each<[number, Script, object]>([
    [401, {}, { code: 'backend_credentials_rejected' }],
    [
      429,
      { headers: { 'x-ratelimit-reset': String(NOW_MS / 1000 + 20) } },
      { code: 'rate_limited', retryAtMs: NOW_MS + 20_000 },
    ],
    [429, {}, { code: 'quota_exceeded', retryable: false }],
  ])('an empty %i is a refusal: no error body is promised', async (status, script, problem) => {
    backend.next({ ...script, status, body: '' })
    expect(await create()).toMatchObject({ kind: 'refused', problem })
  })
})

describe('status', () => {
  test('a word of the other interface is drift here', async () => {
    backend.next({ body: { id: JOB, status: 'queued' } })
    expect(await spoken.adapter.status(JOB)).toMatchObject({
      ok: true,
      value: { status: null, backendStatus: 'queued' },
    })
    expect(spoken.drifts).toEqual([{ kind: 'status', operation: 'getVideo', value: 'queued', sample: 'queued' }])
  })
})

describe('download', () => {
  test('in a wrapper, without an expiry', async () => {
    backend.next({ body: { data: { download_url: 'https://cdn.alternate.example/77.mp4' } } })
    expect(await spoken.adapter.download(JOB)).toMatchObject({ ok: true, value: { expiresAtMs: null } })
  })

  test('a 404 does not prove that the job is lost', async () => {
    backend.next(fixture('alternate', 'job-not-found'))
    expect(await spoken.adapter.download(JOB)).toMatchObject({ ok: false, lost: false })
  })
})

test.each(['data', 'items', 'results', 'voices'])('a list under %j', async (name) => {
  backend.next({ body: { [name]: [{ id: 'v' }] } })
  expect(await spoken.adapter.voices()).toMatchObject({ ok: true, value: { items: [{ id: 'v' }] } })
  expect(spoken.drifts.filter(({ value }) => value !== name)).toEqual([])
})

test('voices on further pages, which no contract shows, are not missed in silence', async () => {
  const pages = (total_pages: number) => ({ data: [{ id: 'v' }], pagination: { page: 1, total_pages } })
  backend.next({ body: pages(1) }, { body: pages(2) })
  await spoken.adapter.voices()
  expect(spoken.drifts).toEqual([])
  await spoken.adapter.voices()
  const more = { kind: 'field', operation: 'listVoices', value: 'pagination', sample: 'pages that are not read' }
  expect(spoken.drifts).toEqual([more])
})

describe('puppets', () => {
  test('one page, or more where a `pagination` object says so', async () => {
    const last = { body: { data: [{ id: 'p3' }], pagination: { page: 2, limit: 2, total: 3, total_pages: 2 } } }
    backend.next(fixture('alternate', 'puppets'), last, { body: [{ id: 'p' }] })
    expect(await spoken.adapter.puppets(null)).toMatchObject({
      value: {
        items: [
          { id: 'pup_anna', type: 'stock', imageUrl: 'https://cdn.alternate.example/anna.png' },
          { id: 'pup_mine', type: 'custom', imageUrl: null, thumbnailUrl: null },
        ],
        nextCursor: '2',
      },
    })
    expect(await spoken.adapter.puppets('2')).toMatchObject({ value: { items: [{ id: 'p3' }], nextCursor: null } })
    expect(await spoken.adapter.puppets(null)).toMatchObject({ value: { items: [{ id: 'p' }], nextCursor: null } })
    expect(backend.requests.map(({ path }) => path)).toEqual(['/v1/puppets', '/v1/puppets?page=2', '/v1/puppets'])
  })

  test('pages are told of beside the items, wherever these are', async () => {
    backend.next({ body: { data: { items: [{ id: 'p' }], pagination: { page: 1, total_pages: 2 } } } })
    expect(await spoken.adapter.puppets(null)).toMatchObject({ value: { items: [{ id: 'p' }], nextCursor: '2' } })
  })

  test('a backend that ignores the page does not keep us paging', async () => {
    backend.next(fixture('alternate', 'puppets'))
    expect(await spoken.adapter.puppets('2')).toMatchObject({ value: { nextCursor: null } })
  })
})

test('one puppet cannot be asked for, and nothing is sent', async () => {
  expect(spoken.adapter.capabilities.puppet_by_id).toBe(false)
  expect(await spoken.adapter.puppet('d')).toMatchObject({ ok: false, problem: { code: 'capability_not_supported' } })
  expect(backend.requests).toEqual([])
})
