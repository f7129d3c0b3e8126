import type { JobReport, JobTraits, ListedJob } from '../../core/adapter.ts'
import type { Ports } from '../../core/ports.ts'
import type { Store } from '../../core/store/index.ts'
import { type Order, type Search, type VideoRecord, hasLanes, isGivenUp } from '../../core/video.ts'
import { backoffMs } from '../life/job-steps.ts'
import type { Account } from '../upstream/accounts.ts'
import { PAGES_AT_MOST, createWalks } from '../upstream/ask.ts'
import type { Upstream } from '../upstream/tickets.ts'

/**
 * What ends a doubt where there are no idempotency keys. On an exclusive account: the only job that can be this one, or
 * proof that there is none. Pure; never a guess.
 */
export interface Walk {
  /** When it began, our clock. */
  atMs: number
  /** The length of the list, as all pages reported it; null when pages disagreed, were missing, or reported none. */
  total: number | null
}

/** `sentAtMs` to `deadlineMs`: when the backend may have taken the create, our clock. */
interface Sent {
  sentAtMs: number
  deadlineMs: number
}

type Finding =
  { kind: 'search_again'; atMs: number } | { kind: 'found'; jobId: string } | { kind: 'ambiguous' } | { kind: 'absent' }

/** Adds a walk. It counts once, even if two processes finish it. */
export const withWalk = (walks: readonly Walk[], walk: Walk): Walk[] =>
  [...walks.filter(({ atMs }) => atMs !== walk.atMs), walk].slice(-4)

/** The jobs that may be the video's, as far as its backend's list was read. */
export const candidatesOf = ({ search }: Pick<VideoRecord, 'search'>): string[] =>
  (search?.reading?.candidates ?? []).flatMap(({ jobId, isOurs }) => (isOurs === true ? [jobId] : []))

/**
 * Two `Date`s are reported in whole seconds, and a backend may stamp a job when it begins or when it ends accepting it.
 */
const WINDOW_SLACK_MS = 2 * 60_000

/** A job that the backend stamped while it may have taken the create. `offsetMs`: the backend's clock less ours. */
const inWindow = (createdAtMs: number | null, { sentAtMs, deadlineMs }: Sent, offsetMs: number): boolean => {
  if (createdAtMs === null) return false
  const atMs = createdAtMs - offsetMs
  return atMs >= sentAtMs - WINDOW_SLACK_MS && atMs <= deadlineMs + WINDOW_SLACK_MS
}

export const laneOf = ({ adapter, evidence: { exclusive } }: Account, order: Order): string | null =>
  hasLanes(adapter.capabilities, exclusive) ? JSON.stringify([order.puppetId]) : null

/** Whether a line of the list may be this create's job. The line reports little; the rest is in the job's detail. */
export const mayBe = (order: Order, sent: Sent, job: ListedJob, offsetMs: number): boolean =>
  order.puppetId !== null && job.puppetId === order.puppetId && inWindow(job.createdAtMs, sent, offsetMs)

/**
 * Whether a line is no candidate and yet cannot be ruled out. It reports too little; or its time is after the create,
 * when we sent none like it, since none goes while this one is in doubt.
 */
const isVague = (order: Order, { sentAtMs, deadlineMs }: Sent, job: ListedJob, offsetMs: number): boolean => {
  const isBefore = job.createdAtMs !== null && job.createdAtMs - offsetMs < sentAtMs - WINDOW_SLACK_MS
  const mayBeLike = job.puppetId === null || job.puppetId === order.puppetId
  return mayBeLike && !isBefore && !mayBe(order, { sentAtMs, deadlineMs }, job, offsetMs)
}

/**
 * Whether the stamp of one of our jobs fits the time at which we sent it, by the `Date`s of then. True where nothing
 * can tell.
 */
