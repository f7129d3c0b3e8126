import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../core/store/index.ts'
import type { DueDelivery, DuePlace } from '../core/store/deliveries.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Tasks } from './tasks.ts'

const SWEEP_EVERY_MS = 1_000
/** So few that a look takes the process a few milliseconds, however much is due. */
const SWEEP_LIMIT = 1_000
/** Of those that wait: so many are left when more are asked for. */
const LITTLE = 250
const ADMIT_AT_ONCE = 64

/** Ids known at once; what does not fit is found by a later sweep. */
export const CAPACITY = 65_536

export interface Intake {
  /** A hint; false if it is no news or not wanted any more. */
  arrive(id: string): boolean
  /** Looks for due deliveries now, and every second from then on. */
  sweep(): void
  /** A turn ended with an attempt: asks the store for more at once if it had more and little is left. */
  progressed(): void
  close(): void
}

export interface IntakeDeps {
  store: Pick<Store, 'dueDeliveries' | 'delivery'>
  clock: Clock
  queue: FairQueue
  tasks: Tasks
  /** Something was queued. */
  onQueued: () => void
}

/**
 * Who shares a lane: those to one endpoint, and of one client's `webhook_url`s those to one origin. Not the URL, or a
 * caller with a new path for every video would have all slots; not the origin alone, or one client's stuck hooks on a
 * shared host would hold up another's.
 */
export const laneOf = ({ client, target }: Pick<DueDelivery, 'client' | 'target'>): string =>
  target.kind === 'endpoint' ? target.id : `${client} ${URL.parse(target.url)?.origin ?? target.url}`

/** Brings work from hints and from the store into the queue. The queue holds ids only; bodies are read when sent. */
export const createIntake = ({ store, clock, queue, tasks, onQueued }: IntakeDeps): Intake => {
  const arrivals = new Set<string>()
  let admitting = false
  let sweeping = false
  let closed = false
  /** Where the next look goes on: one after the other goes round all that is due. Undefined: from the longest due. */
  let place: DuePlace | undefined
  /** The last look was not the end of it, and was worth it. */
  let goesOn = false
  let cancelSweep = (): void => undefined

  const offer = (due: Omit<DueDelivery, 'place'>): boolean =>
    queue.offer({ id: due.id, lane: laneOf(due), client: due.client })

  /** Finds the lanes of what arrived, in order: first attempts start in the order of their events. */
  const admit = async (): Promise<void> => {
    admitting = true
    try {
      // What is found at once should be queued at once, for the lanes to take turns from the start.
      await Promise.resolve()
      while (arrivals.size > 0) {
        const ids = [...arrivals.values().take(ADMIT_AT_ONCE)]
        for (const id of ids) arrivals.delete(id)
        const deliveries = await Promise.all(ids.map((id) => store.delivery(id)))
        if (closed) return
        for (const delivery of deliveries)
          if (delivery?.status === 'pending') offer({ ...delivery, client: delivery.event.client })
        onQueued()
      }
    } finally {
      admitting = false
    }
  }

  const arrive = (id: string): boolean => {
    if (closed || queue.has(id) || arrivals.has(id) || arrivals.size >= CAPACITY) return false
    arrivals.add(id)
    if (!admitting) tasks.run('webhook deliveries could not be read', {}, admit)
    return true
  }

  const look = async (): Promise<void> => {
    sweeping = true
    try {
      const due = await store.dueDeliveries(SWEEP_LIMIT, place)
      if (closed) return
      const fresh = due.filter((one) => !arrivals.has(one.id) && offer(one)).length
      place = due.length < SWEEP_LIMIT ? undefined : due.at(-1)?.place
      goesOn = place !== undefined && fresh > 0
      onQueued()
    } finally {
      sweeping = false
      if (!closed) cancelSweep = clock.at(clock.now() + SWEEP_EVERY_MS, sweep)
    }
  }

  const sweep = (): void => {
    if (sweeping || closed) return
    goesOn = false
    cancelSweep()
    tasks.run('due webhook deliveries could not be listed', {}, look)
  }

  return {
    arrive,
    sweep,
    progressed() {
      if (goesOn && queue.sizes().waiting < LITTLE) sweep()
    },
    close() {
      closed = true
      cancelSweep()
      arrivals.clear()
      queue.clear()
    },
  }
}
