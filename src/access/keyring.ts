import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Ports } from '../core/ports.ts'
import type { Store } from '../core/store/index.ts'
import { hasEnded, type ClientRecord, type KeyRecord } from '../core/access.ts'

/**
 * The text of issued keys: `tb_live_`, 43 characters that are 32 random bytes, and 6 that are the CRC-32 of all before.
 */

const PREFIX = 'tb_live_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_BYTES = 32
/** 62 ** 43 > 2 ** 256, and 62 ** 6 > 2 ** 32. */
const BODY = 43
const SUM = 6

const base62 = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = `${DIGITS[Number(rest % 62n)] ?? ''}${text}`
  return text
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), SUM)

/** A new key, the only time that it is seen. */
export const newKey = (randomBytes: (size: number) => Buffer): string => {
  const body = PREFIX + base62(BigInt(`0x${randomBytes(KEY_BYTES).toString('hex')}`), BODY)
  return body + checksum(body)
}

const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY + SUM}}$`)

/** Whether this can be an issued key: finds a mistyped one without the store. */
export const isWellFormed = (key: string): boolean => FORM.test(key) && checksum(key.slice(0, -SUM)) === key.slice(-SUM)

/** What is kept of a key: 256 random bits need no salt and no slow hash. */
export const hashOf = (key: string): string => hash('sha256', key, 'base64url')

const EVERY_MS = 60_000

/** When keys were last used: gathered in memory and written once a minute, so that no request writes. */
const createUses = ({ store, clock, log }: Pick<Ports, 'clock' | 'log'> & { store: Pick<Store, 'keysUsed'> }) => {
  const used = new Map<string, number>()
  let cancel: (() => void) | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const uses = [...used].map(([id, atMs]) => ({ id, atMs })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    used.clear()
    if (uses.length > 0) await store.keysUsed(uses)
  }
  const flush = (): void => {
    cancel = null
    writing = write().catch((err: unknown) => log.warn({ err }, 'the last use of keys could not be written'))
  }

  return {
    note(id: string): void {
      used.set(id, clock.now())
      cancel ??= clock.at(clock.now() + EVERY_MS, flush)
    },
    async close(): Promise<void> {
      cancel?.()
      flush()
      await writing
    },
  }
}

export interface KeyringDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<Store, 'keysSince' | 'clientsSince' | 'keysUsed'>
  /** Other processes write keys, too. */
  isShared: boolean
  randomBytes: (size: number) => Buffer
}

/** A stream that lasts as long as its key is valid. */
interface Hold {
  isOver: () => boolean
  /** When its key ends by itself, as it is known now; null: never. */
  endsAtMs: () => number | null
  end: () => void
}

/** How often this process reads what others changed. */
export const REFRESH_MS = 500
/** For so long issued keys are taken as last read while the store cannot be. */
export const BLIND_MS = 30_000
/** For so long a key that ended is not answered like an unknown one. */
const REMEMBERED_MS = 30 * 86_400_000
const PAGE = 1_000

/**
 * All issued keys and stored clients, in memory: no request waits for the store. A key itself is kept nowhere, but by a
 * keyed hash; what it is keyed with is this process's and shown to nobody, so that how long a search takes says
 * nothing about a key: nobody can tell what is looked up.
 */
export const createKeyring = ({ store, clock, log, isShared, randomBytes }: KeyringDeps) => {
  // Always of the same length, so that no two keys are hashed alike.
  const secret = randomBytes(32).toString('hex')
  const nameOfHash = (keyHash: string): string => hash('sha256', secret + keyHash, 'base64')
  const named = new Map<string, KeyRecord>()
  const keys = new Map<string, KeyRecord>()
  const clients = new Map<string, ClientRecord>()
  const holds = new Set<Hold>()
  const uses = createUses({ store, clock, log })
  const marks = { keys: 0, clients: 0 }
  const closing = new AbortController()
  let cancel = (): void => {}
  let unset = (): void => {}
  let armedMs = Infinity
  let running: Promise<void> = Promise.resolve()
  let readAtMs = -Infinity
  let isBlind = false

  /** A read that began before a write may end after it. */
  const learnKey = (key: KeyRecord): void => {
    if ((keys.get(key.id)?.change ?? 0) >= key.change) return
    keys.set(key.id, key)
    named.set(nameOfHash(key.hash), key)
  }
  const learnClient = (client: ClientRecord): void => {
    if ((clients.get(client.id)?.change ?? 0) < client.change) clients.set(client.id, client)
  }
  const forget = (): void => {
    const longAgoMs = clock.now() - REMEMBERED_MS
    for (const key of keys.values()) {
      if (!hasEnded(key, longAgoMs)) continue
      keys.delete(key.id)
      named.delete(nameOfHash(key.hash))
    }
  }
  /** Looks again when the first of those that hold on ends by itself. */
  const arm = (atMs: number): void => {
    if (atMs >= armedMs) return
    unset()
    armedMs = atMs
    unset = clock.at(atMs, settle)
  }
  /** Ends the streams of keys that are no longer valid. */
  const settle = (): void => {
    unset()
    armedMs = Infinity
    for (const hold of holds) {
      if (hold.isOver()) hold.end()
      else arm(hold.endsAtMs() ?? Infinity)
    }
  }

  const readAll = async <T extends { change: number }>(
    mark: keyof typeof marks,
    read: (change: number, limit: number) => Promise<T[]>,
    learn: (one: T) => void,
  ): Promise<boolean> => {
    const before = marks[mark]
    for (;;) {
      const page = await read(marks[mark], PAGE)
      page.forEach(learn)
      marks[mark] = page.at(-1)?.change ?? marks[mark]
      if (page.length < PAGE) return marks[mark] > before
    }
  }

  /** Learns what was written since. Rejects if the store cannot be read: then all stays as it is known. */
  const refresh = async (): Promise<void> => {
    // A read that hangs must not count as news of its end.
    const askedAtMs = clock.now()
    // In this order: the client of a key that was read is there.
    const hasNewKeys = await readAll('keys', store.keysSince, ({ usedAtMs: _, ...key }) => learnKey(key))
    const hasNewClients = await readAll('clients', store.clientsSince, learnClient)
    readAtMs = askedAtMs
    forget()
    if (hasNewKeys || hasNewClients) settle()
  }

  const tick = (): void => {
    running = refresh()
      .then(
        () => {
          if (isBlind) log.info({}, 'issued keys can be read again')
          isBlind = false
        },
        (err: unknown) => {
          if (!isBlind) log.error({ err }, 'issued keys cannot be read: the last known ones stay valid for 30 seconds')
          isBlind = true
          settle()
        },
      )
      .then(() => {
        if (!closing.signal.aborted) cancel = clock.at(clock.now() + REFRESH_MS, tick)
      })
  }

  return {
    /** By what a key is looked up. Costs the same for every key. */
    nameOf: (key: string): string => nameOfHash(hashOf(key)),
    find: (name: string): KeyRecord | undefined => named.get(name),
    byId: (id: string): KeyRecord | undefined => keys.get(id),
    client: (id: string): ClientRecord | undefined => clients.get(id),
    clientIds: (): readonly string[] => [...clients.keys()],
    /** Clients of which somebody has a key of an operator. */
    operators: (): readonly string[] => {
      const admins = [...keys.values()].filter(({ scopes }) => scopes.includes('admin') || scopes.includes('*'))
      return [...new Set(admins.filter((key) => !hasEnded(key, clock.now())).map(({ client }) => client))]
    },
    /** The allow-list of a stored client; null: every backend, or no such client. */
    backendsOf: (id: string): readonly string[] | null => clients.get(id)?.backends ?? null,
    /** Keys that work, as far as they know themselves. */
    live: (): readonly KeyRecord[] => [...keys.values()].filter((key) => !hasEnded(key, clock.now())),
    /** Whether too long nothing could be read to say that a key is still good. */
    isStale: (): boolean => isShared && clock.now() - readAtMs > BLIND_MS,
    used: uses.note,
    /** What this process wrote itself is in force here now. */
    learn(written: { keys: readonly KeyRecord[]; clients: readonly ClientRecord[] }): void {
      written.keys.forEach(learnKey)
      written.clients.forEach(learnClient)
      forget()
      settle()
    },
    /** Calls `end` once, when `isOver` has become true; the answer ends that. */
    hold(one: Hold): () => void {
      const hold = {
        ...one,
        end() {
          holds.delete(hold)
          one.end()
        },
      }
      holds.add(hold)
      if (hold.isOver()) hold.end()
      else arm(hold.endsAtMs() ?? Infinity)
      return () => void holds.delete(hold)
    },
    refresh,
    /** Reads on from now, where others write, too. */
    start(): void {
      if (isShared) tick()
    },
    async close(): Promise<void> {
      closing.abort()
      cancel()
      unset()
      await running
      await uses.close()
    },
  }
}
export type Keyring = ReturnType<typeof createKeyring>
