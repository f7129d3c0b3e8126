import { describe, expect, test } from 'vitest'
import { KEYS } from '../../fakes/gateway.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { until } from '../../fakes/until.ts'
import { ASKED, bodyOf, EXPIRES_AT, stage, type AlternateStage } from './alternate-stage.ts'

/** `/v1` in both lanes: the alternate behind it, and the primary. */

const NOW = '2026-11-20T10:00:00.000Z'
const ISO_TIME = /^\d{4}-\d\d-\d\dT.*Z$/
const OWN = /^vid_[0-9A-Z]{26}$/
const created = async (on: AlternateStage, body: unknown = ASKED): Promise<string> =>
  String(bodyOf(await on.create(body).expect(201))['id'])

/** Reads a video until it has ended. */
const ended = async (on: AlternateStage, id: string) => {
  await until(async () => bodyOf(await on.get(`/videos/${id}`))['status'] !== 'processing')
  return bodyOf(await on.get(`/videos/${id}`).expect(200))
}

describe('the alternate behind', () => {
  test('a create: what was asked goes there, and its answer comes back under our id and time', async () => {
    const on = await stage({ clock: fakeClock() })
    const asked = { ...ASKED, voice_id: 'w1', resolution: '720p' }
    const response = await on.create(asked).expect(201)
    const { id, ...rest } = bodyOf(response)
    expect(id).toMatch(OWN)
    expect(rest).toEqual({
      status: 'processing',
      puppet_id: 'pup_1',
      voice_id: 'w1',
      resolution: '720p',
      duration_estimate_sec: 11,
      created_at: NOW,
      mood: 'calm',
    })
    expect(on.alt.creates()).toEqual([asked])
    expect(response.headers['talkbridge-warning']).toBeUndefined()
    expect(response.headers['cache-control']).toBe('no-store')
    for (const name of ['limit', 'remaining', 'reset'])
      expect(response.headers[`x-ratelimit-${name}`], name).toMatch(/^\d+$/)
  })

  test('what was not asked is as the backend says', async () => {
    const on = await stage()
    expect(bodyOf(await on.create())).toMatchObject({ voice_id: 'voice_default', resolution: '1080p' })
  })

  test('a detail from create to end, with all that the backend says of it', async () => {
    const on = await stage({ runsEngine: true })
    const id = await created(on)
    const running = bodyOf(await on.get(`/videos/${id}`).expect(200))
    expect(running).toMatchObject({ id, status: 'processing', download_url: null, duration_sec: null })
    expect(running).not.toHaveProperty('completed_at')
    expect(running).not.toHaveProperty('duration_estimate_sec')
    for (const clip of on.alt.clips.values()) clip.status = 'completed'
    const done = await ended(on, id)
    expect(done).toEqual({
      id,
      status: 'completed',
      puppet_id: 'pup_1',
      voice_id: 'voice_default',
      resolution: '1080p',
      duration_sec: 7,
      download_url: 'https://cdn.example/clip_1.mp4?sig=1',
      thumbnail_url: 'https://cdn.example/clip_1.png',
      created_at: running['created_at'],
      completed_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      mood: 'calm',
      self: `/v1/videos/${id}`,
    })
    expect(Date.parse(String(done['completed_at']))).toBeGreaterThanOrEqual(Date.parse(String(done['created_at'])))
  })

  test('a failure is told in the backend’s own words', async () => {
    const on = await stage({ runsEngine: true })
    const id = await created(on)
    for (const clip of on.alt.clips.values()) clip.status = 'failed'
    const failed = await ended(on, id)
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'face_not_found', message: 'no face', hint: 'another photo' },
      download_url: null,
    })
    expect(failed).not.toHaveProperty('completed_at')
  })

  test('a download: 409 before its time, then a link with its expiry, asked for once', async () => {
    const on = await stage({ runsEngine: true })
    const id = await created(on)
    const early = await on.get(`/videos/${id}/download`).expect(409)
    expect(early.body).toEqual({ error: { code: 'video_not_ready', message: 'the video is processing' } })
    for (const clip of on.alt.clips.values()) clip.status = 'completed'
    await ended(on, id)
    for (let n = 0; n < 3; n += 1) {
      expect((await on.get(`/videos/${id}/download`).expect(200)).body).toEqual({
        download_url: 'https://cdn.example/clip_1.mp4?sig=new',
        expires_at: EXPIRES_AT,
      })
    }
    expect(on.app.alt.requests.filter(({ path }) => path.endsWith('/download'))).toHaveLength(1)
  })

  test('a download whose expiry the backend does not tell, or cannot tell now: the link that is known', async () => {
    const on = await stage()
    on.alt.onCreate = 'completed'
    const until = expect.stringMatching(ISO_TIME)
    const known = { download_url: 'https://cdn.example/clip_1.mp4?sig=1', expires_at: until }
    const id = await created(on)
    on.app.alt.next({ status: 500, body: {} })
    for (let n = 0; n < 2; n += 1) expect((await on.get(`/videos/${id}/download`).expect(200)).body).toEqual(known)
    const other = await created(on)
    on.app.alt.next({ body: { download_url: 'https://cdn.example/other.mp4' } })
    for (let n = 0; n < 2; n += 1)
      expect((await on.get(`/videos/${other}/download`).expect(200)).body).toEqual({
        download_url: 'https://cdn.example/other.mp4',
        expires_at: until,
      })
    expect(on.app.alt.requests.filter(({ path }) => path.endsWith('/download'))).toHaveLength(2)
  })

  test('a link of which nobody knows how long it lives is asked for anew after a while', async () => {
    const clock = fakeClock()
    const on = await stage({ clock })
    on.alt.onCreate = 'completed'
    const id = await created(on)
    await clock.advance(10 * 60_000)
    expect(bodyOf(await on.get(`/videos/${id}`))['download_url']).toMatch(/\/unified\/v1\/videos\/.*\/content\?sig=/)
    expect(bodyOf(await on.get(`/videos/${id}/download`).expect(200))).toEqual({
      download_url: 'https://cdn.example/clip_1.mp4?sig=new',
      expires_at: EXPIRES_AT,
    })
    expect(bodyOf(await on.get(`/videos/${id}`))['download_url']).toBe('https://cdn.example/clip_1.mp4?sig=new')
  })

  test('voices and puppets, as they are there', async () => {
    const on = await stage()
    const voice = { id: 'w1', name: 'Ann', gender: 'female', language: 'en-US', preview_url: 'https://cdn.example/w' }
    expect((await on.get('/voices').expect(200)).body).toEqual({ data: [voice] })
    const puppet = { id: 'pup_1', name: 'Anna', type: 'stock', thumbnail_url: 'https://img.example/a.png', mood: 'x' }
    expect((await on.get('/puppets').expect(200)).body).toEqual({ data: [puppet] })
  })

  test('a job of before the gateway answers where that is allowed, once imported, with its own times', async () => {
    const on = await stage({ dropin: { adopt_existing: true } })
    const clip = { id: 'clip_old', status: 'completed', created_at: '2025-01-01T00:00:00.000Z', asked: ASKED } as const
    on.alt.clips.set(clip.id, clip)
    const body = bodyOf(await on.get('/videos/clip_old').expect(200))
    expect(body).toMatchObject({
      status: 'completed',
      puppet_id: 'pup_1',
      created_at: clip.created_at,
      completed_at: '2026-11-20T10:00:09.000Z',
    })
    expect(body['id']).toBe('clip_old')
    const asked = on.app.upstream()
    expect(bodyOf(await on.get('/videos/clip_old').expect(200))).toEqual(body)
    expect(on.app.upstream()).toBe(asked)
    await on.get('/videos/clip_none').expect(404)
  })

  test('a job of before the gateway is 504 while the backend hangs', async () => {
    const on = await stage({ dropin: { adopt_existing: true }, backends: { alt: { timeout: '100ms' } } })
    on.app.alt.answer({ fault: 'hang' })
    await on.get('/videos/clip_old').expect(504)
  })

  test('it is the client’s own under the names of all surfaces', async () => {
    const on = await stage()
    const id = await created(on)
    const bodies = await Promise.all(
      [id, id.replace('vid_', 'api_video_'), 'clip_1'].map(async (name) => bodyOf(await on.get(`/videos/${name}`))),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    await on.app.get(`/videos/${id}`).expect(200)
    expect(bodyOf(await on.app.raw.get(`/api/v1/videos/${id}`).set({ authorization: `Bearer ${KEYS.anna}` }))).toEqual(
      expect.objectContaining({ id: id.replace('vid_', 'api_video_'), status: 'processing' }),
    )
  })
})

