import type { ClientDefaults } from '../../core/access.ts'
import { Problem } from '../../core/errors.ts'
import type { FullScope, IdemKey, Opened, OpenLimits } from '../../core/store/videos.ts'
import { createRates } from '../../core/limits/rates.ts'
import { type Clock, nextMonthMs } from '../../core/time/clock.ts'
import { newVideo, type RoutingNote, type VideoRecord } from '../../core/video.ts'
import { fingerprintOf } from '../../core/ids.ts'
import type { UploadLookup } from '../../core/media.ts'
import {
  type AccountId,
  DEFAULT_EVENT_TYPES,
  type Priority,
  type Surface,
  type VideoEventType,
} from '../../core/vocabulary.ts'
import { type Backend, type Backends, leaseMsOf, namedBy } from '../upstream/accounts.ts'
import type { Dispatch } from '../send/dispatch.ts'
import { type EventContext, withEvents } from '../life/apply.ts'
import { laneOf } from '../doubt/list.ts'
import type { AccountLoop } from '../account/loop.ts'
import type { Chosen, Elsewhere, Plan, PortraitFor, PortraitOf, Sent, Wish } from './plan.ts'
import type { Ports } from '../../core/ports.ts'
import { partOf } from '../../core/tracing.ts'
import type { Otherwise } from '../../core/adapter.ts'
import type { Foreseen } from './foreseen.ts'
import { comparable, type Known, lookUpAudio, type Source } from './route.ts'
import type { Ranked } from '../routing/pools.ts'
import { inputHashOf, madeBy, type Original, type Reuse, wantedOf, withFileOf } from './reuse.ts'
import { needsTransfer } from '../life/job-steps.ts'
import type { Transfers } from '../audio/transfers.ts'
import { logFailure } from '../../core/log.ts'

/** What one client may have; null: as much as it likes. */
export interface CreatorLimits {
  queuedVideos: number
  videosPerMonth: number | null
  creditsPerMonth: number | null
}

export interface Created {
  video: VideoRecord
  replayed: boolean
}

const otherRequest = (videoId: string): Problem =>
  new Problem(
    'idempotency_key_conflict',
    'this Idempotency-Key was used with another request: use a new key for a new request',
    { videoId },
  )

const replayOf = (video: VideoRecord, fingerprintMatches: boolean, nowMs: number): Created => {
  if (!fingerprintMatches) throw otherRequest(video.id)
  // Also when its lease is over: the first attempt may still be refused, and then there was no video.
  if (!video.told) {
    throw new Problem(
      'idempotency_key_in_progress',
      'the first request with this Idempotency-Key is still running: retry soon',
      { retryAtMs: nowMs + 1_000 },
    )
  }
  return { video, replayed: true }
}

const fullProblem = (scope: FullScope, limits: CreatorLimits, nowMs: number): Problem => {
  const quota = (name: string, limit: number | null): Problem =>
    new Problem('quota_exceeded', `you have had your ${limit ?? 0} ${name.replace('_per_month', '')} of this month`, {
      retryAtMs: nextMonthMs(nowMs),
      details: { quota: name, limit },
    })
  switch (scope) {
    case 'queue':
      return new Problem('queue_full', 'too many videos wait in the gateway: retry later', {
        retryAtMs: nowMs + 30_000,
      })
    case 'client':
      return new Problem(
        'concurrency_limit_reached',
        'too many of your videos wait in the gateway: retry when some have been sent',
        { retryAtMs: nowMs + 30_000 },
      )
    case 'videos':
      return quota('videos_per_month', limits.videosPerMonth)
    case 'credits':
      return quota('credits_per_month', limits.creditsPerMonth)
  }
}

export type Accounts = ReadonlySet<string>

export const takenOut = (backend: string): Problem =>
  new Problem('backend_unavailable', `the operator is removing backend ${backend} from the configuration`, { backend })

