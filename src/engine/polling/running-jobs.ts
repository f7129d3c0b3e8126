import type { Clock } from '../../core/time/clock.ts'
import type { Log } from '../../core/log.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Store } from '../../core/store/index.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { breath } from '../../core/time/breath.ts'
import { actionOf, dueAtOf, openRowOf } from './poll-plan.ts'
import { remember, type Memories } from './poll.ts'
import { createRoster } from './due-queue.ts'
import { backoffMs } from '../life/backoff.ts'
import type { Awaited } from '../read/wait.ts'

export interface WatchDeps {
  store: Pick<Store, 'running' | 'movedSince' | 'lastMove' | 'video' | 'clientsTold'>
  clock: Clock
  log: Log
  random: () => number
  awaited: Pick<Awaited, 'has' | 'videos' | 'clients'>
}

/** What a flight is for: each kind has room of its own, so that creates that hang hold up no look, nor each other. */
export type FlightKind = 'create' | 'resend' | 'look'

const REREAD_MS = 1_000
/** What costs by the number of all that run is done so seldom that its part of the time does not rise with them. */
export const ROWS_PER_MS = 100
/** Whole records are read, or rows placed, so many at a time: about two milliseconds. */
const READ_AT_ONCE = 100
const PLACED_AT_ONCE = 1_000

/** Does something with each; everything else has its turn now and then. */
const eachOf = async <T>(all: Iterable<T>, atOnce: number, action: (one: T) => unknown): Promise<void> => {
  let done = 0
  for (const one of all) {
    await action(one)
    done += 1
    if (done % atOnce === 0) await breath()
  }
}

interface Waits {
  videos: ReadonlySet<string>
  clients: ReadonlySet<string>
}
const moved = (before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...before, ...now].filter((key) => before.has(key) !== now.has(key)))

/**
 * What one account has running, as this process knows it: read as a whole once it acts for the account, and kept from
 * then on by what this process is told of and by what was written, which it asks the store for every second, because
 * telling is lossy. So a turn costs by what changed and what is due.
 */
