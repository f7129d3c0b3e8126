import { iso, type Clock } from '../core/clock.ts'
import type { NewId } from '../core/ids.ts'
import type { ListQuery, Store, Wake } from '../core/ports.ts'
import type { BackendView, VideoView } from '../core/public.ts'
import type { TimelineEntry, VideoRecord } from '../core/video.ts'
import type { Account, Backend, Backends } from './backends.ts'
import { createCreate, type Created, type CreateRequest, type Creator } from './create.ts'
import { createDispatch } from './dispatch.ts'
import { createDownload, type Download } from './download.ts'
import type { Log } from '../core/log.ts'
import { createApply } from './engine.ts'
import { createPump } from './pump.ts'
import { renderVideo } from './render.ts'
import { hinted } from './steps.ts'
import type { Upstream } from './upstream.ts'
import { waitForEnd } from './wait.ts'

export interface VideosDeps {
  store: Store
  wake: Wake
  clock: Clock
  newId: NewId
  random: () => number
  log: Log
  upstream: Upstream
  backends: Backends
  contentUrl: (videoId: string) => string
  callbackUrl: (video: VideoRecord, attempt: number) => string | null
  vetWebhookUrl: (url: string) => Promise<void>
  portraitOf: (backend: Backend, puppetId: string) => Promise<string | null>
  settings: {
    defaultBackend: string
    queueLimit: number
    maxAgeMs: number
    resendWindowMs: number
    minIntervalMs: number
  }
}

export interface Videos {
  create(creator: Creator, request: CreateRequest, idempotencyKey: string | null): Promise<Created>
  /** Of this client alone; null for an unknown one and for another client's alike. Never asks a backend. */
  get(client: string, id: string): Promise<VideoRecord | null>
  /** By id alone, for links that carry their own signature. */
  byId(id: string): Promise<VideoRecord | null>
  list(client: string, query: ListQuery): Promise<VideoRecord[]>
  timeline(id: string): Promise<TimelineEntry[]>
  /** The public shape, as it is now. */
  render(video: VideoRecord): Promise<VideoView>
  /** Holds until it is terminal or `timeoutMs` passes. */
  wait(id: string, timeoutMs: number, signal: AbortSignal): Promise<VideoRecord | null>
  download(video: VideoRecord): Promise<Download>
  /** The backend called back about a video: an untrusted hint to look. */
  hinted(videoId: string): Promise<void>
  describe(backend: Backend): Promise<BackendView>
  start(): void
  /** Finishes what is under way and starts nothing more. */
  stop(): Promise<void>
}

/** The engine: owns the life of a video (design 4). Knows ports, no implementation of any. */
export const createVideos = (deps: VideosDeps): Videos => {
  const { store, wake, clock, upstream, backends, contentUrl } = deps
  const accounts = new Map<string, Account>([...backends.values()].map(({ account }) => [account.id, account]))
  const apply = createApply(deps)
  const dispatch = createDispatch({ ...deps, apply })
  const pump = createPump({ ...deps, apply, dispatch, accounts: [...accounts.values()] })
  const create = createCreate({ ...deps, dispatch, pump })
  const download = createDownload({ apply, upstream, clock, accountOf: (video) => accounts.get(video.account) ?? null })

  return {
    create,
    download,
    get: (client, id) => store.videoOf(client, id),
    byId: (id) => store.video(id),
    list: (client, query) => store.list(client, query),
    timeline: (id) => store.timeline(id),
    async render(video) {
      const position = video.phase === 'waiting' ? await store.position(video) : null
      const nextLookAtMs = video.phase === 'accepted' ? pump.plannedAtMs(video) : null
      return renderVideo(video, { nowMs: clock.now(), contentUrl, position, nextLookAtMs })
    },
    wait: (id, timeoutMs, signal) => waitForEnd({ store, wake, clock }, id, clock.now() + timeoutMs, signal),
    async hinted(videoId) {
      const video = await apply(
        videoId,
        (current, nowMs) => hinted(current, pump.plannedAtMs(current), nowMs) ?? 'keep',
      )
      if (video?.phase === 'accepted') wake.hint('pump', video.account, video.dueAtMs ?? clock.now())
    },
    async describe({ name, interface: kind, account }) {
      const [budget, counts] = await Promise.all([
        store.budget(account.id, account.requestsPerMinute),
        store.counts(account.id),
      ])
      const { status, sinceMs, reason } = upstream.health(account.id)
      return {
        object: 'backend',
        name,
        interface: kind,
        health: { status, since: sinceMs === null ? null : iso(sinceMs), reason },
        capabilities: account.adapter.capabilities,
        budget: {
          limit: budget.limit,
          remaining: budget.remaining,
          resets_at: budget.resetsAtMs === null ? null : iso(budget.resetsAtMs),
        },
        slots: { limit: account.slots, used: counts.held },
        queue_depth: counts.waiting,
      }
    },
    start: () => pump.start(),
    stop: () => pump.stop(),
  }
}

export type { Backend, Backends, Account, Creator, CreateRequest, Created, Download }