/**
 * Where videos come in. During a reload, no video is taken on an account that the new configuration lacks: nobody would
 * follow it to its end.
 */
export const createIntake = () => {
  let kept: Accounts | null = null
  const entering = new Set<Promise<void>>()
  return {
    isOpen: (account: AccountId): boolean => kept?.has(account) ?? true,
    /** `write` makes the video durable. */
    async enter<T>(
      { account, backend }: Pick<VideoRecord, 'account' | 'backend'>,
      write: () => Promise<T>,
    ): Promise<T> {
      if (kept !== null && !kept.has(account)) {
        throw takenOut(backend)
      }
      const writing = write()
      const settled = writing.then(
        () => undefined,
        () => undefined,
      )
      entering.add(settled)
      return writing.finally(() => entering.delete(settled))
    },
    /** Null: open for all accounts again. Resolves when videos that were coming in are in the store. */
    async keepOnly(accounts: Accounts | null): Promise<void> {
      kept = accounts
      await Promise.all(entering)
    },
  }
}
export type Intake = ReturnType<typeof createIntake>

/** As many of a client's waiting videos may be canceled in an hour before its creates are refused. */
export const MAX_CANCELED_AN_HOUR = 1_000
const CANCEL_WINDOW_MS = 3_600_000

/**
 * A create that is canceled immediately costs nothing, and its record, metadata and events stay for `retention_days`.
 * Without a limit, a client could fill the disk with them. Counted by each process for itself.
 */
export const createCancelLimit = (clock: Clock) => {
  const rates = createRates(clock, CANCEL_WINDOW_MS)
  const refusedUntil = new Map<string, number>()
  return {
    async count(client: string): Promise<void> {
      const { remaining, resetAtMs } = await rates.take(client, MAX_CANCELED_AN_HOUR)
      if (remaining === 0) refusedUntil.set(client, resetAtMs)
    },
    /** Throws `rate_limited` while too many were canceled lately. */
    check(client: string): void {
      const retryAtMs = refusedUntil.get(client) ?? 0
      if (retryAtMs <= clock.now()) return
      throw new Problem(
        'rate_limited',
        `you canceled ${MAX_CANCELED_AN_HOUR} waiting videos in an hour: create again later`,
        { retryAtMs, details: { canceled_an_hour: MAX_CANCELED_AN_HOUR } },
      )
    },
  }
}
type CancelLimit = ReturnType<typeof createCancelLimit>

/** A create as the client asked, checked and with its aliases resolved to one spelling. */
export interface CreateRequest extends Wish {
  /** Where it came in, and by which method and path: keys of two operations never meet. */
  surface: Surface
  operation: string
  /** Audio that its backend does not host may be brought there, where the configuration allows. */
  transferAudio: boolean
  /** Null: its client's own. */
  priority: Priority | null
  /** How old a video may be whose file this one has; 0: none is reused; null: as its client's own. */
  reuseMs: number | null
  webhookUrl: string | null
  webhookEvents: VideoEventType[]
  metadata: Record<string, string>
}

/** A create of the unified API, where nothing else is asked for. */
export const UNIFIED_CREATE = {
  surface: 'unified',
  operation: 'POST /videos',
  transferAudio: true,
  defaultBackend: null,
  priority: null,
  reuseMs: null,
} as const satisfies Partial<CreateRequest>

export interface Creator {
  client: string
  /** The client's backends, in the order of the configuration. */
  visible: Backends
  limits: CreatorLimits
  defaults: ClientDefaults
}

export const priorityOf = ({ defaults }: Pick<Creator, 'defaults'>, { priority }: CreateRequest): Priority =>
  priority ?? defaults.priority

/** How old a video may be whose file this one has; 0: none is reused. */
export const reuseMsOf = ({ defaults }: Pick<Creator, 'defaults'>, { reuseMs }: CreateRequest): number =>
  reuseMs ?? defaults.reuseMs

