import * as access from './access.ts'
import * as admin from './admin-reads.ts'
import type { Reader } from './db.ts'
import * as events from './event-reads.ts'
import * as history from './history.ts'
import * as outbox from './outbox.ts'
import * as overview from './overview.ts'
import { createReads } from './reads.ts'
import * as resources from './resources.ts'
import * as routing from './routing.ts'
import * as upkeep from './upkeep.ts'
import * as videos from './video-verbs.ts'
import * as webhooks from './webhook-verbs.ts'
import * as work from './work-verbs.ts'
import type { Tally } from '../../core/tally.ts'
import { Problem } from '../../core/errors.ts'
import { diskFull } from '../../core/log.ts'
import type { Lease, SecretKeeper, WorkKind } from '../../core/store/webhooks.ts'
import type { Store } from '../../core/store/index.ts'
import type { Change, Changed } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'

/** Does nothing, as a write does. */
const ping = async (db: Reader, _args: object): Promise<void> => {
  await db.get('SELECT 1 AS n')
}

/** Finds whose a delivery is; null: there is none. */
export type ClientOf = (deliveryId: string) => string | Promise<string | null>

type Names = readonly string[] | Promise<readonly string[]>

const account = (id: string): string => `account:${id}`
const client = (id: string): string => `client:${id}`
const budget = ({ account: id }: { account: string }): readonly string[] => [`budget:${id}`]
const secretsOf = ({ kind, id }: SecretKeeper): string => `secrets:${kind}:${id}`

const worked = (kind: WorkKind, id: string, clientOf: ClientOf): Names =>
  kind === 'deliver' ? delivered(id, clientOf) : [`lease:${kind}:${id}`]
const delivered = (id: string, clientOf: ClientOf): Names => {
  const owner = clientOf(id)
  return typeof owner === 'string' ? [client(owner)] : owner.then((found) => (found === null ? [] : [client(found)]))
}
const leased = ({ kind, lease }: { kind: WorkKind; lease: Lease }, clientOf: ClientOf): Names =>
  worked(kind, lease.id, clientOf)

/**
 * One write: what runs it, and what it locks. Unless it is durable, a power cut may undo it, and nothing that matters
 * is lost.
 */
const verb =
  (isDurable: boolean) =>
  <D extends Reader, A extends object, R>(
    run: (db: D, args: A) => Promise<R>,
    locks: (args: Omit<A, 'nowMs'>, clientOf: ClientOf) => Names,
  ) => ({ run, locks, isDurable })
const durable = verb(true)
const quick = verb(false)

/**
 * All writes. Many are one transaction; where one fails, each is run by itself. Arguments and answers are plain data.
 *
 * `locks`: what it locks before its first statement, by name. Every write runs in READ COMMITTED: whatever it reads and
 * then goes by, and that is not held by a unique constraint or decided within one statement, must be under one of its
 * names. The names are accepted one order (`lockKeys`), so that no two writes wait for each other.
 * - `account:…`: its slots, turns, queue, counts and jobs.
 * - `client:…`: its quotas, keys, endpoints, events and deliveries.
 * - `budget:…`: the window of an account.
 * - `queue`: how many videos wait in all. `accounts`: which of them take new videos; `open` has `queue` for that.
 */
