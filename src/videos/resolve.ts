import type { ListedJob } from '../core/adapter.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Store } from '../core/ports.ts'
import type { Search, VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import type { Dispatch } from './dispatch.ts'
import { duplicate, pendingEvidence, readNow } from './callbacks.ts'
import type { Confirm } from './confirm.ts'
import type { Apply, Decided } from './engine.ts'
import { judge, mayBe, offsetFor, sentWindow, type Walk } from './evidence.ts'
import { createDecide } from './operator.ts'
import { createRivalsOf } from './rivals.ts'
import { backoffMs } from './schedule.ts'
import { createIsTelling } from './stamps.ts'
import { adopted, resentAsAbsent, searchAgain, unknown } from './steps.ts'
import type { Upstream } from './upstream.ts'

export interface ResolverDeps {
  store: Store
  apply: Apply
  upstream: Upstream
  clock: Clock
  log: Log
  confirm: Confirm
  random: () => number
  /** Whether the backend was told where to call back about this attempt. */
  calledBack: (account: Account) => boolean
  firstLookAt: Dispatch['firstLookAt']
  settings: { resendWindowMs: number }
}

type JobTakenStep = Parameters<Apply>[2]

/** Ends the search for now: when to go on. */
type Pause = { retryAtMs: number }
const PAGES_AT_MOST = 20
/** Each costs a request, and they are kept in the record. */
const CANDIDATES_AT_MOST = 50

/** As far as a walk has come: one that runs out of tickets goes on where it stood. */
interface Walking {
  startedAtMs: number
  pages: number
  items: ListedJob[]
  totals: Set<number | null>
  /** The backend's clock less ours; null: it does not tell its time, so that its list cannot be evidence. */
  offsetMs: number | null
}
type Reading = NonNullable<Search['reading']>
type Walked = Pick<Walking, 'items' | 'offsetMs'> & { walk: Walk }

/**
 * Ends doubts on an interface without idempotency keys, by evidence alone: a callback that names the job, or the list of
 * an account that nobody else uses. `resolve` answers when to ask for a ticket again if there was none.
 */
export const createResolver = (deps: ResolverDeps) => {
  const { apply, upstream, clock, log, random, confirm, calledBack, firstLookAt, settings } = deps

  const startedAtMs = clock.now()
  const isTelling = createIsTelling(deps)
  const rivalsOf = createRivalsOf(deps)
  const decideDoubt = createDecide(deps)

  /** Only while it is still in doubt. */
  const move = (id: string, decide: (video: VideoRecord, nowMs: number) => Decided, onJobTaken?: JobTakenStep) =>
    apply(id, (video, nowMs) => (video.phase === 'doubtful' ? decide(video, nowMs) : 'keep'), onJobTaken)

  /** Nothing is concluded past a callback that named the job while the search was under way. */
  const conclude = (id: string, step: (video: VideoRecord, nowMs: number) => Decided) =>
    move(id, (video, nowMs) => (pendingEvidence(video) ? 'keep' : step(video, nowMs)))

  const giveUp = async (video: VideoRecord, candidates: readonly string[], why: string): Promise<void> => {
    const after = await conclude(video.id, (current, nowMs) =>
      unknown(current, nowMs, `${why}${candidates.length > 0 ? `: ${candidates.join(', ')}` : ''}`),
    )
    if (after?.phase !== 'ended') return
    log.warn({ video_id: video.id, backend: video.backend, candidates, why }, 'a create stays unknown')
  }

  /** Jobs that are being read to be adopted: one video at a time, or two would find the job nobody's. */
  const adopting = new Set<string>()

  const adopt = async (account: Account, video: VideoRecord, jobId: string, from: string): Promise<Pause | null> => {
    const job = JSON.stringify([account.id, jobId])
    if (adopting.has(job)) return { retryAtMs: clock.now() + backoffMs(1, random()) }
    adopting.add(job)
    return adoptAlone(account, video, jobId, from).finally(() => adopting.delete(job))
  }

  const adoptAlone = async (
    account: Account,
    video: VideoRecord,
    jobId: string,
    from: string,
  ): Promise<Pause | null> => {
    const confirmed = await confirm(account, video, jobId)
    if ('retryAtMs' in confirmed) return confirmed
    const notOurs = (current: VideoRecord, nowMs: number): Decided => {
      const why = `${from} named ${jobId}, which is not ours`
      return searchAgain(readNow(current, jobId, nowMs), { reading: null }, nowMs, nowMs, why)
    }
    await apply(
      video.id,
      (current, nowMs): Decided => {
        const isOurs = confirmed.kind === 'ours'
        // The create's own answer came meanwhile, or it was given up.
        if (current.phase !== 'doubtful') return (isOurs && duplicate(current, jobId, nowMs)) || 'keep'
        if (!isOurs) return notOurs(current, nowMs)
        return adopted(current, jobId, confirmed.report, from, { nowMs, firstLookAt: firstLookAt(account, nowMs) })
      },
      // Somebody else recorded it since it was read.
      (current, _taken, nowMs) => (current.phase === 'doubtful' ? notOurs(current, nowMs) : 'keep'),
    )
    return null
  }

  const walking = new Map<string, Walking>()

  /** The whole list, newest first; null after 20 pages. Pages that disagree make a walk that proves nothing. */
  const walkList = async (account: Account, videoId: string): Promise<Walked | Pause | null> => {
    const begun: Walking = walking.get(videoId) ?? {
      startedAtMs: clock.now(),
      pages: 0,
      items: [],
      totals: new Set(),
      offsetMs: null,
    }
    walking.set(videoId, begun)
    while (begun.pages < PAGES_AT_MOST) {
      const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.list(begun.pages + 1))
      if (asked.kind === 'not_now') return { retryAtMs: asked.retryAtMs }
      if (!asked.outcome.ok) {
        return { retryAtMs: asked.outcome.problem.retryAtMs ?? clock.now() + backoffMs(2, random()) }
      }
      const { items: found, total, totalPages, dateMs } = asked.outcome.value
      begun.pages += 1
      begun.items.push(...found)
      begun.totals.add(dateMs === null ? null : total)
      begun.offsetMs = dateMs === null ? null : dateMs - clock.now()
      if (totalPages === null || begun.pages >= totalPages) {
        walking.delete(videoId)
        const { startedAtMs, items, totals, offsetMs } = begun
        const [only = null] = totals
        const distinct = new Set(items.map(({ jobId }) => jobId)).size
        const whole = totals.size === 1 && totalPages !== null && items.length === only && distinct === only
        return { walk: { atMs: startedAtMs, total: whole ? only : null }, items, offsetMs }
      }
    }
    return null
  }

  /** What a new walk finds that can be this video's job, not read yet. */
  const beginReading = async (account: Account, video: VideoRecord): Promise<Reading | Pause | null> => {
    const walked = await walkList(account, video.id)
    if (walked === null || 'retryAtMs' in walked) return walked
    const { items } = walked
    const { offsetMs, proves } =
      walked.offsetMs === null ? { offsetMs: null, proves: false } : offsetFor(video, walked.offsetMs, startedAtMs)
    const tells = proves && offsetMs !== null && (await isTelling(account, video, items, offsetMs))
    const walk = tells ? walked.walk : { ...walked.walk, total: null }
    // Kept for the walks of a later process, which may have another clock.
    const sentOffsetMs = proves ? offsetMs : video.sentOffsetMs
    const sent = sentWindow(video, account.timeoutMs)
    const possible = offsetMs === null ? [] : items.filter((job) => mayBe(video.order, sent, job, offsetMs))
    const ids = new Set(possible.map(({ jobId }) => jobId))
    return { walk, sentOffsetMs, candidates: [...ids].map((jobId) => ({ jobId, isOurs: null })) }
  }

  /** Reads its candidates as far as there are tickets. */
  const goOnReading = async (account: Account, video: VideoRecord, { candidates, ...begun }: Reading) => {
    const read: Reading['candidates'] = []
    for (const [n, { jobId, isOurs }] of candidates.entries()) {
      const confirmed = isOurs === null ? await confirm(account, video, jobId) : null
      if (confirmed && 'retryAtMs' in confirmed) {
        const { retryAtMs } = confirmed
        return { reading: { ...begun, candidates: [...read, ...candidates.slice(n)] }, retryAtMs }
      }
      read.push({ jobId, isOurs: confirmed ? confirmed.kind === 'ours' : isOurs })
    }
    return { reading: { ...begun, candidates: read }, retryAtMs: null }
  }

  /** What was read stays read, whatever becomes of this process. */
  const keepReading = async (video: VideoRecord, reading: Reading, { retryAtMs }: Pause): Promise<null> => {
    await move(video.id, (current, nowMs) => searchAgain(current, { reading }, retryAtMs, nowMs, null))
    return null
  }

  /** Nobody can tell whose it is: none of them gets it. One that is still being sent is waited for. */
  const contested = async (video: VideoRecord, rivals: VideoRecord[], reading: Reading, jobId: string) => {
    if (rivals.some(({ phase }) => phase === 'dispatching'))
      return keepReading(video, reading, { retryAtMs: clock.now() + backoffMs(3, random()) })
    for (const one of [video, ...rivals]) await giveUp(one, [jobId], 'more than one create may have made it')
    return null
  }

  /** `last`: what is not found now is given up. */
  const search = async (account: Account, video: VideoRecord, last: boolean): Promise<Pause | null> => {
    const { absentAfterMs, resendWhenAbsent } = account.evidence
    const begun = video.search?.reading ?? (await beginReading(account, video))
    if (begun === null) return giveUp(video, [], `the list has over ${PAGES_AT_MOST} pages`).then(() => null)
    if ('retryAtMs' in begun) return begun
    if (begun.candidates.length > CANDIDATES_AT_MOST) {
      return giveUp(video, [], `over ${CANDIDATES_AT_MOST} jobs may be it`).then(() => null)
    }
    const { reading, retryAtMs } = await goOnReading(account, video, begun)
    if (retryAtMs !== null) return keepReading(video, reading, { retryAtMs })
    const candidates = reading.candidates.flatMap(({ jobId, isOurs }) => (isOurs === true ? [jobId] : []))
    const walks = [...(video.search?.walks ?? []), reading.walk].slice(-4)
    const { deadlineMs } = sentWindow(video, account.timeoutMs)
    const finding = judge(candidates, walks, { deadlineMs, absentAfterMs, nowMs: clock.now() })
    switch (finding.kind) {
      case 'found': {
        const rivals = await rivalsOf(video)
        if (rivals.length > 0) return contested(video, rivals, reading, finding.jobId)
        const pause = await adopt(account, video, finding.jobId, 'the list')
        return pause && keepReading(video, reading, pause)
      }
      case 'ambiguous':
        await giveUp(video, candidates, 'more than one job may be it')
        return null
      case 'absent':
        if (!resendWhenAbsent || video.search?.resent) await giveUp(video, [], 'no job of it was found')
        else await conclude(video.id, resentAsAbsent)
        return null
      case 'look_again':
        if (last) await giveUp(video, [], 'no evidence came')
        else
          await move(video.id, (current, nowMs) =>
            searchAgain(
              { ...current, sentOffsetMs: reading.sentOffsetMs },
              { walks, reading: null },
              finding.atMs,
              nowMs,
              'not in the list',
            ),
          )
        return null
    }
  }

  const decide = (account: Account, video: VideoRecord, jobId: string | null): Promise<VideoRecord> => {
    walking.delete(video.id)
    return decideDoubt(account, video, jobId)
  }

  const evidence = async (account: Account, video: VideoRecord): Promise<Pause | null> => {
    const named = pendingEvidence(video)
    if (named && named.atMs > clock.now()) return { retryAtMs: named.atMs }
    if (named) return adopt(account, video, named.jobId, 'a callback')
    const untilMs = (video.doubtSinceMs ?? clock.now()) + settings.resendWindowMs
    const { exclusive } = account.evidence
    const isOver = clock.now() >= untilMs
    // This process, or the one before, may have been away for all of the window: the list is asked at its end too, or
    // when somebody is back, for as long again if nobody answers.
    const askedUntilMs = Math.max(untilMs, startedAtMs) + settings.resendWindowMs
    if (exclusive && account.adapter.capabilities.native_list && clock.now() < askedUntilMs) {
      return search(account, video, isOver)
    }
    if ((!exclusive && !calledBack(account)) || isOver) {
      await giveUp(video, [], 'no evidence came')
      return null
    }
    // Nothing to do but to wait for a callback, which makes it due.
    await move(video.id, (current, nowMs) => searchAgain(current, {}, untilMs, nowMs, 'waiting for a callback'))
    return null
  }

  const resolve = async (account: Account, video: VideoRecord): Promise<Pause | null> => {
    const pause = await evidence(account, video)
    if (!pause) walking.delete(video.id)
    return pause
  }

  return { resolve, decide }
}
