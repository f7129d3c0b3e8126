import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BackendView, VideoView } from '../../core/api/videos.ts'
import type { Wake } from '../../core/ports.ts'
import type { Store } from '../../core/store/index.ts'
import type { AllEventsPage, AllEventsSpan, EventSpan, LinePlaces, PlacedEvent } from '../../core/store/webhooks.ts'
import { type Clock, iso, isoOrNull, onTheWall, sleepUntil } from '../../core/time/clock.ts'
import { type VideoRecord, hasLanes } from '../../core/video.ts'
import {
  type AccountId,
  type Capabilities,
  type Capability,
  type EndpointEventType,
  type VideoEventType,
  tellsOfEnds,
} from '../../core/vocabulary.ts'
import type { Pumps } from '../replicas/replica.ts'
import type { Backend, Backends } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

const OWN = /^(?:vid|api_video)_([0-9A-HJKMNP-TV-Z]{26})$/

/** A video's id here, by the form that any of the surfaces gives it; otherwise as it is. */
const ownForm = (id: string): string => id.replace(OWN, 'vid_$1')

/** A client and the backends that it sees. */
export interface Reader {
  id: string
  visible: Backends
}

/**
 * Finds a client's own video under any name that it goes by: its id on each of the surfaces, or the id of its job at a
 * backend that the client sees. Another client's takes the same reads as one that does not exist.
 */
export const createFind =
  ({ store }: { store: Pick<Store, 'videoOf' | 'owner'> }) =>
  async ({ id: client, visible }: Reader, id: string): Promise<VideoRecord | null> => {
    const own = await store.videoOf(client, ownForm(id))
    if (own) return own
    const accounts = new Set<AccountId>([...visible.values()].map(({ account }) => account.id))
    const owners = await Promise.all([...accounts].map((account) => store.owner(account, id)))
    const videos = await Promise.all(owners.map((owner) => store.videoOf(client, owner ?? id)))
    return videos.find((video) => video !== null) ?? null
  }

interface DescribeDeps {
  store: Pick<Store, 'queue'>
  clock: Clock
  upstream: Pick<Upstream, 'heed' | 'view' | 'health'>
  pumps: Pick<Pumps, 'holderOf'>
}

const off = (capabilities: readonly Capability[]): Partial<Capabilities> =>
  Object.fromEntries(capabilities.map((capability) => [capability, false]))

/** One backend as its clients see it: by what any process knows of it. Asks nobody. */
export const createDescribe =
  ({ store, clock, upstream, pumps }: DescribeDeps) =>
  async ({ name, interface: kind, account }: Backend): Promise<BackendView> => {
    await upstream.heed()
    const [queue, heldBy] = await Promise.all([store.queue(account.id), pumps.holderOf(account.id)])
    const budget = upstream.view(account, queue.window)
    const { status, sinceMs, reason } = upstream.health(account.id)
    const pause = account.paused.inForce()
    return {
      object: 'backend',
      name,
      interface: kind,
      health: { status, since: sinceMs === null ? null : iso(sinceMs), reason },
      capabilities: { ...account.adapter.capabilities, ...off(account.denied() ?? []) },
      limits: {
        text_characters: account.adapter.maxTextCharacters,
        concurrent_creates_per_puppet: hasLanes(account.adapter.capabilities, account.evidence.exclusive) ? 1 : null,
      },
      budget: {
        limit: budget.limit,
        remaining: budget.remaining,
        resets_at: budget.resetsAtMs === null ? null : iso(onTheWall(clock, budget.resetsAtMs)),
      },
      slots: { limit: account.slots, used: queue.held },
      queue_depth: queue.waiting,
      paused: pause && {
        creates: pause.creates,
        polls: pause.polls,
        until: isoOrNull(pause.untilMs),
        reason: pause.reason,
        by: pause.by,
        since: iso(pause.sinceMs),
      },
      held_by: heldBy,
    }
  }