export const WRITES = {
  open: durable(videos.open, ({ draft: { video } }) => [
    account(video.account),
    client(video.client),
    'queue',
    ...budget(video),
  ]),
  adopt: durable(videos.adopt, ({ draft: { video } }) => [account(video.account), client(video.client), 'accounts']),
  putHistory: durable(history.putHistory, (args) => [account(args.account)]),
  admit: durable(videos.admit, (args) => [account(args.account), ...budget(args)]),
  // An account that is taken out of the configuration takes nothing over meanwhile.
  takeFromPool: durable(videos.takeFromPool, ({ from, video }) => [
    account(from),
    account(video.account),
    'accounts',
    ...budget(video),
  ]),
  write: durable(videos.write, ({ before, change }) => [
    account(before.account),
    client(before.client),
    ...(change.kind === 'save' && change.lesson ? budget(change.lesson.ticket) : []),
  ]),
  claim: quick(work.claim, ({ kind, id }, clientOf) => worked(kind, id, clientOf)),
  claimDeliveries: quick(work.claimDeliveries, async ({ ids }, clientOf) =>
    (await Promise.all(ids.map(async (id) => await delivered(id, clientOf)))).flat(),
  ),
  extend: quick(work.extend, leased),
  release: quick(work.release, leased),
  attempted: durable(webhooks.attempted, ({ lease }, clientOf) => delivered(lease.id, clientOf)),
  secrets: durable(webhooks.secrets, ({ keeper }) => [secretsOf(keeper)]),
  rotateSecret: durable(webhooks.rotateSecret, ({ keeper }) => [secretsOf(keeper)]),
  createEndpoint: durable(webhooks.createEndpoint, ({ endpoint }) => [client(endpoint.client)]),
  changeEndpoint: durable(webhooks.changeEndpoint, (args) => [client(args.client)]),
  deleteEndpoint: durable(webhooks.deleteEndpoint, (args) => [
    client(args.client),
    secretsOf({ kind: 'endpoint', id: args.id }),
  ]),
  redeliver: durable(webhooks.redeliver, (args) => [client(args.client)]),
  replay: durable(webhooks.replay, ({ replay }) => [client(replay.client)]),
  replayStep: durable(webhooks.replayStep, (args) => [client(args.client)]),
  backlogStep: durable(webhooks.backlogStep, (args) => [client(args.client)]),
  purgeWebhooks: durable(upkeep.purgeWebhooks, ({ events }) => events.map((event) => client(event.client))),
  purge: durable(upkeep.purge, ({ videos }) => videos.map((video) => client(video.client))),
  meta: durable(work.meta, () => ['meta']),
  keepDurations: quick(work.keepDurations, ({ source }) => [`durations:${source}`]),
  addDurations: quick(work.addDurations, ({ source }) => [`durations:${source}`]),
  putFacts: quick(work.putFacts, ({ kind }) => [`facts:${kind}`]),
  // No video opens (`queue`) or is adopted meanwhile, on any account.
  serve: durable(work.serve, () => ['queue', 'accounts']),
  spend: quick(work.spend, budget),
  learn: quick(work.learn, ({ ticket }) => budget(ticket)),
  giveBack: quick(work.giveBack, ({ ticket }) => budget(ticket)),
  exhausted: quick(work.exhausted, budget),
  ping: quick(ping, () => []),
  begin: durable(resources.begin, ({ key }) => [client(key.client)]),
  made: durable(resources.made, ({ made }) => [client(made.record.client)]),
  unmade: durable(resources.unmade, ({ key }) => [client(key.client)]),
  forgetPuppet: durable(resources.forgetPuppet, (args) => [account(args.account)]),
  countRequests: durable(resources.countRequests, () => ['requests']),
  purgeResources: durable(upkeep.purgeResources, () => ['purge']),
  changeSplit: durable(routing.changeSplit, ({ split, events }) => [
    `split:${split.key}`,
    ...events.map((event) => client(event.client)),
  ]),
  changePause: durable(routing.changePause, ({ pause }) => [`split:${pause.key}`]),
  // Numbers of changes are committed in their order, so that who reads on misses none.
  changeAccess: durable(access.changeAccess, () => ['access']),
  keysUsed: quick(access.keysUsed, () => ['access']),
  purgeKeys: durable(access.purgeKeys, () => ['access']),
  // Two that remove several would take their rows in different orders.
  beginSession: durable(access.beginSession, () => ['sessions']),
  sessionSeen: quick(access.sessionSeen, () => ['sessions']),
  endSession: durable(access.endSession, () => ['sessions']),
  purgeSessions: durable(access.purgeSessions, () => ['sessions']),
  purgeAudit: durable(outbox.purgeAudit, () => ['purge']),
  putShadows: quick(routing.putShadows, () => ['shadows']),
  countRefusals: quick(routing.countRefusals, () => ['refusals']),
  purgeRefusals: durable(routing.purgeRefusals, () => ['refusals']),
  putSample: quick(overview.putSample, () => ['samples']),
  purgeSamples: durable(overview.purgeSamples, () => ['samples']),
}
export type VerbName = keyof typeof WRITES
export type Verbs = { readonly [V in VerbName]: (typeof WRITES)[V]['run'] }
type Locks = { readonly [V in VerbName]: (args: Args<V>, clientOf: ClientOf) => Names }

const column = (key: 'run' | 'locks'): object =>
  Object.fromEntries(Object.entries(WRITES).map(([name, write]) => [name, write[key]]))
export const VERBS = column('run') as Verbs
export const LOCKS = column('locks') as Locks
export const QUICK: ReadonlySet<string> = new Set(
  Object.entries(WRITES).flatMap(([name, { isDurable }]) => (isDurable ? [] : [name])),
)

type AnyWrite = (...args: never[]) => Promise<unknown>

