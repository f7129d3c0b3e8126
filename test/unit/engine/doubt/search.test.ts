import { describe, expect, test } from 'vitest'
import type { JobReport, ListedJob } from '../../../../src/core/adapter.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { createDoubtSearch, createSecondJobs } from '../../../../src/engine/doubt/search.ts'
import type { Apply } from '../../../../src/engine/life/apply.ts'
import { NO_SEARCH } from '../../../../src/engine/life/job-steps.ts'
import { ALTERNATE, accountOf, capabilities, listed, scriptedAdapter } from '../../../fakes/adapter.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { must } from '../../../fakes/must.ts'
import { accepted, HOUR, MINUTE, report, SECOND, T0, video, WIRE } from '../../../fakes/records.ts'

const ORDER = { ...video().order, imageUrl: null, puppetId: 'pup_1', voiceId: null }
const WINDOW_MS = HOUR
const doubtful = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({
    phase: 'doubtful',
    wire: WIRE,
    attempt: 1,
    lane: 'pup_1',
    order: ORDER,
    dispatchedAtMs: T0,
    doubtSinceMs: T0,
    ...given,
  })
const LISTED: ListedJob = { jobId: 'job_1', status: 'processing', puppetId: 'pup_1', createdAtMs: T0 + SECOND }
const OURS: JobReport = report({
  status: 'processing',
  made: { puppetId: 'pup_1', voiceId: null, resolution: null, createdAtMs: null },
})

type Ask = Parameters<typeof createDoubtSearch>[0]['upstream']['ask']
interface Given {
  exclusive?: boolean
  able?: typeof ALTERNATE
  isCalledBack?: boolean
  /** What the list has. */
  jobs?: readonly ListedJob[]
  ask?: Ask
  /** Jobs that another video has when it is written, though nobody had them when they were read. */
  takenBy?: string
  /** How many writes fail. */
  failing?: number
}

const stage = (records: readonly VideoRecord[], given: Given = {}) => {
  const clock = fakeClock(T0)
  const adapter = scriptedAdapter(clock.now, 'alternate', given.able ?? ALTERNATE)
  const videos = new Map(records.map((one) => [one.id, one]))
  const lines: string[] = []
  const ask: Ask = async (_account, _class, _patienceMs, send) => ({ kind: 'asked', outcome: await send() })
  let failing = given.failing ?? 0
  const apply: Apply = async (id, decide, { onJobTaken } = {}) => {
    if (failing > 0) {
      failing -= 1
      throw new Error('the disk is full')
    }
    const before = must(videos.get(id))
    let decided = decide(before, clock.now())
    if (typeof decided === 'string') return before
    const jobId = decided.video.backendJobId
    if (given.takenBy !== undefined && jobId !== null && jobId !== before.backendJobId)
      decided = must(onJobTaken)(before, { jobId, owner: given.takenBy }, clock.now())
    if (typeof decided === 'string') return before
    videos.set(id, decided.video)
    return decided.video
  }
  const account = accountOf(adapter, {
    evidence: { exclusive: given.exclusive ?? true, resendWhenAbsent: false, absentAfterMs: 300 * SECOND },
  })
  const jobs = given.jobs ?? []
  adapter.list = async (page) => {
    adapter.calls.push({ operation: 'list', page, atMs: clock.now() })
    return {
      ok: true,
      value: { items: jobs.map(listed), total: jobs.length, totalPages: 1, dateMs: clock.now() },
      rate: null,
    }
  }
  adapter.status = async (jobId) => {
    adapter.calls.push({ operation: 'status', jobId, atMs: clock.now() })
    return { ok: true, value: OURS, rate: null }
  }
  const line = (level: string) => (_fields: Record<string, unknown>, message: string) => {
    lines.push(`${level}: ${message}`)
  }
  const parts = {
    apply,
    clock,
    random: () => 0,
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    store: {
      owner: async () => null,
      sentInLane: async () => [],
      undecided: async () => [...videos.keys()],
      video: async (id: string) => videos.get(id) ?? null,
    },
    firstPollAt: (_video: VideoRecord, _hintAtMs: number | null, nowMs: number) => nowMs,
  }
  const search = createDoubtSearch({
    ...parts,
    upSinceMs: clock.now(),
    upstream: { ask: given.ask ?? ask },
    confirm: async (_account, _video, jobId) => {
      const asked = await adapter.status(jobId)
      return { kind: 'ours', report: asked.ok ? asked.value : OURS }
    },
    calledBack: () => given.isCalledBack ?? false,
    settings: { resendWindowMs: WINDOW_MS },
  })
  return { ...parts, account, adapter, clock, lines, search, of: (id: string) => must(videos.get(id)) }
}