/** If no hint of a change arrives, it is found this late at most. */
export const REREAD_MS = 5_000

/** Keys that somebody holds. A key is held until its last holder leaves. */
const createHeld = () => {
  const counts = new Map<string, number>()
  /** Holds the key until the answer is called. */
  const enter = (key: string): (() => void) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }
  }
  return { has: (key: string): boolean => counts.has(key), keys: () => counts.keys(), enter }
}

/** Videos, and clients, that somebody holds a connection open for. Polls of those go first. */
export const createAwaited = () => {
  const videos = createHeld()
  const clients = createHeld()
  return {
    has: ({ id, client }: { id: string; client: string }): boolean => videos.has(id) || clients.has(client),
    videos: videos.keys,
    clients: clients.keys,
    enter: videos.enter,
    enterClient: clients.enter,
    async during<T>(id: string, work: () => Promise<T>): Promise<T> {
      const leave = videos.enter(id)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
type Awaited = ReturnType<typeof createAwaited>

/** Remembers that it was rung while nobody waited: subscribe, then read, then wait. */
const createBell = (clock: Clock) => {
  let rung = false
  let heard = (): void => {}
  return {
    ring(): void {
      rung = true
      heard()
    },
    /**
     * Resolves when it was rung since the last call, at `untilMs`, after `REREAD_MS` in case a ring was lost, or on
     * abort.
     */
    async next(signal: AbortSignal, untilMs = Infinity): Promise<void> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            cancel()
            signal.removeEventListener('abort', done)
            resolve()
          }
          const cancel = clock.at(Math.min(untilMs, clock.now() + REREAD_MS), done)
          signal.addEventListener('abort', done, { once: true })
          heard = done
        })
      }
      rung = false
    },
  }
}

/**
 * Waits until the video is terminal, `untilMs` passes or `signal` aborts, and answers it as it is then; null when it is
 * gone. It subscribes before it reads, so that no change is missed.
 */
export const waitForEnd = async (
  { store, wake, clock }: { store: Store; wake: Wake; clock: Clock },
  id: string,
  untilMs: number,
  signal: AbortSignal,
): Promise<VideoRecord | null> => {
  const bell = createBell(clock)
  const off = wake.on({ changed: (changedId) => void (changedId === id && bell.ring()) })
  try {
    for (;;) {
      const video = await store.video(id)
      const nowMs = clock.now()
      if (!video || video.phase === 'ended' || nowMs >= untilMs || signal.aborted) return video
      await bell.next(signal, untilMs)
    }
  } finally {
    off()
  }
}

/** What a follower of one video receives. */
export interface VideoNews {
  type: VideoEventType
  version: number
  view: VideoView
}

export interface FollowDeps {
  store: Pick<Store, 'video' | 'eventsOf' | 'eventSpan' | 'eventsOfAll' | 'eventSpanOfAll'>
  wake: Pick<Wake, 'on'>
  clock: Clock
  awaited: Pick<Awaited, 'enter' | 'enterClient'>
  render: (video: VideoRecord) => Promise<VideoView>
}

