import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, ProcessClock } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { Change, Changed } from '../../core/store/videos.ts'
import type { Lease } from '../../core/store/work.ts'
import type { Store } from '../../core/store/index.ts'
import { forCallers, openDb, type Db } from './db.ts'
import { createStoreFile, takeOwnership } from './lock.ts'
import { openFault } from './open-fault.ts'
import { createEventReads } from './event-reads.ts'
import { createReads } from './reads.ts'
import { createRecordedReads } from './recorded.ts'
import { createResourceReads } from './resource-reads.ts'
import { createRoutingReads } from './routing-reads.ts'
import { createFreeBytes, freeBytesOf } from './room.ts'
import { createWebhookReads } from './webhook-reads.ts'
import { liveSecrets } from './webhook-verbs.ts'
import { startWriter, type Write } from './write.ts'

export interface SqliteOptions {
  path: string
  clock: ProcessClock
  /**
   * The serving process, of which there is one. Its start voids the leases of the one before, and goes on from its
   * time.
   */
  owner: boolean
  /** Bytes left for the file, null if unknown; default: of its volume. */
  freeBytes?: () => number | null
  /** As many pages as the file may have; default: as many as SQLite takes. */
  maxPages?: number
  /** Called once if this store cannot be written any more, with the reason. Only a new process can go on. */
  onLost?: (cause: Error) => void
}

const NO_ROOM_RETRY_MS = 30_000
const noRoom = (nowMs: number): Problem =>
  new Problem('store_unavailable', 'the gateway has almost no room left for anything new', {
    retryAtMs: nowMs + NO_ROOM_RETRY_MS,
  })

/** How often a change is decided again because another write came between. */
const MAX_TRIES = 50

const createChange =
  (write: Write, video: Store['video'], clock: Clock): Store['change'] =>
  async (id, decide): Promise<Changed> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const current = await video(id)
      if (!current) return { video: null, deliveries: [], jobTaken: null }
      const decided: Change = decide(current, clock.now())
      if (decided.kind === 'keep') return { video: current, deliveries: [], jobTaken: null }
      const change: Change =
        decided.kind === 'save' ? { ...decided, video: { ...decided.video, version: current.version + 1 } } : decided
      const written = await write('write', { id, version: current.version, change })
      if (written?.jobTaken) return { video: current, ...written }
      if (written) return { video: change.kind === 'save' ? change.video : null, ...written }
    }
    throw new Problem('store_unavailable', 'the video is being written too often')
  }

/**
 * The embedded driver: one file, WAL, `synchronous=FULL`. Reads run on this thread. One writer thread takes concurrent
 * writes into one commit. Rejects if another process owns the file, or if a newer schema wrote it.
 */
export const openSqliteStore = async (options: SqliteOptions): Promise<Store> => {
  const { path, clock, owner, maxPages = null, onLost = () => undefined } = options
  const closers: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    createStoreFile(path)
    if (owner) closers.push(takeOwnership(path).release)
    const writer = await startWriter({ path, maxPages }, onLost)
    closers.push(writer.close)
    if (owner) clock.notBefore(await writer.write('takeOver', undefined))
    const db = openDb(path, { readOnly: true })
    closers.push(db.close)
    return { ...createStore(forCallers(db), writer.write, options), close }
  } catch (error) {
    await close()
    throw openFault(path, error)
  }
}