const isStampedAsSent = (own: VideoRecord, { createdAtMs }: ListedJob, timeoutMs: number): boolean =>
  own.dispatchedAtMs === null ||
  own.sentOffsetMs === null ||
  createdAtMs === null ||
  inWindow(createdAtMs, sentWindow(own, timeoutMs), own.sentOffsetMs)

/** Whether a job's detail fits the order. An option that was not asked for may be anything: the backend chose it. */
export const isMadeOf = (order: Order, made: JobTraits): boolean =>
  order.puppetId !== null &&
  made.puppetId === order.puppetId &&
  (order.voiceId === null || made.voiceId === order.voiceId) &&
  (order.resolution === null || made.resolution === order.resolution)

export const sentWindow = (video: VideoRecord, timeoutMs: number): Sent => {
  const sentAtMs = video.dispatchedAtMs ?? video.createdAtMs
  return { sentAtMs, deadlineMs: Math.max(sentAtMs + timeoutMs, video.restoredAtMs ?? 0) }
}

/**
 * The clock offset by which the list's stamps are read: that of the time of the create, else that of the walk
 * (`offsetMs`). `proves`: as far as we can tell, no clock was set in between, so a job that the list lacks is absent.
 * `startedAtMs`: when this process began; of an earlier process's create only the stored offset is known.
 */
export const offsetFor = (
  { sentOffsetMs, dispatchedAtMs }: VideoRecord,
  offsetMs: number,
  startedAtMs: number,
): { offsetMs: number; proves: boolean } =>
  sentOffsetMs === null
    ? { offsetMs, proves: (dispatchedAtMs ?? 0) >= startedAtMs }
    : { offsetMs: sentOffsetMs, proves: Math.abs(offsetMs - sentOffsetMs) <= WINDOW_SLACK_MS }

/**
 * Whether a create without an answer may have made this job. False only if something certainly contradicts it.
 * `offsetMs`: the backend's clock less ours when the job was made; null: not known.
 */
export const mayHaveMade = (video: VideoRecord, made: JobTraits, offsetMs: number | null): boolean => {
  if (video.phase === 'dispatching' && video.wire === null) return false
  const { puppetId, voiceId, resolution } = video.order
  const differs = (asked: string | null, told: string | null): boolean =>
    asked !== null && told !== null && asked !== told
  if (differs(puppetId, made.puppetId) || differs(voiceId, made.voiceId) || differs(resolution, made.resolution)) {
    return false
  }
  if (made.createdAtMs === null || offsetMs === null) return true
  return made.createdAtMs - offsetMs >= video.createdAtMs - WINDOW_SLACK_MS
}

/** The same, if the create may be over by now: its job was made before the backend gave the request up. */
export const mayHaveLeft = (video: VideoRecord, made: JobTraits, offsetMs: number | null, timeoutMs: number): boolean =>
  mayHaveMade(video, made, offsetMs) &&
  (made.createdAtMs === null ||
    offsetMs === null ||
    made.createdAtMs - offsetMs <= sentWindow(video, timeoutMs).deadlineMs + WINDOW_SLACK_MS)

/** A create that was sent before this cannot have made a job in this create's time window. */
const likeSinceMs = ({ sentAtMs, deadlineMs }: Sent): number => sentAtMs - (deadlineMs - sentAtMs) - 2 * WINDOW_SLACK_MS

/** When to walk the list, counted from the send deadline: early walks find a job, later ones prove its absence. */
const EARLY_WALKS_MS = [0, 30_000] as const
const SECOND_PROOF_MS = 30_000

const nextWalkAt = (walks: readonly Walk[], deadlineMs: number, absentAfterMs: number, nowMs: number): number => {
  const early = EARLY_WALKS_MS[walks.length]
  if (early !== undefined && early < absentAfterMs && deadlineMs + early > nowMs) return deadlineMs + early
  // A list that is never complete must not be walked without a pause.
  const pausedMs = (walks.at(-1)?.atMs ?? 0) >= deadlineMs + absentAfterMs ? nowMs + SECOND_PROOF_MS : nowMs
  return Math.max(deadlineMs + absentAfterMs, pausedMs)
}

