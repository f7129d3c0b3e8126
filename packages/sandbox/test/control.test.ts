import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SCENARIOS } from '../src/index.ts'
import { createLedger } from '../src/faults.ts'
import { fakeClock } from '../../../test/fakes/clock.ts'
import { receiver, start } from './harness.ts'

describe('/sandbox', () => {
  it('lists the magic inputs on both ports, without a key', async () => {
    const { primary, alternate } = await start()
    for (const ask of [primary, alternate]) {
      const { data } = (await ask('/sandbox/scenarios', { key: null })).body
      expect(data).toHaveLength(Object.keys(SCENARIOS).length)
      expect(data).toContainEqual(expect.objectContaining({ input: '[[fail-retryable]]' }))
    }
  })

  it('keeps a ledger of both interfaces, without keys or query strings', async () => {
    const { primary, alternate, create, sandbox } = await start()
    const job = await create({}, { 'idempotency-key': 'k' })
    await alternate('/v1/videos?limit=5&secret=x')
    await primary('/nowhere', { key: null })
    const view = (await primary('/sandbox/ledger', { key: null })).body
    expect(view).toEqual(JSON.parse(JSON.stringify(sandbox.ledger())))
    expect(view).toMatchObject({
      requests_total: 3,
      requests: [
        { method: 'POST', operation: 'createVideoFromText', key_id: 'key_primary', idempotency_key: 'k', status: 202 },
        { interface: 'alternate', path: '/v1/videos', operation: 'listVideos', status: 200 },
        { path: '/nowhere', operation: null, key_id: null, status: 404 },
      ],
      jobs: [{ id: job.body['id'], interface: 'primary', status: 'queued' }],
      charges: [{ job_id: job.body['id'], credits: 1 }],
    })
    expect(JSON.stringify(view)).not.toMatch(/sandbox-(primary|alternate)-key|secret/)
  })

  it('keeps a bounded number of requests', () => {
    const ledger = createLedger(10)
    for (let i = 0; i < 25; i += 1) ledger.begin({ at: '', interface: 'primary', method: 'GET', path: `/${i}` })
    const { requests, requests_total: total } = ledger.view()
    expect([requests.length, requests[0]?.path, total]).toEqual([10, '/15', 25])
  })

  it('refuses keys that cannot be', async () => {
    const { primary } = await start()
    for (const body of [{}, { interface: 'other' }, { interface: 'primary', scopes: ['all'] }, '{', '[]'])
      expect((await primary('/sandbox/keys', { key: null, body })).status).toBe(400)
  })
})

