import { Redis, ReplyError } from 'ioredis'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Tally } from '../../core/tally.ts'
import type { Clock } from '../../core/time/clock.ts'

/** No request waits longer for Redis: it is a help, and everything continues without it. */
const COMMAND_TIMEOUT_MS = 250
/** A server that takes no connection, or answers nothing on one, is given up after so long. */
const SILENT_MS = 2_000
/** How long a connection that is ended waits for the server to end it, too. */
const ENDING_MS = 200
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000
/** Faults of a server that answers (no memory, no permission) are reported this often at most. */
const TELL_EVERY_MS = 60_000

interface ConnectionsDeps {
  /** May hold a password: never logged. */
  url: string
  now: () => number
  log: Log
  tally: Pick<Tally, 'count' | 'set'>
}

/** What to say of an error: neither its stack, nor the command that failed, whose arguments may be a password. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'the connection ended'
  const { code }: NodeJS.ErrnoException = error
  return code ?? error.message.slice(0, 200)
}

/** Asked before the library, whose error holds the whole URL. */
const isUrl = (url: string): boolean => {
  try {
    const { username, password } = new URL(url)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

const usual = {
  connectTimeout: SILENT_MS,
  disconnectTimeout: ENDING_MS,
  retryStrategy: (times: number): number => Math.min(FIRST_PAUSE_MS * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS),
}

/**
 * Connections to one Redis that outlive its outages. Commands fail immediately while it is away, so that nothing
 * gathers in memory. One line says that it went, one that it is back. Throws, without a word of the URL, if it is none.
 */
export const createConnections = ({ url, now, log, tally }: ConnectionsDeps) => {
  if (!isUrl(url))
    throw new Error('redis.url: is no URL: percent-encode special characters of the password, such as / as %2F')
  let closing = false
  /** Null: not tried yet. */
  let up: boolean | null = null
  let toldAtMs = -Infinity
  let lastError: unknown = null
  const open = new Set<Redis>()
  const listeners = new Set<() => void>()

  const wentAway = (error: unknown): void => {
    if (closing || up === false) return
    up = false
    tally.set('redis_up', 0)
    tally.count('redis_lost', {})
    log.warn({ reason: reasonOf(error) }, 'redis is away: replicas find work later, and each counts limits alone')
  }
  const cameBack = (): void => {
    if (up === false) log.info({}, 'redis is back')
    up = true
    tally.set('redis_up', 1)
    lastError = null
    for (const listener of listeners) listener()
  }
  const disconnect = (redis: Redis): void => {
    open.delete(redis)
    // Between two tries the client only stops trying, and its commands wait on for ever. A try that is broken off ends
    // them.
    const isBetween = redis.status === 'reconnecting'
    redis.disconnect()
    if (!isBetween) return
    redis.connect().catch(() => undefined)
    redis.disconnect()
  }
  const tracked = (redis: Redis): Redis => {
    open.add(redis)
    return redis
  }

  const commands = tracked(
    new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENT_MS,
      ...usual,
    }),
  )
  commands.on('error', (error: unknown) => (lastError = error))
  commands.on('close', () => wentAway(lastError))
  commands.on('ready', cameBack)

  return {
    /**
     * For everything that is answered immediately. A command fails immediately without a server, and else within 250
     * ms.
     */
    commands,
    isUp: (): boolean => commands.status === 'ready',
    /** Resolves when the first try has ended, well or not. */
    tried: new Promise<void>((resolve) => {
      commands.once('ready', resolve)
      commands.once('close', resolve)
    }),
    /** Calls `listener` each time that Redis is there from then on. */
    onUp(listener: () => void): void {
      listeners.add(listener)
    },
    /**
     * A connection that waits: for messages, or for work. Its commands wait for the server as long as it takes. `end`
     * ends it and its duplicates immediately, which BullMQ makes and does not hand out.
     */
    waiting(): { redis: Redis; end: () => void } {
      const all = new Set<Redis>()
      const silent = (redis: Redis): Redis => {
        all.add(tracked(redis))
        // Reported by `commands`, once.
        return redis.on('error', () => undefined)
      }
      const redis = silent(new Redis(url, { maxRetriesPerRequest: null, ...usual }))
      const duplicate = redis.duplicate.bind(redis)
      redis.duplicate = (override) => silent(duplicate(override))
      return { redis, end: () => all.forEach(disconnect) }
    },
    /** Counts a command that failed although Redis is there. If it was refused, reports so, at most once a minute. */
    failed(what: string, error: unknown): void {
      if (closing || commands.status !== 'ready') return
      tally.count('redis_failed', {})
      if (!(error instanceof ReplyError) || now() - toldAtMs < TELL_EVERY_MS) return
      toldAtMs = now()
      log.warn({ what, reason: reasonOf(error) }, 'redis refuses a command')
    },
    /** Ends all of them immediately. */
    close(): void {
      closing = true
      open.forEach(disconnect)
    },
  }
}
export type Connections = ReturnType<typeof createConnections>

/** Waits for `work`, but no longer than so many real milliseconds: it is a socket that hangs. False: it was longer. */
export const within = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  const over = new AbortController()
  const late = setTimeout(ms, false, { signal: over.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    over.abort()
  }
}

/** Something that waits for Redis on connections of its own. */
export interface Part {
  /** Ends it. Resolves within a second or so, whatever state it is in. Never rejects. */
  close(): Promise<void>
}

interface WatchedDeps {
  clock: Clock
  isUp: () => boolean
  start: () => Part
  /** Sends what the part is to receive, through Redis. Calls `heard` if that fails: then silence says nothing. */
  beat: () => void
  beatMs: number
  staleMs: number
  /** It received nothing for so long, although Redis is there: another takes its place. */
  onStale: (silentMs: number) => void
}

/**
 * Watches a part by what it receives, not by what it says of itself: a worker may say that it runs, and take nothing
 * any more; a connection may be open on this side only. One that receives nothing, not even our own beats, is made
 * anew.
 */
export const createWatched = ({ clock, isUp, start, beat, beatMs, staleMs, onStale }: WatchedDeps) => {
  let part: Part | null = null
  let heardAtMs = 0
  let cancel = (): void => undefined
  const ending = new Set<Promise<void>>()

  const end = (old: Part): void => {
    const ended: Promise<void> = old.close().finally(() => ending.delete(ended))
    ending.add(ended)
  }
  const begin = (): void => {
    part = start()
    heardAtMs = clock.elapsed()
  }
  const check = (): void => {
    // Without Redis silence says nothing; once it is there, the part has its time to come back.
    if (!isUp()) heardAtMs = clock.elapsed()
    const silentMs = Math.round(clock.elapsed() - heardAtMs)
    if (part && silentMs >= staleMs) {
      onStale(silentMs)
      end(part)
      begin()
    }
    beat()
    tick()
  }
  const tick = (): void => {
    cancel = clock.at(clock.now() + beatMs, check)
  }

  return {
    start(): void {
      begin()
      beat()
      tick()
    },
    heard(): void {
      heardAtMs = clock.elapsed()
    },
    stop(): void {
      cancel()
      if (part) end(part)
      part = null
    },
    /** Resolves when all that was stopped has ended. */
    async ended(): Promise<void> {
      await Promise.all(ending)
    },
  }
}