/**
 * What the walks so far prove. `candidates` are those of the last walk. A single one is the job: nobody else creates on
 * the account, and similar creates go one at a time. No candidate proves absence only after two complete walks of a
 * list of the same length, both `absentAfterMs` after the send deadline.
 */
export const judge = (
  candidates: readonly string[],
  walks: readonly Walk[],
  { deadlineMs, absentAfterMs, nowMs }: { deadlineMs: number; absentAfterMs: number; nowMs: number },
): Finding => {
  const [only, another] = candidates
  if (another !== undefined) return { kind: 'ambiguous' }
  if (only !== undefined) return { kind: 'found', jobId: only }
  const [last, before] = walks.filter((walk) => walk.atMs >= deadlineMs + absentAfterMs).toReversed()
  if (last && before && last.total !== null && last.total === before.total) return { kind: 'absent' }
  return { kind: 'search_again', atMs: nextWalkAt(walks, deadlineMs, absentAfterMs, nowMs) }
}

/**
 * Other undecided creates of the same lane, which may have made the same job. Lanes normally keep them apart. They do
 * not for creates that were sent before the account was exclusive, and not for one that was to be resent and is in doubt
 * again.
 */
export const createRivalsOf =
  ({ store }: { store: Pick<Store, 'undecided' | 'video'> }) =>
  async ({ id, account, lane }: VideoRecord): Promise<VideoRecord[]> => {
    const others = (await store.undecided(account)).filter((other) => other !== id)
    const videos = await Promise.all(others.map((other) => store.video(other)))
    const mayHave = (one: VideoRecord): boolean =>
      one.phase === 'doubtful' || (one.phase === 'dispatching' && one.wire !== null)
    return videos.flatMap((one) => (one?.lane === lane && mayHave(one) ? [one] : []))
  }

/** It may have made a job that no video has: it was given up, or an earlier attempt of it has an unknown outcome. */
const mayHaveLeftJob = (video: VideoRecord): boolean => isGivenUp(video) || video.search?.resent === true

/**
 * Whether a job in the list may have been left behind by an earlier create of the lane. Asked when no undecided create
 * but this one can have made it.
 */
export const createMayBeLeft =
  ({ store }: { store: Pick<Store, 'sentInLane'> }) =>
  async (account: Account, video: VideoRecord): Promise<boolean> => {
    if (video.lane === null) return false
    const like = await store.sentInLane(account.id, video.lane, likeSinceMs(sentWindow(video, account.timeoutMs)))
    return like.some((one) => one.id !== video.id && mayHaveLeftJob(one))
  }

/** How many of the newest jobs are compared with our records: each costs two reads of the store. */
const HELD_AGAINST = 20

/**
 * Whether a job that the list lacks is really absent, so that its create may be paid again. Each job in the list
 * must be ruled out by what it says, and the stamps of our own jobs must fit the times at which they were sent.
 */
const createIsTelling =
  ({ store }: { store: Pick<Store, 'owner' | 'video'> }) =>
  async (account: Account, video: VideoRecord, items: readonly ListedJob[], offsetMs: number): Promise<boolean> => {
    const sent = sentWindow(video, account.timeoutMs)
    const vague = new Set(items.filter((job) => isVague(video.order, sent, job, offsetMs)))
    const newest = items.toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0)).slice(0, HELD_AGAINST)
    for (const job of new Set([...vague, ...newest])) {
      const owner = await store.owner(account.id, job.jobId)
      if (owner === null && vague.has(job)) return false
      const own = owner === null ? null : await store.video(owner)
      if (own && !isStampedAsSent(own, job, account.timeoutMs)) return false
    }
    return true
  }

interface ConfirmDeps extends Pick<Ports, 'clock' | 'random'> {
  store: Pick<Store, 'owner'>
  upstream: Upstream
}

