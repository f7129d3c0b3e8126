import { describe, expect, test } from 'vitest'
import { listOf, PuppetView, VoiceView } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { until } from '../fakes/until.ts'
import { expectProblem } from './expect.ts'
import { serveAlternate, servePrimary } from './services.ts'

/** Voices and puppets: one vocabulary, cached, coalesced, and paged by any process. */
const start = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, ...options })
  return { app, clock, main: servePrimary(app.main, clock.now), alt: serveAlternate(app.alt, clock.now) }
}

const voices = async (app: TestApp, query = '') => {
  const response = await app.get(`/voices${query}`)
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 })
  return { ...listOf(VoiceView).parse(response.body), cache: response.headers['x-cache'] }
}
const idsOf = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id)

describe('GET /voices', () => {
  test('speaks one vocabulary for both backends', async () => {
    const { app } = await start()
    const { data, has_more, next_cursor } = await voices(app)
    expect(idsOf({ data })).toEqual(['main:v1', 'main:v2', 'alt:w1', 'alt:w2'])
    expect([has_more, next_cursor]).toEqual([false, null])
    expect(data[0]).toEqual({
      id: 'main:v1',
      object: 'voice',
      backend: 'main',
      name: 'Maya',
      provider: 'aurora',
      language: 'English (United Kingdom)',
      language_code: 'en-GB',
      gender: 'female',
      preview_url: `${app.main.url}/api/v1/voices/service/v1/preview`,
    })
    expect(data[2]).toMatchObject({ language: 'English (United States)', language_code: 'en-US', gender: 'female' })
  })

  test.each([
    ['?language=en', ['main:v1', 'alt:w1']],
    ['?language=EN', ['main:v1', 'alt:w1']],
    ['?language=en-gb', ['main:v1']],
    ['?language=enm', ['alt:w2']],
    ['?language=e', []],
    ['?language=fr', []],
    ['?gender=Male', ['main:v2', 'alt:w2']],
    ['?gender=male&backend=alt', ['alt:w2']],
    ['?backend=main', ['main:v1', 'main:v2']],
    ['?language=de&gender=male&backend=main', ['main:v2']],
  ])('%s', async (query, ids) => {
    const { app } = await start()
    expect(idsOf(await voices(app, query))).toEqual(ids)
  })

  test('refuses what is no filter', async () => {
    const { app } = await start()
    for (const [query, param] of [
      ['?lang=en', 'lang'],
      ['?language=', 'language'],
      ['?gender=a&gender=b', 'gender'],
      ['?backend=none', 'backend'],
    ] as const) {
      expectProblem(await app.get(`/voices${query}`), 'invalid_request', { param })
    }
    expect(app.upstream()).toBe(0)
  })

  test('goes on behind the last item, in the list as it is now', async () => {
    const { app, clock } = await start()
    const first = await voices(app, '?limit=3')
    expect([idsOf(first), first.has_more]).toEqual([['main:v1', 'main:v2', 'alt:w1'], true])
    await clock.advance(9 * 60_000)
    app.main.answer({ body: { data: [] } })
    const second = await voices(app, `?limit=3&cursor=${first.next_cursor}`)
    expect([idsOf(second), second.has_more, second.next_cursor]).toEqual([['alt:w2'], false, null])
    // Read anew: the first backend lists nothing any more, and the place is where the last item is.
    await clock.advance(60_001)
    await voices(app)
    await until(() => app.main.requests.length > 1)
    expect(idsOf(await voices(app, `?limit=1&cursor=${first.next_cursor}`))).toEqual(['alt:w2'])
  })

  test('a cursor is good at another process, which asks for the list itself', async () => {
    const [{ app }, { app: other }] = [await start(), await start()]
    const first = await voices(app, '?limit=3')
    const second = await voices(other, `?limit=3&cursor=${first.next_cursor}`)
    expect([idsOf(second), second.cache]).toEqual([['alt:w2'], 'miss'])
  })

  test('a page whose list cannot be had now is not told as if it had no more', async () => {
    const [{ app }, { app: other }] = [await start(), await start()]
    const first = await voices(app, '?limit=3')
    other.alt.answer({ status: 500, body: { error: 'broken' } })
    const problem = { backend: 'alt', retryable: true }
    expectProblem(await other.get(`/voices?limit=3&cursor=${first.next_cursor}`), 'backend_unavailable', problem)
    // The first backend's part is behind the reader: what is left of the list needs only the other.
    const third = await start()
    third.app.main.answer({ status: 500, body: { error: 'broken' } })
    expect(idsOf(await voices(third.app, `?limit=3&cursor=${first.next_cursor}`))).toEqual(['alt:w2'])
  })

  test('a cursor of another filter, list or client is invalid', async () => {
    const { app } = await start()
    const cursor = must((await voices(app, '?limit=1')).next_cursor)
    for (const path of [
      `/voices?gender=male&cursor=${cursor}`,
      `/voices?backend=main&cursor=${cursor}`,
      `/puppets?cursor=${cursor}`,
      `/voices?cursor=${cursor.slice(1)}`,
      '/voices?cursor=x',
    ]) {
      expectProblem(await app.get(path), 'invalid_cursor')
    }
    expectProblem(await app.raw.get(`/unified/v1/voices?cursor=${cursor}`).set(bearer(KEYS.bert)), 'invalid_cursor')
  })
})

