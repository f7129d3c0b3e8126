import type { Ports } from '../../core/ports.ts'
import { newVideo, NO_INPUT, NO_ORDER, type VideoRecord } from '../../core/video.ts'
import { type Apply, type EventContext, withEvents } from '../life/apply.ts'
import { calledBack, keptBody, observe, owing } from '../life/job-steps.ts'
import { type Account, type Backend, type Backends, namedBy } from '../upstream/accounts.ts'
import type { AuditEntry, Quotas } from '../../core/access.ts'
import type { FirstPollAt } from '../life/create-steps.ts'
import type { JobReport, ReadOutcome, ListedJob } from '../../core/adapter.ts'
import { Problem, fieldProblem } from '../../core/errors.ts'
import { fitsInPath } from '../../core/ids.ts'
import type { NewVideo } from '../../core/store/videos.ts'
import { createInTurn, type Clock } from '../../core/time/clock.ts'
import { DEFAULT_EVENT_TYPES, type Surface, type VideoEventType, type AccountId } from '../../core/vocabulary.ts'
import { createAskLink, lacksLink, notNow, PATIENCE_MS, problemOf, createWalks, readThrough } from '../upstream/ask.ts'
import { type Creator, type Intake, takenOut } from '../create/create.ts'
import { mayHaveMade, offsetFor } from '../doubt/list.ts'
import { belongsTo, notConfigured, refuseReplaced, refuseTaken, resolved } from '../doubt/operator.ts'
import { partOf } from '../../core/tracing.ts'
import { knownBackend } from '../create/route.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { OneAtATime } from '../replicas/replica.ts'

interface HintedDeps extends Pick<Ports, 'store' | 'wake' | 'clock'> {
  apply: Apply
  accountOf: (video: VideoRecord) => Account | null
  plannedAtMs: (video: VideoRecord) => number | null
}

/** A backend called back about an attempt of a video: a hint to poll, and no more. Answers when it is written. */
export const createHinted =
  ({ store, wake, clock, apply, accountOf, plannedAtMs }: HintedDeps) =>
  async (videoId: string, attempt: number, body: unknown): Promise<void> => {
    const known = await store.video(videoId)
    const account = known && accountOf(known)
    if (!account) return
    const jobId = account.adapter.callbackJobId(body)
    const owner = jobId === null || jobId === known.backendJobId ? null : await store.owner(account.id, jobId)
    // The job of another video says nothing about this one: a poll of it would be wasted.
    const isOfOther = owner !== null && owner !== videoId
    const callback = isOfOther ? { attempt, jobId: null, body: null } : { attempt, jobId, body: keptBody(body) }
    const video = await apply(
      videoId,
      (current, nowMs) => calledBack(current, callback, plannedAtMs(current), nowMs) ?? 'keep',
      { known },
    )
    if (video)
      wake.hint('account', video.account, Math.min(video.dueAtMs ?? clock.now(), video.secondJobAtMs ?? Infinity))
  }

type Hinted = ReturnType<typeof createHinted>

/** Callbacks that are kept in memory, the last one of each video. */
const MOST_KEPT = 200
/** The backstop poll has found the end by then. */
const KEPT_MS = 600_000
const AGAIN_MS = 1_000

interface KeptCallback {
  attempt: number
  body: unknown
  atMs: number
}

/**
 * A callback that cannot be written, because the store is away, is written when it is back: many backends never repeat
 * theirs, and a poll would find the end a minute later. `hinted` rejects even so. What the process keeps ends with it.
 */