type Confirmed =
  | { kind: 'ours'; report: JobReport }
  /** Another video's, unknown to the backend, or made of something else. */
  | { kind: 'foreign' }
  /** `not_now`: nothing was asked. `unread`: no usable answer. */
  | { kind: 'not_now' | 'unread'; retryAtMs: number }

/** Reads a job: whether it can be this video's, and is nobody else's. */
export const createConfirm =
  ({ store, upstream, clock, random }: ConfirmDeps) =>
  async (account: Account, video: VideoRecord, jobId: string): Promise<Confirmed> => {
    const owner = await store.owner(account.id, jobId)
    if (owner !== null && owner !== video.id) return { kind: 'foreign' }
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.status(jobId))
    if (asked.kind === 'not_now') return { kind: 'not_now', retryAtMs: asked.retryAtMs }
    const { outcome } = asked
    if (outcome.ok) {
      return isMadeOf(video.order, outcome.value.made) ? { kind: 'ours', report: outcome.value } : { kind: 'foreign' }
    }
    if (outcome.lost) return { kind: 'foreign' }
    return { kind: 'unread', retryAtMs: outcome.problem.retryAtMs ?? clock.now() + backoffMs(2, random()) }
  }
export type Confirm = ReturnType<typeof createConfirm>

interface ListWalkDeps extends Pick<Ports, 'clock' | 'random'> {
  upstream: Pick<Upstream, 'ask'>
}

/** The search stops for now and continues at `retryAtMs`. */
export type Pause = { retryAtMs: number }

interface Walked {
  walk: Walk
  items: ListedJob[]
  /** The backend's clock less ours; null: it does not tell its time, so its list is no evidence. */
  offsetMs: number | null
}

interface Page {
  items: readonly ListedJob[]
  /** The length of the list as this page reports it; null where nothing can be compared with it. */
  total: number | null
  offsetMs: number | null
}

/** The length of the list, if all pages agree on it and hold that many jobs; otherwise null. */
const totalOf = (pages: readonly Page[]): number | null => {
  const [{ total } = { total: null }] = pages
  const ids = pages.flatMap(({ items }) => items.map(({ jobId }) => jobId))
  const agree = pages.every((page) => page.total === total)
  return agree && ids.length === total && new Set(ids).size === total ? total : null
}

/** The key of a walk: one doubt of a video. Another attempt's list says nothing about this one. */
const keyOf = ({ id, attempt, doubtSinceMs }: VideoRecord): string => JSON.stringify([id, attempt, doubtSinceMs])

/** Reads a backend's own list for a create in doubt. */
const createListWalk = ({ upstream, clock, random }: ListWalkDeps) => {
  const walks = createWalks<Page>(clock)
  return {
    /** The whole list, newest first; null if it has over 20 pages. If pages disagree, the walk proves nothing. */
    async walk(account: Account, video: VideoRecord): Promise<Walked | Pause | null> {
      const walk = await walks.walk<Pause>(keyOf(video), async (before) => {
        const number = before.length + 1
        const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.list(number))
        if (asked.kind === 'not_now') return { retryAtMs: asked.retryAtMs }
        if (!asked.outcome.ok) {
          const { retryAtMs } = asked.outcome.problem
          return { retryAtMs: retryAtMs ?? clock.now() + backoffMs(2, random()) }
        }
        const { items, total, totalPages, dateMs } = asked.outcome.value
        const isDated = dateMs !== null && totalPages !== null
        const page = { items, total: isDated ? total : null, offsetMs: dateMs === null ? null : dateMs - clock.now() }
        return { page, isLast: number >= (totalPages ?? 1) }
      })
      if ('retryAtMs' in walk) return walk
      if (walk.goesOn) return null
      const { pages, beganAtMs: atMs } = walk
      const items = pages.flatMap((page) => page.items)
      return { walk: { atMs, total: totalOf(pages) }, items, offsetMs: pages.at(-1)?.offsetMs ?? null }
    },
    forget: (video: VideoRecord): void => walks.forget(keyOf(video)),
  }
}

