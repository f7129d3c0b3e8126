import { type Drift, CAPABILITIES_OF, type Operation, ADAPTERS } from './adapters/index.ts'
import { iso, type Clock } from './core/time/clock.ts'
import { isAllowed } from './core/access.ts'
import type { Log } from './core/log.ts'
import type { DriftView } from './core/api/videos.ts'
import type { Adapter, BackendProblem } from './core/adapter.ts'
import type { Tally, UpstreamOperation } from './core/tally.ts'
import { type Capability, accountIdOf, type AccountId } from './core/vocabulary.ts'
import { createHash } from 'node:crypto'
import type { BackendConfig, Config } from './config.ts'
import type { Ports } from './core/ports.ts'
import type { Agents, ProxyOf } from './http/exchange.ts'
import { type GuardedAgent, type Lookup, compilePolicy, createGuardedAgent } from './http/guard.ts'
import type { Account, AccountPauses, Backends } from './engine/upstream/accounts.ts'

const KINDS_AT_MOST = 1_000
/** What was met is reported to the other processes so soon. */
const TOLD_AFTER_MS = 1_000

interface Seen extends Drift {
  count: number
  firstMs: number
  lastMs: number
}

/** Those of the other processes that share the store. */
interface DriftShare {
  say(met: readonly DriftView[]): void
  others(): Promise<DriftView[]>
}

const keyOf = ({ kind, operation, value }: Pick<DriftView, 'kind' | 'operation' | 'value'>): string =>
  JSON.stringify([kind, operation, value])

/**
 * One entry of each kind. What was first seen latest comes first: nothing moves while somebody pages through it, at
 * whichever process.
 */
const merged = (met: readonly DriftView[]): DriftView[] => {
  const kinds = new Map<string, DriftView>()
  for (const one of met) {
    const known = kinds.get(keyOf(one)) ?? { ...one, count: 0 }
    kinds.set(keyOf(one), {
      ...known,
      count: known.count + one.count,
      first_seen: known.first_seen < one.first_seen ? known.first_seen : one.first_seen,
      last_seen: known.last_seen > one.last_seen ? known.last_seen : one.last_seen,
    })
  }
  const order = (a: string, b: string): number => Number(a > b) - Number(a < b)
  return [...kinds.values()].toSorted((a, b) => order(b.first_seen, a.first_seen) || order(keyOf(a), keyOf(b)))
}

/**
 * What a backend sent that its adapter was never informed of: counted, one log line each, the first thousand kinds.
 * Kept in memory: what still drifts after a restart is soon seen again, and the log has what was seen before.
 */
export const createDriftReport = (
  log: Log,
  clock: Pick<Clock, 'now' | 'at'>,
  backends: readonly string[],
  share: DriftShare | null = null,
) => {
  const seen = new Map<string, Seen>()
  let full = false
  let isToTell = false

  const own = (): DriftView[] =>
    merged(
      [...seen.values()].map(({ firstMs, lastMs, ...one }) => ({
        ...one,
        first_seen: iso(firstMs),
        last_seen: iso(lastMs),
      })),
    )

  const tellSoon = (to: DriftShare): void => {
    if (isToTell) return
    isToTell = true
    clock.at(clock.now() + TOLD_AFTER_MS, () => {
      isToTell = false
      to.say(own())
    })
  }

  return {
    note(drift: Drift): void {
      if (share) tellSoon(share)
      const key = keyOf(drift)
      const nowMs = clock.now()
      const known = seen.get(key)
      if (known) {
        known.count += 1
        known.lastMs = nowMs
      } else if (seen.size < KINDS_AT_MOST) {
        seen.set(key, { ...drift, count: 1, firstMs: nowMs, lastMs: nowMs })
        log.warn({ backends, ...drift }, 'the backend sent something unknown')
      } else if (!full) {
        full = true
        log.warn({ backends, kinds: KINDS_AT_MOST }, 'the drift report is full: other unknown things are not counted')
      }
    },
    /** What any process met. */
    list: async (): Promise<DriftView[]> => merged([...own(), ...((await share?.others()) ?? [])]),
  }
}

