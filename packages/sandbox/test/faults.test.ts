import { describe, expect, it } from 'vitest'
import { start } from './harness.ts'

const onCreate = { operation: 'createVideoFromText' }

describe('POST /sandbox/faults', () => {
  it('answers an error in the words of the contract, so many times', async () => {
    const { fault, create } = await start()
    const wanted = { status: 503, code: 'usage_unavailable', retryable: true, retry_after_seconds: 7 }
    expect((await fault({ ...onCreate, kind: 'status', times: 2, ...wanted })).status).toBe(201)
    for (let i = 0; i < 2; i += 1) {
      const { status, body, headers } = await create()
      expect([status, body['error'], body['retryAfterSeconds']]).toEqual([503, 'usage_unavailable', 7])
      expect([headers.get('Retry-After'), headers.get('X-RateLimit-Limit')]).toEqual(['7', '10'])
    }
    expect((await create()).status).toBe(202)
  })

  it('answers an error without a body', async () => {
    const { fault, create } = await start()
    await fault({ ...onCreate, kind: 'status', status: 502, body: 'none' })
    const { status, text } = await create()
    expect([status, text]).toEqual([502, ''])
  })

  it.each([
    ['before', 0],
    ['after', 1],
  ])('resets the connection %s the job is accepted', async (when, jobs) => {
    const { fault, create, sandbox } = await start()
    await fault({ ...onCreate, kind: 'reset', when })
    await expect(create({}, { 'idempotency-key': 'k' })).rejects.toThrow('fetch failed')
    expect(sandbox.ledger().jobs).toHaveLength(jobs)
    expect(sandbox.ledger().charges).toHaveLength(jobs)
    expect(sandbox.ledger().requests).toMatchObject([{ status: null, fault: 'reset' }])
    expect((await create({}, { 'idempotency-key': 'k' })).status).toBe(202)
    expect(sandbox.ledger().charges).toHaveLength(1)
  })

  it.each([
    [{ kind: 'truncated-json' }, 202, 1],
    [{ kind: 'html' }, 502, 0],
    [{ kind: 'html', when: 'after', status: 200 }, 200, 1],
    [{ kind: 'empty-body' }, 200, 0],
  ])('spoils the answer: %j', async (kind, status, jobs) => {
    const { fault, create, sandbox } = await start()
    await fault({ ...onCreate, ...kind })
    const reply = await create()
    expect([reply.status, reply.body]).toEqual([status, {}])
    expect(sandbox.ledger().jobs).toHaveLength(jobs)
  })

  it('answers forty megabytes', async () => {
    const { fault, primary } = await start()
    await fault({ operation: 'listServiceVoices', kind: 'huge-body' })
    const { text, body } = await primary('/api/v1/voices/service')
    expect([text.length, Object.keys(body)]).toEqual([40 * 1024 * 1024, ['padding']])
  })

  it('says a status that nobody knows', async () => {
    const { fault, alternate } = await start()
    const video = await alternate('/v1/videos', { body: { script: 'x', puppet_id: 'pup_ada' } })
    await fault({ interface: 'alternate', operation: 'getVideo', kind: 'unknown-status', word: 'simmering' })
    expect((await alternate(`/v1/videos/${String(video.body['id'])}`)).body['status']).toBe('simmering')
  })

  it('waits by the clock', async () => {
    const { fault, primary, clock } = await start()
    await fault({ operation: '*', kind: 'latency', latency_ms: 30_000 })
    const slow = primary('/api/v1/voices/service')
    await expect.poll(() => clock.pending()).toBe(1)
    await clock.advance(30_000)
    expect((await slow).status).toBe(200)
  })

  it('never answers, until it is closed', async () => {
    const { fault, primary, sandbox } = await start()
    await fault({ operation: 'listPuppets', kind: 'hang' })
    const hanging = primary('/api/v1/puppets').catch(() => 'broken')
    await expect.poll(() => sandbox.ledger().requests).toMatchObject([{ fault: 'hang', status: null }])
    await sandbox.close()
    expect(await hanging).toBe('broken')
  })

  it('leaves callers without a key alone', async () => {
    const { fault, primary } = await start()
    await fault({ operation: '*', kind: 'html' })
    expect((await primary('/api/v1/voices/service', { key: null })).status).toBe(401)
    expect((await primary('/api/v1/voices/service')).status).toBe(502)
  })

  it.each([
    {},
    { ...onCreate, kind: 'meteor' },
    { ...onCreate, kind: 'reset', surprise: 1 },
    { ...onCreate, kind: 'status' },
    { ...onCreate, kind: 'reset', times: 0 },
    { operation: 'getVideoDownload', kind: 'reset' },
  ])('refuses %j', async (fault) => {
    expect((await (await start()).fault(fault)).status).toBe(400)
  })

  it('lists and forgets', async () => {
    const { fault, primary } = await start()
    await fault({ ...onCreate, kind: 'reset', times: 3 })
    const { body } = await primary('/sandbox/faults', { key: null })
    expect(body['data']).toMatchObject([{ kind: 'reset', interface: 'primary', left: 3 }])
    expect((await primary('/sandbox/faults', { method: 'DELETE', key: null })).status).toBe(204)
    expect((await primary('/sandbox/faults', { key: null })).body['data']).toEqual([])
  })
})
