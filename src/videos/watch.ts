import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { OpenVideo, Store } from '../core/ports.ts'
import type { AccountId } from '../core/vocabulary.ts'
import { dueAtOf, openRowOf } from './look.ts'
import { remember, type Memories } from './looker.ts'
import { createRoster } from './roster.ts'
import { backoffMs } from './schedule.ts'
import type { Awaited } from './wait.ts'

export interface WatchDeps {
  store: Pick<Store, 'running' | 'video' | 'clientsTold'>
  clock: Clock
  log: Log
  random: () => number
  awaited: Pick<Awaited, 'has' | 'videos' | 'clients'>
}

/** What a flight is for: each kind has room of its own, so that creates that hang hold up no look, nor each other. */
export type FlightKind = 'create' | 'resend' | 'look'

const REREAD_MS = 1_000
/** Milliseconds from one reading of all to the next, for each of them. */
const REREAD_PART = 0.5
/** What costs by the number of all that run is done so seldom that its part of the time does not rise with them. */
export const ROWS_PER_MS = 100

interface Waits {
  videos: ReadonlySet<string>
  clients: ReadonlySet<string>
}
const moved = (before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...before, ...now].filter((key) => before.has(key) !== now.has(key)))

/**
 * What one account has running, as this process knows it: kept by what this process writes and by what others tell of,
 * and read anew as a whole now and then, because telling is lossy. So a turn costs by what changed and what is due.
 */
export const createWatch = ({ store, clock, log, random, awaited }: WatchDeps, account: AccountId) => {
  const roster = createRoster()
  const memories: Memories = new Map()
  /** Of videos on which a step of ours failed, mostly the store's. */
  const faults = new Map<string, { count: number; untilMs: number }>()
  const busy = new Map<string, Promise<void>>()
  const flights: Record<FlightKind, number> = { create: 0, resend: 0, look: 0 }
  const touched = new Set<string>()
  let readAtMs: number | null = null
  /** What somebody waits for, as of the last look at that: videos, and clients whose every end somebody is to be told of. */
  let waits: Waits = { videos: new Set(), clients: new Set() }
  let waitsReadAtMs: number | null = null

  const isAwaited = (row: OpenVideo): boolean => row.hasWebhook || awaited.has(row) || waits.clients.has(row.client)

  const place = (row: OpenVideo, notBeforeMs = 0): void => {
    // What was read before a write that we know of tells nothing.
    if ((roster.rows.get(row.id)?.version ?? 0) > row.version) return
    const atMs = Math.max(dueAtOf(row, memories.get(row.id)), faults.get(row.id)?.untilMs ?? 0, notBeforeMs)
    roster.put(row, busy.has(row.id) ? null : atMs, isAwaited(row))
  }

  const rank = (row: OpenVideo | undefined): void => {
    if (row) place(row)
  }

  const forget = (id: string): void => {
    roster.drop(id)
    if (busy.has(id)) return
    memories.delete(id)
    faults.delete(id)
  }

  const readAll = async (): Promise<void> => {
    touched.clear()
    const rows = await store.running(account)
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of [...roster.rows.keys(), ...memories.keys(), ...faults.keys()]) if (!ids.has(id)) forget(id)
    for (const row of rows) place(row)
    readAtMs = clock.now()
  }

  /** Endpoints come and go, in other processes too: a rank may be so old, no older. */
  const readWaits = async (): Promise<void> => {
    const sinceMs = clock.now() - (waitsReadAtMs ?? -Infinity)
    if (sinceMs >= 0 && sinceMs < REREAD_MS) return
    const before = waits
    const clients = new Set([...(await store.clientsTold()), ...awaited.clients()])
    waits = { videos: new Set(awaited.videos()), clients }
    waitsReadAtMs = clock.now()
    for (const id of moved(before.videos, waits.videos)) rank(roster.rows.get(id))
    const movedClients = moved(before.clients, clients)
    if (movedClients.size === 0) return
    for (const row of roster.rows.values()) if (movedClients.has(row.client)) rank(row)
  }

  const isReadDue = (): boolean => {
    if (readAtMs === null) return true
    const sinceMs = clock.now() - readAtMs
    return sinceMs < 0 || sinceMs >= Math.max(REREAD_MS, roster.rows.size * REREAD_PART)
  }

  return {
    memories,
    rows: roster.rows,
    take: roster.take,
    nextAtMs: roster.nextAtMs,
    /** Not now: at its own time, or not before `notBeforeMs`. */
    putBack(row: OpenVideo, notBeforeMs = 0): void {
      if (roster.rows.has(row.id)) place(row, notBeforeMs)
    },
    isBusy: (id: string): boolean => busy.has(id),
    /** Somebody waits for it: design 4 has its looks go before others. */
    isAwaited,
    knows: (id: string): boolean => roster.rows.has(id) || busy.has(id),
    flights: (kind: FlightKind): number => flights[kind],
    idle: () => Promise.all(busy.values()),
    /** Somebody wrote it. */
    touch: (id: string): void => void touched.add(id),
    /** Nothing is known any more: another process acts. */
    lose(): void {
      readAtMs = null
      touched.clear()
    },
    /** Learns what changed. Answers true when it read everything anew. */
    async catchUp(): Promise<boolean> {
      await readWaits()
      const reads = isReadDue()
      if (reads) await readAll()
      for (const id of touched) {
        touched.delete(id)
        const video = await store.video(id)
        const row = video?.account === account ? openRowOf(video) : null
        if (row) place(row)
        else forget(id)
      }
      return reads
    },
    /** Callbacks that came while nobody held the account are lost: look at all that were to be called back, once. */
    async suspectAll(): Promise<void> {
      const accepted = [...roster.rows.values()].filter(({ phase }) => phase === 'accepted')
      for (const row of accepted) {
        // What the backend asked of a process before this one stands in the record.
        const notBeforeMs = memories.get(row.id)?.notBeforeMs ?? (await store.video(row.id))?.nextPollAtMs ?? null
        remember(memories, row.id, { version: row.version, dueAtMs: clock.now(), notBeforeMs, must: true })
        place(row)
      }
    },
    /** Runs one action on these beside all others; whatever it meets, the account goes on. */
    begin(kind: FlightKind, ids: readonly string[], action: () => Promise<void>, ended: () => void): void {
      flights[kind] += 1
      const running = action()
        .then(() => ids.forEach((id) => faults.delete(id)))
        .catch((error: unknown) => {
          for (const id of ids) {
            log.error({ video_id: id, err: error }, 'the engine failed on a video, and will come back to it')
            // That one is left alone for longer each time, and the others go on.
            const count = (faults.get(id)?.count ?? 0) + 1
            faults.set(id, { count, untilMs: clock.now() + backoffMs(count, random()) })
          }
        })
        .finally(() => {
          flights[kind] -= 1
          for (const id of ids) {
            busy.delete(id)
            touched.add(id)
          }
          ended()
        })
      for (const id of ids) {
        busy.set(id, running)
        touched.add(id)
        roster.hold(id)
      }
    },
  }
}
export type Watch = ReturnType<typeof createWatch>