interface CreateDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'tally' | 'newId' | 'tracing'> {
  dispatch: Dispatch
  foreseen: Foreseen
  intake: Intake
  cancelLimit: CancelLimit
  accountLoop: AccountLoop
  contentUrl: EventContext['contentUrl']
  eventsUrl: EventContext['eventsUrl']
  ownBody: EventContext['ownBody']
  /** Throws `webhook_url_not_allowed` or `invalid_request`. */
  vetWebhookUrl: (url: string) => Promise<void>
  portraitOf: PortraitFor
  plan: Plan
  backends: Backends
  ranked: Ranked
  uploads: UploadLookup
  transfers: Transfers
  elsewhere: Elsewhere
  reuse: Reuse
  /** True from the moment that the process was asked to stop. */
  isStopping: () => boolean
  settings: { queueLimit: number; transferAudio: boolean; lowAfterMs: number }
}

/** What the client asked for. A default that the gateway or its configuration filled in is no part of it. */
const askedFor = (request: CreateRequest, known: Known): object => {
  const { surface, input, backend, unsupported, priority, reuseMs, webhookUrl, webhookEvents, metadata } = request
  return {
    input: comparable(input, known),
    backend,
    unsupported: surface === 'unified' && unsupported === 'warn' ? unsupported : null,
    priority,
    reuse: surface === 'unified' ? reuseMs : null,
    webhookUrl,
    webhookEvents: isDefault(webhookEvents) ? null : webhookEvents,
    metadata,
  }
}

const isDefault = (events: readonly VideoEventType[]): boolean =>
  events.length === DEFAULT_EVENT_TYPES.length && DEFAULT_EVENT_TYPES.every((type) => events.includes(type))

/** For the timeline: where it goes, and past whom. */
const destinationOf = ({ considered }: RoutingNote, { name }: Backend): string => {
  const passed = considered.flatMap(({ backend, reason }) => (reason === null ? [] : [`${backend}: ${reason}`]))
  return [`for backend ${name}`, ...passed].join('; ')
}

