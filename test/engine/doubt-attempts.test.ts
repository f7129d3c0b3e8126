import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { CreateOutcome, JobPage, ReadOutcome } from '../../src/core/adapter.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { listingAdapter } from '../fakes/listing.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, HOUR, LINK, listQuery, MINUTE, refused, report, SECOND } from '../fakes/records.ts'
import { openSqlite } from '../stores/sqlite-file.ts'
import { HOOK, openDoubts, PORTRAIT, type DoubtStage } from './doubts.ts'
import { assemble, passOf, restOf } from './harness.ts'

/** What is learned of one attempt ends no doubt of another; but a job of any attempt is the video's. */

/** Until absence is proven: the deadline, five minutes, and half a minute between the two proofs. */
const PROVEN_MS = 30 * SECOND + 5 * MINUTE + 30 * SECOND

const emptyPage = (dateMs: number): ReadOutcome<JobPage> => ({
  ok: true,
  value: { items: [], total: 0, totalPages: 1, dateMs },
  rate: null,
})

describe('one process', () => {
  let stage: DoubtStage
  afterEach(async () => {
    await stage.engine.videos.stop()
    await stage.engine.destroy()
  })
  const pass = (ms: number): Promise<void> => stage.engine.pass(ms)
  const creates = (): number => stage.adapter.callsOf('create').length
  const absent = async (id: string): Promise<VideoRecord> => stage.engine.videos.resolve(await stage.record(id), null)
  const typesOf = async (id: string): Promise<string[]> =>
    (await stage.engine.videos.timeline(id)).map(({ type }) => type)

  /** The walk that proves attempt 1 absent is under way when attempt 2 is in doubt; its list comes with `list`. */
  const lateWalk = async (resendWhenAbsent: boolean) => {
    stage = await openDoubts({ resendWhenAbsent }, { callbackUrl: HOOK })
    const { id } = await stage.lose()
    await pass(PROVEN_MS - 10 * SECOND)
    const list = Promise.withResolvers<ReadOutcome<JobPage>>()
    stage.adapter.lists.push(list.promise)
    await pass(20 * SECOND)
    stage.adapter.creates.push(doubt())
    await absent(id)
    await pass(2 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
    stage.adapter.put('job_second')
    return { id, end: () => list.resolve(emptyPage(stage.engine.clock.now())) }
  }

  test.each([true, false])(
    'a walk that began before the operator’s word ends nothing of the attempt that the word made (resends: %s)',
    async (resends) => {
      const { id, end } = await lateWalk(resends)
      end()
      await pass(5 * SECOND)
      expect(creates()).toBe(2)
      expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
      await pass(2 * MINUTE)
      expect(await stage.record(id)).toMatchObject({ phase: 'accepted', attempt: 2, backendJobId: 'job_second' })
      await pass(HOUR)
      expect(creates()).toBe(2)
    },
  )

  test('an operator’s word about an attempt that is over is refused, and nothing is sent', async () => {
    stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK })
    const first = await stage.lose()
    stage.adapter.creates.push(doubt())
    await stage.engine.videos.resolve(first, null)
    await pass(2 * SECOND)
    expect(await stage.record(first.id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
    await expect(stage.engine.videos.resolve(first, null)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('attempt 1 is over'),
    })
    await pass(MINUTE)
    expect(creates()).toBe(2)
    expect(await stage.record(first.id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
  })

  test('nor does an operator’s word pass over a job that a callback named and that is not read yet', async () => {
    stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK, account: { requestsPerMinute: 1 } })
    const { id } = await stage.lose()
    stage.adapter.put('job_7')
    await stage.engine.videos.hinted(id, 1, 'job_7')
    await expect(absent(id)).rejects.toMatchObject({ message: expect.stringContaining('job_7') })
    await pass(62 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7', attempt: 1 })
    expect(creates()).toBe(1)
  })

  describe('a job of an earlier attempt', () => {
    /** Attempt 2 is under way, or what became of it is not known. */
    const second = async (outcome: CreateOutcome | Promise<CreateOutcome>): Promise<string> => {
      stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK })
      const { id } = await stage.lose()
      stage.adapter.put('job_first')
      stage.adapter.creates.push(outcome)
      await absent(id)
      await pass(2 * SECOND)
      expect(await stage.record(id)).toMatchObject({ attempt: 2, backendJobId: null })
      return id
    }

    test('that a callback names while the second is in doubt is the video’s', async () => {
      const id = await second(doubt())
      await stage.engine.videos.hinted(id, 1, 'job_first')
      await pass(2 * SECOND)
      expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_first' })
      expect(await typesOf(id)).not.toContain('duplicate_job')
      // And only a second one is a duplicate.
      stage.adapter.put('job_second')
      await stage.engine.videos.hinted(id, 2, 'job_second')
      await pass(MINUTE)
      expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_first' })
      expect(await typesOf(id)).toContain('duplicate_job')
    })

    test('is read after a restart, too', async () => {
      const id = await second(doubt())
      await stage.engine.videos.hinted(id, 1, 'job_unread')
      stage.adapter.put('job_unread')
      stage.engine = await stage.engine.restart('crashed')
      stage.engine.videos.start()
      await pass(MINUTE)
      expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_unread' })
    })

    test('that a callback names while the second is under way, which is then refused, is the video’s', async () => {
      const answer = Promise.withResolvers<CreateOutcome>()
      const id = await second(answer.promise)
      await stage.engine.videos.hinted(id, 1, 'job_first')
      answer.resolve(refused({ code: 'insufficient_credits' }))
      await pass(2 * SECOND)
      expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_first' })
      expect(creates()).toBe(2)
    })

    test('that the first create’s own late answer names is the video’s, though the second is in doubt', async () => {
      stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK })
      const answer = Promise.withResolvers<CreateOutcome>()
      // The first opens the window for others.
      stage.adapter.creates.push(acceptedAs('job_0', { status: 'completed', link: LINK }), answer.promise, doubt())
      await stage.create({ puppet_id: 'pup_2' })
      const creating = stage.create()
      await pass(46 * SECOND)
      const { id } = must((await stage.engine.store.running(stage.engine.account.id))[0])
      await absent(id)
      await pass(2 * SECOND)
      expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
      answer.resolve(acceptedAs('job_late'))
      expect(await creating).toMatchObject({ phase: 'accepted', backendJobId: 'job_late' })
      expect(await typesOf(id)).not.toContain('duplicate_job')
    })

    test('that the list finds after an operator said that there is none is the video’s, and nothing is sent', async () => {
      stage = await openDoubts({}, { callbackUrl: HOOK })
      const { id } = await stage.lose()
      // The first walk comes too early for it.
      await pass(5 * SECOND)
      stage.adapter.put('job_first')
      await pass(54 * SECOND)
      const read = Promise.withResolvers<Awaited<ReturnType<typeof stage.adapter.status>>>()
      stage.adapter.polls.push(read.promise)
      await pass(2 * SECOND)
      expect(stage.adapter.callsOf('status')).toHaveLength(1)
      const { engine } = stage
      await engine.store.exhausted(engine.account.id, engine.clock.now() + 2 * MINUTE)
      expect(await absent(id)).toMatchObject({ phase: 'waiting' })
      stage.adapter.polls.length = 0
      const job = must(stage.adapter.jobs[0])
      const { puppetId, voiceId, resolution, createdAtMs } = job
      const made = { puppetId, voiceId, resolution, createdAtMs }
      read.resolve({ ok: true, value: { ...report(), jobId: 'job_first', status: 'processing', made }, rate: null })
      await pass(5 * MINUTE)
      expect(await stage.record(id)).toMatchObject({ phase: 'accepted', attempt: 1, backendJobId: 'job_first' })
      expect(creates()).toBe(1)
      expect(await typesOf(id)).not.toContain('duplicate_job')
    })
  })
})

