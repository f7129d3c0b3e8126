import { z } from 'zod'
import { type Connections, type Part, within, createWatched } from './connect.ts'
import { type BulkJobOptions, Queue, Worker } from 'bullmq'
import type { WorkKind } from '../../core/store/webhooks.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Tally } from '../../core/tally.ts'
import type { Wake, WakeHandlers } from '../../core/ports.ts'

interface ChannelDeps {
  // What every process is to receive.
  account(id: string, dueAtMs: number): void
  changed(id: string, version: number, client: string): void
  connections: Connections
  prefix: string
  /** Who says it: own messages are received only as beats, because this process knows already. */
  process: string
  /** Called for each message of this process that came back, and for a beat that could not be sent. */
  beaten: () => void
}

/** Of one message. */
const AT_ONCE = 500
/**
 * What is gathered while a message is on its way. What is more is not said: streams and waits read again by themselves.
 */
const MOST_GATHERED = 10_000
/** More than the longest message that is sent. */
const LONGEST_MESSAGE = 256 * 1024

const Id = z.string().max(200)
const Whole = z.number().int()
const Message = z.strictObject({
  from: z.string().min(1).max(64),
  accounts: z.array(z.tuple([Id, Whole])).max(AT_ONCE),
  changed: z.array(z.tuple([Id, Whole, Id])).max(AT_ONCE),
})
type Message = z.infer<typeof Message>

/** Null: not one of ours. Anyone who may write to Redis can say anything here. */
const readMessage = (text: string): Message | null => {
  if (text.length > LONGEST_MESSAGE) return null
  try {
    return Message.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Of each account the earliest time, of each video the newest version. */
const createGathered = () => {
  const accounts = new Map<string, number>()
  const changed = new Map<string, Message['changed'][number]>()
  const isFull = (): boolean => accounts.size + changed.size >= MOST_GATHERED
  const taken = <T>(map: Map<string, T>): [string, T][] => {
    const some = [...map.entries().take(AT_ONCE)]
    for (const [key] of some) map.delete(key)
    return some
  }
  return {
    account(id: string, dueAtMs: number): void {
      const known = accounts.get(id)
      if (known === undefined ? isFull() : known <= dueAtMs) return
      accounts.set(id, dueAtMs)
    },
    changed(id: string, version: number, client: string): void {
      const key = `${id} ${client}`
      const known = changed.get(key)
      if (known ? known[1] >= version : isFull()) return
      changed.set(key, [id, version, client])
    },
    isEmpty: (): boolean => accounts.size + changed.size === 0,
    take: (from: string): Message => ({
      from,
      accounts: taken(accounts),
      changed: taken(changed).map(([, one]) => one),
    }),
    clear(): void {
      accounts.clear()
      changed.clear()
    },
  }
}

/** What all processes tell each other. What one turn of the event loop says goes out as one message. */
const createChannel = (deps: ChannelDeps) => {
  const { connections, prefix, process } = deps
  const name = `${prefix}:wake`
  const gathered = createGathered()
  let saying = false

  /** Never rejects. */
  const publish = async (message: Message): Promise<boolean> => {
    try {
      await connections.commands.publish(name, JSON.stringify(message))
      return true
    } catch (error) {
      connections.failed('publish', error)
      return false
    }
  }

  const say = async (): Promise<void> => {
    saying = true
    // Waits for all that this turn says.
    await Promise.resolve()
    while (!gathered.isEmpty() && connections.isUp()) await publish(gathered.take(process))
    gathered.clear()
    saying = false
  }
  const gather = (add: () => void): void => {
    if (!connections.isUp()) return
    add()
    if (!saying) void say()
  }

  const hear = (text: string): void => {
    const message = readMessage(text)
    if (message?.from === process) return deps.beaten()
    for (const [id, dueAtMs] of message?.accounts ?? []) deps.account(id, dueAtMs)
    for (const [id, version, client] of message?.changed ?? []) deps.changed(id, version, client)
  }

  return {
    account: (id: string, dueAtMs: number): void => gather(() => gathered.account(id, dueAtMs)),
    changed: (id: string, version: number, client: string): void => gather(() => gathered.changed(id, version, client)),
    async beat(): Promise<void> {
      const beat = { from: process, accounts: [], changed: [] }
      if (!connections.isUp() || !(await publish(beat))) deps.beaten()
    },
    /** Receives what is said, until it is closed. */
    listen(): Part {
      const { redis, end } = connections.waiting()
      redis.on('message', (_channel: string, text: string) => hear(text))
      redis.subscribe(name).catch((error: unknown) => connections.failed('subscribe', error))
      return { close: async () => end() }
    },
  }
}

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
const HINTS_AT_ONCE = 500
/** Hints that wait for a round trip. */
const MOST_WAITING = 10_000
/** The most hints of this process for later that Redis holds: they stay there for up to a minute. */
const MOST_AHEAD = 10_000
/** When to give up on a round trip. Longer than a command may take: it is several. */
const PATIENCE_MS = 1_000
/** Nobody reads BullMQ's events. */
const EVENTS_KEPT = 100

/**
 * The id of a hint's job. Adding an id whose job still exists does nothing: with the time in it a later hint for the
 * same work is another job, and only the same one twice is one. BullMQ takes no `:`, and no number.
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
const createHints = ({ connections, prefix, clock, refused }: HintsDeps) => {
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
      const some = waiting.splice(0, HINTS_AT_ONCE)
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

/** Hints are handed on immediately, so this is how many are on their way between here and Redis. */
const CONCURRENCY = 16
/**
 * How long it waits for a hint before it asks again. If its connection was cut meanwhile, it may wait a second more.
 */
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
    /**
     * `worker.close()` may wait for ever, so its connections are ended under it: after a second, or now without Redis.
     */
    async close() {
      const isUp = connections.isUp()
      const closed = worker.close(!isUp).catch(() => undefined)
      if (!isUp) end()
      await within(CLOSING_MS, closed)
      end()
    },
  }
}

