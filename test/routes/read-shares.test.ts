import { expect, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** What one client, or whoever has one of its links, may take of an account's window by reading. */
const TEN_MINUTES_MS = 600_000
const MINUTE_MS = 61_000
const TEN_A_MINUTE = { main: { requests_per_minute: 10 }, alt: { requests_per_minute: 10 } }

const start = async () => {
  const clock = fakeClock()
  const app = await testApp({ clock, backends: TEN_A_MINUTE })
  const main = servePrimary(app.main, clock.now)
  const alt = serveAlternate(app.alt, clock.now)
  main.state.onCreate = alt.state.onCreate = 'completed'
  /** Finished so long ago that their links have expired. */
  const finished = async (count: number, key: string = KEYS.anna) => {
    const videos = []
    for (let n = 0; n < count; n += 1) {
      const headers = { ...bearer(key), 'content-type': 'application/json' }
      videos.push(expectVideo(await app.raw.post('/unified/v1/videos').set(headers).send(MAIN_BODY), 200))
      await clock.advance(MINUTE_MS)
    }
    await clock.advance(TEN_MINUTES_MS)
    app.main.requests.length = 0
    return videos
  }
  const content = (url: string | null) => app.raw.get((url ?? '').replace(app.url, ''))
  /** One after the other: each window's first answer is awaited before another request goes. */
  const allOf = async (videos: Awaited<ReturnType<typeof finished>>) => {
    const answers = []
    for (const { content_url } of videos) answers.push(await content(content_url))
    return answers
  }
  return { app, clock, finished, content, allOf }
}

test('a link whose refresh fails costs one request a minute, however often and by whomever it is asked for', async () => {
  const { app, clock, finished, content } = await start()
  const [video] = await finished(1)
  app.main.answer({ status: 404, body: { error: 'not_found', message: 'no such video' } })
  for (let minute = 1; minute <= 2; minute += 1) {
    for (let n = 0; n < 30; n += 1) expect((await content(video?.content_url ?? null)).status).toBe(404)
    expect(app.main.requests).toHaveLength(minute)
    await clock.advance(MINUTE_MS)
  }
})

test('all links of one client together take a third of the window; creates and other clients have the rest', async () => {
  const { app, clock, finished, content, allOf } = await start()
  const bert = await finished(1, KEYS.bert)
  const anna = await finished(8)
  app.main.answer({ status: 500, body: { error: 'oops' } })
  const asked = await allOf(anna)
  expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([502, 502, 502, 503, 503, 503, 503, 503])
  const refused = asked.find(({ status }) => status === 503)
  expect(Number(refused?.headers['retry-after'])).toBe(61)
  expect(app.main.requests).toHaveLength(3)
  // Another's link, and a new video.
  expect((await content(bert[0]?.content_url ?? null)).status).toBe(502)
  servePrimary(app.main, clock.now)
  expectVideo(await app.post(MAIN_BODY), 200)
  expect(app.main.requests).toHaveLength(5)
  // What was refused took nothing of the next minute's share.
  await clock.advance(MINUTE_MS)
  const again = await allOf(anna)
  expect(again.filter(({ status }) => status !== 503)).toHaveLength(3)
  expect(app.main.requests).toHaveLength(8)
})

test('so do puppets that nobody has, asked for by themselves or by a create', async () => {
  const { app } = await start()
  const statuses: number[] = []
  for (let n = 0; n < 10; n += 1) statuses.push((await app.get(`/puppets/main:random_${n}`)).status)
  // The list was read once, which serves all clients.
  const reads = app.main.requests.length
  expect(statuses.filter((status) => status === 404)).toHaveLength(reads - 1)
  expect(new Set(statuses.slice(reads - 1))).toEqual(new Set([503]))
  expect(reads).toBe(4)
  expectProblem(await app.get('/puppets/main:random_0'), 'puppet_not_found')
  expectVideo(await app.post(ALT_BODY), 200)
  expect(app.main.requests).toHaveLength(reads)
})

test('so do imports, with the link that only a download tells', async () => {
  const { app } = await start()
  app.alt.answer(({ path }) => {
    const job = path.split('/')[3]
    return path.endsWith('/download')
      ? { body: { download_url: `https://cdn.example/${job}.mp4?sig=a` } }
      : { body: { id: job, status: 'completed', puppet_id: 'pup_1' } }
  })
  const statuses: number[] = []
  for (let n = 1; n <= 6; n += 1) {
    const body = { backend: 'alt', backend_job_id: `clip_${n}` }
    const answer = await app.raw.post('/unified/v1/videos/import').set(bearer(KEYS.anna)).send(body)
    statuses.push(answer.status)
  }
  expect(app.alt.requests.map(({ path }) => path)).toEqual([
    '/v1/videos/clip_1',
    '/v1/videos/clip_1/download',
    '/v1/videos/clip_2',
  ])
  // What it could not ask for is left to the first look.
  expect(statuses).toEqual([201, 201, 503, 503, 503, 503])
})
