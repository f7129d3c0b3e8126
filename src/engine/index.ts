import type { AuditEntry, Quotas } from '../core/access.ts'
import { onTheWall } from '../core/time/clock.ts'
import { Problem } from '../core/errors.ts'
import type { ListQuery, PageQuery, VideoPage } from '../core/store/videos.ts'
import type { BackendDetailView } from '../core/api/admin.ts'
import type { BackendView, VideoView, CheckView } from '../core/api/videos.ts'
import { isGivenUp, type TimelineEntry, type VideoRecord } from '../core/video.ts'
import { type Aliases, knownBackend } from './create/route.ts'
import {
  type Account,
  allNames,
  type Backend,
  type Backends,
  namedBy,
  namesUnder,
  noSingle,
} from './upstream/accounts.ts'
import { createCheck, type CheckDeps } from './create/check.ts'
import { createConfirm } from './doubt/list.ts'
import {
  type Accounts,
  createCreate,
  type Created,
  createCancelLimit,
  createIntake,
  type CreateRequest,
  type Creator,
  type CreatorLimits,
  UNIFIED_CREATE,
} from './create/create.ts'
import { createDispatch, type Credits } from './send/dispatch.ts'
import {
  type Follow,
  type Reader,
  type VideoNews,
  createAwaited,
  createDescribe,
  createFind,
  createFollow,
  waitForEnd,
} from './read/follow.ts'
import { createReuse } from './create/reuse.ts'
import { createDownload, type Download, type DownloadWish } from './read/download.ts'
import { createElsewhere, createPlan, type Lists, pictured, type PortraitFor } from './create/plan.ts'
import { createForeseen } from './create/foreseen.ts'
import { createPools } from './account/pools.ts'
import { createRanked } from './routing/pools.ts'
import { createStanding, type FailoverPolicy, type Rule, type WeightOf } from './routing/rules.ts'
import { createInspect } from './polling/inspect.ts'
import {
  type Apply,
  type OwnBody,
  type Passing,
  type ShownPart,
  createApply,
  passingOf,
  renderVideo,
} from './life/apply.ts'
import { createTransfers } from './audio/transfers.ts'
import type { AudioCarrier } from '../core/media.ts'
import type { Ports, Replica } from '../core/ports.ts'
import {
  createHinted,
  createLastingHinted,
  createImport,
  type HistoryOf,
  type Imported,
  type ImportRequest,
  createListing,
  type Listed,
} from './jobs/import.ts'
import { createHistory, type History } from './jobs/history.ts'
import { forOperator, notInDoubt, notTheAttempt, refuseReplaced, saidAbsent } from './doubt/operator.ts'
import { createAccountLoop } from './account/loop.ts'
import { createFirstPoll } from './polling/poll.ts'
import { createLearned } from './polling/choose.ts'
import { withPolls } from './polling/poll-plan.ts'
import { adjust, refuseOrphans, serve } from './upkeep/maintain.ts'
import { end, erased } from './life/job-steps.ts'
import { createProbe } from './upstream/ask.ts'
import type { Upstream } from './upstream/tickets.ts'
import { createBoard, createSharedWaits, WAITS_KEPT_MS } from './replicas/board.ts'
import { createPumps, type OneAtATime } from './replicas/replica.ts'
import { warnOfDoubts } from './doubt/search.ts'

interface VideosDeps
  extends Ports, Omit<CheckDeps, 'store' | 'plan' | 'ranked' | 'elsewhere' | 'reuse' | 'upstream' | 'settings'> {
  replica: Replica
  oneAtATime: OneAtATime
  upstream: Upstream
  backends: Backends
  contentUrl: (videoId: string) => string
  eventsUrl: (videoId: string) => string
  quotasOf: (client: string) => Quotas | null
  maySee: (client: string, backend: Backend) => boolean
  ownBody: OwnBody
  takesCallbacks: () => boolean
  portraitOf: PortraitFor
  lookUp: Lists
  creditsLeft: (backend: Backend) => Promise<number | null>
  aliases: Aliases
  historyOf: HistoryOf
  rules: readonly Rule[]
  weightOf: WeightOf
  failover: FailoverPolicy
  carrier: AudioCarrier
  /** When this process began, whatever its configuration was since then. */
  upSinceMs: number
  /** True from the moment that the process was asked to stop. New videos then wait in the store, and are not sent. */
  isStopping: () => boolean
  settings: {
    defaultBackend: string
    queueLimit: number
    maxAgeMs: number
    /** For how long a low video is one. */
    lowAfterMs: number
    resendWindowMs: number
    minIntervalMs: number
    pollsPerJob: number | null
    /** Audio that a backend does not host is brought there. */
    transferAudio: boolean
  }
}

