import { ReplyError } from 'ioredis'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Tally } from '../../core/tally.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createClients, type RedisClient, type RedisPlace } from './client.ts'

/** No request waits longer for Redis: it is a help, and everything continues without it. */
const COMMAND_TIMEOUT_MS = 250
/** After so many commands in a row without an answer no request waits at all, */
const MOST_UNANSWERED = 3
/** and Redis is tried again after so long. */
const TRY_AGAIN_MS = 5_000
/** A server that takes no connection, or answers nothing on one, is given up after so long. */
const SILENT_MS = 2_000
/** How long a connection that is ended waits for the server to end it, too. */
const ENDING_MS = 200
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000
/** Faults of a server that answers (no memory, no permission) are reported this often at most. */
const TELL_EVERY_MS = 60_000

interface ConnectionsDeps {
  place: RedisPlace
  prefix: string
  clock: Clock
  log: Log
  tally: Pick<Tally, 'count' | 'set'>
}

/** What to say of an error: neither its stack, nor the command that failed, whose arguments may be a password. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'the connection ended'
  const { code }: NodeJS.ErrnoException = error
  return code ?? error.message.slice(0, 200)
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Command timed out'
/** Redis took the command, or refused it. A cluster that lacks a node refuses all. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && error instanceof ReplyError && !error.message.startsWith('CLUSTERDOWN')
/** The master became a replica, which also ends what waits there: a new connection may find the new master. */
const isOfReplica = (error: unknown): boolean => error instanceof Error && /^(READONLY|UNBLOCKED)/.test(error.message)

/**
 * Connections to one Redis that outlive its outages. Commands fail immediately while it is away, slow or a replica, so
 * that nothing gathers in memory. One line says that it went, one that it is back. Throws as `createClients` does.
 */
