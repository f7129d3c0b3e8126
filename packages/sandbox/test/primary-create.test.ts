import { describe, expect, it } from 'vitest'
import { IMAGE, start } from './harness.ts'

describe('POST /api/v1/videos/text', () => {
  it('accepts a job and says where, when and for how much', async () => {
    const { create, clock, sandbox } = await start()
    const { status, headers, body } = await create()
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'queued', operation_id: body['id'], request_id: body['id'] })
    expect(body['id']).toMatch(/^api_video_[A-Za-z0-9_-]+$/)
    expect(body['status_url']).toBe(`/api/v1/videos/${String(body['id'])}`)
    for (const name of ['location', 'content-location']) {
      expect(headers.get(name)).toBe(`${sandbox.primaryUrl}${String(body['status_url'])}`)
    }
    for (const name of [
      'Service-Operation-Id',
      'X-Service-Operation-Id',
      'Service-Request-Id',
      'X-Service-Request-Id',
    ]) {
      expect(headers.get(name)).toBe(body['id'])
    }
    expect(headers.get('Retry-After')).toBe('15')
    expect(headers.get('X-Service-Next-Poll-At')).toBe(new Date(clock.now() + 15_000).toISOString())
    expect(body['next_poll_at']).toBe(headers.get('X-Service-Next-Poll-At'))
    expect(headers.get('X-Service-Credits-Required')).toBe('1')
    expect(headers.get('X-Service-Credits-Remaining')).toBe('9')
    expect(headers.get('Date')).toBe(new Date(clock.now()).toUTCString())
  })

  it('answers of the moment in which the job was made, also where it starts meanwhile', async () => {
    let nowMs = Date.parse('2026-11-20T10:00:00Z')
    // Each look at the clock takes an hour.
    const clock = { now: () => (nowMs += 3_600_000), at: () => () => undefined }
    const { create } = await start({ clock })
    expect((await create()).body['status']).toBe('queued')
  })

  it.each([
    ['image_url', 'imageUrl', 'image', 'portrait', 'portrait_url', 'portraitUrl'],
    ['avatar', 'avatarUrl', 'avatar_url', 'photo', 'photoUrl', 'photo_url'],
  ])('takes the image as %s, %s, %s, %s, %s, %s', async (...names) => {
    const { primary } = await start({ unlimitedSlots: true })
    for (const name of names) {
      expect((await primary('/api/v1/videos/text', { body: { [name]: IMAGE, text: 'x' } })).status).toBe(202)
    }
  })

  it('takes every alias of script and voice', async () => {
    const { primary } = await start({ unlimitedSlots: true })
    for (const [script, voice] of [
      ['text', 'voice_id'],
      ['script', 'voiceId'],
      ['prompt', 'voice'],
    ] as const) {
      const body = { image: IMAGE, [script]: 'x', [voice]: 'sandbox-de-de-lena' }
      expect((await primary('/api/v1/videos/text', { body })).status).toBe(202)
    }
  })

  it.each([
    ['two different images', { image: 'https://example.com/other.png' }, 'invalid_request'],
    ['two different scripts', { prompt: 'another' }, 'invalid_request'],
    ['a blank script', { text: ' ' }, 'invalid_request'],
    ['a script that is no text', { text: 7 }, 'invalid_request'],
    ['an image that is no URL', { image_url: 'face' }, 'invalid_request'],
    ['an image that is not HTTPS', { image_url: 'http://example.com/a.png' }, 'invalid_request'],
    ['an image that is none', { image_url: 'https://example.com/a.pdf' }, 'invalid_image'],
    ['a magic image', { image_url: 'https://example.com/[[invalid-image]].png' }, 'invalid_image'],
    ['expressiveness out of range', { expressiveness: 3 }, 'invalid_request'],
    ['a blank idempotency key', { idempotency_key: ' ' }, 'invalid_request'],
    ['an idempotency key that is too long', { idempotencyKey: 'x'.repeat(201) }, 'invalid_request'],
    ['two idempotency keys', { idempotencyKey: 'a', idempotency_key: 'b' }, 'idempotency_key_mismatch'],
  ])('refuses %s', async (_what, body, error) => {
    const { create, sandbox } = await start()
    const reply = await create(body)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error, retryable: false, details: { code: error } })
    expect(sandbox.ledger().charges).toEqual([])
  })

  it('wants an image and a script', async () => {
    const { primary } = await start()
    expect((await primary('/api/v1/videos/text', { body: { text: 'x' } })).body['message']).toMatch(
      /image_url, imageUrl/,
    )
    expect((await primary('/api/v1/videos/text', { body: { image: IMAGE } })).body['message']).toMatch(/text, script/)
  })

  it('knows its voices', async () => {
    const { create } = await start()
    const { status, body } = await create({ voice: 'nobody' })
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: 'voice_not_found', retry_block_code: 'SERVICE_VOICE_NOT_FOUND' })
    expect(body['retryBlockCode']).toBe('SERVICE_VOICE_NOT_FOUND')
  })

  it('counts the body in bytes', async () => {
    const { create, primary } = await start()
    const room = 65_536 - Buffer.byteLength(JSON.stringify({ image_url: IMAGE, text: '' }))
    expect((await create({ text: 'é'.repeat(room / 2) })).status).toBe(202)
    const over = await create({ text: `${'é'.repeat(room / 2)}xx` })
    expect(over.status).toBe(413)
    expect(over.body).toMatchObject({
      error: 'payload_too_large',
      retry_block_code: 'VIDEO_CREATE_PAYLOAD_TOO_LARGE',
      details: { max_body_bytes: 65_536 },
    })
    const text = await primary('/api/v1/videos/text', { body: '{}', headers: { 'content-type': 'text/plain' } })
    expect([text.status, text.body['error']]).toEqual([415, 'unsupported_media_type'])
  })

  it.each(['{', '[]', 'null', '"x"', '\u{feff}[', '{"a":}'])('refuses the body %s', async (body) => {
    const { primary } = await start()
    expect((await primary('/api/v1/videos/text', { body })).body['error']).toBe('invalid_request')
  })
})

