import { createHash } from 'node:crypto'
import { createDriftReport, type DriftShare } from './accounts/drift.ts'
import { metered } from './accounts/metered.ts'
import { createPermissions } from './accounts/permissions.ts'
import { ADAPTERS } from './adapters/index.ts'
import type { BackendConfig, Config } from './config.ts'
import type { Ports } from './core/ports.ts'
import type { Tally } from './core/tally.ts'
import { accountIdOf, type AccountId } from './core/vocabulary.ts'
import type { Agents } from './http/agents.ts'
import { compilePolicy, type Lookup } from './http/guard.ts'
import { createGuardedAgent, type GuardedAgent } from './http/guard-agent.ts'
import type { ProxyOf } from './http/tunnel.ts'
import type { Account, Backends } from './engine/upstream/accounts.ts'

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex')

/** (interface, origin, hash of the key), in one opaque word. */
export const accountId = (backend: Pick<BackendConfig, 'interface' | 'base_url' | 'api_key'>): AccountId =>
  accountIdOf(
    `acc_${sha256(backend.interface, new URL(backend.base_url).origin, sha256(backend.api_key)).slice(0, 32)}`,
  )

/** Backends of the same account share one: its adapter, and the stricter of their limits. */
export const createBackends = (
  config: Config,
  agents: Agents,
  told: Pick<Ports, 'clock' | 'log' | 'tally' | 'tracing'>,
  shareOf: (account: AccountId) => DriftShare | null = () => null,
): Backends => {
  const named = Object.entries(config.backends).map(([name, backend]) => ({ name, backend, id: accountId(backend) }))
  const accounts = new Map(
    [...Map.groupBy(named, ({ id }) => id)].map(([id, ofAccount]) => [
      id,
      accountOf(id, ofAccount, agents, told, shareOf(id)),
    ]),
  )
  return new Map(
    named.flatMap(({ name, backend, id }) => {
      const account = accounts.get(id)
      return account ? [[name, { name, interface: backend.interface, account, drain: backend.drain }] as const] : []
    }),
  )
}

/** One account under one name or several: the stricter of their limits holds, and evidence counts only if all say so. */
const accountOf = (
  id: AccountId,
  named: readonly { name: string; backend: BackendConfig }[],
  agents: Agents,
  { clock, log, tally, tracing }: Pick<Ports, 'clock' | 'log' | 'tally' | 'tracing'>,
  share: DriftShare | null,
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
  config.clients.flatMap(({ id, key, keys, scopes, backends: allowed, limits }) => {
    const client = {
      id,
      scopes: new Set(scopes),
      visible: new Map([...backends].filter(([name]) => allowed === null || allowed.includes(name))),
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

/** Where backends call back about an attempt; `origin` may be told later. */
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
    resendWindowMs: engine.resend_window,
    minIntervalMs: engine.poll.min_interval,
    pollsPerJob: engine.poll.polls_per_job,
  },
})

/** The ways to URLs that strangers name, each with its own connections. */
export const createGuards = (config: Pick<Config, 'webhooks'>, lookup: Lookup, tally: Tally) => {
  const policy = policyOf(config)
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

/** Which addresses that strangers name may be asked. */
export const policyOf = ({ webhooks: { allow, ports } }: Pick<Config, 'webhooks'>) =>
  compilePolicy({
    ports,
    allow: allow.map(({ cidr, ports: only, http }) => ({ cidr, http, ...(only === null ? {} : { ports: only }) })),
  })