export interface Videos extends Follow {
  create(creator: Creator, request: CreateRequest, idempotencyKey: string | null): Promise<Created>
  /** Says what `create` would do on every backend of the client. Writes, sends and asks nothing. */
  check(creator: Creator, request: CreateRequest): Promise<CheckView>
  /** Adopts a job that was made elsewhere; the same job is the same video. */
  import(creator: Creator, request: ImportRequest): Promise<Imported>
  /**
   * What the backend itself knows, read again after a minute; for later pages of it (`goesOn`) after ten. Throws
   * `capability_not_supported` where it has no list.
   */
  jobsOf(backend: Backend, page: { goesOn: boolean }): Promise<Listed>
  /** What accounts made before the gateway. */
  history: Pick<History, 'of' | 'find' | 'detail'>
  /** The client's own video of each of these jobs. */
  videosOf(client: string, backend: Backend, jobIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * The client's own video, by its id on any surface or by its backend's; null for an unknown id and for another
   * client's alike. Never asks a backend.
   */
  find(reader: Reader, id: string): Promise<VideoRecord | null>
  /** By id only, for links that carry their own signature. */
  byId(id: string): Promise<VideoRecord | null>
  list(client: string, query: ListQuery): Promise<VideoRecord[]>
  page(client: string, query: PageQuery): Promise<VideoPage>
  /** With the polls that this process has not written yet. */
  timeline(id: string): Promise<TimelineEntry[]>
  /** The public shape, as it is now. */
  render(video: VideoRecord): Promise<VideoView>
  renderAll(videos: readonly VideoRecord[]): Promise<VideoView[]>
  /** How far a running job of its kind usually is by now: 0 to below 1, and 0 while nothing is known. */
  usualProgress(video: VideoRecord): Promise<number>
  /** What of the public shape, as it is now, the record does not tell by itself. Not of a video that waits. */
  passing(video: ShownPart): Passing
  /** Only while it waits in the gateway, when nothing is paid; throws `video_not_cancelable`. */
  cancel(video: VideoRecord, audit?: AuditEntry): Promise<VideoRecord>
  /** Cancels those of them that wait in the gateway, and counts the others. */
  cancelAll(videos: readonly VideoRecord[]): Promise<{ canceled: number; notCancelable: number }>
  /** Deletes what an ended video was made from, its events and its links, once; throws `video_not_deletable`. */
  erase(video: VideoRecord): Promise<void>
  /** Of those of these videos that have ended. `audit` is written with the first of them. */
  eraseAll(videos: readonly VideoRecord[], audit: AuditEntry): Promise<{ deleted: number; notDeletable: number }>
  /** Holds until it is terminal or `timeoutMs` passes. */
  wait(id: string, timeoutMs: number, signal: AbortSignal): Promise<VideoRecord | null>
  download(video: VideoRecord, wish?: DownloadWish): Promise<Download>
  /**
   * Takes an operator's word on a create in doubt, or given up as unknown: its job; or null: `attempt` (by default that
   * of `video`) made none. Answers the video that has the job, a new one if the create was given up. Throws if the job
   * is unknown or another video's, or if the attempt is not the one in doubt. `audit` is written with what it changes.
   */
  resolve(video: VideoRecord, jobId: string | null, attempt?: number, audit?: AuditEntry): Promise<VideoRecord>
  /** The backend called back about an attempt: an untrusted hint to poll, which may name the job of a doubt. */
  hinted(videoId: string, attempt: number, body: unknown): Promise<void>
  describe(backend: Backend): Promise<BackendView>
  /** All that is known of it. `client`: whose part of its queue is shown; null: all. */
  inspect(backend: Backend, client: string | null): Promise<BackendDetailView>
  /** The accounts of this configuration. */
  readonly accounts: Accounts
  /** Accepts new videos on these accounts only; null: on all again. Resolves when earlier ones are in the store. */
  keepOnly(accounts: Accounts | null): Promise<void>
  /**
   * Puts this configuration in force, with the ids of its clients: other accounts take no new videos, at no process.
   * Throws, and changes nothing, if that would make orphans of open videos. Call before `adjust`.
   */
  serve(clients: ReadonlySet<string>, why: 'start' | 'reload'): Promise<void>
  /** Throws if this configuration would make orphans of open videos. */
  refuseOrphans(): Promise<void>
  /** Asks each account once whether it takes its key, unless somebody learned of it already. Never rejects. */
  probe(): Promise<void>
  /** Fits open videos to this configuration and its clients. Call before `start`. */
  adjust(clients: ReadonlySet<string>): Promise<void>
  start(): void
  /** Starts nothing more; requests that are being answered continue. */
  halt(): void
  /** Finishes what is under way and starts nothing more. */
  stop(): Promise<void>
}

/** The engine: owns the life of a video. Knows ports, no implementation of any. */
export const createVideos = (deps: VideosDeps): Videos => {
  const { store, wake, clock, log, upstream, backends, contentUrl, eventsUrl } = deps
  const accounts = new Map<string, Account>([...backends.values()].map(({ account }) => [account.id, account]))
  const confirm = createConfirm(deps)
  const accountOf = (video: VideoRecord): Account | null => accounts.get(video.account) ?? null
  const learned = createLearned(deps)
  const firstPoll = createFirstPoll({ ...deps, learned, accountOf })
  const { firstPollAt } = firstPoll
  const apply: Apply = createApply({
    ...deps,
    wrote: (video) => accountLoop.wrote(video),
    takeLesson: upstream.takeLesson,
  })
  const awaited = createAwaited()
  const waitsBoard = createBoard(deps, 'waits', WAITS_KEPT_MS)
  const pumps = createPumps(deps)
  const credits: Credits = new Map()
  const dispatch = createDispatch({ ...deps, ...firstPoll, apply, credits })
  const transfers = createTransfers({ ...deps, apply })
  const intake = createIntake()
  const ranked = createRanked(deps)
  const accountLoop = createAccountLoop({
    ...deps,
    ...firstPoll,
    apply,
    dispatch,
    pools: createPools({ ...deps, dispatch, intake }),
    confirm,
    learned,
    pumps,
    awaited: createSharedWaits({ ...deps, awaited, board: waitsBoard }),
    startTransfers: transfers.startDue,
    accounts: [...accounts.values()],
  })
  const plan = createPlan({ ...deps, lists: deps.lookUp })
  const elsewhere = createElsewhere({ policy: deps.failover, standing: createStanding(deps) })
  const cancelLimit = createCancelLimit(clock)
  const foreseen = createForeseen({ ...deps, credits })
  const download = createDownload({ apply, upstream, clock, accountOf })
  const reuse = createReuse({ store, clock, download })
  const create = createCreate({
    ...deps,
    plan,
    ranked,
    elsewhere,
    reuse,
    dispatch,
    foreseen,
    intake,
    cancelLimit,
    accountLoop,
    transfers,
  })
  const jobs = createImport({ ...deps, apply, intake, firstPollAt })
  const history = createHistory({ ...deps, pumps, readJob: jobs.readJob })

  const describe = createDescribe({ ...deps, pumps })

  /** Another process was informed of a newer configuration. */
  let isOfBefore = false

  const halt = (): void => {
    accountLoop.halt()
    history.halt()
    transfers.halt()
  }

  /** The places of a whole page, in one read. */
  const positionsOf = async (videos: readonly VideoRecord[]): Promise<ReadonlyMap<string, number>> => {
    const ids = videos.flatMap(({ id, phase }) => (phase === 'waiting' ? [id] : []))
    return ids.length === 0 ? new Map() : store.positions(ids)
  }
  const plannedPollAtMs = (video: ShownPart): number | null => {
    const plannedAtMs = video.phase === 'accepted' ? accountLoop.plannedAtMs(video) : null
    return plannedAtMs === null ? null : onTheWall(clock, plannedAtMs)
  }
  const renderAs = (video: VideoRecord, positions: ReadonlyMap<string, number>): VideoView =>
    renderVideo(video, {
      nowMs: clock.wall(),
      contentUrl,
      eventsUrl,
      // A video that left the queue since it was read was first in it.
      position: video.phase === 'waiting' ? (positions.get(video.id) ?? 1) : null,
      isPaused: accountOf(video)?.paused.isPaused('creates') ?? false,
      plannedPollAtMs: plannedPollAtMs(video),
    })

  const render = async (video: VideoRecord): Promise<VideoView> => renderAs(video, await positionsOf([video]))

  /** The video as it is then: canceled if it waited; null: it is gone. */
  const cancelWaiting = async (id: string, audit?: AuditEntry): Promise<VideoRecord | null> => {
    const seen = { isWaiting: false }
    const video = await apply(id, (current, nowMs) => {
      seen.isWaiting = current.phase === 'waiting'
      return seen.isWaiting ? { ...end(current, { status: 'canceled' }, nowMs), audit } : 'keep'
    })
    if (seen.isWaiting && video?.status === 'canceled') await cancelLimit.count(video.client)
    return video
  }

  /** The video as it is then; null: it is gone. */
  const eraseEnded = (id: string, audit?: AuditEntry): Promise<VideoRecord | null> =>
    apply(id, (current, nowMs) =>
      current.phase === 'ended' && current.deletedAtMs === null ? { ...erased(current, nowMs), audit } : 'keep',
    )

  const callbacks = createLastingHinted(
    createHinted({ ...deps, apply, accountOf, plannedAtMs: accountLoop.plannedAtMs }),
    clock,
  )
  return {
    ...createFollow({ store, wake, clock, awaited, render }),
    create,
    // It asks nobody.
    check: createCheck({ ...deps, plan: createPlan({ ...deps, lists: deps.fresh }), ranked, elsewhere, reuse }),
    import: (creator, request) => accountLoop.visit(jobs.adopt(creator, request)),
    jobsOf: createListing(deps),
    async videosOf(client, { account }, jobIds) {
      const found = new Map<string, string>()
      for (const jobId of jobIds) {
        const id = await store.owner(account.id, jobId)
        if (id !== null && (await store.videoOf(client, id))) found.set(jobId, id)
      }
      return found
    },
    history,
    download: async (video, wish) => download(video.status === 'completed' ? video : await history.detail(video), wish),
    find: createFind(deps),
    byId: (id) => store.video(id),
    list: (client, query) => store.list(client, query),
    page: (client, query) => store.page(client, query),
    async timeline(id) {
      // First: what is written meanwhile is known by its time.
      const unwritten = accountLoop.unwrittenPolls(id)
      return withPolls(await store.timeline(id), unwritten)
    },
    render,
    usualProgress: (video) => learned.usualProgress(video),
    passing: (video) => passingOf(video, { nowMs: clock.wall(), plannedPollAtMs: plannedPollAtMs(video) }),
    async renderAll(videos) {
      const positions = await positionsOf(videos)
      return videos.map((video) => renderAs(video, positions))
    },
    async cancel({ id }, audit) {
      const video = await cancelWaiting(id, audit)
      if (video?.status === 'canceled') return video
      throw new Problem('video_not_cancelable', 'you can cancel only a video that waits in the gateway', {
        videoId: id,
      })
    },
    async cancelAll(videos) {
      const waiting = videos.filter(({ phase }) => phase === 'waiting')
      const after = await Promise.all(waiting.map(({ id }) => cancelWaiting(id)))
      const canceled = after.filter((video) => video?.status === 'canceled').length
      return { canceled, notCancelable: videos.length - canceled }
    },
    async erase({ id }) {
      const video = await eraseEnded(id)
      if (video?.deletedAtMs !== null) return
      throw new Problem('video_not_deletable', 'you can delete only a video that has ended', { videoId: id })
    },
    async eraseAll(videos, audit) {
      const [first, ...others] = videos.filter(({ phase, deletedAtMs }) => phase === 'ended' && deletedAtMs === null)
      if (first) await eraseEnded(first.id, audit)
      await Promise.all(others.map(({ id }) => eraseEnded(id)))
      const deleted = first ? others.length + 1 : 0
      return { deleted, notDeletable: videos.filter(({ phase }) => phase !== 'ended').length }
    },
    wait: (id, timeoutMs, signal) =>
      awaited.during(id, () => waitForEnd({ store, wake, clock }, id, clock.now() + timeoutMs, signal)),
    async resolve(video, jobId, attempt = video.attempt, audit) {
      if (jobId === null && attempt !== video.attempt) throw notTheAttempt(video, attempt)
      if (video.phase === 'doubtful') return accountLoop.decide(video, jobId, audit)
      if (!isGivenUp(video)) throw notInDoubt(video)
      if (jobId !== null) return accountLoop.visit(jobs.takeUp(video, jobId, audit))
      refuseReplaced(video)
      const noted = await apply(video.id, (current, nowMs) => ({ ...saidAbsent(current, nowMs), audit }))
      return noted ?? video
    },
    hinted: callbacks.hinted,
    describe,
    inspect: createInspect({ ...deps, describe, learned, firstPoll }),
    accounts: new Set(accounts.keys()),
    keepOnly: (kept) => intake.keepOnly(kept),
    async serve(clients, why) {
      isOfBefore = await serve({ store, accounts }, clients, why)
      if (isOfBefore) log.warn({}, 'another replica has a newer configuration: send SIGHUP here to use this one again')
    },
    refuseOrphans: () => refuseOrphans({ store, accounts }),
    probe: createProbe(deps),
    // Clients that are new since would lose what waits.
    adjust: (clients) => adjust({ store, apply, accounts }, isOfBefore ? null : clients),
    start() {
      warnOfDoubts(accounts.values(), firstPoll.calledBack, log)
      accountLoop.start()
      history.start()
    },
    halt,
    async stop() {
      halt()
      callbacks.stop()
      await transfers.stop()
      await history.stop()
      await accountLoop.stop()
      await waitsBoard.close()
    },
  }
}

export { allNames, forOperator, knownBackend, namedBy, namesUnder, noSingle, pictured, UNIFIED_CREATE }
export type { Account, Backend, Backends, Creator, CreatorLimits, CreateRequest, Imported, ImportRequest, VideoNews }
export type { Aliases, OwnBody, Passing, ShownPart }