export const createCreate = (deps: CreateDeps) => {
  const { store, wake, clock, newId, log, tally, tracing, dispatch, accountLoop, vetWebhookUrl, portraitOf } = deps
  const { plan, uploads, transfers, intake, settings, contentUrl, eventsUrl, ownBody, elsewhere, reuse, isStopping } =
    deps

  /** Only a backend that hosts audio may say that it does not host this. */
  const mayTransfer = (request: CreateRequest, source: Source, { account }: Backend): boolean =>
    request.transferAudio &&
    settings.transferAudio &&
    source.kind === 'external' &&
    account.adapter.capabilities.uploads

  /** Nobody knows which account of the service hosts it, and the gateway brings it to no other one. */
  const isPinned = (request: CreateRequest, source: Source, { account }: Backend): boolean =>
    source.kind === 'external' &&
    (!request.transferAudio || !settings.transferAudio || URL.parse(source.audioUrl)?.origin === account.origin)

  const draft = (
    creator: Creator,
    request: CreateRequest,
    { backend, order, warnings, note, pool }: Chosen,
    source: Source,
  ): VideoRecord => {
    const createdAtMs = clock.now()
    return newVideo({
      id: newId('vid'),
      client: creator.client,
      account: backend.account.id,
      backend: backend.name,
      interface: backend.interface,
      surface: request.surface,
      input: request.input,
      order,
      trace: partOf(tracing),
      transfer: mayTransfer(request, source, backend) ? { step: 'possible', tries: 0 } : null,
      lane: laneOf(backend.account, order),
      lowUntilMs: priorityOf(creator, request) === 'low' ? createdAtMs + settings.lowAfterMs : null,
      pool: isPinned(request, source, backend) ? null : pool,
      inputHash: inputHashOf(creator.client, order, source),
      warnings,
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      webhookEvents: request.webhookEvents,
      routing: note,
      createdAtMs,
    })
  }

  const limitsOf = ({ limits: { queuedVideos, ...quotas } }: Creator): OpenLimits => ({
    queue: settings.queueLimit,
    client: queuedVideos,
    videosPerMonth: quotas.videosPerMonth,
    creditsPerMonth: quotas.creditsPerMonth,
  })

  const begun = (record: VideoRecord, backend: Backend) => {
    const context = { nowMs: clock.now(), contentUrl, eventsUrl, ownBody }
    const note = { at: context.nowMs, type: 'created', detail: destinationOf(record.routing, backend) }
    return { context, note, ...withEvents(null, record, context) }
  }

  /** Stores the video durably. From here on it survives this process. */
  const open = async (
    creator: Creator,
    record: VideoRecord,
    backend: Backend,
    key: IdemKey | null,
  ): Promise<Opened> => {
    const { account } = backend
    const { events, note } = begun(record, backend)
    return intake.enter(record, () =>
      store.open(
        { video: record, events, notes: [note] },
        key,
        limitsOf(creator),
        // It waits for another process, or for the next start, rather than to be paid for by one that ends.
        isStopping() || account.paused.isPaused('creates')
          ? null
          : { slots: account.slots, leaseMs: leaseMsOf(account) },
        dispatch.first(account, record),
      ),
    )
  }

  /** The same for a video that has the file of another one: it has ended as it begins, and costs no credits. */
  const openReusing = async (
    creator: Creator,
    record: VideoRecord,
    original: Original,
    backend: Backend,
    key: IdemKey | null,
  ): Promise<Opened> => {
    const { context, note, video, events } = begun(record, backend)
    const before = { ...video, told: true }
    const step = withFileOf(before, original, context.nowMs)
    const after = withEvents(before, step.video, context)
    const draft = { ...after.video, sequence: record.sequence }
    return intake.enter(record, () =>
      store.open(
        { video: draft, events: [...events, ...after.events], notes: [note, ...step.notes] },
        key,
        { ...limitsOf(creator), creditsPerMonth: null },
        null,
      ),
    )
  }

  const hint = (deliveries: readonly string[]): void => {
    for (const delivery of deliveries) wake.hint('deliver', delivery, clock.now())
  }

  const announce = ({ video, deliveries }: Extract<Opened, { kind: 'opened' }>): void => {
    wake.changed(video.id, video.version, video.client)
    hint(deliveries)
  }

  /** No video was stored: the one of the key, or why there is none. */
  const notOpened = (
    opened: Exclude<Opened, { kind: 'opened' | 'gone' }>,
    { limits }: Creator,
    { name }: Backend,
  ): Created => {
    switch (opened.kind) {
      case 'replay':
        return replayOf(opened.video, true, clock.now())
      case 'conflict':
        throw otherRequest(opened.videoId)
      case 'full':
        hint(opened.deliveries)
        throw fullProblem(opened.scope, limits, clock.now())
      case 'closed':
        throw takenOut(name)
    }
  }

  /** A video with the file of an earlier one, if there is one of exactly the same. */
  const reused = async (
    creator: Creator,
    request: CreateRequest,
    chosen: Chosen,
    source: Source,
    visible: Backends,
    key: IdemKey | null,
  ): Promise<Created | null> => {
    const withinMs = reuseMsOf(creator, request)
    if (withinMs === 0) return null
    const wanted = wantedOf(creator.client, chosen, source, visible)
    const original = await reuse.findWithFile(wanted, withinMs)
    if (!original) return null
    const there = madeBy(chosen, wanted, original)
    const { backend, note } = there
    const opened = await openReusing(creator, draft(creator, request, there, source), original, backend, key)
    if (opened.kind === 'gone') return null
    if (opened.kind !== 'opened') return notOpened(opened, creator, backend)
    announce(opened)
    tally.count('video_created', { backend: backend.name, chosen_by: note.chosen_by })
    tally.count('video_ended', { backend: backend.name, status: 'completed', code: '' })
    return { video: opened.video, replayed: false }
  }

  const started = async (
    backend: Backend,
    opened: Extract<Opened, { kind: 'opened' }>,
    otherwise: Otherwise,
    askedAtMs: number,
  ): Promise<Sent<Created>> => {
    const created = (after: VideoRecord): Sent<Created> => ({
      kind: 'created',
      created: { video: after, replayed: false },
    })
    const { video, lease, ticket } = opened
    accountLoop.wrote(video)
    announce(opened)
    if (!lease) {
      for (const one of video.pool === null ? [backend] : namedBy(video.pool, deps.backends))
        wake.hint('account', one.account.id, clock.now())
      return created(video)
    }
    // It is stored and goes out later if not now. An error here would invite the client to create it twice.
    const dispatched = await dispatch
      .dispatch(backend.account, video, lease, 'first', otherwise, ticket && { ticket, askedAtMs })
      .catch((error: unknown) => {
        logFailure(log, { video_id: video.id, err: error }, 'a new video could not be dispatched at once')
        return { kind: 'recorded', video } as const
      })
    wake.hint('account', backend.account.id, clock.now())
    if (dispatched.kind === 'recorded') {
      const after = dispatched.video ?? video
      return created(needsTransfer(after) && !after.told ? await transfers.firstTry(backend.account, after) : after)
    }
    const { problem, isGone } = dispatched
    return { kind: 'refused', problem, isGone }
  }

  /**
   * Creates a video, or finds the one that this key made. It tries the backend immediately. A refusal of this first
   * attempt is thrown and leaves nothing behind; anything else, a doubt included, is a video.
   */
  return async (creator: Creator, request: CreateRequest, idempotencyKey: string | null): Promise<Created> => {
    const { input } = request
    const audio = await lookUpAudio(uploads, creator.client, input)
    const key: IdemKey | null =
      idempotencyKey === null
        ? null
        : {
            client: creator.client,
            operation: request.operation,
            key: idempotencyKey,
            fingerprint: fingerprintOf(askedFor(request, audio)),
          }
    const known = key && (await store.keyed(key))
    if (known) return replayOf(known.video, known.fingerprint === key.fingerprint, clock.now())
    deps.cancelLimit.check(creator.client)
    if (request.webhookUrl !== null) await vetWebhookUrl(request.webhookUrl)
    const source = await plan.source(creator.client, input, audio)
    const { surface, metadata } = request
    const portrait: PortraitOf = (on, id) => portraitOf(on, id, creator)
    const priority = priorityOf(creator, request)
    const visible = await deps.ranked(creator.visible, priority)
    const chosen = await plan.choose(request, { client: creator.client, visible, surface, metadata }, source, portrait)
    const send = async (one: Chosen, otherwise: Otherwise): Promise<Sent<Created>> => {
      // The unified API reports it in the video.
      const problem = surface === 'unified' ? null : await deps.foreseen(one)
      if (problem) return { kind: 'refused', problem, isGone: true }
      const record = draft(creator, request, one, source)
      const askedAtMs = clock.elapsed()
      const opened = await open(creator, record, one.backend, key)
      if (opened.kind === 'gone') throw new Error('a video was to reuse another one, and is sent')
      if (opened.kind !== 'opened') return { kind: 'created', created: notOpened(opened, creator, one.backend) }
      tally.count('video_created', { backend: one.backend.name, chosen_by: one.note.chosen_by })
      const { id } = opened.video
      return accountLoop.visit(transfers.listen(id, () => started(one.backend, opened, otherwise, askedAtMs)))
    }
    const already = await reused(creator, request, chosen, source, visible, key)
    if (already) return already
    return elsewhere({
      input,
      priority,
      chosen,
      standIn: (name) => plan.standIn(request, { visible }, source, portrait, name),
      send,
    })
  }
}