/** An adapter that counts and times each of its requests. `backend`: the first of the account's names. */
const metered = (adapter: Adapter, backend: string, tally: Tally, clock: Clock): Adapter => {
  const timed =
    <A extends unknown[], T extends { problem?: BackendProblem } | object>(
      operation: UpstreamOperation,
      request: (...args: A) => Promise<T>,
    ) =>
    async (...args: A): Promise<T> => {
      const beganMs = clock.now()
      const outcome = await request(...args)
      tally.observe('upstream_request', clock.now() - beganMs, { backend, operation })
      const code = 'problem' in outcome && outcome.problem ? outcome.problem.code : 'ok'
      tally.count('upstream_request', { backend, operation, outcome: code })
      return outcome
    }
  return {
    ...adapter,
    create: timed('create', adapter.create),
    status: timed('status', adapter.status),
    download: timed('download', adapter.download),
    list: timed('list', adapter.list),
    voices: timed('voices', adapter.voices),
    puppets: timed('puppets', adapter.puppets),
    puppet: timed('puppet', adapter.puppet),
    createPuppet: timed('create_puppet', adapter.createPuppet),
    deletePuppet: timed('delete_puppet', adapter.deletePuppet),
    createUpload: timed('create_upload', adapter.createUpload),
    createSpeech: timed('create_speech', adapter.createSpeech),
    usage: timed('usage', adapter.usage),
    handedThrough(operation, reply) {
      const meaning = adapter.handedThrough(operation, reply)
      tally.count('upstream_request', { backend, operation: 'hand_through', outcome: meaning.problem?.code ?? 'ok' })
      return meaning
    },
  }
}

/** How long a 403 is believed: its operator may give the key the scope, and nobody may ask for the operation again. */
const BELIEVED_MS = 10 * 60_000

/** Which operations the account's key may not use, by the backend's 403s: each is about the scope of one operation. */
export const createPermissions = (log: Log, clock: Pick<Clock, 'now'>, backends: readonly string[]) => {
  const deniedUntilMs = new Map<Operation, number>()
  return {
    note(operation: Operation, allowed: boolean): void {
      const was = deniedUntilMs.has(operation)
      if (allowed) deniedUntilMs.delete(operation)
      else deniedUntilMs.set(operation, clock.now() + BELIEVED_MS)
      if (allowed && was) log.info({ backends, operation }, 'the backend lets its key do this again')
      if (!allowed && !was)
        log.warn({ backends, operation }, 'the backend does not let its key do this: a missing scope?')
    },
    /** What is off; empty if it is no capability; null while nothing is denied. */
    denied(): readonly Capability[] | null {
      for (const [operation, untilMs] of deniedUntilMs) if (untilMs <= clock.now()) deniedUntilMs.delete(operation)
      return deniedUntilMs.size === 0 ? null : [...deniedUntilMs.keys()].flatMap((name) => CAPABILITIES_OF[name])
    },
  }
}

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex')

/** (interface, origin, hash of the key), in one opaque word. */
export const accountId = (backend: Pick<BackendConfig, 'interface' | 'base_url' | 'api_key'>): AccountId =>
  accountIdOf(
    `acc_${sha256(backend.interface, new URL(backend.base_url).origin, sha256(backend.api_key)).slice(0, 32)}`,
  )

const NOTHING_PAUSED: AccountPauses = {
  inForce: () => null,
  isPaused: () => false,
  untilMs: () => 0,
  pausedMs: () => 0,
  before: (_, atMs) => atMs,
}

/** Backends of the same account share one: its adapter, and the stricter of their limits. */
export const createBackends = (
  config: Config,
  agents: Agents,
  told: Pick<Ports, 'clock' | 'log' | 'tally' | 'tracing'>,
  shareOf: (account: AccountId) => DriftShare | null = () => null,
  paused: (names: readonly string[]) => AccountPauses = () => NOTHING_PAUSED,
): Backends => {
  const pools = Object.entries(config.routing.pools).map(([name, members]) => ({ name, members }))
  const poolOf = (name: string) => pools.find(({ members }) => members.includes(name)) ?? null
  const named = Object.entries(config.backends).map(([name, backend]) => ({ name, backend, id: accountId(backend) }))
  const accounts = new Map(
    [...Map.groupBy(named, ({ id }) => id)].map(([id, ofAccount]) => [
      id,
      accountOf(id, ofAccount, agents, told, shareOf(id), paused),
    ]),
  )
  return new Map(
    named.flatMap(({ name, backend, id }) => {
      const account = accounts.get(id)
      return account
        ? [[name, { name, interface: backend.interface, account, drain: backend.drain, pool: poolOf(name) }] as const]
        : []
    }),
  )
}

/**
 * One account under one name or several: the stricter of their limits holds, and evidence counts only if all say so.
 */
