import { describe, expect, it } from 'vitest'
import { receiver, start, type Harness } from './harness.ts'

const make = ({ alternate }: Harness, body: Record<string, unknown> = {}) =>
  alternate('/v1/videos', { body: { script: 'Hello', puppet_id: 'pup_ada', ...body } })

describe('POST /v1/videos', () => {
  it('accepts a video with its defaults', async () => {
    const harness = await start()
    const { status, body, headers } = await make(harness)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^clip_/),
      status: 'processing',
      puppet_id: 'pup_ada',
      voice_id: 'voice_amber',
      resolution: '1080p',
      duration_estimate_sec: 1,
      created_at: new Date(harness.clock.now()).toISOString(),
    })
    expect(headers.get('X-RateLimit-Limit')).toBe('60')
    expect(headers.get('X-RateLimit-Remaining')).toBe('59')
  })

  it.each([
    [{ script: 'x'.repeat(5_001) }, 400, 'invalid_request'],
    [{ script: '' }, 400, 'invalid_request'],
    [{ resolution: '4k' }, 400, 'invalid_request'],
    [{ webhook_url: 'ftp://example.com' }, 400, 'invalid_request'],
    [{ puppet_id: 'nobody' }, 404, 'puppet_not_found'],
    [{ voice_id: 'nobody' }, 404, 'voice_not_found'],
    [{ script: '[[no-credits]]' }, 402, 'insufficient_credits'],
  ])('refuses %j with %i', async (body, status, code) => {
    const reply = await make(await start(), body)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ error: { code } })
  })

  it('counts the script in characters', async () => {
    expect((await make(await start(), { script: 'é'.repeat(5_000) })).status).toBe(201)
  })
})