export const createConnections = ({ place, prefix, clock, log, tally }: ConnectionsDeps) => {
  const make = createClients(place)
  let closing = false
  /** Null: not tried yet. */
  let up: boolean | null = null
  let isReplica = false
  let unanswered = 0
  let cancelTry: (() => void) | null = null
  let toldAtMs = -Infinity
  let lastError: unknown = null
  const open = new Set<RedisClient>()
  const listeners = new Set<() => void>()
  const first = Promise.withResolvers<void>()

  const usual = {
    connectTimeout: SILENT_MS,
    disconnectTimeout: ENDING_MS,
    retryStrategy: (times: number): number =>
      isReplica ? LONGEST_PAUSE_MS : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS),
  }

  const wentAway = (error: unknown): void => {
    first.resolve()
    if (closing || up === false) return
    up = false
    tally.set('redis_up', 0)
    tally.count('redis_lost', {})
    log.warn({ reason: reasonOf(error) }, 'redis is away: replicas find work later, and each counts limits alone')
  }
  const cameBack = (): void => {
    if (closing || up) return
    if (up === false) log.info({}, 'redis is back')
    up = true
    isReplica = false
    unanswered = 0
    tally.set('redis_up', 1)
    lastError = null
    for (const listener of listeners) listener()
    first.resolve()
  }
  const stopTrying = (): void => {
    cancelTry?.()
    cancelTry = null
  }
  /** It has a connection, and is of no use. */
  const lost = (error: unknown): void => {
    wentAway(error)
    if (closing || cancelTry) return
    cancelTry = clock.at(clock.now() + TRY_AGAIN_MS, () => {
      cancelTry = null
      if (commands.status === 'end') commands.connect().catch(() => undefined)
      // By its name another server may answer now.
      else if (isReplica) commands.disconnect(true)
      else void tryIt()
    })
  }
  /** It is there if it answers in time, and takes writes. In a cluster the node of our keys must answer, too. */
  const tryIt = async (): Promise<void> => {
    stopTrying()
    try {
      const [info] = await Promise.all([commands.info('replication'), commands.exists(`${prefix}:up`)])
      isReplica = /^role:slave/m.test(info)
      if (isReplica) lost(new Error('READONLY: it is a replica'))
      else cameBack()
    } catch (error) {
      lost(error)
    }
  }
  const disconnect = (redis: RedisClient): void => {
    open.delete(redis)
    // Between two tries the client only stops trying, and its commands wait on for ever. A try that is broken off ends
    // them.
    const isBetween = redis.status === 'reconnecting'
    redis.disconnect()
    if (!isBetween) return
    redis.connect().catch(() => undefined)
    redis.disconnect()
  }
  const tracked = (redis: RedisClient): RedisClient => {
    open.add(redis)
    return redis
  }

  const commands = tracked(
    make({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENT_MS,
      reconnectOnError(error) {
        if (!isOfReplica(error)) return false
        isReplica = true
        lost(error)
        return true
      },
      ...usual,
    }),
  )
  commands.on('error', (error: unknown) => {
    lastError = error
    // Sentinels that do not answer are tried again and again, and no connection closes.
    if (commands.status !== 'ready') wentAway(error)
  })
  commands.on('close', () => {
    stopTrying()
    wentAway(lastError)
  })
  // The library gives up where a connection cannot even be begun. Those that wait are replaced by their watch.
  commands.on('end', () => lost(lastError))
  commands.on('ready', () => void tryIt())

  const isUp = (): boolean => up === true && commands.status === 'ready'
  /** Counts a command that failed although Redis is there. If it was refused, reports so, at most once a minute. */
  const failed = (what: string, error: unknown): void => {
    if (closing || !isUp()) return
    tally.count('redis_failed', {})
    if (!isAnswer(error) || isOfReplica(error) || clock.now() - toldAtMs < TELL_EVERY_MS) return
    toldAtMs = clock.now()
    log.warn({ what, reason: reasonOf(error) }, 'redis refuses a command')
  }

  return {
    /** For everything that is answered immediately. A command fails immediately without a server. */
    commands,
    isUp,
    /** Resolves when the first try has ended, well or not. */
    tried: first.promise,
    /** Calls `listener` each time that Redis is there from then on. */
    onUp(listener: () => void): void {
      listeners.add(listener)
    },
    failed,
    /** Answers what Redis does, within 250 ms; null: it did not. After three of them in a row it is not asked. */
    async ask<T>(what: string, work: (redis: RedisClient) => Promise<T>): Promise<T | null> {
      if (!isUp()) return null
      try {
        const answer = await work(commands)
        unanswered = 0
        return answer
      } catch (error) {
        failed(what, error)
        unanswered = isAnswer(error) ? 0 : unanswered + 1
        if (unanswered === MOST_UNANSWERED)
          lost(isTimeout(error) ? new Error(`it is slow: ${unanswered} answers took too long`) : error)
        return null
      }
    },
    /**
     * A connection that waits: for messages, or for work. Its commands wait for the server as long as it takes. `end`
     * ends it and its duplicates immediately, which BullMQ makes and does not hand out.
     */
    waiting(): { redis: RedisClient; end: () => void } {
      const all = new Set<RedisClient>()
      const connect = (): RedisClient => {
        const reconnectOnError = (error: Error): boolean => {
          const isOurs = isOfReplica(error)
          // `commands` may have another server already.
          if (isOurs) void tryIt()
          return isOurs
        }
        // The library would subscribe again by itself, and handle no failure of that.
        const options = { maxRetriesPerRequest: null, reconnectOnError, autoResubscribe: false, ...usual }
        const redis = tracked(make(options))
        all.add(redis)
        // Reported by `commands`, once.
        redis.on('error', () => undefined)
        return redis
      }
      const redis = Object.assign(connect(), { duplicate: connect })
      return { redis, end: () => all.forEach(disconnect) }
    },
    /** Ends all of them immediately. */
    close(): void {
      closing = true
      stopTrying()
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
  /**
   * Sends what the part is to receive, through Redis. Calls `heard` if that fails: then silence says nothing. Absent for
   * a part that asks by itself.
   */
  beat?: () => void
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
    beat?.()
    tick()
  }
  const tick = (): void => {
    cancel = clock.at(clock.now() + beatMs, check)
  }

  return {
    start(): void {
      begin()
      beat?.()
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
