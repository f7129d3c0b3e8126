import type { OpenVideo } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Store } from '../../core/store/index.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { breath } from '../../core/time/clock.ts'
import type { Ports } from '../../core/ports.ts'
import { actionOf, createMemories, dueAtOf, openRowOf, setMemory } from './poll-plan.ts'
import { backoffMs } from '../life/job-steps.ts'
import type { SharedWaits } from '../replicas/board.ts'
import { logFailure } from '../../core/log.ts'

/** What a row waits for: a poll that somebody waits for, any other poll, or a step that no crowd of polls may hide. */
type Kind = 'awaited' | 'others' | 'steps'

interface Entry {
  row: OpenVideo
  kind: Kind
  /** When it is due; `HELD` while it is dealt with. */
  atMs: number
  /** Its place in the heap of its kind, so that one whose time changes is moved. */
  place: number
}

/** Dealt with now: not due before it is put again. */
const HELD = Infinity

/** A binary heap: the first is due first. */
const createHeap = () => {
  const heap: Entry[] = []
  const timeAt = (place: number): number => heap[place]?.atMs ?? Infinity
  const set = (entry: Entry, place: number): void => {
    entry.place = place
    heap[place] = entry
  }
  /** Puts the entry where it belongs, from a place that is free. */
  const settle = (entry: Entry, from: number): void => {
    let at = from
    for (let up = heap[(at - 1) >> 1]; at > 0 && up && up.atMs > entry.atMs; up = heap[(at - 1) >> 1]) {
      set(up, at)
      at = (at - 1) >> 1
    }
    for (;;) {
      const place = timeAt(2 * at + 2) < timeAt(2 * at + 1) ? 2 * at + 2 : 2 * at + 1
      const child = heap[place]
      if (!child || child.atMs >= entry.atMs) break
      set(child, at)
      at = place
    }
    set(entry, at)
  }
  return {
    size: (): number => heap.length,
    first: (): Entry | undefined => heap[0],
    firstMs: (): number => timeAt(0),
    add: (entry: Entry): void => settle(entry, heap.length),
    /** Its time has changed. */
    moved: (entry: Entry): void => settle(entry, entry.place),
    remove(entry: Entry): void {
      const last = heap.pop()
      if (last && last !== entry) settle(last, entry.place)
    },
  }
}

/** The part of each take for polls that do not go first, so that none waits for ever. */
const OTHERS_SHARE = 1 / 4
/** How many steps are taken at the same time. There are few, unless the backend is failing. */
const STEPS_AT_ONCE = 64

/**
 * The running videos of one account in the order in which they are due, so that videos that are not due cost nothing.
 * There are polls that somebody waits for, other polls, and steps (a doubt, a create whose process died). Steps never
 * wait behind polls, however many are due.
 */
export const createDueQueue = () => {
  const entries = new Map<string, Entry>()
  const heaps = { awaited: createHeap(), others: createHeap(), steps: createHeap() }

  const drop = (id: string): void => {
    const entry = entries.get(id)
    if (!entry) return
    heaps[entry.kind].remove(entry)
    entries.delete(id)
  }
  const retime = (entry: Entry, atMs: number): void => {
    entry.atMs = atMs
    heaps[entry.kind].moved(entry)
  }

  return {
    size: (): number => entries.size,
    ids: () => entries.keys(),
    has: (id: string): boolean => entries.has(id),
    get: (id: string): OpenVideo | undefined => entries.get(id)?.row,
    /** `atMs` null: it is being dealt with, and not due before it is put again. */
    put(row: OpenVideo, atMs: number | null, isAwaited: boolean): void {
      const kind = row.phase !== 'accepted' ? 'steps' : isAwaited ? 'awaited' : 'others'
      const known = entries.get(row.id)
      if (known?.kind === kind) {
        known.row = row
        retime(known, atMs ?? HELD)
        return
      }
      drop(row.id)
      const entry: Entry = { row, kind, atMs: atMs ?? HELD, place: 0 }
      entries.set(row.id, entry)
      heaps[kind].add(entry)
    },
    /** It is being dealt with. */
    hold(id: string): void {
      const entry = entries.get(id)
      if (entry) retime(entry, HELD)
    },
    drop,
    /**
     * Takes the first due rows, earliest first; each must be put again. `limit` polls, those that somebody waits for
     * first, and steps beside them.
     */
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken: OpenVideo[] = []
      const takeFrom = (kind: Kind, most: number): void => {
        const { first } = heaps[kind]
        for (let next = first(); next && next.atMs <= nowMs && taken.length < most; next = first()) {
          retime(next, HELD)
          taken.push(next.row)
        }
      }
      takeFrom('steps', STEPS_AT_ONCE)
      const steps = taken.length
      takeFrom('awaited', steps + limit)
      takeFrom('others', Math.max(steps + limit, taken.length + Math.ceil(limit * OTHERS_SHARE)))
      return taken
    },
    /** When the next is due, or was. */
    nextAtMs(): number | null {
      const firstMs = Math.min(...Object.values(heaps).map((heap) => heap.firstMs()))
      return firstMs === HELD ? null : firstMs
    },
    /** How many polls of a kind there are, due or not. */
    count: (kind: 'awaited' | 'others'): number => heaps[kind].size(),
  }
}
type DueQueue = ReturnType<typeof createDueQueue>

