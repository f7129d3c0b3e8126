import { createHash } from 'node:crypto'
import type { Lease, WorkKind } from '../../core/store/deliveries.ts'
import type { SecretKeeper } from '../../core/store/webhooks.ts'
import type { Args } from '../sql/store.ts'
import type { VerbName } from '../sql/verbs.ts'

/** Finds whose a delivery is; null: there is none. */
export type ClientOf = (deliveryId: string) => string | Promise<string | null>

type Names = readonly string[] | Promise<readonly string[]>

const account = (id: string): string => `account:${id}`
const client = (id: string): string => `client:${id}`
const budget = ({ account: id }: { account: string }): Names => [`budget:${id}`]
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
 * What each write locks before its first statement, by name. Every write runs in READ COMMITTED: whatever it reads and
 * then goes by, and that is not held by a unique constraint or decided within one statement, must be under one of its
 * names. The names are taken in one order (`lockKeys`), so that no two writes wait for each other.
 * - `account:…`: its slots, turns, queue, counts and jobs.
 * - `client:…`: its quotas, keys, endpoints, events and deliveries.
 * - `queue`: how many videos wait in all. `accounts`: which of them take new videos; `open` has `queue` for that.
 */
export const LOCKS: { readonly [V in VerbName]: (args: Args<V>, clientOf: ClientOf) => Names } = {
  open: ({ draft: { video } }) => [account(video.account), client(video.client), 'queue'],
  adopt: ({ draft: { video } }) => [account(video.account), client(video.client), 'accounts'],
  admit: (args) => [account(args.account)],
  write: (args) => [account(args.account), client(args.client)],
  claim: ({ kind, id }, clientOf) => worked(kind, id, clientOf),
  claimDeliveries: async ({ ids }, clientOf) =>
    (await Promise.all(ids.map(async (id) => await delivered(id, clientOf)))).flat(),
  extend: leased,
  release: leased,
  attempted: ({ lease }, clientOf) => delivered(lease.id, clientOf),
  secrets: ({ keeper }) => [secretsOf(keeper)],
  rotateSecret: ({ keeper }) => [secretsOf(keeper)],
  createEndpoint: ({ endpoint }) => [client(endpoint.client)],
  changeEndpoint: (args) => [client(args.client)],
  deleteEndpoint: (args) => [client(args.client), secretsOf({ kind: 'endpoint', id: args.id })],
  redeliver: (args) => [client(args.client)],
  replay: ({ replay }) => [client(replay.client)],
  replayStep: (args) => [client(args.client)],
  backlogStep: (args) => [client(args.client)],
  purgeWebhooks: ({ events }) => events.map((event) => client(event.client)),
  purge: ({ videos }) => videos.map((video) => client(video.client)),
  meta: () => ['meta'],
  keepDurations: ({ source }) => [`durations:${source}`],
  addDurations: ({ source }) => [`durations:${source}`],
  putFacts: ({ kind }) => [`facts:${kind}`],
  // No video opens (`queue`) or is adopted meanwhile, on any account.
  serve: () => ['queue', 'accounts'],
  spend: budget,
  learn: ({ ticket }) => budget(ticket),
  giveBack: ({ ticket }) => budget(ticket),
  exhausted: budget,
  ping: () => [],
  begin: ({ key }) => [client(key.client)],
  made: ({ made }) => [client(made.record.client)],
  unmade: ({ key }) => [client(key.client)],
  forgetPuppet: (args) => [account(args.account)],
  countRequests: () => ['requests'],
  purgeResources: () => ['purge'],
  changeSplit: ({ split, events }) => [`split:${split.key}`, ...events.map((event) => client(event.client))],
  // Numbers of changes are committed in their order, so that who reads on misses none.
  changeAccess: () => ['access'],
  keysUsed: () => ['access'],
  purgeKeys: () => ['access'],
  // Two that remove several would take their rows in different orders.
  beginSession: () => ['sessions'],
  sessionSeen: () => ['sessions'],
  endSession: () => ['sessions'],
  purgeSessions: () => ['sessions'],
  purgeAudit: () => ['purge'],
  putShadows: () => ['shadows'],
  countRefusals: () => ['refusals'],
  purgeRefusals: () => ['refusals'],
}

/** The 64-bit numbers of advisory locks, in the order in which they are taken. Other schemas have others. */
export const lockKeys = (schema: string, names: ReadonlySet<string>): bigint[] =>
  [...names]
    .map((name) => createHash('sha256').update(`${schema}\0${name}`).digest().readBigInt64BE())
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
