import { type BulkJobOptions, Queue, Worker } from 'bullmq'
import { z } from 'zod'
import type { WorkKind } from '../../core/store/deliveries.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type Connections, within } from './connect.ts'
import type { Part } from './watched.ts'

/** Work for any one process. */
interface Hint {
  kind: WorkKind | 'beat'
  id: string
  dueAtMs: number
}

interface HintsDeps {
  connections: Connections
  prefix: string
  clock: Clock
  /** Gets what could not be put into the queue, or perhaps was. */
  refused: (hint: Hint) => void
}

/** The queue of BullMQ. */
const HINTS = 'hints'
/** In one round trip. */
const AT_ONCE = 500
/** Hints that wait for a round trip. */
const MOST_WAITING = 10_000
/** The most hints of this process for later that Redis holds: they stay there for up to a minute. */
const MOST_AHEAD = 10_000
/** When to give up on a round trip. Longer than a command may take: it is several. */
const PATIENCE_MS = 1_000
/** Nobody reads BullMQ's events. */
const EVENTS_KEPT = 100

/**
 * The id of a hint's job. Adding an id whose job still exists does nothing: with the time in it a later hint for the same
 * work is another job, and only the same one twice is one. BullMQ takes no `:`, and no number.
 */
export const jobIdOf = ({ kind, id, dueAtMs }: Hint): string => `${kind}-${id.replaceAll(':', '_')}-${dueAtMs}`

/** How many hints for later were added and are not due yet, by the second in which they are. */
const createAhead = () => {
  const bySecond = new Map<number, number>()
  let total = 0
  return {
    /** Counts one; false if there are too many. */
    take(dueAtMs: number, nowMs: number): boolean {
      for (const [second, count] of bySecond) {
        if (second * 1_000 > nowMs) continue
        total -= count
        bySecond.delete(second)
      }
      if (total >= MOST_AHEAD) return false
      const second = Math.ceil(dueAtMs / 1_000)
      bySecond.set(second, (bySecond.get(second) ?? 0) + 1)
      total += 1
      return true
    },
  }
}

/** Puts hints into the queue that all processes share. What one turn of the event loop adds is one round trip. */
export const createHints = ({ connections, prefix, clock, refused }: HintsDeps) => {
  const waiting: Hint[] = []
  const ahead = createAhead()
  let adding = false
  let queue: Queue | null = null

  const closeQueue = (): void => {
    // Of the connection, which it shares, this ends nothing.
    queue?.close().catch(() => undefined)
    queue = null
  }
  /** Made anew with each connection: one that failed at its start would fail for ever. */
  const openQueue = (): void => {
    closeQueue()
    const opened = new Queue(HINTS, {
      connection: connections.commands,
      prefix,
      streams: { events: { maxLen: EVENTS_KEPT } },
    })
    opened.on('error', (error) => connections.failed('queue', error))
    queue = opened
  }

  const jobOf = (hint: Hint): { name: string; data: { id: string; dueAtMs: number }; opts: BulkJobOptions } => {
    const { kind: name, id, dueAtMs } = hint
    const delay = Math.max(0, dueAtMs - clock.now())
    const opts = { jobId: jobIdOf(hint), delay, removeOnComplete: true, removeOnFail: true, attempts: 1 }
    return { name, data: { id, dueAtMs }, opts }
  }

  const flush = async (): Promise<void> => {
    adding = true
    // Waits for all that this turn adds.
    await Promise.resolve()
    while (waiting.length > 0) {
      const some = waiting.splice(0, AT_ONCE)
      try {
        if (!queue || !connections.isUp()) throw new Error('redis is away')
        if (!(await within(PATIENCE_MS, queue.addBulk(some.map(jobOf))))) throw new Error('no answer in time')
      } catch (error) {
        connections.failed('queue', error)
        for (const hint of some) refused(hint)
      }
    }
    adding = false
  }

  connections.onUp(openQueue)

  return {
    /** False if it cannot be: Redis is away, or there are too many. */
    add(hint: Hint): boolean {
      if (!queue || !connections.isUp() || waiting.length >= MOST_WAITING) return false
      const nowMs = clock.now()
      // The sweep finds what is for later and has no hint.
      if (hint.dueAtMs > nowMs && !ahead.take(hint.dueAtMs, nowMs)) return true
      waiting.push(hint)
      if (!adding) void flush()
      return true
    },
    close(): void {
      closeQueue()
      waiting.length = 0
    },
  }
}

export interface WorkerDeps {
  connections: Connections
  prefix: string
  onHint: (hint: Hint) => void
}

/** Hints are handed on at once, so this is how many are on their way between here and Redis. */
const CONCURRENCY = 16
/** How long it waits for a hint before it asks again. If its connection was cut meanwhile, it may wait a second more. */
const ASK_AGAIN_S = 2
/** The pause after a failed command. */
const RETRY_MS = 1_000
const CLOSING_MS = 1_000

const Job = z.object({
  name: z.enum(['account', 'deliver', 'transfer', 'maintain', 'beat']),
  data: z.strictObject({ id: z.string().max(200), dueAtMs: z.number().int() }),
})

/**
 * Takes hints from the queue, each hint by one process. A hint whose process died goes back into the queue once
 * (`maxStalledCount`), and is then gone for good: the sweep finds the work.
 */
export const startWorker = ({ connections, prefix, onHint }: WorkerDeps): Part => {
  const { redis, end } = connections.waiting()
  const worker = new Worker(
    HINTS,
    async (job) => {
      const { data } = Job.safeParse({ name: job.name, data: job.data })
      if (data) onHint({ kind: data.name, ...data.data })
    },
    {
      connection: redis,
      prefix,
      concurrency: CONCURRENCY,
      drainDelay: ASK_AGAIN_S,
      runRetryDelay: RETRY_MS,
      maxStalledCount: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  )
  worker.on('error', (error) => connections.failed('worker', error))
  return {
    /** `worker.close()` may wait for ever, so its connections are ended under it: after a second, or now without Redis. */
    async close() {
      const isUp = connections.isUp()
      const closed = worker.close(!isUp).catch(() => undefined)
      if (!isUp) end()
      await within(CLOSING_MS, closed)
      end()
    },
  }
}
