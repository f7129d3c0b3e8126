import { describe, expect, it } from 'vitest'
import { start } from './harness.ts'

const pathOf = (reply: { body: Record<string, unknown> }): string => String(reply.body['status_url'])

describe('GET /api/v1/videos/{jobId}', () => {
  it('goes from queued through processing to a video that is there', async () => {
    const { create, primary, clock, sandbox } = await start()
    const path = pathOf(await create())
    const endsAtMs = Date.parse(sandbox.ledger().jobs[0]?.ends_at ?? '')
    const totalMs = endsAtMs - clock.now()
    expect((await primary(path)).body['status']).toBe('queued')
    await clock.advance(totalMs * 0.5)
    const half = await primary(path)
    expect(half.body['status']).toBe('processing')
    expect(half.body['progress']).toBeGreaterThan(0.3)
    expect(half.body['progress']).toBeLessThan(0.6)
    expect(half.headers.get('Retry-After')).toBe('15')
    expect(half.headers.get('X-Service-Credits-Remaining')).toBe('9')
    await clock.advance(endsAtMs - clock.now())
    const { body, headers } = await primary(path)
    expect(body['status']).toBe('completed')
    expect([headers.get('Retry-After'), body['next_poll_at'], body['progress']]).toEqual([null, undefined, undefined])
    expect((await fetch(String(body['video_url']))).headers.get('content-type')).toBe('video/mp4')
  })

  it('plays the magic inputs', async () => {
    const { create, primary, clock } = await start({ unlimitedSlots: true })
    const paths = []
    for (const text of ['[[fail]]', '[[stuck]]', '[[slow]]', '[[unheard-of]]'])
      paths.push(pathOf(await create({ text })))
    await clock.advance(100_000)
    const words = []
    for (const path of paths) words.push((await primary(path)).body['status'])
    expect(words).toEqual(['failed', 'processing', 'processing', 'completed'])
  })

  it('hides the jobs of another key, and names the id in every spelling', async () => {
    const { create, primary, alternate } = await start()
    const job = await create()
    const made = await alternate('/sandbox/keys', { key: null, body: { interface: 'primary' } })
    const { status, body, headers } = await primary(pathOf(job), { key: String(made.body['key']) })
    expect([status, body['error'], body['retry_block_code']]).toEqual([404, 'job_not_found', 'VIDEO_JOB_NOT_FOUND'])
    for (const name of [
      'id',
      'job_id',
      'jobId',
      'task_id',
      'taskId',
      'operation_id',
      'operationId',
      'request_id',
      'requestId',
    ])
      expect([name, body[name]]).toEqual([name, job.body['id']])
    for (const name of ['status_url', 'statusUrl', 'content_location', 'contentLocation'])
      expect([name, body[name]]).toEqual([name, pathOf(job)])
    expect(headers.get('Location')).toBe(job.headers.get('Location'))
    expect(headers.get('X-Service-Request-Id')).toBe(job.body['id'])
  })

  it('refuses ids that cannot be', async () => {
    const { primary } = await start()
    expect((await primary('/api/v1/videos/clip_1')).status).toBe(400)
    expect((await primary('/api/v1/videos/api_video_%20')).status).toBe(400)
  })
})

describe('catalogue', () => {
  it('lists 45 voices with samples that play', async () => {
    const { primary, sandbox } = await start()
    const { body } = await primary('/api/v1/voices/service')
    expect(body['object']).toBe('list')
    const voices = Array.isArray(body['data']) ? body['data'] : []
    expect(voices).toHaveLength(45)
    expect(new Set(voices.map(({ id }) => id)).size).toBe(45)
    expect(voices[0]).toEqual({
      id: 'sandbox-en-us-ava',
      object: 'voice',
      name: 'Ava',
      provider: 'sandbox',
      language: 'English (United States)',
      language_code: 'en-US',
      gender: 'Female',
      preview_url: '/previews/sandbox-en-us-ava.wav',
    })
    const sample = await fetch(`${sandbox.primaryUrl}${voices[44].preview_url}`)
    const bytes = Buffer.from(await sample.arrayBuffer())
    expect(sample.headers.get('content-type')).toMatch(/^audio\/(vnd\.)?wav/)
    expect([bytes.toString('latin1', 0, 4), bytes.readUInt32LE(4)]).toEqual(['RIFF', bytes.length - 8])
    expect((await fetch(`${sandbox.primaryUrl}/previews/nobody.wav`)).status).toBe(404)
  })

  it('pages the puppets by the last id', async () => {
    const { primary } = await start()
    const pageOf = async (query: string) => {
      const { data, nextCursor } = (await primary(`/api/v1/puppets?${query}`)).body
      return { ids: Array.isArray(data) ? data.map(({ id }) => id) : [], nextCursor }
    }
    expect(await pageOf('limit=3')).toEqual({
      ids: ['puppet_ada', 'puppet_ben', 'puppet_cleo'],
      nextCursor: 'puppet_cleo',
    })
    expect(await pageOf('limit=3&cursor=puppet_cleo')).toEqual({ ids: ['puppet_dov'], nextCursor: null })
    expect((await pageOf('limit=4')).nextCursor).toBe(null)
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'cursor=nobody'])
      expect([query, (await primary(`/api/v1/puppets?${query}`)).status]).toEqual([query, 400])
  })

  it('shows a puppet with a picture that a create accepts', async () => {
    const { primary, create } = await start()
    const { body } = await primary('/api/v1/puppets/puppet_ada')
    const picture = Buffer.from(await (await fetch(String(body['imageUrl']))).arrayBuffer())
    expect(picture.toString('latin1', 1, 4)).toBe('PNG')
    expect((await create({ image_url: body['imageUrl'] })).status).toBe(202)
    expect((await primary('/api/v1/puppets/nobody')).status).toBe(404)
  })
})