/** Times every write, and says how many wait. */
export const measured = <W extends AnyWrite>(write: W, tally: Tally): W => {
  let waiting = 0
  const timed = async (...args: Parameters<W>): Promise<unknown> => {
    const beganMs = performance.now()
    tally.set('store_writes_waiting', (waiting += 1))
    try {
      return await write(...args)
    } catch (error) {
      tally.count('store_write_failed', {})
      throw error
    } finally {
      tally.set('store_writes_waiting', (waiting -= 1))
      tally.observe('store_write', performance.now() - beganMs, {})
    }
  }
  // It takes and answers what `write` does.
  return timed as W
}

/** What a verb is given. The engine adds the store's time. */
export type Args<V extends VerbName> = Omit<Parameters<Verbs[V]>[1], 'nowMs'>

/** Runs one verb, all of it or nothing. Rejects with `store_unavailable`; then nothing was written. */
export type Write = <V extends VerbName>(verb: V, args: Args<V>) => ReturnType<Verbs[V]>

interface VideoNow {
  video: VideoRecord
  nowMs: number
}

/** What a driver gives to the verbs that all drivers share. */
interface Engine {
  reader: Reader
  write: Write
  /**
   * The store's time, as this process knows it: for reads, and for what is decided on a record that the caller has.
   * Writes and other decisions get it from the store itself.
   */
  now(): number
  /** A video and the store's time at which it was read. */
  videoNow(id: string): Promise<VideoNow | null>
  /** Bytes that the store's volume has left; null: unknown. */
  freeBytes(): number | null
  /** The folder on that volume; empty if a server has the volume. */
  folder: string
}

const NO_ROOM_RETRY_MS = 30_000
/** How often a change is decided again because another write came between. */
const MAX_TRIES = 50

const createChange =
  ({ write, videoNow, now }: Engine): Store['change'] =>
  async (id, decide, known = null): Promise<Changed> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const guessed = known && tries === 0 ? { video: known, nowMs: now() } : null
      const read = guessed ?? (await videoNow(id))
      if (!read) return { video: null, deliveries: [], jobTaken: null }
      const { video: current, nowMs } = read
      const decided: Change = decide(current, nowMs)
      if (decided.kind === 'keep') {
        // No write shows whether the record is still this one.
        if (guessed) continue
        return { video: current, deliveries: [], jobTaken: null }
      }
      const change: Change =
        decided.kind === 'save' ? { ...decided, video: { ...decided.video, version: current.version + 1 } } : decided
      const written = await write('write', { before: current, change })
      if (written?.jobTaken) return { video: current, ...written }
      if (written) return { video: change.kind === 'save' ? change.video : null, ...written }
    }
    throw new Problem('store_unavailable', 'the video is being written too often')
  }

