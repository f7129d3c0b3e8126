import { z } from 'zod'
import { ReplyError } from 'ioredis'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connections, createWatched, type Part, within } from './connect.ts'
import { type BackendFactory, createRedisBackend, Queue, Worker } from 'bullmq'
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

  const publish = async (message: Message): Promise<boolean> =>
    (await connections.ask('publish', (redis) => redis.publish(name, JSON.stringify(message)))) !== null

  const say = async (): Promise<void> => {
    saying = true
    // Waits for all that this turn says.
    await Promise.resolve()
    while (!gathered.isEmpty() && (await publish(gathered.take(process))));
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
      if (!(await publish(beat))) deps.beaten()
    },
    /** Receives what is said, until it is closed. */
    listen(): Part {
      const { redis, end } = connections.waiting()
      redis.on('message', (_channel: string, text: string) => hear(text))
      redis.on('ready', () => {
        redis.subscribe(name).catch((error: unknown) => connections.failed('subscribe', error))
      })
      return { close: async () => end() }
    },
  }
}

/** Work for any one process. */
const Hint = z.tuple([z.enum(['account', 'deliver', 'transfer', 'maintain']), Id, Whole])
type Hint = z.infer<typeof Hint>

interface HintsDeps {
  connections: Connections
  prefix: string
  clock: Clock
  /** Gets what could not be put into the queue, or perhaps was. */
  refused: (hint: Hint) => void
}

/** The queue of BullMQ. */
const HINTS = 'hints'
/** Of one job. Most of its cost is the job, not what it carries. */
const HINTS_A_JOB = 50
/** How long the hints of one job are gathered. */
const GATHER_MS = 50
/** In one round trip. */
const JOBS_AT_ONCE = 10
/** Hints that wait for a round trip. */
const MOST_WAITING = 10_000
/** When to give up on a round trip. Longer than a command may take: it is several. */
const PATIENCE_MS = 1_000
/** Nobody reads BullMQ's events. */
const EVENTS_KEPT = 100

const JOB = { removeOnComplete: true, removeOnFail: true, attempts: 1 }

/** Puts hints into the queue that all processes share. */
const createHints = ({ connections, prefix, clock, refused }: HintsDeps) => {
  const waiting: Hint[] = []
  let cancel: (() => void) | null = null
  let queue: Queue | null = null

  const closeQueue = (): void => {
    // Of the connection, which it shares, this ends nothing.
    queue?.close().catch(() => undefined)
    queue = null
  }
  /** Made anew with each connection, and after a failure: one that failed at its start would fail for ever. */
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

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting.splice(0, HINTS_A_JOB * JOBS_AT_ONCE)
      const jobs = Array.from({ length: Math.ceil(some.length / HINTS_A_JOB) }, (_, n) => ({
        name: HINTS,
        data: some.slice(n * HINTS_A_JOB, (n + 1) * HINTS_A_JOB),
        opts: JOB,
      }))
      try {
        if (!queue || !connections.isUp()) throw new Error('redis is away')
        if (!(await within(PATIENCE_MS, queue.addBulk(jobs)))) throw new Error('no answer in time')
      } catch (error) {
        connections.failed('queue', error)
        if (connections.isUp()) openQueue()
        some.forEach(refused)
      }
    }
    cancel = null
  }

  connections.onUp(openQueue)

  return {
    /** False if it cannot be: Redis is away, or there are too many. */
    add(hint: Hint): boolean {
      if (!queue || !connections.isUp() || waiting.length >= MOST_WAITING) return false
      waiting.push(hint)
      cancel ??= clock.at(clock.now() + GATHER_MS, () => void flush())
      return true
    },
    close(): void {
      cancel?.()
      closeQueue()
      waiting.length = 0
    },
  }
}

export interface WorkerDeps {
  connections: Connections
  prefix: string
  onHint: (hint: Hint) => void
  /** Called each time that its question for work was answered. */
  answered: () => void
  watch: Watch
}

interface Watch {
  beatMs: number
  /** More than 10 s: so long BullMQ waits after a wait that Redis refused, whatever `askAgainS` is. */
  staleMs: number
  /** How long a worker waits for a job before it asks again. Each question costs a handful of commands. */
  askAgainS: number
}
/** BullMQ recommends no more than 10 s. */
export const WATCH: Watch = { beatMs: 5_000, staleMs: 30_000, askAgainS: 10 }
/** The pause after a failed command. */
const RETRY_MS = 1_000
const CLOSING_MS = 1_000

