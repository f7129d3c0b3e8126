import type { ListedJob } from '../core/adapter.ts'
import type { Clock } from '../core/clock.ts'
import { Problem } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Store } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import type { Dispatch } from './dispatch.ts'
import { duplicate, pendingEvidence, readNow } from './callbacks.ts'
import type { Confirm } from './confirm.ts'
import type { Apply, Decided } from './engine.ts'
import { judge, mayBe, sentWindow, type Walk } from './evidence.ts'
import { backoffMs } from './schedule.ts'
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

/** Ends the search for now: when to go on. */
type Pause = { retryAtMs: number }
const PAGES_AT_MOST = 20
/** An operator waits this long for a ticket. */
const PATIENCE_MS = 5_000

/** As far as a walk has come: one that runs out of tickets goes on where it stood. */
interface Walking {
  startedAtMs: number
  pages: number
  items: ListedJob[]
  totals: Set<number | null>
  /** The backend's clock less ours; null: it does not tell its time, so that its list cannot be evidence. */
  offsetMs: number | null
}
type Walked = Pick<Walking, 'items' | 'offsetMs'> & { walk: Walk }

/**
 * Ends doubts on an interface without idempotency keys, by evidence alone: a callback that names the job, or the list of
 * an account that nobody else uses. `resolve` answers when to ask for a ticket again if there was none.
 */
export const createResolver = (deps: ResolverDeps) => {
  const { store, apply, upstream, clock, log, random, confirm, calledBack, firstLookAt, settings } = deps

  /** Only while it is still in doubt. */
  const move = (id: string, decide: (video: VideoRecord, nowMs: number) => Decided) =>
    apply(id, (video, nowMs) => (video.phase === 'doubtful' ? decide(video, nowMs) : 'keep'))

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
    await apply(video.id, (current, nowMs): Decided => {
      const isOurs = confirmed.kind === 'ours'
      // The create's own answer came meanwhile, or it was given up.
      if (current.phase !== 'doubtful') return (isOurs && duplicate(current, jobId, nowMs)) || 'keep'
      if (isOurs) {
        return adopted(current, jobId, confirmed.report, from, { nowMs, firstLookAt: firstLookAt(account, nowMs) })
      }
      return searchAgain(readNow(current, jobId, nowMs), {}, nowMs, nowMs, `${from} named ${jobId}, which is not ours`)
    })
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

  /** Those of a walk that can be this video's job, each read and matched; a pause if one could not be read. */
  const candidatesOf = async (
    account: Account,
    video: VideoRecord,
    { items, offsetMs }: Walked,
  ): Promise<string[] | Pause> => {
    if (offsetMs === null) return []
    const sent = sentWindow(video, account.timeoutMs)
    const possible = new Set(items.filter((job) => mayBe(video.order, sent, job, offsetMs)).map(({ jobId }) => jobId))
    const candidates: string[] = []
    for (const jobId of possible) {
      const confirmed = await confirm(account, video, jobId)
      if ('retryAtMs' in confirmed) return confirmed
      if (confirmed.kind === 'ours') candidates.push(jobId)
    }
    return candidates
  }

  const search = async (account: Account, video: VideoRecord): Promise<Pause | null> => {
    const { absentAfterMs, resendWhenAbsent } = account.evidence
    const walked = await walkList(account, video.id)
    if (walked === null) return giveUp(video, [], `the list has over ${PAGES_AT_MOST} pages`).then(() => null)
    if ('retryAtMs' in walked) return walked
    const candidates = await candidatesOf(account, video, walked)
    if (!Array.isArray(candidates)) return candidates
    const walks = [...(video.search?.walks ?? []), walked.walk].slice(-4)
    const { deadlineMs } = sentWindow(video, account.timeoutMs)
    const finding = judge(candidates, walks, { deadlineMs, absentAfterMs, nowMs: clock.now() })
    switch (finding.kind) {
      case 'found':
        return adopt(account, video, finding.jobId, 'the list')
      case 'ambiguous':
        await giveUp(video, candidates, 'more than one job may be it')
        return null
      case 'absent':
        if (!resendWhenAbsent || video.search?.resent) await giveUp(video, [], 'no job of it was found')
        else await conclude(video.id, resentAsAbsent)
        return null
      case 'look_again':
        await move(video.id, (current, nowMs) =>
          searchAgain(current, { walks }, finding.atMs, nowMs, 'not in the list'),
        )
        return null
    }
  }

  /** An operator said which job it is, or that there is none. Throws what keeps the word from being taken. */
  const decide = async (account: Account, video: VideoRecord, jobId: string | null): Promise<VideoRecord> => {
    walking.delete(video.id)
    if (jobId === null) return (await move(video.id, resentAsAbsent)) ?? video
    const owner = await store.owner(account.id, jobId)
    if (owner !== null) throw new Problem('invalid_request', `this job belongs to ${owner}`, { param: 'job_id' })
    const asked = await upstream.ask(account, 'poll', PATIENCE_MS, () => account.adapter.status(jobId))
    if (asked.kind === 'not_now') {
      const { retryAtMs } = asked
      throw new Problem('backend_unavailable', 'the backend takes no more requests at the moment', { retryAtMs })
    }
    if (!asked.outcome.ok) {
      const { code, message, retryable, retryAtMs, backendError } = asked.outcome.problem
      throw new Problem(code, message, { retryable, retryAtMs, backendError, backend: video.backend, param: 'job_id' })
    }
    const report = asked.outcome.value
    const after = await apply(video.id, (current, nowMs) =>
      current.phase === 'doubtful'
        ? adopted(current, jobId, report, 'the operator', { nowMs, firstLookAt: firstLookAt(account, nowMs) })
        : (duplicate(current, jobId, nowMs) ?? 'keep'),
    )
    return after ?? video
  }

  const evidence = async (account: Account, video: VideoRecord): Promise<Pause | null> => {
    const named = pendingEvidence(video)
    if (named && named.atMs > clock.now()) return { retryAtMs: named.atMs }
    if (named) return adopt(account, video, named.jobId, 'a callback')
    const untilMs = (video.doubtSinceMs ?? clock.now()) + settings.resendWindowMs
    const { exclusive } = account.evidence
    if ((!exclusive && !calledBack(account)) || clock.now() >= untilMs) {
      await giveUp(video, [], 'no evidence came')
      return null
    }
    if (exclusive && account.adapter.capabilities.native_list) return search(account, video)
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
