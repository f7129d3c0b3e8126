import type { Clock } from '../core/clock.ts'
import type { DueDelivery, Store } from '../core/ports.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Tasks } from './tasks.ts'

const SWEEP_EVERY_MS = 1_000
const SWEEP_LIMIT = 500
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
 * caller with a new path for every video would have all slots; not the origin alone, or one client's stuck hooks on a shared host would hold up another's.
 */
export const laneOf = ({ client, target }: Pick<DueDelivery, 'client' | 'target'>): string =>
  target.kind === 'endpoint' ? target.id : `${client} ${URL.parse(target.url)?.origin ?? target.url}`

/**
 * How many due ids to ask for. All that is known may be among them, so that fewer could hold nothing new; as many again,
 * so that one target's backlog does not hide the others for long.
 */
export const sweepLimit = (known: number): number => Math.min(2 * known + SWEEP_LIMIT, CAPACITY)

/** Brings work from hints and from the store into the queue. The queue holds ids only; bodies are read when sent. */
export const createIntake = ({ store, clock, queue, tasks, onQueued }: IntakeDeps): Intake => {
  const arrivals = new Set<string>()
  let admitting = false
  let sweeping = false
  let closed = false
  let backlog = false
  let cancelSweep = (): void => undefined

  const offer = (due: DueDelivery): boolean => queue.offer({ id: due.id, lane: laneOf(due), client: due.client })

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
      const { waiting, running, freed } = queue.sizes()
      const limit = sweepLimit(arrivals.size + waiting + running + freed)
      const due = await store.dueDeliveries(limit)
      if (closed) return
      const fresh = due.filter((one) => !arrivals.has(one.id) && offer(one)).length
      backlog = due.length === limit && fresh > 0
      onQueued()
    } finally {
      sweeping = false
      if (!closed) cancelSweep = clock.at(clock.now() + SWEEP_EVERY_MS, sweep)
    }
  }

  const sweep = (): void => {
    if (sweeping || closed) return
    backlog = false
    cancelSweep()
    tasks.run('due webhook deliveries could not be listed', {}, look)
  }

  return {
    arrive,
    sweep,
    progressed() {
      if (backlog && queue.sizes().waiting < SWEEP_LIMIT / 2) sweep()
    },
    close() {
      closed = true
      cancelSweep()
      arrivals.clear()
      queue.clear()
    },
  }
}
