import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script, ScriptedBackend } from '../fakes/backend.ts'
import { fakeClock } from '../fakes/clock.ts'
import { openApp, testApp, type TestApp } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** A backend that answers nonsense: a doubt on a create, a failed attempt on a read, and the gateway stays up. */
const HUGE_BYTES = 40 * 1024 * 1024
const JOB = { id: 'api_video_999', status: 'queued' }
const HOSTILE: [name: string, script: Script][] = [
  ['HTML with status 200', { headers: { 'content-type': 'text/html' }, body: '<html><body>Welcome</body></html>' }],
  ['HTML with status 502', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' }],
  ['nothing', { body: '' }],
  ['nothing, with status 204', { status: 204, body: '' }],
  ['nothing, with status 503', { status: 503, body: '' }],
  ['truncated JSON', { body: '{"id":"api_video_99' }],
  ['an answer cut in the middle', { fault: 'cut', body: '{"status":"que' }],
  ['40 MB', { fault: 'flood', sizeBytes: HUGE_BYTES }],
  ['40 MB with status 400', { fault: 'flood', status: 400, sizeBytes: HUGE_BYTES }],
  ['a reset', { fault: 'reset' }],
  ['silence', { fault: 'hang' }],
  ['headers and then silence', { fault: 'drip' }],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/login' }, body: '' }],
  ['a redirect with a body', { status: 307, headers: { location: '/other' }, body: JOB }],
  ['JSON of no shape', { body: '"created"' }],
  ['JSON null', { body: 'null' }],
  ['JSON that names no job', { body: { ok: true } }],
  ['a job id that is none', { body: { id: '../../etc/passwd', status: 'queued' } }],
  ['JSON 500', { status: 500, body: { error: 'internal' } }],
  ['JSON 504', { status: 504, body: { error: 'timeout' } }],
  ['bytes that are no text', { body: Buffer.from([0, 255, 254, 1, 2]) }],
]

const start = async () => {
  const clock = fakeClock()
  // Silence lasts so long; a good answer must come within it on a busy machine, too.
  const backend = { timeout: '2s' }
  const app = await openApp({ clock, runsEngine: true, backends: { main: backend, alt: backend } })
  const main = servePrimary(app.main, clock.now)
  const alt = serveAlternate(app.alt, clock.now)
  const alive = async () => void (await app.raw.get('/healthz').expect(200), await app.raw.get('/readyz').expect(200))
  /** Moves time on, so much at once, while real sockets do their part. */
  const untilLater = (isSo: () => boolean | Promise<boolean>, stepMs = 1_000) =>
    until(async () => {
      await clock.advance(stepMs)
      return isSo()
    })
  const read = async (id: string) => expectVideo(await app.get(`/videos/${id}`), 200)
  return { app, clock, main, alt, alive, untilLater, read }
}
type Started = Awaited<ReturnType<typeof start>>

describe('on a create of the primary', () => {
  let at: Started
  beforeAll(async () => {
    at = await start()
    at.main.state.onRead = 'completed'
    at.main.state.nextPollMs = 20
  })
  afterAll(() => at.app.close())

  test.each(HOSTILE)('%s is a doubt: 202, then the same bytes again under the same key', async (name, script) => {
    const { app, main, alive, untilLater, read } = at
    const before = main.creates().length
    app.main.next(script)
    const response = await app.post({ ...MAIN_BODY, text: name }, { 'idempotency-key': name })
    const video = expectVideo(response, 202)
    expect(video).toMatchObject({ status: 'queued', backend_job_id: null, error: null })
    expect(response.headers).toHaveProperty('retry-after')
    await alive()
    await untilLater(async () => (await read(video.id)).status === 'completed')
    const [first, second, ...more] = main.creates().slice(before)
    expect(more).toEqual([])
    expect(second?.body).toBe(first?.body)
    expect([first?.headers['idempotency-key'], second?.headers['idempotency-key']]).toEqual([
      `${video.id}.1`,
      `${video.id}.1`,
    ])
    expect(second?.headers['content-type']).toBe(first?.headers['content-type'])
    expect((await read(video.id)).backend_job_id).toMatch(/^api_video_\d+$/)
  })

  test('a refusal met by the resend ends no doubt', async () => {
    const { app, main, untilLater, read } = at
    const before = main.creates().length
    const no = (status: number, error: string): Script => ({ status, body: { error, message: 'no' } })
    app.main.next(
      { fault: 'reset' },
      no(402, 'no_credits'),
      no(400, 'invalid_request'),
      no(429, 'quota'),
      no(503, 'busy'),
    )
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    await untilLater(async () => (await read(id)).status === 'completed')
    expect(
      new Set(
        main
          .creates()
          .slice(before)
          .map(({ body, headers }) => `${headers['idempotency-key']} ${body}`),
      ).size,
    ).toBe(1)
    expect(main.creates().length - before).toBe(6)
  })

  test('JSON under another content type, and a job id in the headers alone, are taken', async () => {
    const { app } = at
    app.main.next(
      { headers: { 'content-type': 'text/plain' }, body: { id: 'api_video_plain', status: 'queued' } },
      { status: 202, headers: { 'x-service-operation-id': 'api_video_header' }, body: '<html>' },
    )
    expect(expectVideo(await app.post(MAIN_BODY), 202).backend_job_id).toBe('api_video_plain')
    expect(expectVideo(await app.post(MAIN_BODY), 202).backend_job_id).toBe('api_video_header')
  })
})

describe('on a create of the alternate', () => {
  let at: Started
  beforeAll(async () => {
    at = await start()
  })
  afterAll(() => at.app.close())

  test.each(HOSTILE)(
    '%s is a doubt: 202, then create_outcome_unknown, and never a second request',
    async (name, script) => {
      const { app, alt, alive, untilLater, read } = at
      const before = alt.creates().length
      app.alt.next(script)
      const response = await app.post({ ...ALT_BODY, text: name }, { 'idempotency-key': name })
      const { id } = expectVideo(response, 202)
      await alive()
      // It takes some minutes.
      await untilLater(async () => (await read(id)).status === 'failed', 10_000)
      expect(await read(id)).toMatchObject({
        error: { code: 'create_outcome_unknown', retryable: false },
        backend_job_id: null,
      })
      expect(alt.creates().length - before).toBe(1)
      const again = await app.post({ ...ALT_BODY, text: name }, { 'idempotency-key': name })
      expect(expectVideo(again, 200).id).toBe(id)
      expect(alt.creates().length - before).toBe(1)
    },
  )
})

describe('on a read', () => {
  let at: Started
  beforeAll(async () => {
    at = await start()
  })
  afterAll(() => at.app.close())
  const UNREADABLE = HOSTILE.filter(([name]) => name !== 'a job id that is none')

  test.each(UNREADABLE)('%s fails a look, not the video', async (_name, script) => {
    const { app, main, alive, untilLater, read } = at
    main.state.onRead = 'processing'
    main.state.nextPollMs = 1_000
    const { id, backend_job_id } = expectVideo(await app.post(MAIN_BODY), 202)
    const looks = () => main.asked('GET', `/api/v1/videos/${backend_job_id}`).length
    app.main.next(script, script, script)
    await untilLater(() => looks() >= 3)
    expect((await read(id)).status).toBe('queued')
    main.state.onRead = 'completed'
    await untilLater(async () => (await read(id)).status === 'completed')
    await alive()
  })

  const refusedAs = (
    script: Script,
  ): 'backend_error' | 'backend_timeout' | 'backend_unavailable' | 'invalid_request' => {
    const status = 'status' in script ? script.status : 200
    if ('fault' in script && script.fault === 'hang') return 'backend_timeout'
    if (status === 504) return 'backend_timeout'
    if (status === 503) return 'backend_unavailable'
    return status === 400 ? 'invalid_request' : 'backend_error'
  }

  test.each(UNREADABLE.filter(([name]) => name !== 'JSON 504' && !name.includes('400')))(
    '%s in place of a catalogue is an error of the backend',
    async (name, script) => {
      const { app, clock, alive } = at
      await clock.advance(11_000)
      app.main.next(script)
      const problem = expectProblem(await app.get('/puppets?backend=main'), refusedAs(script), {
        backend: 'main',
        retryable: !name.includes('redirect'),
      })
      expect(JSON.stringify(problem)).not.toMatch(/127\.0\.0\.1|elsewhere|<html|upstream_/)
      await alive()
    },
  )
})

test('five times 40 MB on creates and reads are not held in memory', async () => {
  const app: TestApp = await testApp({ backends: { main: { timeout: '5s' } } })
  const flood = (backend: ScriptedBackend) => backend.answer({ fault: 'flood', sizeBytes: HUGE_BYTES })
  flood(app.main)
  flood(app.alt)
  const beforeBytes = process.memoryUsage().rss
  const calls = Array.from({ length: 5 }, async (_, i) => {
    expectVideo(await app.post({ ...MAIN_BODY, text: `${i}` }), 202)
    await app.get('/voices?backend=alt').expect(502)
    await app.get('/puppets?backend=main').expect(502)
  })
  await Promise.all(calls)
  // 200 MB and more were offered; at most 1 MiB of each answer is kept. The rest is room for the runtime.
  expect(process.memoryUsage().rss - beforeBytes).toBeLessThan(120 * 1024 * 1024)
  await app.raw.get('/readyz').expect(200)
})