interface ReadListDeps extends Pick<Ports, 'clock' | 'random'> {
  store: Pick<Store, 'owner' | 'video'>
  upstream: Pick<Upstream, 'ask'>
  confirm: Confirm
}

/** Each candidate costs a request and takes room in the record. */
const CANDIDATES_AT_MOST = 50
export type Reading = NonNullable<Search['reading']>
/** `report`: of the last job read just now that can be the video's. */
export interface ListRead {
  reading: Reading
  report: JobReport | null
  retryAtMs: number | null
}

/** Reads an account's list for a create in doubt, and the jobs of it that may be the create's. */
export const createReadList = (deps: ReadListDeps) => {
  const { clock, confirm } = deps
  const startedAtMs = clock.now()
  const isTelling = createIsTelling(deps)
  const walks = createListWalk(deps)

  /** Walks the list and collects the candidates, none of them read yet. */
  const beginReading = async (account: Account, video: VideoRecord): Promise<Reading | Pause | null> => {
    const walked = await walks.walk(account, video)
    if (walked === null || 'retryAtMs' in walked) return walked
    const { items } = walked
    const { offsetMs, proves } =
      walked.offsetMs === null ? { offsetMs: null, proves: false } : offsetFor(video, walked.offsetMs, startedAtMs)
    const tells = proves && offsetMs !== null && (await isTelling(account, video, items, offsetMs))
    const walk = tells ? walked.walk : { ...walked.walk, total: null }
    // Kept for a later process, whose clock may differ.
    const sentOffsetMs = proves ? offsetMs : video.sentOffsetMs
    const sent = sentWindow(video, account.timeoutMs)
    const possible = offsetMs === null ? [] : items.filter((job) => mayBe(video.order, sent, job, offsetMs))
    const candidates: Reading['candidates'] = []
    // Jobs of other videos are no candidates: on a busy account they would be most, and too many.
    for (const jobId of new Set(possible.map((job) => job.jobId)))
      if (((await deps.store.owner(account.id, jobId)) ?? video.id) === video.id)
        candidates.push({ jobId, isOurs: null })
    return { walk, sentOffsetMs, candidates }
  }

  /** Reads the candidates, as far as there are tickets. */
  const goOnReading = async (
    account: Account,
    video: VideoRecord,
    { candidates, ...begun }: Reading,
  ): Promise<ListRead> => {
    const read: Reading['candidates'] = []
    let report: JobReport | null = null
    for (const [n, { jobId, isOurs }] of candidates.entries()) {
      const confirmed = isOurs === null ? await confirm(account, video, jobId) : null
      if (confirmed && 'retryAtMs' in confirmed) {
        const { retryAtMs } = confirmed
        return { reading: { ...begun, candidates: [...read, ...candidates.slice(n)] }, report, retryAtMs }
      }
      if (confirmed?.kind === 'ours') report = confirmed.report
      read.push({ jobId, isOurs: confirmed ? confirmed.kind === 'ours' : isOurs })
    }
    return { reading: { ...begun, candidates: read }, report, retryAtMs: null }
  }

  return {
    /** What the list says about this create; a string: why the list cannot say. */
    async read(account: Account, video: VideoRecord): Promise<ListRead | Pause | string> {
      const begun = video.search?.reading ?? (await beginReading(account, video))
      if (begun === null) return `the list has more than ${PAGES_AT_MOST} pages`
      if ('retryAtMs' in begun) return begun
      if (begun.candidates.length > CANDIDATES_AT_MOST) return `more than ${CANDIDATES_AT_MOST} jobs may be it`
      return goOnReading(account, video, begun)
    },
    /** What was read of a walk that is not over is not needed any more. */
    forget: walks.forget,
  }
}