describe('Idempotency-Key', () => {
  it('replays the accepted job without another charge: 202 while it runs, 200 when it is over', async () => {
    const { create, clock, sandbox } = await start()
    const first = await create({}, { 'idempotency-key': 'k' })
    const again = await create({ voice: 'sandbox-en-us-ava', idempotency_key: 'k' })
    expect([again.status, again.body['id']]).toEqual([202, first.body['id']])
    expect(again.headers.get('X-Service-Credits-Remaining')).toBe('9')
    await clock.advance(600_000)
    const over = await create({}, { 'idempotency-key': 'k' })
    expect([over.status, over.body['status'], over.headers.get('Retry-After')]).toEqual([200, 'completed', null])
    expect(sandbox.ledger().charges).toHaveLength(1)
    expect(sandbox.ledger().requests.map((entry) => entry.idempotency_key)).toEqual(['k', 'k', 'k'])
  })

  it('gives a retryable failed replay its hints', async () => {
    const { create, clock } = await start()
    await create({ text: '[[fail-retryable]]' }, { 'idempotency-key': 'k' })
    await clock.advance(600_000)
    const { status, body, headers } = await create({ text: '[[fail-retryable]]' }, { 'idempotency-key': 'k' })
    expect([status, body['status'], body['retryable'], headers.get('Retry-After')]).toEqual([200, 'failed', true, '30'])
  })

  it('refuses other input under the same key and names the job', async () => {
    const { create } = await start()
    const first = await create({}, { 'idempotency-key': 'k' })
    const other = await create({ text: 'other' }, { 'idempotency-key': 'k' })
    expect([other.status, other.body['error']]).toEqual([409, 'idempotency_key_conflict'])
    expect(other.headers.get('Service-Operation-Id')).toBe(first.body['id'])
    expect(other.headers.get('Location')).toBe(first.headers.get('Location'))
  })

  it('says in progress while the first request is in work', async () => {
    const { create, clock, fault, sandbox } = await start()
    await fault({ operation: 'createVideoFromText', kind: 'latency', when: 'during', latency_ms: 1_000 })
    const slow = create({}, { 'idempotency-key': 'k' })
    await expect.poll(() => clock.pending()).toBe(1)
    const twin = await create({}, { 'idempotency-key': 'k' })
    expect(twin.status).toBe(409)
    expect(twin.body).toMatchObject({ error: 'idempotency_key_in_progress', retryable: true, retryAfter: 5 })
    expect(twin.headers.get('Retry-After')).toBe('5')
    await clock.advance(1_000)
    expect((await slow).status).toBe(202)
    expect(sandbox.ledger().jobs).toHaveLength(1)
  })

  it('does not remember a refused create', async () => {
    const { create } = await start()
    expect((await create({ text: '[[no-credits]]' }, { 'idempotency-key': 'k' })).status).toBe(402)
    expect((await create({ text: 'paid' }, { 'idempotency-key': 'k' })).status).toBe(202)
  })
})