describe('the one job that can be its job', () => {
  test('is the video’s, if no other create may have made it', async () => {
    const { search, account, of } = stage([doubtful()], { jobs: [LISTED] })
    expect(await search.resolve(account, of('vid_1'))).toBeNull()
    expect(of('vid_1')).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
  })

  test('is nobody’s yet while another create that may have made it is being sent', async () => {
    const rival = doubtful({ id: 'vid_2', phase: 'dispatching' })
    const { search, account, of, clock } = stage([doubtful(), rival], { jobs: [LISTED] })
    expect(await search.resolve(account, of('vid_1'))).toBeNull()
    expect(of('vid_1')).toMatchObject({ phase: 'doubtful', search: { reading: { candidates: [{ jobId: 'job_1' }] } } })
    expect(must(of('vid_1').dueAtMs)).toBeGreaterThan(clock.now())
    expect(of('vid_2')).toBe(rival)
  })

  test('is nobody’s at all if two creates in doubt may have made it, and the log says so of each', async () => {
    const { search, account, of, lines } = stage([doubtful(), doubtful({ id: 'vid_2' })], { jobs: [LISTED] })
    await search.resolve(account, of('vid_1'))
    for (const id of ['vid_1', 'vid_2'])
      expect(of(id)).toMatchObject({ phase: 'ended', error: { code: 'create_outcome_unknown' }, backendJobId: null })
    expect(lines).toEqual(['warn: a create stays unknown', 'warn: a create stays unknown'])
  })

  test('is searched for again if another video got it since it was read', async () => {
    const { search, account, of, clock } = stage([doubtful()], { jobs: [LISTED], takenBy: 'vid_9' })
    await search.resolve(account, of('vid_1'))
    expect(of('vid_1')).toMatchObject({ phase: 'doubtful', search: { reading: null }, dueAtMs: clock.now() })
  })

  test('is adopted by one video at a time; other jobs do not wait for it', async () => {
    const named = (jobId: string) => ({ ...NO_SEARCH, named: [{ jobId, atMs: T0, state: 'pending' as const }] })
    const records = [
      doubtful({ search: named('job_1') }),
      doubtful({ id: 'vid_2', search: named('job_1') }),
      doubtful({ id: 'vid_3', search: named('job_3') }),
    ]
    const { search, account, of, clock } = stage(records)
    const answers = await Promise.all(records.map((one) => search.resolve(account, one)))
    expect(answers).toEqual([null, { retryAtMs: expect.any(Number) }, null])
    expect(must(answers[1]).retryAtMs).toBeGreaterThan(clock.now())
    expect(['vid_1', 'vid_2', 'vid_3'].map((id) => of(id).backendJobId)).toEqual(['job_1', null, 'job_3'])
    // The first is done with it.
    expect(await search.resolve(account, records[1] ?? doubtful())).toBeNull()
  })
})

describe('the window of a doubt', () => {
  const NONE = { jobs: [] }
  const isOpen = async (ms: number, leapMs = 0): Promise<boolean> => {
    const { search, account, of, clock } = stage([doubtful()], NONE)
    clock.jump(ms)
    if (leapMs > 0) clock.leap(leapMs)
    await search.resolve(account, of('vid_1'))
    return of('vid_1').phase === 'doubtful'
  }

  test('ends when it has passed, and not a moment earlier', async () => {
    expect(await isOpen(WINDOW_MS - 1)).toBe(true)
    expect(await isOpen(WINDOW_MS)).toBe(false)
  })

  test('a leap of the clock is none of it', async () => {
    expect(await isOpen(WINDOW_MS - 1, 24 * HOUR)).toBe(true)
    expect(await isOpen(WINDOW_MS, 24 * HOUR)).toBe(false)
  })

  test('the list is asked once more as long again, and then no more', async () => {
    const lists = async (ms: number): Promise<number> => {
      const { search, account, of, clock, adapter } = stage([doubtful()], NONE)
      clock.jump(ms)
      await search.resolve(account, of('vid_1'))
      expect(of('vid_1').phase).toBe('ended')
      return adapter.callsOf('list').length
    }
    expect(await lists(2 * WINDOW_MS - 1)).toBe(1)
    expect(await lists(2 * WINDOW_MS)).toBe(0)
  })

  test('without a list that tells, a callback may come until its end', async () => {
    const { search, account, of, clock } = stage([doubtful()], { exclusive: false, isCalledBack: true })
    await search.resolve(account, of('vid_1'))
    expect(of('vid_1')).toMatchObject({ phase: 'doubtful', dueAtMs: T0 + WINDOW_MS })
    clock.jump(WINDOW_MS)
    await search.resolve(account, of('vid_1'))
    expect(of('vid_1').phase).toBe('ended')
  })
})