export const createWatch = ({ store, clock, log, random, awaited }: WatchDeps, account: AccountId) => {
  const roster = createRoster()
  const memories: Memories = new Map()
  /** Of videos on which a step of ours failed, mostly the store's. */
  const faults = new Map<string, { count: number; untilMs: number }>()
  const busy = new Map<string, Promise<void>>()
  const flights: Record<FlightKind, number> = { create: 0, resend: 0, look: 0 }
  const touched = new Set<string>()
  /** Taken, and neither begun nor put back yet. */
  const out = new Set<string>()
  /** Up to which write everything is known; null: nothing is. */
  let knownTo: number | null = null
  let readAtMs = 0
  /** What somebody waits for, as of the last look at that: videos, and clients whose every end somebody is to be told of. */
  let waits: Waits = { videos: new Set(), clients: new Set() }
  let waitsReadAtMs: number | null = null

  const isAwaited = (row: OpenVideo): boolean => row.hasWebhook || awaited.has(row) || waits.clients.has(row.client)

  /** Each row comes with strings of its own for what a few names tell: kept once, however many run. */
  const names = new Map<string, string>()
  const kept = (name: string): string => {
    const known = names.get(name)
    if (known === undefined) names.set(name, name)
    return known ?? name
  }

  const place = (row: OpenVideo, notBeforeMs = 0): void => {
    // What was read before a write that we know of tells nothing.
    if ((roster.rows.get(row.id)?.version ?? 0) > row.version) return
    const atMs = Math.max(dueAtOf(row, memories.get(row.id)), faults.get(row.id)?.untilMs ?? 0, notBeforeMs)
    row.client = kept(row.client)
    row.backend = kept(row.backend)
    roster.put(row, busy.has(row.id) ? null : atMs, isAwaited(row))
    out.delete(row.id)
  }

  const rank = (row: OpenVideo | undefined): void => {
    if (row) place(row)
  }

  const forget = (id: string): void => {
    roster.drop(id)
    out.delete(id)
    if (busy.has(id)) return
    memories.delete(id)
    faults.delete(id)
  }

  /** What is written meanwhile is read after it. */
  const readAll = async (): Promise<number> => {
    const from = await store.lastMove(account)
    const ids = new Set<string>()
    for (
      let page = await store.running(account);
      page.length > 0;
      page = await store.running(account, page.at(-1)?.id)
    ) {
      for (const row of page) {
        ids.add(row.id)
        place(row)
      }
      await breath()
    }
    for (const known of [roster.rows, memories, faults])
      await eachOf(known.keys(), PLACED_AT_ONCE, (id) => ids.has(id) || forget(id))
    return from
  }

  /** Up to what is written by now: what others write meanwhile must not keep a turn from its end. */
  const readMoved = async (since: number): Promise<void> => {
    const last = await store.lastMove(account)
    for (let from = since; ; await breath()) {
      const { videos, upTo } = await store.movedSince(account, from)
      knownTo = upTo
      for (const row of videos) {
        if (actionOf(row) === null) forget(row.id)
        else place(row)
      }
      // What was deleted since has no row that tells of it.
      if (videos.length === 0 || upTo >= last) return
      from = upTo
    }
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
    await eachOf(roster.rows.values(), PLACED_AT_ONCE, (row) => movedClients.has(row.client) && rank(row))
  }

  const readTouched = (): Promise<void> =>
    eachOf(touched, READ_AT_ONCE, async (id) => {
      touched.delete(id)
      const video = await store.video(id).catch((error: unknown) => {
        touched.add(id)
        throw error
      })
      const row = video?.account === account ? openRowOf(video) : null
      // So that a first look can be planned anew, and never before the backend wants it.
      if (video?.phase === 'accepted' && row && !memories.has(id)) {
        const { version, nextPollAtMs: notBeforeMs, lastLookAtMs } = video
        remember(memories, id, { version, dueAtMs: video.dueAtMs ?? 0, notBeforeMs, lastLookAtMs })
      }
      if (row) place(row)
      else forget(id)
    })

  return {
    memories,
    rows: roster.rows,
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken = roster.take(nowMs, limit)
      for (const { id } of taken) out.add(id)
      return taken
    },
    nextAtMs: roster.nextAtMs,
    /** Not now: at its own time, or not before `notBeforeMs`. */
    putBack(row: OpenVideo, notBeforeMs = 0): void {
      if (roster.rows.has(row.id)) place(row, notBeforeMs)
    },
    isBusy: (id: string): boolean => busy.has(id),
    /** Somebody waits for it, so its polls go before others. */
    isAwaited,
    knows: (id: string): boolean => roster.rows.has(id) || busy.has(id),
    flights: (kind: FlightKind): number => flights[kind],
    idle: () => Promise.all(busy.values()),
    /** Somebody wrote it. */
    touch: (id: string): void => void touched.add(id),
    /** Nothing is known any more: another process acts. */
    lose(): void {
      knownTo = null
      touched.clear()
    },
    /** A turn broke off: what it had taken is there again. */
    restore(): void {
      for (const id of out) rank(roster.rows.get(id))
      out.clear()
    },
    /** Learns what changed. Answers true when it asked what was written, which it does every second. */
    async catchUp(): Promise<boolean> {
      await readWaits()
      const sinceMs = clock.now() - readAtMs
      const reads = knownTo === null || sinceMs < 0 || sinceMs >= REREAD_MS
      if (reads) {
        await readMoved(knownTo ?? (await readAll()))
        readAtMs = clock.now()
      }
      await readTouched()
      return reads
    },
    /** Callbacks that came while nobody held the account are lost: look at all that were to be called back, once. */
    async suspectAll(): Promise<void> {
      const accepted = [...roster.rows.values()].filter(({ phase }) => phase === 'accepted')
      await eachOf(accepted, READ_AT_ONCE, async (row) => {
        // What the backend asked of a process before this one stands in the record.
        const notBeforeMs = memories.get(row.id)?.notBeforeMs ?? (await store.video(row.id))?.nextPollAtMs ?? null
        remember(memories, row.id, { version: row.version, dueAtMs: clock.now(), notBeforeMs, must: true })
        place(row)
      })
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
        out.delete(id)
      }
    },
  }
}
export type Watch = ReturnType<typeof createWatch>
