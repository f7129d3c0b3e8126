import { afterEach, describe, expect, test } from 'vitest'
import type { JobPage, ReadOutcome } from '../../src/core/adapter.ts'
import { must } from '../fakes/must.ts'
import { doubt, HOUR, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
const open = async (...given: Parameters<typeof openDoubts>): Promise<void> => {
  stage = await openDoubts(...given)
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const pass = (ms: number): Promise<void> => stage.engine.pass(ms)
const creates = (): number => stage.adapter.callsOf('create').length
/** Until absence is proven: the deadline, five minutes, and half a minute between the two proofs. */
const PROVEN_MS = 30 * SECOND + 5 * MINUTE + 30 * SECOND

describe('resend_when_absent', () => {
  const resending = (): Promise<void> => open({ resendWhenAbsent: true }, { callbackUrl: HOOK })

  test('what is proven absent is sent once more, as an attempt of its own', async () => {
    await resending()
    const { id } = await stage.lose({}, 'order-1')
    await pass(PROVEN_MS - SECOND)
    expect(creates()).toBe(1)
    await pass(3 * SECOND)
    expect(creates()).toBe(2)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', attempt: 2, search: { resent: true } })
    expect(await stage.history(id)).toContain('proven absent: sent again')
    expect(await stage.create({}, 'order-1')).toMatchObject({ id })
  })

  test('and never again: a second doubt without a trace is unknown', async () => {
    await resending()
    const { id } = await stage.lose()
    stage.adapter.creates.push(doubt())
    await pass(2 * PROVEN_MS + 10 * SECOND)
    await stage.expectUnknown(id, 'no job was found for it')
    await pass(HOUR)
    expect(creates()).toBe(2)
  })

  test('a second doubt of which the job is found: adopted', async () => {
    await resending()
    const { id } = await stage.lose()
    stage.adapter.creates.push(doubt())
    await pass(PROVEN_MS + 3 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
    stage.adapter.put('job_7')
    await pass(MINUTE)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(creates()).toBe(2)
  })

  test('a late callback on the first attempt’s token names the video’s job, also while the second is in doubt', async () => {
    await resending()
    const { id } = await stage.lose()
    stage.adapter.creates.push(doubt())
    await pass(PROVEN_MS + 3 * SECOND)
    stage.adapter.put('job_first', { createdAtMs: stage.engine.clock.now() - HOUR })
    await stage.engine.videos.hinted(id, 1, 'job_first')
    await pass(2 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', attempt: 2, backendJobId: 'job_first' })
    // The job of the second attempt is one too many.
    stage.adapter.put('job_second')
    await stage.engine.videos.hinted(id, 2, 'job_second')
    await pass(31 * SECOND)
    expect(await stage.record(id)).toMatchObject({ backendJobId: 'job_first' })
    const told = (await stage.engine.videos.timeline(id)).filter(({ type }) => type === 'duplicate_job')
    expect(told.map(({ detail }) => detail)).toEqual(['job_second'])
  })

  /** The list that proves it absent is under way when `meanwhile` happens. */
  const duringProof = async (resends: boolean, meanwhile: (id: string) => Promise<unknown>): Promise<string> => {
    await open({ resendWhenAbsent: resends }, { callbackUrl: HOOK })
    const { id } = await stage.lose()
    await pass(PROVEN_MS - 10 * SECOND)
    const proof = Promise.withResolvers<ReadOutcome<JobPage>>()
    stage.adapter.lists.push(proof.promise)
    await pass(20 * SECOND)
    stage.adapter.put('job_7', { createdAtMs: stage.engine.clock.now() - HOUR })
    await meanwhile(id)
    expect((await stage.record(id)).phase).toBe('doubtful')
    const dateMs = stage.engine.clock.now()
    proof.resolve({ ok: true, value: { items: [], total: 0, totalPages: 1, dateMs }, rate: null })
    await pass(2 * SECOND)
    return id
  }

  test.each([true, false])(
    'nothing is concluded past a callback that came meanwhile (resends: %s)',
    async (resends) => {
      const id = await duringProof(resends, (video) => stage.engine.videos.hinted(video, 1, 'job_7'))
      expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7', attempt: 1 })
      expect(creates()).toBe(1)
    },
  )

  test('one that comes while it waits to be sent again: its job is read first, and nothing is sent', async () => {
    const { store, clock, account } = await duringProof(true, async () => {
      const { engine } = stage
      await engine.store.exhausted(engine.account.id, engine.clock.now() + MINUTE)
    }).then(() => stage.engine)
    const [waiting] = await store.waitingOf(account.id)
    const { id } = must(waiting)
    await stage.engine.videos.hinted(id, 1, 'job_7')
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', dueAtMs: clock.now(), attempt: 1 })
    await pass(2 * MINUTE)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7', attempt: 1 })
    expect(creates()).toBe(1)
  })

  test.each([1, 2])(
    'a late callback while the second was refused and waits: its job is read, and nothing is sent (token of attempt %i)',
    async (attempt) => {
      await open({ resendWhenAbsent: true }, { callbackUrl: HOOK, account: { slots: 1 } })
      const { id } = await stage.lose()
      const retryAtMs = stage.engine.clock.now() + HOUR
      stage.adapter.creates.push(refused({ code: 'concurrency_limit_reached', retryable: true, retryAtMs }, 'slot'))
      await pass(PROVEN_MS + 3 * SECOND)
      expect(await stage.record(id)).toMatchObject({ phase: 'waiting', attempt: 2 })
      stage.adapter.put('job_first', { createdAtMs: stage.engine.clock.now() - HOUR })
      await stage.engine.videos.hinted(id, attempt, 'job_first')
      await pass(2 * HOUR)
      expect(await stage.record(id)).toMatchObject({ backendJobId: 'job_first', attempt: 2 })
      expect(creates()).toBe(2)
    },
  )

  test('a refusal of the second attempt is definite: nothing of the first is left', async () => {
    await resending()
    const { id } = await stage.lose()
    stage.adapter.creates.push(refused({ code: 'insufficient_credits' }))
    await pass(PROVEN_MS + 3 * SECOND)
    expect(await stage.record(id)).toMatchObject({ status: 'failed', error: { code: 'insufficient_credits' } })
  })

  test('while it waits for its turn again it may be canceled', async () => {
    await open({ resendWhenAbsent: true }, { account: { slots: 1 } })
    const { id } = await stage.lose()
    stage.adapter.creates.push(refused({ code: 'concurrency_limit_reached', retryable: true }, 'slot'))
    await pass(PROVEN_MS + 3 * SECOND)
    const video = await stage.record(id)
    expect(video).toMatchObject({ phase: 'waiting', attempt: 2 })
    expect(await stage.engine.videos.cancel(video)).toMatchObject({ status: 'canceled' })
    await pass(HOUR)
    expect(creates()).toBe(2)
  })
})

describe('a restart in the midst of a search', () => {
  test.each(['stopped', 'crashed'] as const)('%s: it goes on, and nothing is sent twice', async (how) => {
    await open({})
    const { id } = await stage.lose()
    // Between the two walks that prove it.
    await pass(PROVEN_MS - 10 * SECOND)
    expect((await stage.record(id)).search?.walks).toHaveLength(3)
    stage.engine = await stage.engine.restart(how)
    stage.engine.videos.start()
    await stage.engine.pass(20 * SECOND)
    expect(await stage.engine.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect(creates()).toBe(1)
    expect(stage.adapter.callsOf('list')).toHaveLength(4)
  })

  test('and away for longer than all of it: the list is asked when it is back', async () => {
    await open({})
    const { id } = await stage.lose()
    stage.adapter.put('job_7')
    await stage.engine.videos.stop()
    await pass(3 * HOUR)
    stage.engine = await stage.engine.restart('crashed')
    stage.engine.videos.start()
    await stage.engine.pass(2 * SECOND)
    expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test('while the create was under way: the search begins', async () => {
    await open({})
    stage.adapter.creates.push(new Promise(() => undefined))
    void stage.create().catch(() => null)
    await stage.engine.rest()
    const { id } = must((await stage.engine.store.running(stage.engine.account.id))[0])
    stage.adapter.put('job_7')
    stage.engine = await stage.engine.restart('crashed')
    stage.engine.videos.start()
    await stage.engine.pass(2 * SECOND)
    expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(creates()).toBe(1)
  })
})

describe('a budget that is spent', () => {
  test('a walk of more pages than a window has goes on where it stood', async () => {
    await open({}, { account: { requestsPerMinute: 4 } })
    const old = stage.engine.clock.now() - HOUR
    for (let n = 0; n < 1_000; n += 1) stage.adapter.put(`job_${n}`, { createdAtMs: old - n })
    const { id } = await stage.lose()
    await pass(30 * MINUTE)
    await stage.expectUnknown(id, 'no job was found for it')
    const pages = stage.adapter.callsOf('list').map((call) => call.operation === 'list' && call.page)
    const once = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    expect(pages.length % 10).toBe(0)
    expect(pages.slice(0, 20)).toEqual([...once, ...once])
    // Four a window, the first of which was half over.
    const lastAtMs = stage.adapter.calls.at(-1)?.atMs ?? 0
    const minutes = Math.ceil((lastAtMs - (stage.adapter.calls[0]?.atMs ?? 0)) / MINUTE)
    expect(stage.adapter.calls.length).toBeLessThanOrEqual(4 * (minutes + 1))
  })

  test('a list that fails is asked again with a pause', async () => {
    await open({})
    const { id } = await stage.lose()
    const failed = { code: 'backend_error', message: 'm', retryable: true, retryAtMs: null } as const
    const backendError = { status: 500, code: 'oops', block_code: null, message: null }
    const problem = { ...failed, backendError, details: null, verbatim: null }
    for (let n = 0; n < 3; n += 1) stage.adapter.lists.push({ ok: false, problem, lost: false, rate: null })
    stage.adapter.put('job_7')
    await pass(30 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(stage.adapter.callsOf('list').length).toBeLessThanOrEqual(5)
  })
})

describe('an operator’s word', () => {
  test('that it is this job: adopted, though the evidence was not enough', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    const lost = await stage.lose()
    stage.adapter.put('job_7', { puppetId: 'pup_2' })
    expect(await stage.engine.videos.resolve(lost, 'job_7')).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(await stage.history(lost.id)).toContain('the operator named job_7')
  })

  test('that it is the job of another video: refused', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    const other = await stage.create()
    const lost = await stage.lose()
    const resolving = stage.engine.videos.resolve(lost, other.backendJobId)
    await expect(resolving).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await stage.record(lost.id)).toMatchObject({ phase: 'doubtful' })
  })

  test('that there is none: sent once more', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    const lost = await stage.lose()
    expect(await stage.engine.videos.resolve(lost, null)).toMatchObject({ phase: 'waiting' })
    await pass(2 * SECOND)
    expect(await stage.record(lost.id)).toMatchObject({ phase: 'accepted', attempt: 2 })
    expect(creates()).toBe(2)
  })
})

describe('cancel', () => {
  test('what waits ends at once, with its event, and frees the queue', async () => {
    await open({}, { account: { slots: 1 } })
    await stage.create()
    const { video } = await stage.engine.create({ webhookUrl: 'https://hooks.example/' })
    expect(await stage.engine.videos.cancel(video)).toMatchObject({ phase: 'ended', status: 'canceled' })
    expect(await stage.engine.store.deliveriesOf(video.id)).toMatchObject([{ event: { type: 'video.canceled' } }])
    expect(await stage.engine.store.queue(stage.engine.account.id)).toMatchObject({ waiting: 0, held: 1 })
    await pass(HOUR)
    expect(creates()).toBe(1)
    const again = stage.engine.videos.cancel(video)
    expect(await again).toMatchObject({ status: 'canceled' })
  })

  test.each(['accepted', 'doubtful'] as const)('what is %s may be paid: refused', async (phase) => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    const video = phase === 'accepted' ? await stage.create() : await stage.lose()
    await expect(stage.engine.videos.cancel(video)).rejects.toMatchObject({ code: 'video_not_cancelable' })
    expect(await stage.record(video.id)).toMatchObject({ phase })
  })
})