interface RunningJobsDeps extends Pick<Ports, 'clock' | 'log' | 'random'> {
  store: Pick<Store, 'running' | 'movedSince' | 'lastMove' | 'video' | 'clientsTold'>
  awaited: Pick<SharedWaits, 'has' | 'videos' | 'clients' | 'heed'>
}

/** What work under way is for. Each kind has a room of its own, so that creates that hang hold up no poll. */
export type FlightKind = 'create' | 'resend' | 'poll'

const REREAD_MS = 1_000
/** A poll that is not due is thought of again after so long, where no more than `RETHOUGHT` run. */
const RETHINK_MS = 1_000
const RETHOUGHT = 64
/** Whole records are read, or rows placed, so many at a time: about two milliseconds. */
const READ_AT_ONCE = 100
const PLACED_AT_ONCE = 1_000

/** Does something with each, and lets other work run in between. */
const eachOf = async <T>(all: Iterable<T>, atOnce: number, action: (one: T) => unknown): Promise<void> => {
  let done = 0
  for (const one of all) {
    await action(one)
    done += 1
    if (done % atOnce === 0) await breath()
  }
}

/** What runs, as others may see it. */
type Rows = Pick<DueQueue, 'size' | 'ids' | 'get' | 'count'>

interface Waits {
  videos: ReadonlySet<string>
  clients: ReadonlySet<string>
}
const moved = (before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...before, ...now].filter((key) => before.has(key) !== now.has(key)))

/**
 * What one account has running, as this process knows it. It is read as a whole when the process begins to act for the
 * account. From then on hints keep it up to date, and once a second what was written, because hints may be lost. So a
 * turn costs by what changed and what is due.
 */
