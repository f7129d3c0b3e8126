import { z } from 'zod'
import type { Log } from '../../core/log.ts'
import type { Replica } from '../../core/ports.ts'
import type { Fact, FactKind, FactStore } from '../../core/store/accounts.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DriftView } from '../../core/api/videos.ts'
import type { AccountId } from '../../core/vocabulary.ts'

interface BoardDeps {
  store: FactStore
  clock: Clock
  log: Log
  replica: Replica
}

/** What is known, since when, and by whom. */
interface Known<T> {
  value: T
  atMs: number
  /** This process learned it itself. */
  isOwn: boolean
}

interface SayOptions {
  /** Reported no oftener than this, even if it changed. */
  everyMs?: number
  /** Reported again after so long, though it did not change. */
  againMs?: number
}

/** What one process reports is known to the others after twice this time at most, if they ask. */
const EVERY_MS = 1_000
const KEPT_MS = 10 * 60_000
const AGAIN_MS = KEPT_MS / 2

interface Cell {
  /** What is to be reported of a name. */
  toTell(name: string): Omit<Fact, 'key'> | null
  /** Takes what others reported, unless it is known better. */
  hear(name: string, json: unknown, atMs: number): void
  /** Others report no more than these. */
  keepOnly(names: ReadonlySet<string>): void
}
interface Said {
  json: string
  atMs: number
}

/** A key is `<field>/<name>`. */
const parts = (key: string): [field: string, name: string] => {
  const at = key.indexOf('/')
  return [key.slice(0, at), key.slice(at + 1)]
}

/**
 * What processes tell each other by the store: of two that know something, the later knowledge counts. A process
 * without others asks and informs nobody. A board that cannot be read or written is a board of before: nothing depends
 * on it but how soon one process knows what another met.
 */
export const createBoard = ({ store, clock, log, replica }: BoardDeps, kind: FactKind, keptMs = KEPT_MS) => {
  const cells = new Map<string, Cell>()
  const said = new Map<string, Said>()
  const unsaid = new Set<string>()
  let exchangedAtMs = -Infinity
  let exchanging: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let isClosed = false
  let isCut = false

  const put = async (): Promise<void> => {
    const facts = [...unsaid].flatMap((key) => {
      const [field, name] = parts(key)
      const fact = cells.get(field)?.toTell(name)
      return fact ? [{ key, ...fact }] : []
    })
    unsaid.clear()
    if (facts.length === 0) return
    try {
      await store.putFacts(kind, facts, keptMs)
    } catch (error) {
      for (const { key } of facts) unsaid.add(key)
      throw error
    }
    for (const { key, value } of facts) said.set(key, { json: value, atMs: clock.now() })
  }

  const read = async (): Promise<void> => {
    const told = (await store.facts(kind)).map(({ key, ...fact }) => ({ ...fact, of: parts(key) }))
    for (const { of, value, atMs } of told) cells.get(of[0])?.hear(of[1], JSON.parse(value), atMs)
    for (const [field, cell] of cells)
      cell.keepOnly(new Set(told.flatMap(({ of }) => (of[0] === field ? [of[1]] : []))))
  }

  /** Writes what is to be reported, and reads what others reported: at most once a second. Never rejects. */
  const exchange = (): Promise<void> => {
    if (replica.isAlone || isClosed) return Promise.resolve()
    if (exchanging) return exchanging
    if (clock.now() - exchangedAtMs < EVERY_MS) return Promise.resolve()
    exchangedAtMs = clock.now()
    exchanging = put()
      .then(read)
      .then(
        () => {
          isCut = false
        },
        (err: unknown) => {
          if (!isCut)
            log.warn({ kind, err }, 'the state of other processes cannot be read or written: the gateway retries')
          isCut = true
        },
      )
      .finally(() => {
        exchanging = null
        if (unsaid.size > 0) arm()
      })
    return exchanging
  }

  const arm = (): void => {
    if (cancel !== null || isClosed) return
    cancel = clock.at(Math.max(clock.now(), exchangedAtMs + EVERY_MS), () => {
      cancel = null
      void exchange()
    })
  }

  const note = (key: string, value: unknown, { everyMs = 0, againMs = AGAIN_MS }: SayOptions): void => {
    const before = said.get(key)
    const sinceMs = clock.now() - (before?.atMs ?? -Infinity)
    if (sinceMs < everyMs || (sinceMs < againMs && before?.json === JSON.stringify(value))) return
    unsaid.add(key)
    arm()
  }

  return {
    exchange,
    /** One kind of knowledge on the board, by name. What others reported in another form is passed over. */
    cell<T>(field: string, schema: z.ZodType<T>) {
      const entries = new Map<string, Known<T>>()
      cells.set(field, {
        toTell(name) {
          const known = entries.get(name)
          return known?.isOwn ? { value: JSON.stringify(known.value), atMs: known.atMs } : null
        },
        hear(name, json, atMs) {
          const { data } = schema.safeParse(json)
          if (data !== undefined && atMs > (entries.get(name)?.atMs ?? -Infinity))
            entries.set(name, { value: data, atMs, isOwn: false })
        },
        keepOnly(names) {
          for (const [name, { isOwn }] of entries) if (!isOwn && !names.has(name)) entries.delete(name)
        },
      })
      return {
        get: (name: string): Known<T> | null => entries.get(name) ?? null,
        all: () => entries.entries(),
        /** This process knows it now. */
        say(name: string, value: T, options: SayOptions = {}): void {
          entries.set(name, { value, atMs: clock.now(), isOwn: true })
          if (!replica.isAlone) note(`${field}/${name}`, value, options)
        },
      }
    },
    /** Writes what is left to be reported. */
    async close(): Promise<void> {
      isClosed = true
      cancel?.()
      await exchanging
      if (!replica.isAlone) await put().catch(() => undefined)
    },
  }
}
export type Board = ReturnType<typeof createBoard>

