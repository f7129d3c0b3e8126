import { describe, expect, it } from 'vitest'
import { start } from './harness.ts'

describe('keys and scopes', () => {
  it.each([null, 'wrong', 'sandbox-alternate-key'])('answers 401 to the key %s', async (key) => {
    const { primary } = await start()
    const reply = await primary('/api/v1/voices/service', { key })
    expect([reply.status, reply.body['error']]).toEqual([401, 'unauthorized'])
    expect(reply.headers.get('X-RateLimit-Remaining')).toBe('10')
  })

  it('answers 403 to a key without the scope of the operation', async () => {
    const { primary } = await start()
    const made = await primary('/sandbox/keys', { key: null, body: { interface: 'primary', scopes: ['voices:read'] } })
    expect(made.status).toBe(201)
    const key = String(made.body['key'])
    expect((await primary('/api/v1/voices/service', { key })).status).toBe(200)
    for (const path of ['/api/v1/puppets', '/api/v1/puppets/puppet_ada', '/api/v1/videos/api_video_x']) {
      const refused = await primary(path, { key })
      expect([refused.status, refused.body['error']]).toEqual([403, 'insufficient_scope'])
    }
    expect((await primary('/api/v1/videos/text', { key, body: {} })).status).toBe(403)
  })

  it('revokes the old key of an account', async () => {
    const { primary } = await start()
    const made = await primary('/sandbox/keys', { key: null, body: { interface: 'primary', account: 'sandbox' } })
    expect((await primary('/api/v1/voices/service')).status).toBe(401)
    expect((await primary('/api/v1/voices/service', { key: String(made.body['key']) })).status).toBe(200)
  })
})

describe('rate limit', () => {
  it('allows ten requests a window and tells its end in whole seconds', async () => {
    const { primary, clock } = await start()
    await clock.advance(250)
    const first = await primary('/api/v1/voices/service')
    const resetAtMs = Number(first.headers.get('X-RateLimit-Reset')) * 1000
    expect(resetAtMs - clock.now()).toBe(60_750)
    for (let left = 8; left >= 0; left -= 1) {
      expect((await primary('/api/v1/voices/service')).headers.get('X-RateLimit-Remaining')).toBe(String(left))
    }
    const refused = await primary('/api/v1/voices/service')
    expect([refused.status, refused.body['error'], refused.body['retryable']]).toEqual([429, 'rate_limited', true])
    expect(refused.headers.get('Retry-After')).toBe('61')
    expect(refused.body['next_poll_at']).toBe(new Date(resetAtMs).toISOString())
    await clock.advance(resetAtMs - clock.now())
    expect((await primary('/api/v1/voices/service')).headers.get('X-RateLimit-Remaining')).toBe('9')
  })

  it('scales the window with the speed, never below its whole second', async () => {
    const { primary, clock } = await start({ speed: 600 })
    const { headers } = await primary('/api/v1/voices/service')
    expect(Number(headers.get('X-RateLimit-Reset')) * 1000 - clock.now()).toBe(1_000)
  })

  it('counts each key by itself, and not at all when unlimited', async () => {
    const { primary } = await start({ unlimitedRate: true })
    for (let i = 0; i < 20; i += 1) expect((await primary('/api/v1/voices/service')).status).toBe(200)
  })
})

describe('slots and credits', () => {
  it('runs two jobs at once', async () => {
    const { create, clock } = await start()
    await create()
    await create()
    const { status, body, headers } = await create()
    expect([status, body['error'], body['retryable']]).toEqual([429, 'concurrent_job_limit_reached', true])
    expect(headers.get('Retry-After')).toBe('20')
    const readiness = { can_create: false, canCreate: false, active_jobs: 2, availableSlots: 0, retryAfter: 20 }
    expect(body).toMatchObject({ details: { video_generation: readiness, videoGeneration: readiness } })
    await clock.advance(600_000)
    expect((await create()).status).toBe(202)
  })

  it('sells ten videos a month, failed ones included', async () => {
    const { create, clock, sandbox } = await start({ unlimitedSlots: true })
    for (let left = 9; left >= 0; left -= 1) {
      expect((await create({ text: '[[fail]]' })).headers.get('X-Service-Credits-Remaining')).toBe(String(left))
    }
    await clock.advance(61_000)
    const { status, body, headers } = await create()
    expect([status, body['error'], body['retryable']]).toEqual([402, 'insufficient_credits', false])
    expect(headers.get('X-Service-Credits-Remaining')).toBe('0')
    expect(sandbox.ledger().charges).toHaveLength(10)
    await clock.advance(31 * 86_400_000)
    expect((await create()).status).toBe(202)
  })

  it('lifts slots and credits apart', async () => {
    const { create, sandbox } = await start({ unlimitedSlots: true, unlimitedCredits: true, unlimitedRate: true })
    for (let i = 0; i < 12; i += 1) expect((await create()).status).toBe(202)
    expect(sandbox.ledger().charges).toHaveLength(12)
  })
})