/** A store all of whose verbs wait while `gate` is set, as in a process that stands still. */
const stalling = (store: Store, gate: () => Promise<void> | null): Store =>
  new Proxy(store, {
    get(target, name: keyof Store) {
      const verb = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        await gate()
        return verb.apply(target, args)
      }
    },
  })

test('two processes, of which one stands still after the list’s answer: what the other proved is not done twice', async () => {
  const current = await openSqlite()
  const { clock, store } = current
  const adapter = listingAdapter(clock.now)
  const all: ReturnType<typeof assemble>[] = []
  onTestFinished(async () => {
    for (const { videos } of all) videos.halt()
    await current.destroy()
  })
  let stall: Promise<void> | null = null
  const start = (handle: Store, seed: number) => {
    const made = assemble(handle, createLocalWake(clock), clock, adapter, {
      interface: 'alternate',
      callbackUrl: HOOK,
      seed,
      account: { slots: null, evidence: { exclusive: true, resendWhenAbsent: true, absentAfterMs: 5 * MINUTE } },
    })
    all.push(made)
    made.videos.start()
    return made
  }
  const slow = start(
    stalling(store, () => stall),
    1,
  )
  // What stands still is not waited for.
  const busy = (): number => all.reduce((sum, one) => sum + (stall && one === slow ? 0 : one.busy()), 0)
  const pass = (ms: number): Promise<void> => passOf(clock, ms, () => restOf(busy))
  const creates = (): number => adapter.callsOf('create').length

  adapter.creates.push(doubt(), doubt())
  await slow.create({ input: PORTRAIT })
  start(await current.second(), 2)
  await pass(PROVEN_MS - 5 * SECOND)
  const list = Promise.withResolvers<ReadOutcome<JobPage>>()
  adapter.lists.push(list.promise)
  await pass(10 * SECOND)
  const goOn = Promise.withResolvers<void>()
  stall = goOn.promise
  list.resolve(emptyPage(clock.now()))
  await pass(90 * SECOND)
  const [video] = await store.list('acme', listQuery({ limit: 1 }))
  expect(video).toMatchObject({ phase: 'doubtful', attempt: 2 })
  expect(creates()).toBe(2)
  stall = null
  goOn.resolve()
  await pass(5 * SECOND)
  expect(creates()).toBe(2)
  adapter.put('job_second')
  await pass(7 * MINUTE)
  expect(await store.video(must(video).id)).toMatchObject({ phase: 'accepted', attempt: 2, backendJobId: 'job_second' })
  expect(creates()).toBe(2)
})