const createStore = (db: Db, write: Write, options: SqliteOptions): Omit<Store, 'close'> => {
  const { clock, path } = options
  const nowMs = clock.now
  const reads = createReads(db, nowMs)
  const freeBytes = createFreeBytes(clock, options.freeBytes ?? (() => freeBytesOf(dirname(path))))
  return {
    ...reads,
    ...createResourceReads(db, nowMs),
    ...createRecordedReads(db),
    ...createEventReads(db),
    ...createWebhookReads(db),
    ...createRoutingReads(db),
    async open(draft, key, limits, admission) {
      const args = { draft, key, limits, admission, freeBytes: freeBytes(), nowMs: nowMs() }
      const opened = await write('open', args)
      if (opened.kind !== 'no_room') return opened
      throw noRoom(nowMs())
    },
    async adopt(draft) {
      const adopted = await write('adopt', { draft, freeBytes: freeBytes() })
      if (adopted.kind !== 'no_room') return adopted
      throw noRoom(nowMs())
    },
    admit: (account, admission) => write('admit', { account, admission, nowMs: nowMs() }),
    change: createChange(write, reads.video, clock),
    async claim(kind, id, leaseMs): Promise<Lease | null> {
      const lease = { id, token: randomUUID(), untilMs: nowMs() + leaseMs }
      return (await write('claim', { kind, ...lease, nowMs: nowMs() })) ? lease : null
    },
    extend: (kind, lease, leaseMs) => write('extend', { kind, ...lease, untilMs: nowMs() + leaseMs, nowMs: nowMs() }),
    release: (kind, { id, token }) => write('release', { kind, id, token }),
    attempted: ({ id, token }, attempt, after) => write('attempted', { id, token, attempt, after, nowMs: nowMs() }),
    async secrets(keeper, candidate) {
      // Read at each attempt but written once: most calls need no commit.
      const live = liveSecrets(db, keeper, nowMs())
      return live.length > 0 ? live : write('secrets', { keeper, candidate, nowMs: nowMs() })
    },
    rotateSecret: (keeper, secret, oldUntilMs) => write('rotateSecret', { keeper, secret, oldUntilMs }),
    createEndpoint: (endpoint) => write('createEndpoint', { endpoint, nowMs: nowMs() }),
    changeEndpoint: (client, id, patch) => write('changeEndpoint', { client, id, patch, nowMs: nowMs() }),
    deleteEndpoint: (client, id) => write('deleteEndpoint', { client, id, nowMs: nowMs() }),
    redeliver: (client, eventId) => write('redeliver', { client, eventId, nowMs: nowMs() }),
    replay: (replay) => write('replay', { replay }),
    replayStep: (limit) => write('replayStep', { limit, nowMs: nowMs() }),
    backlogStep: () => write('backlogStep', { nowMs: nowMs() }),
    purgeWebhooks: (beforeMs, limit) => write('purgeWebhooks', { beforeMs, limit, nowMs: nowMs() }),
    keepDurations: (source, recent) => write('keepDurations', { source, recent }),
    purge: (beforeMs, limit) => write('purge', { beforeMs, limit }),
    async begin(key, intent, leaseMs) {
      const lease = { token: randomUUID(), untilMs: nowMs() + leaseMs }
      const begun = await write('begin', { key, intent, ...lease, freeBytes: freeBytes(), nowMs: nowMs() })
      if (begun.kind !== 'no_room') return begun
      throw noRoom(nowMs())
    },
    made: (made, key) => write('made', { made, key, nowMs: nowMs() }),
    unmade: (key, { token }, outcome) => write('unmade', { key, token, outcome }),
    forgetPuppet: (account, id) => write('forgetPuppet', { account, id }),
    countRequests: (month, counts) => write('countRequests', { month, counts }),
    purgeResources: (beforeMs, limit) => write('purgeResources', { beforeMs, limit, nowMs: nowMs() }),
    changeSplit: (change) => write('changeSplit', change),
    purgeAudit: (beforeMs, limit) => write('purgeAudit', { beforeMs, limit }),
    putShadows: (shadows) => write('putShadows', { shadows }),
    countRefusals: (counts) => write('countRefusals', { counts }),
    purgeRefusals: (beforeMs, limit) => write('purgeRefusals', { beforeMs, limit }),
    meta: (key, candidate) => write('meta', { key, candidate }),
    spend: (account, budgetClass, demand, fallbackLimit, most = 1) =>
      write('spend', { account, budgetClass, demand, fallbackLimit, most, nowMs: nowMs() }),
    learn: (ticket, ...rates) => write('learn', { ticket, rates, nowMs: nowMs() }),
    giveBack: (ticket, count) => write('giveBack', { ticket, count, nowMs: nowMs() }),
    exhausted: (account, untilMs) => write('exhausted', { account, untilMs, nowMs: nowMs() }),
    async ping() {
      // Goes through the thread, the file's lock and an empty commit.
      await write('ping', undefined)
      db.get('SELECT 1')
    },
  }
}