export const createRunningJobs = ({ store, clock, log, random, awaited }: RunningJobsDeps, account: AccountId) => {
  const dueQueue = createDueQueue()
  const memories = createMemories()
  /** Videos on which a step of ours failed, mostly because of the store. */
  const faults = new Map<string, { count: number; untilMs: number }>()
  const busy = new Map<string, Promise<void>>()
  const flights: Record<FlightKind, number> = { create: 0, resend: 0, poll: 0 }
  /** What was written since it was placed: its record, as this process wrote it; null: it is to be read. */
  const touched = new Map<string, VideoRecord | null>()
  /** Taken, and neither begun nor put back yet. */
  const out = new Set<string>()
  /** Everything up to this write is known; null: nothing is. */
  let knownTo: number | null = null
  let readAtMs = 0
  /** What somebody waits for, as last read: videos, and clients that are informed of every end. */
  let waits: Waits = { videos: new Set(), clients: new Set() }
  let waitsReadAtMs: number | null = null

  const isAwaited = (row: OpenVideo): boolean =>
    row.hasWebhook || awaited.has(row) || waits.videos.has(row.id) || waits.clients.has(row.client)

  const place = (row: OpenVideo, notBeforeMs = 0): void => {
    // What was read before a write that we know of reports nothing.
    const knownVersion = dueQueue.get(row.id)?.version ?? 0
    if (knownVersion > row.version) return
    const dueAtMs = dueAtOf(row, memories.get(row.id))
    // The window may allow more by then: so many are thought of each second, however many run. What is new is
    // considered immediately.
    const isNew = knownTo !== null && row.version > knownVersion
    const rethinkMs = Math.ceil(RETHINK_MS * Math.max(1, dueQueue.size() / RETHOUGHT))
    // On whole seconds: all of a second take one turn, where each would take its own.
    const thoughtOfMs = isNew ? clock.now() : Math.floor((clock.now() + rethinkMs) / RETHINK_MS) * RETHINK_MS
    const atMs = Math.max(
      row.phase === 'accepted' ? Math.min(dueAtMs, thoughtOfMs) : dueAtMs,
      faults.get(row.id)?.untilMs ?? 0,
      notBeforeMs,
    )
    dueQueue.put(row, busy.has(row.id) ? null : atMs, isAwaited(row))
    out.delete(row.id)
  }

  const rank = (row: OpenVideo | undefined): void => {
    if (row) place(row)
  }

  const forget = (id: string): void => {
    dueQueue.drop(id)
    out.delete(id)
    if (busy.has(id)) return
    memories.delete(id)
    faults.delete(id)
  }

  /** Reads all rows. What is written meanwhile is read afterwards. */
  const readAll = async (): Promise<number> => {
    const from = await store.lastMove(account)
    const gone = new Set([...dueQueue.ids(), ...memories.ids(), ...faults.keys()])
    for (
      let page = await store.running(account);
      page.length > 0;
      page = await store.running(account, page.at(-1)?.id)
    ) {
      for (const row of page) {
        gone.delete(row.id)
        place(row)
      }
      await breath()
    }
    await eachOf(gone, PLACED_AT_ONCE, forget)
    return from
  }

  /** Reads what was written up to now. Later writes wait for the next turn, or it might never end. */
  const readMoved = async (since: number): Promise<void> => {
    const last = await store.lastMove(account)
    for (let from = since; ; await breath()) {
      const { videos, upTo } = await store.movedSince(account, from)
      knownTo = upTo
      for (const row of videos) {
        if (actionOf(row) === null) forget(row.id)
        else place(row)
      }
      // Rows that were deleted since do not appear.
      if (videos.length === 0 || upTo >= last) return
      from = upTo
    }
  }

  /** Reads what somebody waits for. Endpoints may change in another process, so this is repeated. */
  const readWaits = async (): Promise<void> => {
    const sinceMs = clock.now() - (waitsReadAtMs ?? -Infinity)
    if (sinceMs >= 0 && sinceMs < REREAD_MS) return
    const before = waits
    await awaited.heed()
    const clients = new Set([...(await store.clientsTold()), ...awaited.clients()])
    waits = { videos: new Set(awaited.videos()), clients }
    waitsReadAtMs = clock.now()
    for (const id of moved(before.videos, waits.videos)) rank(dueQueue.get(id))
    const movedClients = moved(before.clients, clients)
    if (movedClients.size === 0) return
    await eachOf(dueQueue.ids(), PLACED_AT_ONCE, (id) => {
      const row = dueQueue.get(id)
      if (row && movedClients.has(row.client)) place(row)
    })
  }

  const readTouched = (): Promise<void> =>
    eachOf(touched, READ_AT_ONCE, async ([id, known]) => {
      touched.delete(id)
      const again = (error: unknown): never => {
        touched.set(id, null)
        throw error
      }
      const video = known ?? (await store.video(id).catch(again))
      const row = video?.account === account ? openRowOf(video) : null
      // Remembered, so that a first poll can be planned again, but never before the backend wants it.
      if (video?.phase === 'accepted' && row && !memories.has(id)) {
        const { version, nextPollAtMs: notBeforeMs, lastPollAtMs } = video
        setMemory(memories, id, { version, dueAtMs: video.dueAtMs ?? 0, notBeforeMs, lastPollAtMs })
      }
      if (row) place(row)
      else forget(id)
    })

  return {
    memories,
    rows: dueQueue as Rows,
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken = dueQueue.take(nowMs, limit)
      for (const { id } of taken) out.add(id)
      return taken
    },
    nextAtMs: dueQueue.nextAtMs,
    /** Puts a row back: due at its own time, or not before `notBeforeMs`. */
    putBack(row: OpenVideo, notBeforeMs = 0): void {
      if (dueQueue.has(row.id)) place(row, notBeforeMs)
    },
    isBusy: (id: string): boolean => busy.has(id),
    /** A step of ours failed on it lately: it is left as it is for a while. */
    isHeldBack: (id: string): boolean => (faults.get(id)?.untilMs ?? 0) > clock.now(),
    /** Somebody waits for it, so its polls go before others. */
    isAwaited,
    /** Also one that this process just wrote. */
    knows: (id: string): boolean => dueQueue.has(id) || busy.has(id) || Boolean(touched.get(id)),
    flights: (kind: FlightKind): number => flights[kind],
    /** Everything up to this write of the account's is known; null: nothing is. */
    knownTo: (): number | null => knownTo,
    /** Nothing runs, is under way, or was written and not read since. */
    isEmpty: (): boolean => dueQueue.size() + busy.size + touched.size + out.size === 0,
    idle: () => Promise.all(busy.values()),
    /** Somebody wrote this version of it. */
    touch(id: string, version: number): void {
      if ((touched.get(id)?.version ?? 0) < version) touched.set(id, null)
    },
    /** This process wrote it, or read it to write it. Where another wrote it, too, it is read anyway. */
    wrote(video: VideoRecord): void {
      const known = touched.get(video.id)
      if (known !== null && (known?.version ?? 0) <= video.version) touched.set(video.id, video)
    },
    /** Forgets everything: another process acts for the account. */
    lose(): void {
      knownTo = null
      touched.clear()
    },
    /** A turn failed: puts back what it had taken. */
    restore(): void {
      for (const id of out) rank(dueQueue.get(id))
      out.clear()
    },
    /** Learns what changed. Answers true if it asked the store, which it does once a second. */
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
    /** Callbacks that came while nobody held the account are lost: polls all jobs with a promised callback once. */
    async suspectAll(): Promise<void> {
      await eachOf(dueQueue.ids(), READ_AT_ONCE, async (id) => {
        const row = dueQueue.get(id)
        if (row?.phase !== 'accepted') return
        // What the backend asked of a process before this one stands in the record.
        const notBeforeMs = memories.get(id)?.notBeforeMs ?? (await store.video(id))?.nextPollAtMs ?? null
        setMemory(memories, id, { version: row.version, dueAtMs: clock.now(), notBeforeMs, must: true })
        place(row)
      })
    },
    /**
     * Runs an action on these videos, beside others. A fault does not stop the account. What it may have changed is
     * read again then.
     */
    begin(kind: FlightKind, ids: readonly string[], action: () => Promise<void>, ended: () => void): void {
      flights[kind] += 1
      const before = new Map(ids.map((id) => [id, dueQueue.get(id)]))
      const running = action()
        .then(() => {
          for (const id of ids) faults.delete(id)
        })
        .catch((error: unknown) => {
          for (const id of ids) {
            logFailure(log, { video_id: id, err: error }, 'the engine failed on a video, and will come back to it')
            // The video is left as it is, for longer each time, and the others continue.
            const count = (faults.get(id)?.count ?? 0) + 1
            faults.set(id, { count, untilMs: clock.now() + backoffMs(count, random()) })
            touched.set(id, null)
          }
        })
        .finally(() => {
          flights[kind] -= 1
          for (const id of ids) {
            // Another action may have begun on it since.
            if (busy.get(id) === running) busy.delete(id)
            if (touched.has(id)) continue
            const row = dueQueue.get(id)
            if (!row) forget(id)
            // It saw more than the row shows, such as an end that another process wrote: the row would be due for ever.
            else if (row === before.get(id) && dueAtOf(row, memories.get(id)) <= clock.now()) touched.set(id, null)
            else place(row)
          }
          ended()
        })
      for (const id of ids) {
        busy.set(id, running)
        // A new one is to be known soon.
        if (dueQueue.has(id)) dueQueue.hold(id)
        else if (!touched.has(id)) touched.set(id, null)
        out.delete(id)
      }
    },
  }
}
export type RunningJobs = ReturnType<typeof createRunningJobs>