const Job = z.array(z.unknown()).max(HINTS_A_JOB)

/**
 * Takes jobs from the queue, each by one process. A job whose process died goes back into the queue once
 * (`maxStalledCount`), and is then gone for good: the sweep finds the work.
 */
export const startWorker = ({ connections, prefix, onHint, answered, watch }: WorkerDeps): Part => {
  const { redis, end } = connections.waiting()
  const backend: BackendFactory = (...options) => {
    const made = createRedisBackend(...options)
    const { moveToActive } = made
    return Object.assign(made, {
      // Runs after each wait without a job, too. The end of a wait says nothing: BullMQ may have given up on it.
      // Without the pause a worker that Redis refuses, such as for want of memory, asks again immediately.
      moveToActive: (...asked: Parameters<typeof moveToActive>) =>
        moveToActive.apply(made, asked).then(
          (job) => (answered(), job),
          (error: unknown) => sleep(RETRY_MS).then(() => Promise.reject(error)),
        ),
    })
  }
  const worker = new Worker(
    HINTS,
    async ({ data }) => {
      answered()
      for (const one of Job.safeParse(data).data ?? []) {
        const hint = Hint.safeParse(one)
        if (hint.success) onHint(hint.data)
      }
    },
    {
      connection: redis,
      prefix,
      // The hints of a job are handed on immediately.
      concurrency: 1,
      drainDelay: watch.askAgainS,
      runRetryDelay: RETRY_MS,
      maxStalledCount: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
    backend,
  )
  worker.on('error', (error) => {
    if (error instanceof ReplyError) answered()
    connections.failed('worker', error)
  })
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
  watch?: Watch
  /** What tests put in its place. */
  makeWorker?: (deps: WorkerDeps) => Part
}

/** Work that is due later gets no hint: the sweep finds it as well. */
const AHEAD_MS = 60_000
/** So many hints a second a process takes itself: fewer than one core can. A job of BullMQ costs some 50 commands. */
const OWN_A_SECOND = 50

/** Whether this one is among the first of its second. */
const createOwnShare = (clock: Clock) => {
  let second = 0
  let taken = 0
  return (): boolean => {
    const nowS = Math.floor(clock.elapsed() / 1_000)
    if (nowS !== second) [second, taken] = [nowS, 0]
    taken += 1
    return taken <= OWN_A_SECOND
  }
}

/**
 * `Wake` for many processes.
 *
 * A process takes its own hints for deliveries and transfers while they are few. What is more goes through a queue of
 * BullMQ, each to one process: this one is busy then, and another may be idle. A hint that is for later stays here; if
 * this process dies, another's sweep finds the work. A hint for an account that is due goes to all, because only the
 * holder of its lease can act. So does word of a change.
 *
 * While Redis is away everything rings in this process only. A hint whose round trip failed may ring twice: leases in
 * the store decide who acts.
 */
export const createRedisWake = (deps: RedisWakeDeps): Wake => {
  const { connections, clock, log, tally, local, makeWorker = startWorker, watch = WATCH } = deps
  const { isUp } = connections
  const renewed = (part: 'worker' | 'subscriber') => (silentMs: number) => {
    tally.count('wake_renewed', { part })
    log.warn({ part, silent_ms: silentMs }, 'nothing was heard through redis: the connection is replaced')
  }
  const workers = new Set<Partial<WakeHandlers>>()
  const isOwn = createOwnShare(clock)
  /** For what comes through Redis: nobody's turn of the event loop is under way, so what is due rings immediately. */
  const ring = (...[kind, id, dueAtMs]: Hint): void => {
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
  const hints = createHints({ ...deps, refused: (hint) => local.hint(...hint) })
  const worker = createWatched({
    ...watch,
    clock,
    isUp,
    // It asks for work by itself, and is answered at the latest when its question runs out.
    start: () => makeWorker({ ...deps, watch, onHint: (hint) => ring(...hint), answered: () => worker.heard() }),
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
      const nowMs = clock.now()
      if (closed || dueAtMs - nowMs > AHEAD_MS) return
      const isHere = kind === 'account' || dueAtMs > nowMs || (workers.size > 0 && isOwn())
      if (isHere || !hints.add([kind, id, dueAtMs])) local.hint(kind, id, dueAtMs)
      if (kind === 'account' && dueAtMs <= nowMs) channel.account(id, dueAtMs)
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
