import { type Log, logFailure } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../core/store/index.ts'
import type { DueDelivery, DuePlace } from '../core/store/webhooks.ts'

/** Keeps promises that nobody awaits yet, so that none is lost or unhandled. */
export const createTasks = (log: Log) => {
  const running = new Set<Promise<void>>()
  return {
    /** Starts a task. If it rejects, that is logged as `what`; the work is found again later. */
    run(what: string, fields: Record<string, unknown>, task: () => Promise<void>): void {
      const started: Promise<void> = task()
        .catch((err: unknown) => logFailure(log, { ...fields, err }, what))
        .finally(() => running.delete(started))
      running.add(started)
    },
    /** Resolves when nothing runs, tasks that were started meanwhile included. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
type Tasks = ReturnType<typeof createTasks>

/** One piece of work, in the lane of its target. A lane belongs to one client. */
export interface Turn {
  id: string
  lane: string
  client: string
  /** Null: it is about no video. */
  video: string | null
}

/**
 * Turns that could not start: perhaps because an earlier event of their video had its first attempt. Each has another
 * turn when an attempt of its video and lane ends here. Where another process makes it, a sweep finds what is next.
 */
export const createFollowers = () => {
  const videos = new Map<string, { running: number; waiting: Map<string, Turn> }>()
  const keyOf = ({ lane, video }: Turn): string | null => video && `${lane} ${video}`
  return {
    started(turn: Turn): void {
      const key = keyOf(turn)
      if (key === null) return
      const at = videos.get(key) ?? { running: 0, waiting: new Map() }
      at.running += 1
      videos.set(key, at)
    },
    /** Answers the turns that may start now; `made`: an attempt was. If not, the turn waits while others run. */
    ended(turn: Turn, made: boolean): Turn[] {
      const key = keyOf(turn)
      const at = key === null ? undefined : videos.get(key)
      if (key === null || !at) return []
      at.running -= 1
      if (at.running === 0) videos.delete(key)
      if (!made) at.waiting.set(turn.id, turn)
      const free = made ? [...at.waiting.values()] : []
      if (made) at.waiting.clear()
      return free
    },
  }
}

interface FairQueueLimits {
  /** Running per lane. */
  perLane: number
  /** Running in all. */
  total: number
  /** Ids that may wait. */
  capacity: number
}

/**
 * A client gets no more slots, and a lane no more places to wait, once it has this many times what is free. So there is
 * room left for the next one, however much is stuck; and one that is the only one can have nearly all.
 */
const MOST_OF_FREE = 8

export interface FairQueue {
  /**
   * Takes an id at the end of its lane; false if it is waiting or running already, or if there is no place. `first`:
   * before all others of its lane, even if there is no place. Use it for few.
   */
  offer(turn: Turn, place?: 'first' | 'last'): boolean
  /**
   * Starts the next: clients in turn, each client's lanes in turn, first in first out in a lane. Null: none may start.
   */
  next(): Turn | null
  /** A turn that `next` answered gives its slot back before it has ended: another may start. */
  free(turn: Turn): void
  /** A turn that `next` answered has ended. */
  done(turn: Turn): void
  has(id: string): boolean
  /** Forgets all that wait. */
  clear(): void
  /** `freed`: gave their slot back, and have not ended. */
  sizes(): { waiting: number; running: number; freed: number }
}

interface Lane {
  client: string
  /** These go before the others. */
  first: Set<string>
  waiting: Set<string>
  running: number
}

const isIdle = ({ first, waiting }: Lane): boolean => first.size + waiting.size === 0

/** Who may start work now: clients in the order of their turns, each with its ready lanes in theirs. */
const createReady = () => {
  const ready = new Map<string, Set<string>>()
  return {
    has: (client: string, name: string): boolean => ready.get(client)?.has(name) ?? false,
    add(client: string, name: string): void {
      ready.set(client, (ready.get(client) ?? new Set()).add(name))
    },
    drop(client: string, name: string): void {
      const names = ready.get(client)
      names?.delete(name)
      if (names?.size === 0) ready.delete(client)
    },
    /** The client had its turn and is the last now. */
    toEnd(client: string): void {
      const names = ready.get(client)
      ready.delete(client)
      if (names) ready.set(client, names)
    },
    /** The first lane of the first client for which `may` holds. */
    first(may: (client: string) => boolean): string | null {
      for (const [client, [name]] of ready) if (name !== undefined && may(client)) return name
      return null
    },
  }
}

/**
 * Shares slots fairly among clients, and among the targets of one client. A lane of slow work keeps only its own slots
 * busy. A lane with a thousand ids gets no more turns than one with a single id. A client with a hundred stuck lanes
 * holds up no other client. Operations are O(1); `next` passes over clients that have too much.
 */
export const createFairQueue = ({ perLane, total, capacity }: FairQueueLimits): FairQueue => {
  const lanes = new Map<string, Lane>()
  const ready = createReady()
  /** Of what waits or runs, the video. */
  const known = new Map<string, string | null>()
  const freed = new Set<string>()
  const busy = new Map<string, number>()
  let running = 0
  const waitingCount = (): number => known.size - running - freed.size
  const mayStart = (client: string): boolean => (busy.get(client) ?? 0) < MOST_OF_FREE * (total - running)
  const mayWait = (lane: Lane): boolean => lane.waiting.size < MOST_OF_FREE * (capacity - waitingCount())

  const count = (lane: Lane, by: 1 | -1): void => {
    lane.running += by
    running += by
    const left = (busy.get(lane.client) ?? 0) + by
    if (left > 0) busy.set(lane.client, left)
    else busy.delete(lane.client)
  }

  const settle = (name: string, lane: Lane): void => {
    ready.drop(lane.client, name)
    if (!isIdle(lane) && lane.running < perLane) ready.add(lane.client, name)
    if (isIdle(lane) && lane.running === 0) lanes.delete(name)
  }

  const free = ({ id, lane: name }: Turn): void => {
    const lane = lanes.get(name)
    if (!lane || freed.has(id)) return
    freed.add(id)
    count(lane, -1)
    // A lane that waits for its turn keeps its place. A lane that was full joins at the end.
    if (!ready.has(lane.client, name)) settle(name, lane)
  }

  return {
    offer({ id, lane: name, client, video }, place = 'last') {
      const lane = lanes.get(name) ?? { client, first: new Set(), waiting: new Set(), running: 0 }
      if (known.has(id) || (place === 'last' && !mayWait(lane))) return false
      lanes.set(name, lane)
      if (place === 'first') lane.first.add(id)
      else lane.waiting.add(id)
      known.set(id, video)
      if (lane.running < perLane) ready.add(client, name)
      return true
    },
    next() {
      const name = ready.first(mayStart)
      const lane = name === null ? undefined : lanes.get(name)
      const [id] = (lane && (lane.first.size > 0 ? lane.first : lane.waiting)) ?? []
      if (name === null || !lane || id === undefined) return null
      lane.first.delete(id)
      lane.waiting.delete(id)
      count(lane, 1)
      settle(name, lane)
      ready.toEnd(lane.client)
      return { id, lane: name, client: lane.client, video: known.get(id) ?? null }
    },
    free,
    done(turn) {
      if (!known.has(turn.id)) return
      free(turn)
      freed.delete(turn.id)
      known.delete(turn.id)
    },
    has: (id) => known.has(id),
    clear() {
      for (const [name, lane] of lanes) {
        for (const waiting of [lane.first, lane.waiting]) {
          for (const id of waiting) known.delete(id)
          waiting.clear()
        }
        settle(name, lane)
      }
    },
    sizes: () => ({ waiting: waitingCount(), running, freed: freed.size }),
  }
}

const SWEEP_EVERY_MS = 1_000
/** So often where nothing is due before: another process may have made it due. */
const IDLE_SWEEP_MS = 5_000
/** How many deliveries one read of the store answers: a few milliseconds, however many are due. */
const SWEEP_LIMIT = 1_000
/** When so few wait, more are asked for. */
const LITTLE = 250
const ADMIT_AT_ONCE = 64

/** The most ids in memory. A later sweep finds the rest. */
export const CAPACITY = 65_536

interface IntakeDeps {
  store: Pick<Store, 'dueDeliveries' | 'nextDueDelivery' | 'deliveriesById'>
  clock: Clock
  queue: FairQueue
  tasks: Tasks
  /** Called when something was queued. */
  onQueued: () => void
}

/**
 * The lane of a delivery: its endpoint; or, for a `webhook_url`, its client and origin. Not the whole URL, or a client
 * with a new path for every video would get all slots. Not the origin only, or one client's stuck hooks on a shared
 * host would hold up another's.
 */
export const laneOf = ({ client, target }: Pick<DueDelivery, 'client' | 'target'>): string =>
  target.kind === 'endpoint' ? target.id : `${client} ${URL.parse(target.url)?.origin ?? target.url}`

/** Brings work from hints and from the store into the queue. The queue holds ids only; bodies are read when sent. */
export const createIntake = ({ store, clock, queue, tasks, onQueued }: IntakeDeps) => {
  const arrivals = new Set<string>()
  let admitting = false
  let sweeping = false
  let closed = false
  /** Where the next read continues, so that reads reach all that is due. Undefined: from the longest due. */
  let place: DuePlace | undefined
  /** The last read found something, and there is more. */
  let goesOn = false
  let cancelSweep = (): void => undefined

  const offer = (due: Omit<DueDelivery, 'place'>): boolean =>
    queue.offer({ id: due.id, lane: laneOf(due), client: due.client, video: due.videoId })

  /** Finds the lanes of what arrived, in order: first attempts start in the order of their events. */
  const admit = async (): Promise<void> => {
    admitting = true
    try {
      // Waits for all of this turn, so that the lanes take turns from the start.
      await Promise.resolve()
      while (arrivals.size > 0) {
        const ids = [...arrivals.values().take(ADMIT_AT_ONCE)]
        for (const id of ids) arrivals.delete(id)
        const found = await store.deliveriesById(ids)
        if (closed) return
        for (const id of ids) {
          const delivery = found.get(id)
          if (delivery?.status !== 'pending') continue
          const { client, videoId } = delivery.event
          offer({ ...delivery, client, videoId })
        }
        onQueued()
      }
    } finally {
      // A failed read leaves the rest to the sweep, which skips what it finds in here.
      arrivals.clear()
      admitting = false
    }
  }

  /** Takes a hint; false if it is known already, or if the queue is closed. */
  const arrive = (id: string): boolean => {
    if (closed || queue.has(id) || arrivals.has(id) || arrivals.size >= CAPACITY) return false
    arrivals.add(id)
    if (!admitting) tasks.run('webhook deliveries could not be read', {}, admit)
    return true
  }

  /** When the store has something for a sweep, as far as it says. */
  const nextSweepAt = async (): Promise<number> => {
    const nowMs = clock.now()
    if (place !== undefined) return nowMs + SWEEP_EVERY_MS
    const dueAtMs = (await store.nextDueDelivery()) ?? Infinity
    return Math.min(Math.max(dueAtMs, nowMs + SWEEP_EVERY_MS), nowMs + IDLE_SWEEP_MS)
  }

  const look = async (): Promise<void> => {
    sweeping = true
    let nextAtMs: number | null = null
    try {
      const due = await store.dueDeliveries(SWEEP_LIMIT, place)
      if (closed) return
      const fresh = due.filter((one) => !arrivals.has(one.id) && offer(one)).length
      place = due.length < SWEEP_LIMIT ? undefined : due.at(-1)?.place
      goesOn = place !== undefined && fresh > 0
      onQueued()
      nextAtMs = await nextSweepAt()
    } finally {
      sweeping = false
      if (!closed) cancelSweep = clock.at(nextAtMs ?? clock.now() + SWEEP_EVERY_MS, sweep)
    }
  }

  /** Reads due deliveries now, and from then on when more may be due. */
  const sweep = (): void => {
    if (sweeping || closed) return
    goesOn = false
    cancelSweep()
    tasks.run('due webhook deliveries could not be listed', {}, look)
  }

  return {
    arrive,
    sweep,
    /** Call after an attempt: reads more now if the store had more and little is left. */
    progressed(): void {
      if (goesOn && queue.sizes().waiting < LITTLE) sweep()
    },
    close(): void {
      closed = true
      cancelSweep()
      arrivals.clear()
      queue.clear()
    },
  }
}