export interface RedisWakeDeps {
  connections: Connections
  prefix: string
  clock: Clock
  log: Log
  tally: Pick<Tally, 'count'>
  /** This process's own, which rings what comes, and everything while Redis is away. */
  local: Wake
  /** Unlike any other process's. */
  process: string
  /**
   * Default: every 2 s, half a minute. Workers take turns at the beats of all, so each receives one every few seconds.
   */
  watch?: { beatMs: number; staleMs: number }
  /** What tests put in its place. */
  makeWorker?: (deps: WorkerDeps) => Part
}

/** Work that is due later gets no hint: the sweep finds it as well. */
const AHEAD_MS = 60_000
const WATCH = { beatMs: 2_000, staleMs: 30_000 }

/**
 * `Wake` for many processes.
 *
 * A hint for a delivery or a transfer goes through a queue of BullMQ to one process, also where it is due immediately
 * and was made here: this process may be busy and another idle, and a round trip is short beside an HTTP request. A
 * hint for an account goes to all, because only the holder of its lease can act. So does word of a change.
 *
 * While Redis is away everything rings in this process only. A hint whose round trip failed may ring twice: leases in
 * the store decide who acts.
 */
export const createRedisWake = (deps: RedisWakeDeps): Wake => {
  const { connections, clock, log, tally, local, process, makeWorker = startWorker, watch = WATCH } = deps
  const { isUp } = connections
  const renewed = (part: 'worker' | 'subscriber') => (silentMs: number) => {
    tally.count('wake_renewed', { part })
    log.warn({ part, silent_ms: silentMs }, 'nothing was heard through redis: the connection is replaced')
  }
  const workers = new Set<Partial<WakeHandlers>>()
  /** For what comes through Redis: nobody's turn of the event loop is under way, so what is due rings immediately. */
  const ring = (kind: WorkKind, id: string, dueAtMs: number): void => {
    if (dueAtMs > clock.now()) return local.hint(kind, id, dueAtMs)
    for (const handlers of workers) handlers.work?.(kind, id)
  }
  const channel = createChannel({
    ...deps,
    beaten: () => subscriber.heard(),
    account: (id, dueAtMs) => ring('account', id, dueAtMs),
    changed: local.changed,
  })
  const subscriber = createWatched({
    ...watch,
    clock,
    isUp,
    start: channel.listen,
    beat: () => void channel.beat(),
    onStale: renewed('subscriber'),
  })
  const hints = createHints({
    ...deps,
    // A beat that could not be sent: silence says nothing then.
    refused: ({ kind, id, dueAtMs }) => (kind === 'beat' ? worker.heard() : local.hint(kind, id, dueAtMs)),
  })
  const worker = createWatched({
    ...watch,
    clock,
    isUp,
    start: () =>
      makeWorker({
        ...deps,
        onHint({ kind, id, dueAtMs }) {
          worker.heard()
          if (kind !== 'beat') ring(kind, id, dueAtMs)
        },
      }),
    beat: () => hints.add({ kind: 'beat', id: process, dueAtMs: clock.now() }) || worker.heard(),
    onStale: renewed('worker'),
  })
  let closed = false
  const listen = (handlers: Partial<WakeHandlers>): void => {
    workers.add(handlers)
    if (workers.size === 1 && !closed) worker.start()
  }
  /** A process that acts on nothing takes no hints from those that do. */
  const leave = (handlers: Partial<WakeHandlers>): void => {
    if (workers.delete(handlers) && workers.size === 0 && !closed) worker.stop()
  }
  subscriber.start()

  return {
    hint(kind, id, dueAtMs) {
      if (closed || dueAtMs - clock.now() > AHEAD_MS) return
      if (kind === 'account') {
        local.hint(kind, id, dueAtMs)
        channel.account(id, dueAtMs)
      } else if (!hints.add({ kind, id, dueAtMs })) {
        local.hint(kind, id, dueAtMs)
      }
    },
    changed(id, version, client) {
      if (closed) return
      local.changed(id, version, client)
      channel.changed(id, version, client)
    },
    on(handlers) {
      const off = local.on(handlers)
      if (!handlers.work) return off
      listen(handlers)
      return () => {
        off()
        leave(handlers)
      }
    },
    async close() {
      closed = true
      workers.clear()
      subscriber.stop()
      worker.stop()
      hints.close()
      await Promise.all([local.close(), subscriber.ended(), worker.ended()])
    },
  }
}
