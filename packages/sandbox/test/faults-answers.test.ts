import { describe, expect, it } from 'vitest'
import { IMAGE, start } from './harness.ts'

const onVoices = { operation: 'listServiceVoices' }

describe('faults on keys and rates', () => {
  it('answers as if the key were revoked, so many times', async () => {
    const { fault, primary } = await start()
    await fault({ ...onVoices, kind: 'key-revoked', times: 2 })
    const statuses = []
    for (let i = 0; i < 3; i += 1) statuses.push((await primary('/api/v1/voices/service')).status)
    expect(statuses).toEqual([401, 401, 200])
  })

  it('revokes the key for good, also over the other operations', async () => {
    const { fault, primary } = await start()
    await fault({ ...onVoices, kind: 'key-revoked', for_good: true })
    const refused = await primary('/api/v1/voices/service')
    expect([refused.status, refused.body['error']]).toEqual([401, 'unauthorized'])
    expect((await primary('/api/v1/usage')).status).toBe(401)
  })

  it('answers as if the scope were missing', async () => {
    const { fault, primary } = await start()
    await fault({ ...onVoices, kind: 'scope-missing' })
    const { status, body } = await primary('/api/v1/voices/service')
    expect([status, body['error'], body['message']]).toEqual([
      403,
      'insufficient_scope',
      'The key lacks the scope voices:read.',
    ])
  })

  it('answers as if somebody else had used the window up', async () => {
    const { fault, create, sandbox } = await start()
    await fault({ operation: '*', kind: 'rate-limited' })
    const { status, body, headers } = await create()
    expect([status, body['error'], headers.get('X-RateLimit-Remaining')]).toEqual([429, 'rate_limited', '0'])
    expect([headers.get('Retry-After'), sandbox.ledger().jobs]).toEqual(['60', []])
    expect((await create()).status).toBe(202)
  })
})

describe('faults on the true answer', () => {
  it('skews every time of the answer alike', async () => {
    const { fault, create, clock } = await start()
    await fault({ operation: 'createVideoFromText', kind: 'clock-skew', skew_ms: -3_600_000 })
    const { body, headers } = await create()
    const skewedMs = clock.now() - 3_600_000
    expect(headers.get('Date')).toBe(new Date(skewedMs).toUTCString())
    expect(headers.get('X-RateLimit-Reset')).toBe(String((skewedMs + 60_000) / 1000))
    expect(headers.get('X-Service-Next-Poll-At')).toBe(new Date(skewedMs + 15_000).toISOString())
    expect([body['next_poll_at'], body['nextPollAt']]).toEqual(Array(2).fill(headers.get('X-Service-Next-Poll-At')))
    expect(headers.get('Retry-After')).toBe('15')
  })

  it('drops headers, Date included', async () => {
    const { fault, create } = await start()
    const headers = ['date', 'X-RateLimit-Reset', 'retry-after']
    await fault({ operation: 'createVideoFromText', kind: 'drop-headers', headers })
    const reply = await create()
    expect(headers.map((name) => reply.headers.get(name))).toEqual([null, null, null])
    expect([reply.status, reply.headers.get('X-RateLimit-Limit')]).toEqual([202, '10'])
  })

  it('drops and adds fields', async () => {
    const { fault, create } = await start()
    await fault({ operation: 'createVideoFromText', kind: 'drop-fields', fields: ['id', 'operation_id'] })
    await fault({ operation: 'createVideoFromText', kind: 'extra-fields', fields: { surprise: { deep: [1] } } })
    const [dropped, added] = [await create(), await create()]
    expect([dropped.status, dropped.body['id'], typeof dropped.body['request_id']]).toEqual([202, undefined, 'string'])
    expect([added.body['surprise'], typeof added.body['id']]).toEqual([{ deep: [1] }, 'string'])
  })

  it('leaves an answer without a body alone', async () => {
    const { fault, primary } = await start()
    await fault({ operation: 'deletePuppet', kind: 'extra-fields', fields: { surprise: 1 } })
    const { status, text } = await primary('/api/v1/puppets/puppet_ada', { method: 'DELETE' })
    expect([status, text]).toEqual([204, ''])
  })

  it('gives the errors of a status read the headers of the job', async () => {
    const { fault, create, primary } = await start()
    const job = await create()
    for (const status of [502, 504]) {
      await fault({ operation: 'getVideoJob', kind: 'status', status })
      const { headers, body } = await primary(String(job.body['status_url']))
      expect([headers.get('Location'), headers.get('Retry-After')]).toEqual([job.headers.get('Location'), '10'])
      expect([body['jobId'], body['retryable']]).toEqual([job.body['id'], true])
    }
  })
})

describe('[[foreign-twin]]', () => {
  const twin = { script: 'Hi [[foreign-twin]]', puppet_id: 'pup_ben', resolution: '720p' }

  it('lets somebody else make the same video at the same time', async () => {
    const { alternate, sandbox } = await start()
    const { body } = await alternate('/v1/videos', { body: twin })
    const { data } = (await alternate('/v1/videos')).body
    expect(data).toHaveLength(2)
    const keys = sandbox.ledger().jobs.map(({ key_id }) => key_id)
    expect(keys).toEqual(['key_alternate', 'somebody-else'])
    const other = sandbox.ledger().jobs.find(({ id }) => id !== body['id'])?.id
    const details = []
    for (const id of [body['id'], other]) details.push((await alternate(`/v1/videos/${String(id)}`)).body)
    expect({ ...details[1], id: null }).toEqual({ ...details[0], id: null })
  })

  it.each([
    [{ kind: 'reset' }, ['somebody-else']],
    [{ kind: 'reset', when: 'after' }, ['key_alternate', 'somebody-else']],
    [{ kind: 'html' }, ['somebody-else']],
  ])('also when the create itself is lost: %j', async (kind, keys) => {
    const { alternate, fault, sandbox } = await start()
    await fault({ interface: 'alternate', operation: 'createVideo', ...kind })
    await alternate('/v1/videos', { body: twin }).catch(() => null)
    expect(sandbox.ledger().jobs.map(({ key_id }) => key_id)).toEqual(keys)
    await fault({ interface: 'alternate', operation: 'createVideo', kind: 'html' })
    await alternate('/v1/videos', { body: { ...twin, script: 'plain' } })
    await fault({ interface: 'alternate', operation: 'createVideo', kind: 'html' })
    await alternate('/v1/videos', { body: '{' })
    expect(sandbox.ledger().jobs).toHaveLength(keys.length)
  })
})

it('deleted puppets free their idempotency key', async () => {
  const { primary } = await start()
  const make = () => primary('/api/v1/puppets', { body: { imageUrl: IMAGE }, headers: { 'idempotency-key': 'k' } })
  const first = await make()
  expect((await make()).status).toBe(200)
  const path = `/api/v1/puppets/${String(first.body['id'])}`
  const seen = [
    await primary(path, { method: 'DELETE' }),
    await primary(path, { method: 'DELETE' }),
    await primary(path),
  ]
  expect(seen.map(({ status }) => status)).toEqual([204, 404, 404])
  const again = await make()
  expect([again.status, again.body['id'] === first.body['id']]).toEqual([201, false])
})