describe('a list that cannot tell is read once, for the operator', () => {
  const busy =
    (retryAtMs: number): Ask =>
    async () => ({ kind: 'not_now', why: 'no_budget', retryAtMs })

  test('with the jobs that may be it', async () => {
    const { search, account, of, lines, adapter } = stage([doubtful()], { exclusive: false, jobs: [LISTED] })
    await search.resolve(account, of('vid_1'))
    expect(of('vid_1')).toMatchObject({ phase: 'ended', search: { reading: { candidates: [{ isOurs: true }] } } })
    expect(lines).toEqual(['warn: a create stays unknown'])
    expect(adapter.callsOf('list')).toHaveLength(1)
  })

  test('and not at all where there is none, or where it would have told', async () => {
    const without = capabilities('text_source', 'puppet_id')
    const { search, account, of, adapter } = stage([doubtful()], { exclusive: false, able: without })
    await search.resolve(account, of('vid_1'))
    expect([of('vid_1').phase, adapter.callsOf('list').length]).toEqual(['ended', 0])
  })

  test.each([
    ['two minutes are left for it', 2 * MINUTE, 'doubtful'],
    ['and no more', 2 * MINUTE + 1, 'ended'],
  ])('%s', async (_, ms, phase) => {
    const ask = busy(T0 + ms)
    const { search, account, of } = stage([doubtful({ doubtSinceMs: T0 - HOUR })], { exclusive: false, ask })
    const pause = await search.resolve(account, of('vid_1'))
    expect(of('vid_1').phase).toBe(phase)
    expect(pause).toEqual(phase === 'ended' ? null : { retryAtMs: T0 + ms })
  })
})

describe('a walk over the list', () => {
  test('goes on where it stopped, for each video by itself, until its doubt is moved', async () => {
    const pages: number[] = []
    let isBusy = true
    const ask: Ask = async (_account, _class, _patienceMs, send) =>
      isBusy && pages.length > 0
        ? { kind: 'not_now', why: 'no_budget', retryAtMs: T0 + SECOND }
        : { kind: 'asked', outcome: await send() }
    const { search, account, adapter, of, clock } = stage([doubtful(), doubtful({ id: 'vid_2', lane: 'other' })], {
      ask,
    })
    adapter.list = async (page) => {
      pages.push(page)
      return { ok: true, value: { items: [], total: 0, totalPages: 2, dateMs: clock.now() }, rate: null }
    }
    expect(await search.resolve(account, of('vid_1'))).toEqual({ retryAtMs: T0 + SECOND })
    isBusy = false
    await search.resolve(account, of('vid_2'))
    expect(pages).toEqual([1, 1, 2])
    await search.resolve(account, of('vid_1'))
    expect(pages).toEqual([1, 1, 2, 2])
  })
})

describe('a second job that a callback named', () => {
  const called = (atMs: number) => ({ ...NO_SEARCH, named: [{ jobId: 'job_2', atMs, state: 'pending' as const }] })
  const second = (given: Given = {}, kind: 'ours' | 'not_now' = 'ours', atMs = T0, made = accepted) => {
    const parts = stage([made({ search: called(atMs) })], given)
    const reads: string[] = []
    const hints: number[] = []
    const jobs = createSecondJobs({
      ...parts,
      wake: { hint: (_kind, _id, atMs) => void hints.push(atMs) },
      confirm: async (_account, _video, jobId) => {
        reads.push(jobId)
        return kind === 'ours' ? { kind, report: OURS } : { kind, retryAtMs: T0 + SECOND }
      },
    })
    return { ...parts, jobs, reads, hints }
  }

  test('is read when its time has come, not before', async () => {
    const { jobs, account, reads, clock, hints } = second({}, 'ours', T0 + SECOND)
    await jobs.read(account, 'vid_1')
    expect(reads).toEqual([])
    expect(hints).toEqual([])
    clock.jump(SECOND)
    await jobs.read(account, 'vid_1')
    expect(reads).toEqual(['job_2'])
  })

  test('where nothing could be asked, nothing is written', async () => {
    const { jobs, account, of, reads } = second({}, 'not_now')
    const before = of('vid_1')
    await jobs.read(account, 'vid_1')
    expect(reads).toEqual(['job_2'])
    expect(of('vid_1')).toBe(before)
  })

  test('becomes the job of a video that has none, unless another video got it meanwhile', async () => {
    const free = second({}, 'ours', T0, video)
    await free.jobs.read(free.account, 'vid_1')
    expect(free.of('vid_1')).toMatchObject({ phase: 'accepted', backendJobId: 'job_2' })
    const taken = second({ takenBy: 'vid_9' }, 'ours', T0, video)
    await taken.jobs.read(taken.account, 'vid_1')
    expect(taken.of('vid_1')).toMatchObject({
      phase: 'waiting',
      backendJobId: null,
      search: { named: [{ jobId: 'job_2', state: 'read' }] },
    })
  })

  test('costs one read, however often the write fails, and each failure is in the log', async () => {
    const { jobs, account, of, reads, clock, lines } = second({ failing: 2 })
    const read = jobs.read(account, 'vid_1')
    await clock.advance(MINUTE)
    await read
    expect(reads).toEqual(['job_2'])
    expect(lines).toEqual(Array(2).fill('error: the result of a job that a callback named is not written yet'))
    expect(of('vid_1').search?.named).toMatchObject([{ jobId: 'job_2', state: 'duplicate' }])
  })

  test('a stopping process gives the write up after some tries', async () => {
    const { jobs, account, clock, lines } = second({ failing: 1_000 })
    jobs.halt()
    const read = jobs.read(account, 'vid_1')
    await clock.advance(MINUTE)
    await read
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.length).toBeLessThan(20)
  })
})
