import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listOf, VideoView } from '../../src/core/api/videos.ts'
import { bearer, KEYS, openApp, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const Page = listOf(VideoView)

const page = async (app: TestApp, query: Record<string, string | number>, key: string = KEYS.anna) => {
  const response = await app.raw.get('/unified/v1/videos').query(query).set(bearer(key))
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 })
  return Page.parse(response.body)
}

describe('GET /videos', () => {
  let app: TestApp
  const created: VideoView[] = []
  beforeAll(async () => {
    app = await openApp()
    const main = servePrimary(app.main)
    serveAlternate(app.alt)
    for (let i = 0; i < 3; i += 1) {
      main.state.onCreate = i === 1 ? 'completed' : 'queued'
      created.unshift(VideoView.parse((await app.post(MAIN_BODY)).body))
      created.unshift(expectVideo(await app.post(ALT_BODY), 202))
    }
  })
  afterAll(() => app.close())
  const idsOf = (videos: VideoView[]) => videos.map(({ id }) => id)

  test('is newest first, as the videos are now, and ends', async () => {
    const { data, has_more, next_cursor } = await page(app, {})
    expect(idsOf(data)).toEqual(idsOf(created))
    expect([has_more, next_cursor]).toEqual([false, null])
    expect(data[0]).toEqual((await app.get(`/videos/${must(created[0]).id}`)).body)
    expect(await page(app, {}, KEYS.bert)).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null })
  })

  test('is filtered by status, backend and time, together too', async () => {
    const of = (fits: (video: VideoView) => boolean) => idsOf(created.filter(fits))
    expect(idsOf((await page(app, { backend: 'alt' })).data)).toEqual(of((v) => v.backend === 'alt'))
    expect(idsOf((await page(app, { status: 'completed' })).data)).toEqual(of((v) => v.status === 'completed'))
    expect(idsOf((await page(app, { status: 'completed', backend: 'alt' })).data)).toEqual([])
    const middle = must(created[2]).created_at
    expect(idsOf((await page(app, { created_after: middle })).data)).toEqual(of((v) => v.created_at > middle))
    expect(idsOf((await page(app, { created_before: middle })).data)).toEqual(of((v) => v.created_at < middle))
    const inBerlin = middle.replace(/Z$/, '+00:00')
    expect(idsOf((await page(app, { created_after: inBerlin })).data)).toEqual(of((v) => v.created_at > middle))
    expect((await page(app, { created_after: '2999-01-01T00:00:00Z' })).data).toEqual([])
  })

  test('pages by any limit without a gap', async () => {
    for (const limit of [1, 2, 4, 5, 6, 100]) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { data, has_more, next_cursor } = await page(app, { limit, ...(cursor !== '' && { cursor }) })
        expect(data.length).toBeLessThanOrEqual(limit)
        expect(has_more).toBe(next_cursor !== null)
        seen.push(...idsOf(data))
        cursor = next_cursor
      }
      expect(seen).toEqual(idsOf(created))
    }
  })

  test.each(['0', '101', 'abc', '-1', '1.5', '', ' 5', '1e1', '0x10', '99999999999', '５'])(
    'limit=%s is 400',
    async (limit) => {
      for (const path of ['/videos', '/voices', '/puppets']) {
        expectProblem(await app.get(path).query({ limit }), 'invalid_request', { param: 'limit' })
      }
    },
  )

  test.each<[string, string]>([
    ['status=done', 'status'],
    ['status=queued&status=failed', 'status'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=a&cursor=b', 'cursor'],
    ['page=2', 'page'],
    ['origin=backend', 'backend'],
    ['origin=gateway', 'origin'],
    ['origin=backend&backend=nowhere', 'backend'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['backend=nowhere', 'backend'],
    ['backend=', 'backend'],
    ['created_after=yesterday', 'created_after'],
    ['created_after=2026-11-20', 'created_after'],
    ['created_after=1700000000', 'created_after'],
    ['created_before=2026-13-01T00:00:00Z', 'created_before'],
    ['cursor=', 'cursor'],
    [`cursor=${'a'.repeat(1_001)}`, 'cursor'],
  ])('?%s is 400', async (query, param) => {
    expectProblem(await app.get(`/videos?${query}`), 'invalid_request', { param })
  })

  test('several faults of a query are all named', async () => {
    const { errors } = expectProblem(await app.get('/videos?limit=0&status=x&a=1&b=2'), 'invalid_request')
    expect(errors.map(({ path }) => path).toSorted()).toEqual(['a', 'b', 'limit', 'status'])
  })

  test('a cursor that this list did not give is invalid_cursor', async () => {
    const cursor = must((await page(app, { limit: 2 })).next_cursor)
    const voices = must(Reflect.get((await app.get('/voices?limit=1')).body as object, 'next_cursor') as string)
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1)
    const foreign: Record<string, string> = {
      flipped,
      truncated: cursor.slice(0, -4),
      longer: `${cursor}AAAA`,
      padded: `${cursor}=`,
      'of another alphabet': `${cursor.slice(0, -1)}+`,
      'with a space': `${cursor} `,
      nonsense: 'abc',
      'an id': must(created[0]).id,
      'of another list': voices,
    }
    for (const [name, value] of Object.entries(foreign)) {
      const response = await app.get('/videos').query({ limit: 2, cursor: value })
      expect({
        name,
        problem: expectProblem(response, 'invalid_cursor', { param: 'cursor', retryable: false }),
      }).toMatchObject({ name })
    }
    for (const query of [{ status: 'queued' }, { backend: 'main' }, { created_after: '2020-01-01T00:00:00Z' }]) {
      expectProblem(await app.get('/videos').query({ ...query, cursor }), 'invalid_cursor')
    }
    expectProblem(await app.raw.get('/unified/v1/videos').query({ cursor }).set(bearer(KEYS.bert)), 'invalid_cursor')
    // Every bit of the last character counts: one spelling only.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const character of last.replace(cursor.slice(-1), '')) {
      expectProblem(await app.get('/videos').query({ cursor: cursor.slice(0, -1) + character }), 'invalid_cursor')
    }
  })

  test('a cursor is good with another limit, and the same moment in another spelling', async () => {
    const after = '2020-01-01T00:00:00Z'
    const cursor = must((await page(app, { limit: 2, created_after: after })).next_cursor)
    const next = await page(app, { limit: 3, cursor, created_after: '2020-01-01T01:00:00+01:00' })
    expect(idsOf(next.data)).toEqual(idsOf(created).slice(2, 5))
  })
})

