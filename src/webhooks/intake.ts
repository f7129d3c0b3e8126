import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../core/store/index.ts'
import type { DueDelivery, DuePlace } from '../core/store/webhooks.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Tasks } from './tasks.ts'

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

export interface IntakeDeps {
  store: Pick<Store, 'dueDeliveries' | 'nextDueDelivery' | 'deliveriesById'>
  clock: Clock
  queue: FairQueue
  tasks: Tasks
  /** Called when something was queued. */
  onQueued: () => void
}

/**
 * The lane of a delivery: its endpoint; or, for a `webhook_url`, its client and origin. Not the whole URL, or a client
 * with a new path for every video would get all slots. Not the origin alone, or one client's stuck hooks on a shared
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
  /** Where the next read goes on, so that reads go round all that is due. Undefined: from the longest due. */
  let place: DuePlace | undefined
  /** The last read found something, and there is more. */
  let goesOn = false
  let cancelSweep = (): void => undefined

  const offer = (due: Omit<DueDelivery, 'place'>): boolean =>
    queue.offer({ id: due.id, lane: laneOf(due), client: due.client })

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
          if (delivery?.status === 'pending') offer({ ...delivery, client: delivery.event.client })
        }
        onQueued()
      }
    } finally {
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

  /** When the store has something for a sweep, as far as it tells. */
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
    /** Call after an attempt: reads more at once if the store had more and little is left. */
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