describe('the primary behind', () => {
  const other = (options: Parameters<typeof stage>[0] = {}) => stage({ behind: 'main', ...options })
  /** A puppet that the primary has: its portrait is what the primary takes. */
  const MAIN = { ...ASKED, puppet_id: 'pup_m' }

  test('a create: answered as asked, the estimate from the words of the script', async () => {
    const on = await other({ clock: fakeClock() })
    const { id, ...rest } = bodyOf(await on.create({ ...MAIN, voice_id: 'v1' }).expect(201))
    expect(id).toMatch(OWN)
    expect(rest).toEqual({
      status: 'processing',
      puppet_id: 'pup_m',
      voice_id: 'v1',
      resolution: '1080p',
      // Eight words.
      duration_estimate_sec: 4,
      created_at: NOW,
    })
    const [sent] = on.main.creates()
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ text: ASKED.script, image_url: 'https://img.example/m.png' })
  })

  test('a resolution is warned of, or refused', async () => {
    const warned = await (await other()).create({ ...MAIN, resolution: '720p', mood: 1 }).expect(201)
    expect(warned.headers['talkbridge-warning']).toBe('unknown_field; param=mood, option_ignored; param=resolution')
    const on = await other({ dropin: { unsupported: 'reject' } })
    for (const extra of [{ resolution: '720p' }, { mood: 1 }]) {
      const refused = await on.create({ ...MAIN, ...extra }).expect(400)
      expect(refused.body).toMatchObject({ error: { code: 'invalid_request' } })
    }
    expect(on.main.creates()).toEqual([])
  })

  test('a detail and a download', async () => {
    const on = await other()
    on.main.state.onCreate = 'completed'
    const id = await created(on, { ...MAIN, voice_id: 'main:v1' })
    const { completed_at: completedAt, created_at: createdAt, ...rest } = bodyOf(await on.get(`/videos/${id}`))
    expect(rest).toEqual({
      id,
      status: 'completed',
      puppet_id: 'pup_m',
      voice_id: 'v1',
      resolution: '1080p',
      duration_sec: null,
      download_url: 'https://cdn.example/api_video_1.mp4?sig=abc',
      thumbnail_url: 'https://img.example/m.png',
    })
    for (const at of [completedAt, createdAt]) expect(at).toMatch(ISO_TIME)
    const download = bodyOf(await on.get(`/videos/${id}/download`).expect(200))
    expect(download['download_url']).toMatch(new RegExp(`/unified/v1/videos/${id}/content\\?sig=`))
    // "Signed download URL expires after 1 hour."
    expect(Math.abs(Date.parse(String(download['expires_at'])) - Date.now() - 3_600_000)).toBeLessThan(120_000)
  })

  test('a failure is an error of code and message', async () => {
    const on = await other()
    on.main.state.onCreate = 'failed'
    const id = await created(on, MAIN)
    expect(bodyOf(await on.get(`/videos/${id}`))).toMatchObject({
      status: 'failed',
      error: { code: 'backend_failed', message: 'it did not work' },
    })
  })

  test('a video made from a picture has no puppet', async () => {
    const on = await other()
    const { id } = bodyOf(await on.app.post({ image_url: 'https://img.example/me.png', text: 'Hi' }).expect(202))
    expect(bodyOf(await on.get(`/videos/${String(id)}`))).toMatchObject({ id, puppet_id: null, status: 'processing' })
  })

  test('a video that waits is processing; canceled, it failed', async () => {
    const on = await other({ backends: { main: { slots: 1 } } })
    await created(on, MAIN)
    const id = await created(on, MAIN)
    expect(bodyOf(await on.get(`/videos/${id}`))).toMatchObject({ status: 'processing', puppet_id: 'pup_m' })
    await on.app.raw
      .post(`/unified/v1/videos/${id}/cancel`)
      .set({ authorization: `Bearer ${KEYS.anna}` })
      .expect(200)
    const canceled = bodyOf(await on.get(`/videos/${id}`))
    expect(canceled).toMatchObject({ status: 'failed', error: { code: 'canceled', message: 'the video was canceled' } })
    expect(canceled).not.toHaveProperty('completed_at')
    // Nothing was sent, so its input is gone.
    expect(canceled).toMatchObject({ puppet_id: null, voice_id: null, resolution: '1080p' })
    expect((await on.get(`/videos/${id}/download`).expect(409)).body).toEqual({
      error: { code: 'video_not_ready', message: 'the video is canceled' },
    })
  })

  test('voices and puppets by their native ids', async () => {
    const on = await other()
    const voices = bodyOf(await on.get('/voices').expect(200))['data']
    expect(voices).toEqual([
      expect.objectContaining({ id: 'v1', name: 'Maya', gender: 'female', language: 'en-GB' }),
      { id: 'v2', name: 'Jan', gender: 'male', language: 'de', preview_url: `${on.app.main.url}/p/v2` },
    ])
    expect((await on.get('/puppets').expect(200)).body).toEqual({
      data: [{ id: 'pup_m', name: 'pup_m', type: 'custom', thumbnail_url: 'https://img.example/m.png' }],
    })
  })
})

describe('Idempotency-Key, which the contract does not have', () => {
  const KEY = { 'idempotency-key': 'order-1' }

  test('makes one video of a request that is sent twice', async () => {
    const on = await stage()
    const [first, second] = [await on.create(ASKED, KEY).expect(201), await on.create(ASKED, KEY).expect(201)]
    expect(second.body).toEqual(first.body)
    expect(on.alt.creates()).toHaveLength(1)
    const other = await on.create({ ...ASKED, script: 'Other' }, KEY).expect(409)
    expect(other.body).toMatchObject({ error: { code: 'idempotency_key_conflict' } })
    expect((await on.create(ASKED, { 'idempotency-key': 'x'.repeat(201) }).expect(400)).body).toMatchObject({
      error: { code: 'invalid_request' },
    })
  })

  test('is each client’s own', async () => {
    const on = await stage()
    const own = bodyOf(await on.create(ASKED, KEY).expect(201))
    const other = bodyOf(await on.create({ ...ASKED, script: 'Other' }, KEY, KEYS.bert).expect(201))
    expect(other['id']).not.toBe(own['id'])
  })
})