export const createLastingHinted = (write: Hinted, clock: Clock): { hinted: Hinted; stop(): void } => {
  const kept = new Map<string, KeptCallback>()
  let isStopped = false
  let isPlanned = false
  let cancel = (): void => undefined

  const keep = (videoId: string, callback: KeptCallback): void => {
    kept.delete(videoId)
    kept.set(videoId, callback)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    plan()
  }
  const plan = (): void => {
    if (isStopped || isPlanned || kept.size === 0) return
    isPlanned = true
    cancel = clock.at(clock.now() + AGAIN_MS, () => void writeAgain())
  }
  const writeAgain = async (): Promise<void> => {
    for (const [videoId, callback] of kept) {
      if (isStopped) return
      const { attempt, body, atMs } = callback
      try {
        if (clock.now() - atMs < KEPT_MS) await write(videoId, attempt, body)
      } catch {
        // The others are tried before it next time: it may be the only one that cannot be written.
        if (kept.get(videoId) === callback) keep(videoId, callback)
        break
      }
      if (kept.get(videoId) === callback) kept.delete(videoId)
    }
    isPlanned = false
    plan()
  }
  return {
    async hinted(videoId, attempt, body) {
      try {
        await write(videoId, attempt, body)
      } catch (error) {
        keep(videoId, { attempt, body, atMs: clock.now() })
        throw error
      }
      // What was kept is older.
      kept.delete(videoId)
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}

export interface ImportRequest {
  backend: string
  jobId: string
  webhookUrl: string | null
  metadata: Record<string, string>
  /** Default: the terminal ones. */
  webhookEvents?: VideoEventType[]
}

/** `replaces`: a video that was given up as unknown, whose client is informed in the words of its `surface`. */
type Draft = ImportRequest & { replaces?: string | null; surface?: Surface }

export interface Imported {
  video: VideoRecord
  isNew: boolean
}

interface ImportDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'newId' | 'tracing'> {
  upstream: Upstream
  backends: Backends
  apply: Apply
  firstPollAt: FirstPollAt
  intake: Intake
  contentUrl: EventContext['contentUrl']
  eventsUrl: EventContext['eventsUrl']
  ownBody: EventContext['ownBody']
  quotasOf: (client: string) => Quotas | null
  vetWebhookUrl: (url: string) => Promise<void>
  historyOf: HistoryOf
}

/** Names of backends, each with the one client to whom belongs what its account made before (`dropin.history`). */
export type HistoryOf = Readonly<Record<string, string>>

export interface Owned {
  backend: Backend
  client: string
}

export const ownedBy = (backends: Backends, historyOf: HistoryOf): Owned[] =>
  [...backends.values()].flatMap((backend): Owned[] => {
    const client = Object.hasOwn(historyOf, backend.name) ? historyOf[backend.name] : undefined
    return client === undefined ? [] : [{ backend, client }]
  })

/** A doubt that is open now has mostly ended by then. */
const DOUBT_RETRY_MS = 60_000

/** The same answer for an unknown job and for another client's. */
const noSuchJob = (jobId: string, param = 'backend_job_id'): Problem =>
  new Problem('video_not_found', `the backend has no job ${jobId.slice(0, 64)}`, { param })

const ownVideo = (): Problem => {
  const message = "is one of your videos: give the backend's id of a job"
  return new Problem('invalid_request', `backend_job_id: ${message}`, { errors: [{ path: 'backend_job_id', message }] })
}

/** Whether the answer means "no such job". A backend may refuse an id of a form that it never gives out. */
const saysUnknown = ({ lost, problem }: Extract<ReadOutcome<JobReport>, { ok: false }>): boolean =>
  lost ||
  problem.code === 'video_not_found' ||
  (problem.code === 'not_found' && problem.backendError.code !== null) ||
  (problem.code === 'invalid_request' && problem.backendError.status === 400)

type Read = { report: JobReport; askedAtMs: number; dateMs: number | null; isLinkDue: boolean }

/** Adopts jobs of our accounts that no video has: made elsewhere, or by a create that was given up. */
export const createImport = (deps: ImportDeps) => {
  const { store, wake, clock, newId, log, upstream, backends, apply, firstPollAt, intake } = deps
  const { contentUrl, eventsUrl, ownBody, quotasOf, vetWebhookUrl } = deps
  const owned = ownedBy(backends, deps.historyOf)
  const askLink = createAskLink(upstream)
  const startedAtMs = clock.now()

  /** Reads the job: one request, and one more where only a download reports the link. */
  const readJob = async (backend: Backend, jobId: string, reader: string | null, param?: string): Promise<Read> => {
    const { account } = backend
    let askedAtMs = clock.now()
    const ask = () => {
      askedAtMs = clock.now()
      return account.adapter.status(jobId)
    }
    const asked = await upstream.ask(account, 'read', PATIENCE_MS, ask, reader)
    if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
    const { outcome } = asked
    if (!outcome.ok) throw saysUnknown(outcome) ? noSuchJob(jobId, param) : problemOf(outcome.problem, backend)
    const read = { report: outcome.value, askedAtMs, dateMs: outcome.rate?.dateMs ?? null, isLinkDue: false }
    if (!lacksLink(outcome)) return read
    const linked = await askLink(account, jobId, reader)
    // If the link could not be asked for, the first poll does it.
    if (linked.kind === 'not_now' || !linked.outcome.ok) return { ...read, isLinkDue: true }
    return { ...read, report: { ...outcome.value, link: linked.outcome.value.link } }
  }

  /**
   * Refuses a job that an undecided create may have made: then it is that video's, and its client may have paid. Bytes
   * are stored before they are sent. So every create that was sent before the job was read is seen here, and a later
   * one cannot have made it.
   */
  const refuseInDoubt = async ({ name, account }: Backend, { report, dateMs }: Read): Promise<void> => {
    const offsetMs = dateMs === null ? null : dateMs - clock.now()
    for (const id of await store.undecided(account.id)) {
      const video = await store.video(id)
      if (video === null || (video.phase !== 'dispatching' && video.phase !== 'doubtful')) continue
      const by = offsetMs === null ? null : offsetFor(video, offsetMs, startedAtMs)
      if (!mayHaveMade(video, report.made, by?.proves ? by.offsetMs : null)) continue
      const message = `a create on backend ${name} that has no answer yet may have made this job: retry later`
      throw new Problem('import_in_doubt', message, { backend: name, retryAtMs: clock.now() + DOUBT_RETRY_MS })
    }
  }

  const draft = (
    client: string,
    { name, interface: kind, account, pool }: Backend,
    {
      jobId,
      webhookUrl,
      metadata,
      webhookEvents = [...DEFAULT_EVENT_TYPES],
      replaces = null,
      surface = 'unified',
    }: Draft,
    { report, askedAtMs, dateMs, isLinkDue }: Read,
  ): NewVideo & { video: { backendJobId: string } } => {
    const nowMs = clock.now()
    const waiting = newVideo({
      id: newId('vid'),
      client,
      account: account.id,
      backend: name,
      interface: kind,
      surface,
      input: NO_INPUT,
      order: NO_ORDER,
      trace: partOf(deps.tracing),
      metadata,
      webhookUrl,
      webhookEvents,
      routing: {
        chosen_by: 'request',
        rule: null,
        pool: pool?.name ?? null,
        considered: [{ backend: name, verdict: 'chosen', reason: null }],
      },
      createdAtMs: nowMs,
    })
    const accepted: VideoRecord = {
      ...waiting,
      phase: 'accepted',
      told: true,
      backendJobId: jobId,
      replaces,
      waitReason: null,
      acceptedAtMs: nowMs,
      acceptedDateMs: dateMs,
      lastPollAtMs: report.status === 'queued' || report.status === 'processing' ? askedAtMs : null,
      nextPollAtMs: report.nextPollAtMs,
    }
    const dueAtMs = isLinkDue ? nowMs : firstPollAt(accepted, report.nextPollAtMs, nowMs)
    const context = { nowMs, contentUrl, eventsUrl, ownBody }
    const begun = withEvents(null, { ...accepted, dueAtMs }, context)
    const step = (isLinkDue ? owing : observe)(begun.video, report, nowMs)
    const seen = withEvents(begun.video, step.video, context)
    return {
      video: { ...seen.video, backendJobId: jobId },
      events: [...begun.events, ...seen.events],
      quotas: quotasOf(client),
      notes: [{ at: nowMs, type: 'imported', detail: `${jobId} of backend ${name}` }, ...step.notes],
    }
  }

  const announce = (video: VideoRecord, deliveries: readonly string[]): void => {
    const { id, client, backend, status, backendJobId: job } = video
    log.info({ video_id: id, backend, client, status, job }, 'video imported')
    wake.changed(id, video.version, client)
    for (const delivery of deliveries) wake.hint('deliver', delivery, clock.now())
    wake.hint('account', video.account, video.dueAtMs ?? clock.now())
  }

  /**
   * Adopts a job. Its id is the key: the same job always gives the same video. Throws `video_not_found` for a job that
   * the backend does not know and for another client's alike, at the cost of the same request. What no video has is
   * another client's, too, if the account's older jobs are.
   */
  const adoptFrom = async (client: string, backend: Backend, request: ImportRequest): Promise<Imported> => {
    const { jobId, webhookUrl } = request
    const { id: account } = backend.account
    const known = await store.owner(account, jobId)
    // The same reads for an unknown job as for another client's.
    const own = await store.videoOf(client, known ?? jobId)
    if (own && known !== null) return { video: own, isNew: false }
    // A backend may use ids of our form too. It is a mistake only if the client has such a video.
    if (own) throw ownVideo()
    if (!fitsInPath(jobId)) throw noSuchJob(jobId)
    if (webhookUrl !== null) await vetWebhookUrl(webhookUrl)
    const read = await readJob(backend, jobId, client)
    const isOfOther = owned.some((own) => own.backend.account.id === account && own.client !== client)
    if (known !== null || isOfOther) throw noSuchJob(jobId)
    await refuseInDoubt(backend, read)
    const job = draft(client, backend, request, read)
    const adopted = await intake.enter(job.video, () => store.adopt(job))
    if (adopted.kind === 'closed') throw takenOut(backend.name)
    if (adopted.kind === 'adopted') announce(adopted.video, adopted.deliveries)
    else if (adopted.video.client !== client) throw noSuchJob(jobId)
    return { video: adopted.video, isNew: adopted.kind === 'adopted' }
  }

  /** Of a pool, from the first member that has the job. If none has it, one that cannot be asked now counts: it may. */
  const adopt = async ({ client, visible }: Creator, request: ImportRequest): Promise<Imported> => {
    const members = [knownBackend(request.backend, visible), ...namedBy(request.backend, visible).slice(1)]
    let failed = noSuchJob(request.jobId)
    for (const member of members) {
      try {
        return await adoptFrom(client, member, request)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (failed.code === 'video_not_found') failed = error
      }
    }
    throw failed
  }

  const replaced = (lostId: string, { id, backendJobId }: VideoRecord) =>
    apply(lostId, (video, nowMs) => {
      if (video.replacedBy !== null) return 'keep'
      const step = resolved(video, `${backendJobId} is ${id}`, nowMs)
      return { ...step, video: { ...step.video, replacedBy: id } }
    })

  /**
   * The video that has adopted this job already: saying it again answers the same. If a process died between the two
   * writes, this does the second.
   */
  const takenUpFrom = async (lost: VideoRecord, jobId: string): Promise<VideoRecord | null> => {
    const id = await store.owner(lost.account, jobId)
    const owner = id === null ? null : await store.video(id)
    if (owner?.replaces !== lost.id) return null
    await replaced(lost.id, owner)
    return owner
  }

  /**
   * Adopts the job of a create that was given up as unknown, by an operator's word. The failed video stays failed; the
   * job becomes a new video of the same client, with the same `webhook_url`. Throws if the job is unknown or another
   * video's, or if another job was adopted before.
   */
  const takeUp = async (lost: VideoRecord, jobId: string, audit?: AuditEntry): Promise<VideoRecord> => {
    const { client, account, surface, webhookUrl, webhookEvents, metadata } = lost
    const sameAccount = [...backends.values()].filter((one) => one.account.id === account)
    const backend = sameAccount.find(({ name }) => name === lost.backend) ?? sameAccount[0]
    if (!backend) throw notConfigured()
    const owner = await takenUpFrom(lost, jobId)
    if (owner) return owner
    refuseReplaced((await store.video(lost.id)) ?? lost)
    await refuseTaken(store, account, jobId)
    const read = await readJob(backend, jobId, null, 'job_id')
    const asked = { backend: backend.name, surface, jobId, webhookUrl, webhookEvents, metadata, replaces: lost.id }
    const job = draft(client, backend, asked, read)
    const adopted = await intake.enter(job.video, () => store.adopt({ ...job, audit }))
    if (adopted.kind === 'closed') throw takenOut(backend.name)
    if (adopted.kind === 'known') throw belongsTo(adopted.video.id)
    announce(adopted.video, adopted.deliveries)
    await replaced(lost.id, adopted.video)
    return adopted.video
  }

  const inTurn = createInTurn()
  return {
    adopt,
    readJob,
    takeUp: (lost: VideoRecord, jobId: string, audit?: AuditEntry) => inTurn(lost.id, () => takeUp(lost, jobId, audit)),
  }
}

export type ReadJob = ReturnType<typeof createImport>['readJob']

/** How long a list is answered again as it was read: every walk costs requests. */
const FRESH_MS = 60_000
/** The same for its later pages, so that they are of one reading where they come to the same process. */
const PAGED_MS = 10 * 60_000
interface Listing {
  jobs: readonly ListedJob[]
  /** The list is longer than what was read. */
  isCut: boolean
  atMs: number
}
export interface Listed extends Listing {
  state: 'hit' | 'miss'
}

interface ListingDeps {
  upstream: Pick<Upstream, 'ask'>
  clock: Clock
  /** Of the processes, one walks a list at a time; each walks it for itself. */
  oneAtATime: OneAtATime
}

/** What a backend itself lists, newest first. However many ask at the same time, its pages are read once. */
export const createListing = ({ upstream, clock, oneAtATime }: ListingDeps) => {
  const known = new Map<AccountId, Listing>()
  const walks = createWalks<readonly ListedJob[]>(clock)
  const walking = new Map<AccountId, Promise<Listing>>()

  /** Throws if it cannot continue; what was read so far is kept. */
  const walk = async (backend: Backend): Promise<Listing> => {
    const { id, adapter } = backend.account
    const { pages, goesOn } = await walks.walk<never>(id, async (before) => {
      const number = before.length + 1
      const { items, totalPages } = await readThrough(upstream, backend, () => adapter.list(number))
      return { page: items, isLast: number >= (totalPages ?? 1) }
    })
    // A new job pushes others to the next page, so a job may come twice: the first sight of it counts.
    const newestLast = pages.flat().toReversed()
    const jobs = new Map(newestLast.map((job) => [job.jobId, job]))
    return { jobs: [...jobs.values()].toReversed(), isCut: goesOn, atMs: clock.now() }
  }

  /**
   * `goesOn`: for a later page of it. Throws `capability_not_supported` where there is no list, and
   * `backend_unavailable` while it is being read.
   */
  return async (backend: Backend, { goesOn }: { goesOn: boolean }): Promise<Listed> => {
    const { id, adapter } = backend.account
    if (!adapter.capabilities.native_list) {
      const { name } = backend
      throw fieldProblem('capability_not_supported', 'origin', `backend ${name} cannot list its videos`, {
        backend: name,
      })
    }
    const last = known.get(id)
    if (last && clock.now() - last.atMs < (goesOn ? PAGED_MS : FRESH_MS)) return { ...last, state: 'hit' }
    const running =
      walking.get(id) ??
      oneAtATime(`jobs/${id}`, () => walk(backend))
        .then((listing) => {
          known.set(id, listing)
          return listing
        })
        .finally(() => walking.delete(id))
    walking.set(id, running)
    return { ...(await running), state: 'miss' }
  }
}