describe('the cache', () => {
  test('300 callers at once cost one request', async () => {
    // More take longer to connect on a busy machine than a gateway waits for the head of a request.
    const { app, main } = await start()
    const answers = await Promise.all(Array.from({ length: 300 }, () => voices(app, '?backend=main')))
    expect(new Set(answers.map((answer) => JSON.stringify(idsOf(answer))))).toEqual(new Set(['["main:v1","main:v2"]']))
    expect(main.asked('GET', '/api/v1/voices')).toHaveLength(1)
  })

  test('miss, then hit, then stale for all while one request refreshes it', async () => {
    const { app, clock, main } = await start({ backends: { main: { timeout: '2s' } } })
    const cache = async () => (await voices(app, '?backend=main')).cache
    expect([await cache(), await cache()]).toEqual(['miss', 'hit'])
    await clock.advance(10 * 60_000 + 1)
    app.main.next({ fault: 'hang' })
    expect(new Set(await Promise.all(Array.from({ length: 50 }, cache)))).toEqual(new Set(['stale']))
    // The refresh ends behind the answers, on a real socket and its real timeout; nobody asks again before the pause is over.
    await until(async () => {
      await clock.advance(10_000)
      return (await cache()) === 'hit'
    })
    expect(main.asked('GET', '/api/v1/voices')).toHaveLength(3)
  })

  test('of two backends the worse state is told', async () => {
    const { app } = await start()
    await voices(app, '?backend=alt')
    expect((await voices(app)).cache).toBe('miss')
    expect((await voices(app)).cache).toBe('hit')
  })

  test('a backend that fails is asked once in a while, not once a caller', async () => {
    const { app, clock } = await start()
    app.main.answer({ status: 500, body: { error: 'oops', message: 'see https://internal.example/?key=1' } })
    for (let i = 0; i < 30; i += 1) {
      const problem = expectProblem(await app.get('/voices?backend=main'), 'backend_error', { backend: 'main' })
      expect(problem.backend_error).toEqual({ status: 500, code: 'oops', block_code: null, message: 'see [url]' })
    }
    expect(app.main.requests).toHaveLength(1)
    await clock.advance(10_001)
    servePrimary(app.main)
    expect((await voices(app, '?backend=main')).data).toHaveLength(2)
    expect(app.main.requests).toHaveLength(2)
  })

  test('a stale list outlives a failing backend', async () => {
    const { app, clock } = await start()
    await voices(app, '?backend=main')
    app.main.answer({ status: 500, body: {} })
    await clock.advance(3_600_000)
    for (let i = 0; i < 10; i += 1)
      expect(await voices(app, '?backend=main')).toMatchObject({ cache: 'stale', data: [{}, {}] })
    await until(() => app.main.requests.length === 2)
  })

  test('without budget it is 503 with the time of the next window', async () => {
    const { app } = await start({ backends: { main: { requests_per_minute: 1 } } })
    await voices(app, '?backend=main')
    const problem = expectProblem(await app.get('/puppets?backend=main'), 'backend_unavailable', {
      backend: 'main',
      retryable: true,
    })
    expect(problem.retry_after_seconds).toBe(61)
    expect(app.main.requests).toHaveLength(1)
  })
})

describe('GET /puppets', () => {
  test('speaks one vocabulary for both backends', async () => {
    const { app } = await start()
    const response = await app.get('/puppets')
    const { data } = listOf(PuppetView).parse(response.body)
    expect(response.headers['x-cache']).toBe('miss')
    expect(data).toEqual([
      {
        id: 'main:pup_m',
        object: 'puppet',
        backend: 'main',
        name: null,
        type: 'custom',
        image_url: 'https://img.example/m.png',
        thumbnail_url: null,
        created_at: null,
      },
      {
        id: 'alt:pup_1',
        object: 'puppet',
        backend: 'alt',
        name: 'Anna',
        type: 'stock',
        image_url: 'https://img.example/a.png',
        thumbnail_url: 'https://img.example/a.png',
        created_at: null,
      },
    ])
  })

  test('follows the pages of the backend, not for ever', async () => {
    const { app } = await start()
    app.main.answer(({ path }) => {
      const cursor = Number(new URL(path, app.main.url).searchParams.get('cursor') ?? 0)
      return { body: { data: [{ id: `p${cursor}` }], nextCursor: String(cursor + 1) } }
    })
    expect(idsOf(listOf(PuppetView).parse((await app.get('/puppets?backend=main&limit=100')).body))).toHaveLength(20)
    expect(app.main.requests).toHaveLength(20)
  })

  test('HEAD answers without a body', async () => {
    const { app } = await start()
    const response = await app.raw.head('/unified/v1/puppets').set(bearer(KEYS.anna))
    expect([response.status, response.text]).toEqual([200, undefined])
  })
})
