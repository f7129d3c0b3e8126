import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OverviewView } from '../../src/core/api/admin.ts'
import { VideoRowListView } from '../../src/core/api/videos.ts'
import { bearer, KEYS, type TestApp } from '../fakes/gateway.ts'
import { ADMIN, openEnds } from './ends-stage.ts'
import { expectProblem } from './expect.ts'
import { MAIN_BODY } from './services.ts'

const TEXT = 'Your parcel is on its way, and it arrives tomorrow at noon 📦.'

describe('GET /videos/search', () => {
  let app: TestApp
  beforeAll(async () => {
    ;({ app } = await openEnds(60_000, { body: { ...MAIN_BODY, text: TEXT } }))
  })
  afterAll(() => app.close())

  const ask = (query: string, key = bearer(KEYS.anna)) =>
    app.raw.get(`/unified/v1${key === ADMIN ? '/admin' : ''}/videos/search?${query}`).set(key)
  const rows = async (query: string, key = bearer(KEYS.anna)) =>
    VideoRowListView.parse((await ask(query, key).expect(200)).body)
  const statuses = async (query: string, key = bearer(KEYS.anna)) =>
    (await rows(query, key)).data.map(({ status }) => status)

  test('a row says in few words how a video is', async () => {
    const [row] = (await rows('status=failed')).data
    expect(row).toMatchObject({
      status: 'failed',
      in_doubt: false,
      client: null,
      backend: 'main',
      error_code: 'backend_failed',
      took_seconds: 0,
      webhook: null,
    })
    const [done] = (await rows('status=completed', ADMIN)).data
    expect(done).toMatchObject({ client: 'bert', error_code: null, text: TEXT.slice(0, 40) })
    // A hundred of them are at most 30 kB.
    expect(JSON.stringify(done).length).toBeLessThan(300)
  })

  test('several statuses, phases, codes and backends', async () => {
    expect(await statuses('')).toEqual(['queued', 'queued', 'processing', 'failed', 'completed', 'completed'])
    expect(await statuses('status=failed,completed')).toEqual(['failed', 'completed', 'completed'])
    expect(await statuses('phase=waiting')).toEqual(['queued', 'queued'])
    expect(await statuses('phase=running')).toEqual(['processing'])
    expect(await statuses('phase=in_doubt')).toEqual([])
    expect(await statuses('phase=waiting&status=completed')).toEqual([])
    expect(await statuses('error_code=backend_failed')).toEqual(['failed'])
    expect(await statuses('error_code=none')).toEqual([])
    expect(await statuses('backend=alt')).toEqual(['queued', 'queued', 'processing'])
    expect(await statuses('backend=main&sort=longest')).toHaveLength(3)
    expect(await statuses('webhook=none&backend=main')).toEqual(['failed', 'completed', 'completed'])
    expect(await statuses('webhook=delivered')).toEqual([])
    expect(await statuses('', bearer(KEYS.bert))).toEqual(['completed'])
    expect(await statuses('client=bert', ADMIN)).toEqual(['completed'])
  })

  test('each figure of the overview counts exactly what its filters list', async () => {
    const { since, videos, ended, failures } = OverviewView.parse((await app.get('/overview')).body)
    const count = async (query: string) => (await rows(`${query}&total=true`)).total
    const of = (given: number) => ({ count: given, complete: true })
    expect(await count('phase=waiting')).toEqual(of(videos.waiting))
    expect(await count('phase=running')).toEqual(of(videos.running))
    expect(await count('phase=in_doubt')).toEqual(of(videos.in_doubt))
    for (const status of ['completed', 'failed', 'canceled'] as const) {
      expect(await count(`status=${status}&ended_since=${since}`)).toEqual(of(ended[status]))
      const last = ended.steps.at(-1)
      expect(await count(`status=${status}&ended_since=${last?.from}`)).toEqual(of(last?.[status] ?? -1))
      expect(await count(`status=${status}&ended_before=${last?.from}`)).toEqual(of(0))
    }
    for (const { code, videos: failed } of failures)
      expect(await count(`error_code=${code}&ended_since=${since}`)).toEqual(of(failed))
    expect(await count('status=queued&error_code=backend_failed')).toEqual(of(0))
  })

  test('page by page, in each order', async () => {
    for (const query of ['', 'status=completed,failed&ended_since=2020-01-01T00:00:00Z', 'sort=longest']) {
      const all = (await rows(query)).data.map(({ id }) => id)
      expect(all.length).toBeGreaterThan(2)
      const seen: string[] = []
      // Only the first page is counted.
      let cursor = '&total=true'
      for (let page = 0; page <= all.length; page += 1) {
        const { data, has_more, next_cursor } = await rows(`${query}&limit=2${cursor}`)
        seen.push(...data.map(({ id }) => id))
        cursor = `&cursor=${next_cursor}`
        if (!has_more) break
      }
      expect(seen).toEqual(all)
    }
  })

  test.each([
    ['status=none', 'status.0'],
    ['phase=ended', 'phase'],
    ['phase=waiting&sort=longest', 'phase'],
    ['created_after=2026-01-01T00:00:00Z&error_code=x', 'created_after'],
    ['backend=none', 'backend'],
    ['webhook=none&total=true', 'total'],
    ['metadata=1&sort=longest', 'sort'],
    ['metadata=1&status=failed,completed', 'metadata'],
    ['metadata=1&webhook=failed', 'metadata'],
    ['total=1', 'total'],
    ['client=bert', 'client'],
  ])('refuses %s', async (query, param) => {
    expectProblem(await ask(query), 'invalid_request', { param })
  })

  test('a cursor of another search is refused', async () => {
    const { next_cursor } = await rows('limit=2')
    expectProblem(await ask(`limit=2&status=completed&cursor=${next_cursor}`), 'invalid_cursor')
  })
})