describe('bad input', () => {
  it('answers what is not there or not allowed', async () => {
    const { primary, alternate } = await start()
    expect((await primary('/api/v1/nothing')).body['error']).toBe('not_found')
    const wrong = await primary('/api/v1/videos/text', { method: 'PUT', body: {} })
    expect([wrong.status, wrong.headers.get('allow'), wrong.body['error']]).toEqual([405, 'POST', 'method_not_allowed'])
    expect((await primary('/api/v1/videos/%zz')).body['error']).toBe('invalid_request')
    expect((await alternate('/v1/videos/%zz')).body).toMatchObject({ error: { code: 'invalid_request' } })
    expect((await alternate('/v1/videos', { method: 'DELETE' })).headers.get('allow')).toBe('POST, GET')
    expect((await primary(`/api/v1/${'x'.repeat(20_000)}`)).status).toBe(431)
  })

  it.each([
    'NONSENSE\r\n\r\n',
    'GET /api/v1/voices/service HTTP/1.1\r\n\r\n',
    'GET /api/v1/voices/service HTTP/1.0\r\nHost: ][\r\nAuthorization: Bearer sandbox-primary-key\r\n\r\n',
    'POST /api/v1/videos/text HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /api/v1/videos/text HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sandbox-primary-key\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET //[[[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ])('survives %j', async (raw) => {
    const { primary, sandbox } = await start()
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(sandbox.primaryUrl).port), '127.0.0.1', () => socket.end(raw))
      socket
        .on('error', () => {})
        .on('close', () => resolve())
        .resume()
    })
    expect((await primary('/api/v1/voices/service')).status).toBe(200)
  })

  it('does not repeat a Host that is none', async () => {
    const { sandbox, primary } = await start()
    const port = Number(new URL(sandbox.primaryUrl).port)
    const reply = await new Promise<string>((resolve) => {
      let text = ''
      const head = 'Host: <b>"\r\nAuthorization: Bearer sandbox-primary-key\r\nConnection: close\r\n\r\n'
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET /api/v1/videos/api_video_x HTTP/1.1\r\n${head}`),
      )
      socket
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('close', () => resolve(text))
    })
    expect(reply).toMatch(new RegExp(`Location: http://127.0.0.1:${port}/api/v1/videos/api_video_x`))
    expect((await primary('/api/v1/voices/service')).status).toBe(200)
  })

  it('stays consistent under two hundred requests at once, half of them malformed', async () => {
    const { create, primary, sandbox } = await start({
      unlimitedRate: true,
      unlimitedSlots: true,
      unlimitedCredits: true,
    })
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        i % 2 ? create({}, { 'idempotency-key': `k${i % 20}` }) : primary('/api/v1/videos/text', { body: '{"image' }),
      ),
    )
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([202, 400]))
    expect(sandbox.ledger()).toMatchObject({ requests_total: 200 })
    expect(sandbox.ledger().charges.map((charge) => charge.job_id)).toEqual(sandbox.ledger().jobs.map(({ id }) => id))
    expect(sandbox.ledger().jobs).toHaveLength(10)
  })
})

describe('restart', () => {
  const folder = async (): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    return dir
  }

  it('knows its jobs, credits, keys and idempotency keys again', async () => {
    const [dataDir, clock] = [await folder(), fakeClock()]
    const first = await start({ dataDir }, clock)
    const job = await first.create({}, { 'idempotency-key': 'k' })
    const made = await first.primary('/sandbox/keys', { key: null, body: { interface: 'primary' } })
    await clock.advance(600_000)
    const { body } = await first.primary(String(job.body['status_url']))
    await first.sandbox.close()
    const second = await start({ dataDir }, clock)
    expect((await second.primary(String(job.body['status_url']))).body['status']).toBe('completed')
    expect((await second.create({}, { 'idempotency-key': 'k' })).body['id']).toBe(job.body['id'])
    expect((await second.create()).headers.get('X-Service-Credits-Remaining')).toBe('8')
    expect((await second.primary('/api/v1/voices/service', { key: String(made.body['key']) })).status).toBe(200)
    const link = String(body['video_url']).replace(first.sandbox.primaryUrl, second.sandbox.primaryUrl)
    expect((await fetch(link)).status).toBe(200)
  })

  it('still owes its callbacks', async () => {
    const [dataDir, clock] = [await folder(), fakeClock()]
    const hook = await receiver(200)
    const first = await start({ dataDir }, clock)
    await first.alternate('/v1/videos', { body: { script: 'x', puppet_id: 'pup_ada', webhook_url: hook.url } })
    await first.sandbox.close()
    await clock.advance(600_000)
    expect(hook.bodies).toEqual([])
    const second = await start({ dataDir }, clock)
    await clock.advance(0)
    await expect.poll(() => second.sandbox.ledger().callbacks.length).toBe(1)
    await second.sandbox.close()
    await start({ dataDir }, clock)
    await clock.advance(600_000)
    expect(hook.bodies).toHaveLength(1)
  })

  it('says when a port is taken', async () => {
    const { sandbox } = await start()
    const port = Number(new URL(sandbox.primaryUrl).port)
    await expect(start({ alternatePort: port })).rejects.toThrow('EADDRINUSE')
  })
})