export interface Follow {
  /**
   * The video as it is, unless the follower has that version (`known`); then each visible change, up to the end. A slow
   * follower gets only the latest state. Meanwhile polls of the video go first.
   */
  followVideo(id: string, known: number | null, signal: AbortSignal): AsyncGenerator<VideoNews, void, undefined>
  /** A client's events after a place, in order, each once; then new ones as they come, until `signal` aborts. */
  followEvents(
    client: string,
    after: number,
    types: readonly EndpointEventType[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<PlacedEvent, void, undefined>
  eventSpan(client: string): Promise<EventSpan>
  /** Everybody's events behind these places, each once; then new ones as they come, until `signal` aborts. */
  followAll(
    after: LinePlaces,
    types: readonly EndpointEventType[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<AllEventsPage['events'][number], void, undefined>
  eventSpanOfAll(): Promise<AllEventsSpan>
}

/** Events read at the same time: as many as a slow follower may keep in memory. */
const PAGE = 16
/**
 * Something of somebody's changes all the time: anyone who follows everybody reads for many changes at the same time.
 */
const TOGETHER_MS = 100

type Ring = () => void

/** One listener for all followers, and none while there are none. */
const createRings = (wake: Pick<Wake, 'on'>) => {
  const rings = {
    video: new Map<string, Set<Ring>>(),
    client: new Map<string, Set<Ring>>(),
    all: new Map<string, Set<Ring>>(),
  }
  let off = (): void => {}
  const ring = (set: Set<Ring> | undefined): void => set?.forEach((one) => one())
  const isIdle = (): boolean => rings.video.size + rings.client.size + rings.all.size === 0
  const listen = (): void => {
    off = wake.on({
      changed(id, _version, client) {
        ring(rings.video.get(id))
        ring(rings.client.get(client))
        ring(rings.all.get(''))
      },
    })
  }
  /**
   * Rings at every change of this video, of any video of this client, or of any at all (''). Call the answer to stop.
   */
  return (kind: keyof typeof rings, key: string, one: Ring): (() => void) => {
    if (isIdle()) listen()
    const set = rings[kind].get(key) ?? new Set()
    rings[kind].set(key, set.add(one))
    return () => {
      set.delete(one)
      if (set.size === 0) rings[kind].delete(key)
      if (isIdle()) off()
    }
  }
}

/** What a follower receives of a change. `next_poll_at` changes as time passes, without a change of the video. */
const visibleOf = ({ next_poll_at: _, ...view }: VideoView): string => JSON.stringify(view)

/** Serves followers, who hold a connection open. Reads the store only, and only when something may have changed. */
export const createFollow = ({ store, wake, clock, awaited, render }: FollowDeps): Follow => {
  const onChange = createRings(wake)
  return {
    async *followVideo(id, known, signal) {
      const bell = createBell(clock)
      const off = onChange('video', id, bell.ring)
      const leave = awaited.enter(id)
      try {
        let seen = known
        let said = { status: '', visible: '' }
        while (!signal.aborted) {
          const video = await store.video(id)
          if (!video) return
          if (video.version !== seen) {
            const view = await render(video)
            const now = { status: view.status, visible: visibleOf(view) }
            const type = now.status === said.status ? 'video.progress' : (`video.${view.status}` as const)
            if (now.visible !== said.visible) yield { type, version: video.version, view }
            said = now
            seen = video.version
          }
          if (video.phase === 'ended') return
          await bell.next(signal)
        }
      } finally {
        leave()
        off()
      }
    },

    async *followEvents(client, after, types, signal) {
      const bell = createBell(clock)
      const off = onChange('client', client, bell.ring)
      const leave = types === null || tellsOfEnds(types) ? awaited.enterClient(client) : () => undefined
      try {
        let place = after
        while (!signal.aborted) {
          const { events, upTo, more } = await store.eventsOf(client, { after: place, limit: PAGE, types })
          yield* events
          place = upTo
          if (!more) await bell.next(signal)
          // Many pages may hold nothing that was asked for: other work has its turn between them.
          else if (events.length === 0) await nextTurn()
        }
      } finally {
        leave()
        off()
      }
    },

    eventSpan: (client) => store.eventSpan(client),

    // Nobody's polls go first for it: all of them would.
    async *followAll(after, types, signal) {
      const bell = createBell(clock)
      const off = onChange('all', '', bell.ring)
      try {
        let places = after
        while (!signal.aborted) {
          const readAtMs = clock.now()
          const { events, upTo, more } = await store.eventsOfAll({ after: places, limit: PAGE, types })
          yield* events
          places = upTo
          if (!more) {
            await bell.next(signal)
            await sleepUntil(clock, readAtMs + TOGETHER_MS, signal)
          } else if (events.length === 0) await nextTurn()
        }
      } finally {
        off()
      }
    },

    eventSpanOfAll: () => store.eventSpanOfAll(),
  }
}