describe('reads', () => {
  it('says of one moment what one answer says, also where a job ends meanwhile', async () => {
    let nowMs = Date.parse('2026-11-20T10:00:00Z')
    // Each look at the clock takes a tenth of a second.
    const clock = { now: () => (nowMs += 100), at: () => () => undefined }
    const harness = await start({ clock, unlimitedRate: true })
    for (let videos = 0; videos < 10; videos += 1) {
      let { body } = await make(harness)
      expect(body['status']).toBe('processing')
      const path = `/v1/videos/${String(body['id'])}`
      while (body['status'] !== 'completed') {
        body = (await harness.alternate(path)).body
        const told = ['download_url', 'duration_sec'].map((field) => body[field] !== null)
        expect([body['status'], ...told, 'completed_at' in body]).toEqual(
          body['status'] === 'completed' ? ['completed', true, true, true] : ['processing', false, false, false],
        )
      }
    }
  })

  it('shows a finished video in its resolution, with a link that ends after an hour', async () => {
    const harness = await start()
    const { alternate, clock } = harness
    const path = `/v1/videos/${String((await make(harness, { resolution: '720p' })).body['id'])}`
    expect((await alternate(`${path}/download`)).status).toBe(409)
    expect((await alternate(path)).body).toMatchObject({ status: 'processing', download_url: null, duration_sec: null })
    await clock.advance(600_000)
    const { body } = await alternate(path)
    expect(body).toMatchObject({ status: 'completed', resolution: '720p', duration_sec: 4 })
    expect(body['completed_at']).toMatch(/Z$/)
    expect((await fetch(String(body['thumbnail_url']))).headers.get('content-type')).toBe('image/png')
    const link = (await alternate(`${path}/download`)).body
    expect(Date.parse(String(link['expires_at'])) - clock.now()).toBe(3_600_000)
    expect((await fetch(String(link['download_url']))).status).toBe(200)
    await clock.advance(3_600_000)
    expect((await fetch(String(link['download_url']))).status).toBe(403)
  })

  it('pages the list, newest first, by status', async () => {
    const harness = await start()
    const { alternate, clock } = harness
    const ids: unknown[] = []
    for (const script of ['a', '[[fail]]', '[[stuck]]', 'b', 'c'])
      ids.unshift((await make(harness, { script })).body['id'])
    const pageOf = async (query: string) => (await alternate(`/v1/videos?${query}`)).body
    const second = await pageOf('limit=2&page=2')
    expect(second).toMatchObject({ data: [{ id: ids[2] }, { id: ids[3] }] })
    expect(second['pagination']).toEqual({ page: 2, limit: 2, total: 5, total_pages: 3 })
    expect((await pageOf('page=9'))['data']).toEqual([])
    await clock.advance(600_000)
    expect((await pageOf('status=failed'))['pagination']).toMatchObject({ total: 1 })
    expect((await pageOf('status=completed'))['pagination']).toMatchObject({ total: 3 })
    expect((await pageOf('status=processing'))['data']).toMatchObject([{ id: ids[2], duration_sec: null }])
    for (const query of ['limit=0', 'limit=101', 'page=0', 'page=x', 'status=queued'])
      expect([query, (await alternate(`/v1/videos?${query}`)).status]).toEqual([query, 400])
  })

  it('tells why a video failed, and nothing of other accounts', async () => {
    const harness = await start()
    const { alternate, clock } = harness
    const id = String((await make(harness, { script: '[[fail]]' })).body['id'])
    await clock.advance(600_000)
    expect((await alternate(`/v1/videos/${id}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 'generation_failed', retryable: false },
    })
    const made = await alternate('/sandbox/keys', { key: null, body: { interface: 'alternate' } })
    const key = String(made.body['key'])
    expect((await alternate(`/v1/videos/${id}`, { key })).status).toBe(404)
    expect((await alternate('/v1/videos', { key })).body['data']).toEqual([])
    expect((await alternate('/v1/videos', { key: null })).status).toBe(401)
  })

  it('lists voices and puppets, stock and custom', async () => {
    const { alternate } = await start()
    const voices = (await alternate('/v1/voices')).body['data']
    expect(voices).toContainEqual(expect.objectContaining({ id: 'voice_fern', gender: 'female', language: 'de-DE' }))
    const puppets = (await alternate('/v1/puppets')).body['data']
    const types = Array.isArray(puppets) ? puppets.map(({ type }) => type) : []
    expect(types).toEqual(['stock', 'stock', 'stock', 'stock', 'stock', 'custom'])
  })
})

describe('callbacks', () => {
  const callbacksOf = ({ sandbox }: Harness) => sandbox.ledger().callbacks.map((entry) => entry.status)

  /** Exactly: going further would run the second try before the first was answered. */
  const toTheEnd = ({ sandbox, clock }: Harness) =>
    clock.advance(Math.max(...sandbox.ledger().jobs.map((job) => Date.parse(job.ends_at ?? ''))) - clock.now())

  it('posts one when the video ends', async () => {
    const harness = await start()
    const hook = await receiver(204)
    const { body } = await make(harness, { webhook_url: hook.url })
    expect(hook.bodies).toEqual([])
    await toTheEnd(harness)
    await expect.poll(() => callbacksOf(harness)).toEqual([204])
    expect(hook.bodies).toMatchObject([
      { event: 'video.completed', video: { video_id: body['id'], puppet: body['puppet_id'] } },
    ])
    const [entry] = harness.sandbox.ledger().callbacks
    expect(entry?.url).toBe(hook.url.split('?')[0])
  })

  it('tries once more, then gives up', async () => {
    const harness = await start()
    const hook = await receiver(500)
    await make(harness, { webhook_url: hook.url, script: '[[fail]]' })
    await toTheEnd(harness)
    await expect.poll(() => callbacksOf(harness)).toEqual([500])
    await harness.clock.advance(5_000)
    await expect.poll(() => callbacksOf(harness)).toEqual([500, 500])
    await expect.poll(() => harness.clock.pending()).toBe(0)
    expect(hook.bodies[1]).toEqual(hook.bodies[0])
    expect(hook.bodies[0]).toMatchObject({ event: 'video.failed' })
  })

  it('records what cannot be reached', async () => {
    const harness = await start()
    await make(harness, { webhook_url: 'http://127.0.0.1:1/' })
    await toTheEnd(harness)
    await expect.poll(() => callbacksOf(harness)).toEqual([null])
    expect(harness.sandbox.ledger().callbacks[0]?.error).toMatch(/ECONNREFUSED/)
  })

  it('can be silent or double', async () => {
    const harness = await start()
    const [silent, double] = [await receiver(200), await receiver(200)]
    await make(harness, { webhook_url: silent.url, script: '[[never-callback]]' })
    await make(harness, { webhook_url: double.url, script: '[[callback-twice]]' })
    await toTheEnd(harness)
    await expect.poll(() => callbacksOf(harness)).toEqual([200, 200])
    expect([silent.bodies.length, double.bodies.length]).toEqual([0, 2])
  })
})