const accountOf = (
  id: AccountId,
  named: readonly { name: string; backend: BackendConfig }[],
  agents: Agents,
  { clock, log, tally, tracing }: Pick<Ports, 'clock' | 'log' | 'tally' | 'tracing'>,
  share: DriftShare | null,
  paused: (names: readonly string[]) => AccountPauses,
): Account => {
  const [first] = named
  if (!first) throw new Error('an account has at least one name')
  const { backend } = first
  const backends = named.map((one) => one.name)
  const drift = createDriftReport(log, clock, backends, share)
  const permissions = createPermissions(log, clock, backends)
  const all = named.map((one) => one.backend)
  const slots = all.flatMap((one) => (one.slots === null ? [] : [one.slots]))
  const adapter = ADAPTERS[backend.interface].create({
    baseUrl: backend.base_url,
    apiKey: backend.api_key,
    timeoutMs: backend.timeout,
    agents,
    clock,
    drift: drift.note,
    permitted: permissions.note,
    name: first.name,
    tracing,
  })
  return {
    id,
    origin: new URL(backend.base_url).origin,
    adapter: metered(adapter, first.name, tally, clock),
    backends,
    drift: drift.list,
    denied: permissions.denied,
    paused: paused(backends),
    slots: slots.length === 0 ? null : Math.min(...slots),
    requestsPerMinute: Math.min(...all.map((one) => one.requests_per_minute)),
    timeoutMs: backend.timeout,
    evidence: {
      exclusive: all.every((one) => one.exclusive),
      resendWhenAbsent: all.every((one) => one.resend_when_absent),
      absentAfterMs: Math.max(...all.map((one) => one.absent_after)),
    },
  }
}

/** The keys of the configuration, each with its client and the backends that it may see. */
export const configuredKeys = (config: Config, backends: Backends) =>
  config.clients.flatMap(({ id, key, keys, scopes, backends: allowed, priority, reuse, limits }) => {
    const client = {
      id,
      scopes: new Set(scopes),
      visible: new Map([...backends].filter(([, one]) => isAllowed(allowed, one))),
      defaults: { priority, reuseMs: reuse ?? 0 },
      limits: {
        queuedVideos: limits.queued_videos,
        videosPerMonth: limits.videos_per_month,
        creditsPerMonth: limits.credits_per_month,
        requestsPerMinute: limits.requests_per_minute,
        streams: limits.streams,
      },
    }
    const one = typeof key !== 'string' ? [] : [{ key, path: `clients.${id}.key`, client }]
    return [...one, ...keys.map((key, n) => ({ key, path: `clients.${id}.keys.${n}`, client }))]
  })

/** Where backends call back about an attempt; `origin` may be given later. */
export const callbacksOf = (
  origin: { callbacks: string | null },
  tokens: { make(backend: string, videoId: string, attempt: number): string },
) => ({
  callbackUrl: ({ backend, id }: { backend: string; id: string }, attempt: number): string | null =>
    origin.callbacks === null ? null : `${origin.callbacks}/hooks/${backend}/${tokens.make(backend, id, attempt)}`,
  takesCallbacks: (): boolean => origin.callbacks !== null,
})

/** What the engine takes of a configuration, beside its backends. */
export const settingsOf = ({ routing, backends, engine }: Config) => ({
  failover: {
    standIns: routing.failover,
    on: routing.failover_on,
    waitsWhenDown: (name: string) => (backends[name]?.on_down ?? routing.on_down) === 'queue',
  },
  settings: {
    transferAudio: engine.transfer_audio,
    defaultBackend: routing.default,
    queueLimit: engine.queue_limit,
    maxAgeMs: engine.max_age,
    lowAfterMs: engine.low_after,
    resendWindowMs: engine.resend_window,
    minIntervalMs: engine.poll.min_interval,
    pollsPerJob: engine.poll.polls_per_job,
  },
})

/** The ways to URLs that strangers name, each with its own connections. */
export const createGuards = (config: Pick<Config, 'webhooks'>, lookup: Lookup, tally: Tally) => {
  const { allow, ports } = config.webhooks
  // Which addresses that strangers name may be asked.
  const policy = compilePolicy({
    ports,
    allow: allow.map(({ cidr, ports: only, http }) => ({ cidr, http, ...(only === null ? {} : { ports: only }) })),
  })
  const guarded = (purpose: 'webhook' | 'audio'): GuardedAgent =>
    createGuardedAgent({ policy, lookup, onRefused: () => tally.count('address_refused', { purpose }) })
  const [webhooks, audio] = [guarded('webhook'), guarded('audio')]
  return {
    policy,
    webhooks,
    audio,
    async close(): Promise<void> {
      await Promise.all([webhooks.close(), audio.close()])
    },
  }
}

/** The proxy of each backend's origin. */
export const proxiesOf = ({ backends }: Pick<Config, 'backends'>): ProxyOf => {
  const known = new Map(Object.values(backends).map(({ base_url, proxy }) => [new URL(base_url).origin, proxy]))
  return (origin) => known.get(origin) ?? null
}