const DRIFT_KEPT_MS = 86_400_000
/** Of one account, reported by one process: those that it first met latest. */
const DRIFTS_TOLD = 200

/** What processes tell each other of what a backend sent and its contract does not have. */
export const createDriftBoard = (deps: BoardDeps) => {
  const board = createBoard(deps, 'drift', DRIFT_KEPT_MS)
  const told = board.cell('drift', z.array(DriftView))
  const others = async (account: AccountId): Promise<DriftView[]> => {
    await board.exchange()
    return [...told.all()].flatMap(([name, { value, isOwn }]) =>
      !isOwn && name.startsWith(`${account}/`) ? value : [],
    )
  }
  return {
    /** Of one account; null where no other process can meet anything. `others`: in the last day, each by itself. */
    of: (account: AccountId) =>
      deps.replica.isAlone
        ? null
        : {
            say: (met: readonly DriftView[]) => told.say(`${account}/${deps.replica.id}`, met.slice(0, DRIFTS_TOLD)),
            others: () => others(account),
          },
    close: board.close,
  }
}

/** Of each kind, reported by one process: as many as matter to the order of polls. */
const TOLD_AT_MOST = 500
/** What is not reported again within this is no longer waited for: its process may have died. */
export const WAITS_KEPT_MS = 10_000

const Waits = z.strictObject({ videos: z.array(z.string()), clients: z.array(z.string()) })

interface WaitsDeps {
  /** Of this process. */
  awaited: {
    has(row: { id: string; client: string }): boolean
    videos(): Iterable<string>
    clients(): Iterable<string>
  }
  /** Of what is waited for. */
  board: Board
  replica: Replica
}

/**
 * What somebody waits for, at any process: a client holds its connection at one of them, and another one polls. Only
 * the order of polls depends on it.
 */
export const createSharedWaits = ({ awaited, board, replica }: WaitsDeps) => {
  const waits = board.cell('waits', Waits)
  let toldNothing = true

  const others = (of: 'videos' | 'clients'): string[] =>
    [...waits.all()].flatMap(([id, { value }]) => (id === replica.id ? [] : value[of]))

  /** Informs the others of what is waited for here. */
  const tell = (): void => {
    if (replica.isAlone) return
    const [videos, clients] = [[...awaited.videos()], [...awaited.clients()]]
    const isNothing = videos.length + clients.length === 0
    if (isNothing && toldNothing) return
    toldNothing = isNothing
    const value = { videos: videos.slice(-TOLD_AT_MOST), clients: clients.slice(-TOLD_AT_MOST) }
    waits.say(replica.id, value, { againMs: WAITS_KEPT_MS / 2 })
  }

  return {
    tell,
    /** Learns what is waited for at others. Never rejects. */
    heed(): Promise<void> {
      tell()
      return board.exchange()
    },
    videos: (): string[] => [...awaited.videos(), ...others('videos')],
    clients: (): string[] => [...awaited.clients(), ...others('clients')],
    /** Here; what is waited for elsewhere is in the two lists. */
    has: awaited.has,
  }
}
export type SharedWaits = ReturnType<typeof createSharedWaits>