test('paging gives each video once, whatever is inserted meanwhile and however large the pages are', async () => {
  const app = await testApp()
  servePrimary(app.main)
  let known: string[] = []
  const insert = async (): Promise<void> => {
    known = [expectVideo(await app.post(MAIN_BODY), 202).id, ...known]
  }
  for (let i = 0; i < 7; i += 1) await insert()
  const step = fc.record({ limit: fc.integer({ min: 1, max: 6 }), inserts: fc.integer({ min: 0, max: 2 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const before = known
      const seen: string[] = []
      let cursor: string | null = ''
      for (let turn = 0; cursor !== null; turn += 1) {
        const { limit, inserts } = must(steps[turn % steps.length])
        const { data, next_cursor }: Awaited<ReturnType<typeof page>> = await page(app, {
          limit,
          ...(cursor !== '' && { cursor }),
        })
        seen.push(...data.map(({ id }) => id))
        cursor = next_cursor
        const coming = turn < 3 ? inserts : 0
        for (let i = 0; i < coming; i += 1) await insert()
      }
      expect(seen).toEqual(before)
    }),
    { seed: 20261120, numRuns: 15 },
  )
})

test('a cursor that was changed in any way is invalid_cursor, for every list', async () => {
  const app = await testApp()
  servePrimary(app.main)
  serveAlternate(app.alt)
  for (let i = 0; i < 3; i += 1) expectVideo(await app.post(MAIN_BODY), 202)
  const paths = ['/videos', '/voices', '/puppets']
  const cursors = await Promise.all(
    paths.map(async (path) => must((await app.get(`${path}?limit=1`)).body as { next_cursor: string }).next_cursor),
  )
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .'
  const any = fc.constantFrom(...Array.from(ALPHABET))
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const change = fc.oneof(
    fc.record({ kind: fc.constant('replace' as const), place, text: any }),
    fc.record({
      kind: fc.constant('insert' as const),
      place,
      text: fc.string({ unit: any, minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('remove' as const), place, text: fc.constant('') }),
    fc.record({ kind: fc.constant('cut' as const), place, text: fc.constant('') }),
  )
  const changed = (
    cursor: string,
    { kind, place: at, text }: { kind: string; place: number; text: string },
  ): string => {
    const i = Math.floor(at * cursor.length)
    switch (kind) {
      case 'replace':
        return cursor.slice(0, i) + text + cursor.slice(i + 1)
      case 'insert':
        return cursor.slice(0, i) + text + cursor.slice(i)
      case 'remove':
        return cursor.slice(0, i) + cursor.slice(i + 1)
      default:
        return cursor.slice(0, Math.max(1, i))
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(2), fc.array(change, { minLength: 1, maxLength: 3 }), async (which, changes) => {
      const cursor = must(cursors[which])
      const spoilt = changes.reduce(changed, cursor)
      fc.pre(spoilt !== cursor && spoilt !== '')
      const response = await app.get(must(paths[which])).query({ limit: 1, cursor: spoilt })
      expectProblem(response, 'invalid_cursor', { param: 'cursor' })
    }),
    { seed: 20261120, numRuns: 150 },
  )
  // And those that were left alone are good.
  for (const [n, path] of paths.entries())
    await app
      .get(path)
      .query({ limit: 1, cursor: must(cursors[n]) })
      .expect(200)
})

describe('a list over several backends of which one is down', () => {
  test('has what the other has, and says whose is missing with every page', async () => {
    const app = await testApp()
    servePrimary(app.main)
    app.alt.answer({ status: 500, body: { error: 'broken' } })
    const first = await app.get('/voices?limit=1')
    const { data, next_cursor } = first.body as { data: { id: string }[]; next_cursor: string }
    expect([first.status, data.map(({ id }) => id)]).toEqual([200, ['main:v1']])
    const warning = 'incomplete; backend=alt; reason=backend_error'
    expect(first.headers['talkbridge-warning']).toBe(warning)
    expect((await app.get(`/voices?limit=1&cursor=${next_cursor}`)).headers['talkbridge-warning']).toBe(warning)
    expectProblem(await app.get('/voices?backend=alt'), 'backend_error', { backend: 'alt' })
    const whole = await app.get('/voices?backend=main')
    expect([whole.status, whole.headers['talkbridge-warning']]).toEqual([200, undefined])
  })

  test('is the fault itself where nobody has anything', async () => {
    const app = await testApp()
    for (const backend of [app.main, app.alt]) backend.answer({ status: 500, body: { error: 'broken' } })
    expectProblem(await app.get('/puppets'), 'backend_error')
  })
})
