import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { MAIN, virtualStage, type VirtualStage } from './virtual.ts'

const OPERATION = 'createVideoFromText'
const KEY = 'order-1'

const creates = ({ sandbox }: VirtualStage) =>
  sandbox.ledger().requests.filter(({ operation }) => operation === OPERATION)

/** One job, one charge, one key of ours for all that was sent; the client's key finds the one video. */
const expectPaidOnce = async (s: VirtualStage, id: string): Promise<void> => {
  await s.passUntil(2 * HOUR, () => s.allEnded([id]))
  const { jobs, charges } = s.sandbox.ledger()
  expect(jobs).toHaveLength(1)
  expect(charges).toHaveLength(1)
  expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: jobs[0]?.id, attempt: 1 })
  // The ledger knows no key of a request that a fault answered before it was read.
  const keys = creates(s).flatMap(({ idempotency_key: key }) => key ?? [])
  expect(new Set(keys)).toEqual(new Set([`${id}.1`]))
  const replay = await s.post(MAIN, 'anna', KEY)
  expect(replay).toMatchObject({ status: 200, body: { id } })
  expect(replay.headers.get('idempotency-replayed')).toBe('true')
}

const FAULTS: [name: string, fault: object][] = [
  ['the connection is reset before it is accepted', { kind: 'reset', when: 'before' }],
  ['the connection is reset after it was accepted', { kind: 'reset', when: 'after' }],
  ['408 after it was accepted', { kind: 'status', when: 'after', status: 408 }],
  ['500 after it was accepted', { kind: 'status', when: 'after', status: 500 }],
  ['502 after it was accepted', { kind: 'status', when: 'after', status: 502 }],
  ['504 after it was accepted', { kind: 'status', when: 'after', status: 504 }],
  ['500 without a body after it was accepted', { kind: 'status', when: 'after', status: 500, body: 'none' }],
  ['a bare 503 before', { kind: 'status', when: 'before', status: 503, body: 'none' }],
  ['a bare 503 after it was accepted', { kind: 'status', when: 'after', status: 503, body: 'none' }],
  ['an error page after it was accepted', { kind: 'html', when: 'after' }],
  ['an error page that says 200', { kind: 'html', when: 'after', status: 200 }],
  ['40 MB', { kind: 'huge-body', when: 'after' }],
]

describe('one job and one charge, whatever happens to the answer', () => {
  test.each(FAULTS)('%s', async (_, fault) => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, ...fault })
    const { status, body } = await s.post(MAIN, 'anna', KEY)
    expect([status, body['status']]).toEqual([202, 'queued'])
    const id = String(body['id'])
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    await expectPaidOnce(s, id)
  })

  test.each<[string, object]>([
    ['JSON that ends early', { kind: 'truncated-json' }],
    ['JSON without an id', { kind: 'drop-fields', fields: ['id', 'operation_id', 'request_id', 'status_url'] }],
  ])('%s, where a header names the job: no doubt, and nothing is sent again', async (_, fault) => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, ...fault })
    const id = await s.create(MAIN, 'anna', KEY)
    expect(await s.record(id)).toMatchObject({ phase: 'accepted' })
    await expectPaidOnce(s, id)
    expect(creates(s)).toHaveLength(1)
  })

  test('a success without a body, whose headers name no job either', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, kind: 'empty-body', when: 'after' })
    const id = await s.create(MAIN, 'anna', KEY)
    await expectPaidOnce(s, id)
    expect(creates(s).length).toBe(2)
  })

  test('ten faults in a row, of every kind', async () => {
    const s = await virtualStage()
    for (const [, fault] of FAULTS.slice(0, 10)) await s.fault('primary', { operation: OPERATION, ...fault })
    const id = await s.create(MAIN, 'anna', KEY)
    await expectPaidOnce(s, id)
  })
})

describe('a definite refusal of a first attempt', () => {
  test.each([
    ['a contract-shaped 503', { status: 503, code: 'temporarily_unavailable' }, 503, 'backend_unavailable'],
    ['402', { status: 402, code: 'insufficient_credits' }, 402, 'insufficient_credits'],
  ])('%s is the client’s answer; nothing is left, and its key is free', async (_, fault, status, code) => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, kind: 'status', when: 'before', ...fault })
    expect(await s.post(MAIN, 'anna', KEY)).toMatchObject({ status, body: { code } })
    expect(s.sandbox.ledger()).toMatchObject({ jobs: [], charges: [] })
    const id = await s.create(MAIN, 'anna', KEY)
    await expectPaidOnce(s, id)
  })
})

describe('refusals met by a resend while in doubt', () => {
  const REFUSALS: [string, object][] = [
    ['402', { status: 402, code: 'insufficient_credits' }],
    ['a full slot', { status: 429, code: 'concurrent_job_limit_reached', retry_after_seconds: 20 }],
    ['a spent window', { status: 429, code: 'rate_limited', retry_after_seconds: 30 }],
    ['a contract-shaped 503', { status: 503, code: 'temporarily_unavailable' }],
    ['400', { status: 400, code: 'invalid_request' }],
    ['401', { status: 401, code: 'unauthorized' }],
  ]

  test.each(REFUSALS)('%s ends nothing: the doubt goes on, and the job is found', async (_, refusal) => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, kind: 'reset', when: 'after' })
    await s.fault('primary', { operation: OPERATION, kind: 'status', when: 'before', times: 3, ...refusal })
    const id = await s.create(MAIN, 'anna', KEY)
    await s.passUntil(10 * MINUTE, () => creates(s).length >= 3)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    expect(await s.post(MAIN, 'anna', KEY)).toMatchObject({ status: 202, body: { id } })
    await expectPaidOnce(s, id)
  })

  test('its own job holds the last credit and a slot: others wait, nobody pays twice', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, kind: 'reset', when: 'after', times: 2 })
    const ids = [await s.create(MAIN), await s.create(MAIN), await s.create(MAIN)]
    expect((await s.record(ids[2] ?? '')).phase).toBe('waiting')
    await s.passUntil(HOUR, () => s.allEnded(ids))
    const { jobs, charges, requests } = s.sandbox.ledger()
    expect([jobs.length, charges.length]).toEqual([3, 3])
    expect(requests.filter(({ status }) => status === 429)).toEqual([])
  })

  test('an hour of refusals: unknown, and not asked again', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: OPERATION, kind: 'reset', when: 'after' })
    const refusal = { kind: 'status', when: 'before', status: 402, code: 'insufficient_credits' }
    await s.fault('primary', { operation: OPERATION, times: 1_000, ...refusal })
    const id = await s.create(MAIN, 'anna', KEY)
    await s.passUntil(HOUR + 2 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    const sent = creates(s).length
    await s.pass(10 * MINUTE)
    expect(creates(s)).toHaveLength(sent)
    expect(sent).toBeLessThanOrEqual(70)
    expect(s.sandbox.ledger().jobs).toHaveLength(1)
  })
})

test('a pause of the backend’s own is kept to between resends', async () => {
  const s = await virtualStage()
  await s.fault('primary', { operation: OPERATION, kind: 'reset', when: 'after' })
  const refusal = { kind: 'status', when: 'before', status: 503, code: 'x', retry_after_seconds: 45 }
  await s.fault('primary', { operation: OPERATION, ...refusal })
  const id = await s.create(MAIN, 'anna', KEY)
  await expectPaidOnce(s, id)
  const [, second, third] = creates(s).map(({ at }) => Date.parse(at))
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(45 * SECOND)
})
