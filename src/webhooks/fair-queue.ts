/** One piece of work, in the lane that it shares with others of its target. */
export interface Turn {
  id: string
  lane: string
}

export interface FairQueueLimits {
  /** At once per lane. */
  perLane: number
  /** At once in all. */
  total: number
  /** Ids that may wait. */
  capacity: number
}

export interface FairQueue {
  /** Takes an id at the end of its lane; false if it is here already, waiting or running, or if the queue is full. */
  offer(turn: Turn): boolean
  /** Starts the next: lanes in turn, first in first out within one; null if none may start now. */
  next(): Turn | null
  /** What `next` answered needs its slot no more, though it has not ended: another may start. */
  free(turn: Turn): void
  /** What `next` answered has ended. */
  done(turn: Turn): void
  has(id: string): boolean
  /** Forgets what waits. */
  clear(): void
  /** `freed`: without a slot, and not ended. */
  sizes(): { waiting: number; running: number; freed: number }
}

interface Lane {
  waiting: Set<string>
  running: number
}

/**
 * Shares slots fairly among targets: a lane that is full of slow work keeps its own slots busy and no others, and one
 * with a thousand ids waiting gets no more turns than one with a single id. Every operation is O(1).
 */
export const createFairQueue = ({ perLane, total, capacity }: FairQueueLimits): FairQueue => {
  const lanes = new Map<string, Lane>()
  /** Lanes that may start one now, in the order of their turns. */
  const ready = new Set<string>()
  const known = new Set<string>()
  const freed = new Set<string>()
  let running = 0
  const waitingCount = (): number => known.size - running - freed.size

  const settle = (name: string, lane: Lane): void => {
    ready.delete(name)
    if (lane.waiting.size > 0 && lane.running < perLane) ready.add(name)
    if (lane.waiting.size === 0 && lane.running === 0) lanes.delete(name)
  }

  const free = ({ id, lane: name }: Turn): void => {
    const lane = lanes.get(name)
    if (!lane || freed.has(id)) return
    freed.add(id)
    lane.running -= 1
    running -= 1
    // A lane that waits for its turn keeps its place; one that was full joins at the end.
    if (!ready.has(name)) settle(name, lane)
  }

  return {
    offer({ id, lane: name }) {
      if (known.has(id) || waitingCount() >= capacity) return false
      const lane = lanes.get(name) ?? { waiting: new Set(), running: 0 }
      lanes.set(name, lane)
      lane.waiting.add(id)
      known.add(id)
      if (lane.running < perLane) ready.add(name)
      return true
    },
    next() {
      const [name] = ready
      const lane = name === undefined ? undefined : lanes.get(name)
      const [id] = lane?.waiting ?? []
      if (name === undefined || !lane || id === undefined || running >= total) return null
      lane.waiting.delete(id)
      lane.running += 1
      running += 1
      settle(name, lane)
      return { id, lane: name }
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
        for (const id of lane.waiting) known.delete(id)
        lane.waiting.clear()
        settle(name, lane)
      }
    },
    sizes: () => ({ waiting: waitingCount(), running, freed: freed.size }),
  }
}
