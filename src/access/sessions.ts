import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { logFailure } from '../core/log.ts'
import type { Ports } from '../core/ports.ts'
import { MAX_SESSIONS, SESSION_LIFE_MS, type SessionRecord } from '../core/access.ts'
import type { Store } from '../core/store/index.ts'
import { hashOf } from './keyring.ts'

export interface SessionsDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<Store, 'beginSession' | 'sessionSeen' | 'endSession' | 'sessions'>
  randomBytes: (size: number) => Buffer
  /** What marks of keys and tags of sessions are made with: the same for all processes. */
  marking: Buffer
}

interface NewSession {
  client: string
  /** As `markOf` says, or the id of an issued key. */
  key: string
  /** Without a request for so long it is over. */
  idleMs: number
}

/** What another process ended is known here this late at most. A busy page reads the store no more often. */
export const KNOWN_MS = 500
/** When it was last used is written no more often than this. */
const SEEN_EVERY_MS = 60_000
/** What is held open is kept for so long while the store cannot be read. */
const BLIND_MS = 30_000
const SECRET_BYTES = 32
const TAG_BYTES = 16
/** Both of them. */
const FORM = /^[A-Za-z0-9_-]{64}$/
const KNOWN_AT_MOST = 1_000

interface Known {
  atMs: number
  reading: Promise<SessionRecord | null>
}

/** Streams of each session, which end with it: every half second the store is asked which are over. */
const createHolds = ({ store, clock, log }: Pick<SessionsDeps, 'store' | 'clock' | 'log'>) => {
  const held = new Map<string, Set<() => void>>()
  let cancel: (() => void) | null = null
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  let readAtMs = 0

  const end = (id: string): void => {
    const ends = [...(held.get(id) ?? [])]
    held.delete(id)
    for (const one of ends) one()
  }
  const check = async (): Promise<void> => {
    const askedAtMs = clock.now()
    const ids = [...held.keys()]
    const found = new Map((await store.sessions(ids)).map((session) => [session.id, session]))
    readAtMs = askedAtMs
    for (const id of ids) if ((found.get(id)?.endsAtMs ?? 0) <= clock.now()) end(id)
  }
  const arm = (): void => {
    if (isClosed || held.size === 0 || cancel) return
    cancel = clock.at(clock.now() + KNOWN_MS, () => {
      running = check()
        .catch((err: unknown) => {
          if (clock.now() - readAtMs <= BLIND_MS) return
          logFailure(log, { err }, 'sessions cannot be read: what they hold open ends')
          for (const id of held.keys()) end(id)
        })
        .finally(() => {
          cancel = null
          arm()
        })
    })
  }
  return {
    end,
    hold(id: string, stop: () => void): () => void {
      if (held.size === 0) readAtMs = clock.now()
      const ends = held.get(id) ?? new Set()
      held.set(id, ends.add(stop))
      arm()
      return () => {
        ends.delete(stop)
        if (ends.size === 0 && held.get(id) === ends) held.delete(id)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      cancel?.()
      await running
    },
  }
}

/**
 * Who signed in to the console. A browser holds 32 random bytes and their tag, and the store only a hash. Anybody can send
 * a cookie: one without the tag that belongs to it never gets as far as the store. All processes share the sessions: what
 * one ends is over at the others within a second. A session is over when it ended, idled or got too old.
 */
export const createSessions = ({ store, clock, log, randomBytes, marking }: SessionsDeps) => {
  const known = new LRUCache<string, Known>({ max: KNOWN_AT_MOST })
  const holds = createHolds({ store, clock, log })

  /** No key has a NUL, so that no tag is the mark of a key. */
  const tagged = (secret: Buffer): Buffer => {
    const tag = createHmac('sha256', marking).update('session\0').update(secret).digest()
    return Buffer.concat([secret, tag.subarray(0, TAG_BYTES)])
  }
  /** Whether one of these processes made it. */
  const isOurs = (token: string): boolean => {
    if (!FORM.test(token)) return false
    const bytes = Buffer.from(token, 'base64url')
    return timingSafeEqual(bytes, tagged(bytes.subarray(0, SECRET_BYTES)))
  }
  const endOf = (createdAtMs: number, idleMs: number): number =>
    Math.min(clock.now() + idleMs, createdAtMs + SESSION_LIFE_MS)
  const learn = (id: string, reading: Promise<SessionRecord | null>): Known => {
    const one = { atMs: clock.now(), reading }
    known.set(id, one)
    return one
  }
  /** Requests of one moment share a read. */
  const look = (id: string): Known => {
    const before = known.get(id)
    if (before && clock.now() - before.atMs < KNOWN_MS) return before
    const reading = store.sessions([id]).then(([session]) => session ?? null)
    const one = learn(id, reading)
    reading.catch(() => known.get(id) === one && known.delete(id))
    return one
  }
  /** Waited for, so that who was answered is known to have been here; that it fails must not cost the answer. */
  const seen = async (before: SessionRecord, read: Known, idleMs: number): Promise<SessionRecord> => {
    const seenAtMs = clock.now()
    if (seenAtMs - before.seenAtMs < SEEN_EVERY_MS) return before
    const session = { ...before, seenAtMs, endsAtMs: endOf(before.createdAtMs, idleMs) }
    // It may have been ended meanwhile.
    if (known.get(before.id) === read) known.set(before.id, { ...read, reading: Promise.resolve(session) })
    await store
      .sessionSeen(session.id, seenAtMs, session.endsAtMs)
      .catch((err: unknown) => logFailure(log, { err }, 'when a session was last used could not be written'))
    return session
  }

  return {
    /** What is kept of a configured key: people may have chosen it, so that a bare hash could be guessed. */
    markOf: (key: string): string => `hmac_${createHmac('sha256', marking).update(key).digest('base64url')}`,

    /** `token` is what the browser holds: it is seen this once. */
    async begin({ client, key, idleMs }: NewSession): Promise<{ token: string; session: SessionRecord }> {
      const token = tagged(randomBytes(SECRET_BYTES)).toString('base64url')
      const nowMs = clock.now()
      const times = { createdAtMs: nowMs, seenAtMs: nowMs, endsAtMs: endOf(nowMs, idleMs) }
      const session = { id: hashOf(token), client, key, ...times }
      await store.beginSession(session, MAX_SESSIONS)
      return { token, session }
    },

    /** Null: there is none, or it is over. Counts as a use of it. */
    async find(token: string, idleMs: number): Promise<SessionRecord | null> {
      if (!isOurs(token)) return null
      const read = look(hashOf(token))
      const session = await read.reading
      return session && session.endsAtMs > clock.now() ? seen(session, read, idleMs) : null
    },

    /** Ends it, and all streams that it holds open here. */
    async end(token: string): Promise<void> {
      if (!isOurs(token)) return
      const id = hashOf(token)
      await store.endSession(id)
      learn(id, Promise.resolve(null))
      holds.end(id)
    },

    /** Calls `stop` once, when the session is over; the answer ends that. */
    hold: holds.hold,

    close: holds.close,
  }
}
export type Sessions = ReturnType<typeof createSessions>