/** The verbs of the port over an engine. */
export const createStore = (engine: Engine): Omit<Store, 'writeCount' | 'ping' | 'close'> => {
  const { reader, write, now, freeBytes, folder } = engine
  const unlessFull = async <T extends { kind: string }>(
    answered: Promise<T>,
  ): Promise<Exclude<T, { kind: 'no_room' }>> => {
    const answer = await answered
    if (!hasRoom(answer)) throw diskFull(folder, now() + NO_ROOM_RETRY_MS)
    return answer
  }
  return {
    ...createReads(reader, now),
    ...work.createReplicaReads(reader, now),
    ...resources.createResourceReads(reader, now),
    ...routing.createRecordedReads(reader),
    ...history.createHistoryReads(reader),
    ...events.createEventReads(reader),
    ...events.createLineReads(reader),
    ...admin.createMetadataReads(reader),
    ...admin.createFigures(reader, freeBytes),
    ...events.createWebhookReads(reader),
    ...routing.createRoutingReads(reader),
    ...access.createAccessReads(reader),
    ...access.createSessionReads(reader),
    ...outbox.createAuditReads(reader),
    ...admin.createAdminReads(reader),
    ...overview.createOverviewReads(reader),
    open: (draft, key, limits, admission, first = null) =>
      unlessFull(write('open', { draft, key, limits, admission, first, freeBytes: freeBytes() })),
    adopt: (draft) => unlessFull(write('adopt', { draft, freeBytes: freeBytes() })),
    putHistory: (account, jobs, walk) => write('putHistory', { account, jobs, walk }),
    admit: (account, admission, first = null) => write('admit', { account, admission, first }),
    takeFromPool: (from, video, admission, first = null) => write('takeFromPool', { from, video, admission, first }),
    change: createChange(engine),
    claim: (kind, id, leaseMs, holder = null, gone = null) => write('claim', { kind, id, leaseMs, holder, gone }),
    claimDeliveries: (ids, leaseMs) => write('claimDeliveries', { ids, leaseMs }),
    extend: (kind, lease, leaseMs) => write('extend', { kind, lease, leaseMs }),
    release: (kind, lease) => write('release', { kind, lease }),
    attempted: (lease, attempt, after) => write('attempted', { lease, attempt, after }),
    async secrets(keeper, candidate) {
      // Read at each attempt but written once: most calls need no commit.
      const live = await webhooks.liveSecrets(reader, keeper, now())
      return live.length > 0 ? live : write('secrets', { keeper, candidate })
    },
    rotateSecret: (keeper, secret, oldUntilMs) => write('rotateSecret', { keeper, secret, oldUntilMs }),
    createEndpoint: (endpoint) => write('createEndpoint', { endpoint }),
    changeEndpoint: (client, id, patch, audit) => write('changeEndpoint', { client, id, patch, audit }),
    deleteEndpoint: (client, id) => write('deleteEndpoint', { client, id }),
    redeliver: (client, eventId, audit) => write('redeliver', { client, eventId, audit }),
    replay: (replay, audit) => write('replay', { replay, audit }),
    async replayStep(limit) {
      for (let next = await webhooks.nextReplay(reader); next; next = await webhooks.nextReplay(reader)) {
        const sent = await write('replayStep', { ...next, limit })
        if (sent) return sent
      }
      return null
    },
    async backlogStep() {
      let tried: string | null = null
      for (
        let next = await webhooks.nextBacklog(reader, now());
        next && next.id !== tried;
        next = await webhooks.nextBacklog(reader, now())
      ) {
        if (await write('backlogStep', next)) return true
        // Tried once: by the store's time it may not be due yet.
        tried = next.id
      }
      return false
    },
    async purgeWebhooks(beforeMs, limit) {
      const events = await upkeep.purgeableEvents(reader, beforeMs, limit)
      return write('purgeWebhooks', { events, beforeMs, limit })
    },
    keepDurations: (source, recent) => write('keepDurations', { source, recent }),
    addDurations: (source, measured, most) => write('addDurations', { source, measured, most }),
    putFacts: (kind, facts, forMs) => write('putFacts', { kind, facts, forMs }),
    serve: (configured) => write('serve', configured),
    async purge(beforeMs, limit, whose = { except: [] }) {
      for (;;) {
        const videos = await upkeep.purgeable(reader, beforeMs, limit, whose)
        if (videos.length === 0) return 0
        // Another process may have removed the same ones.
        const removed = await write('purge', { videos, beforeMs })
        if (removed > 0) return removed
      }
    },
    begin: (key, intent, leaseMs) => unlessFull(write('begin', { key, intent, leaseMs, freeBytes: freeBytes() })),
    made: (made, key) => write('made', { made, key }),
    unmade: (key, lease, outcome) => write('unmade', { key, lease, outcome }),
    forgetPuppet: (account, id) => write('forgetPuppet', { account, id }),
    countRequests: (month, counts) => write('countRequests', { month, counts }),
    purgeResources: (beforeMs, limit) => write('purgeResources', { beforeMs, limit }),
    changeSplit: (change) => write('changeSplit', change),
    changePause: (change) => write('changePause', change),
    changeAccess: (change) => write('changeAccess', change),
    keysUsed: (uses) => write('keysUsed', { uses }),
    purgeKeys: (beforeMs, limit) => write('purgeKeys', { beforeMs, limit }),
    beginSession: (session, most) => write('beginSession', { session, most }),
    sessionSeen: (id, seenAtMs, endsAtMs) => write('sessionSeen', { id, seenAtMs, endsAtMs }),
    endSession: (id) => write('endSession', { id }),
    purgeSessions: (beforeMs, limit) => write('purgeSessions', { beforeMs, limit }),
    purgeAudit: (beforeMs, limit) => write('purgeAudit', { beforeMs, limit }),
    putShadows: (shadows) => write('putShadows', { shadows }),
    countRefusals: (counts) => write('countRefusals', { counts }),
    purgeRefusals: (beforeMs, limit) => write('purgeRefusals', { beforeMs, limit }),
    putSample: (sample) => write('putSample', sample),
    purgeSamples: (beforeMs, limit) => write('purgeSamples', { beforeMs, limit }),
    meta: (key, candidate) => write('meta', { key, candidate }),
    spend: (account, budgetClass, demand, fallbackLimit, most = 1, lesson = null) =>
      write('spend', { account, budgetClass, demand, fallbackLimit, most, lesson }),
    learn: (ticket, ...rates) => write('learn', { ticket, rates }),
    giveBack: (ticket, count) => write('giveBack', { ticket, count }),
    exhausted: (account, untilMs) => write('exhausted', { account, untilMs }),
  }
}

const hasRoom = <T extends { kind: string }>(answer: T): answer is Exclude<T, { kind: 'no_room' }> =>
  answer.kind !== 'no_room'
