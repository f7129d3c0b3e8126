import { createHash } from 'node:crypto'
import { createDriftReport, type DriftShare } from './accounts/drift.ts'
import { createPermissions } from './accounts/permissions.ts'
import { ADAPTERS } from './adapters/index.ts'
import type { BackendConfig, Config } from './config.ts'
import type { Clock } from './core/time/clock.ts'
import type { Log } from './core/log.ts'
import { accountIdOf, type AccountId } from './core/vocabulary.ts'
import type { Agents } from './http/agents.ts'
import { compilePolicy } from './http/guard.ts'
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
  clock: Clock,
  log: Log,
  shareOf: (account: AccountId) => DriftShare | null = () => null,
): Backends => {
  const named = Object.entries(config.backends).map(([name, backend]) => ({ name, backend, id: accountId(backend) }))
  const accounts = new Map(
    [...Map.groupBy(named, ({ id }) => id)].map(([id, ofAccount]) => [
      id,
      accountOf(id, ofAccount, agents, clock, log, shareOf(id)),
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
  clock: Clock,
  log: Log,
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
  return {
    id,
    origin: new URL(backend.base_url).origin,
    adapter: ADAPTERS[backend.interface].create({
      baseUrl: backend.base_url,
      apiKey: backend.api_key,
      timeoutMs: backend.timeout,
      agents,
      clock,
      drift: drift.note,
      permitted: permissions.note,
    }),
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

/** The clients of the configuration, each with the backends that it may see. */
export const configuredClients = (config: Config, backends: Backends) =>
  config.clients.map(({ id, key, scopes, backends: allowed, limits }) => ({
    key,
    client: {
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
    },
  }))

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

/** Which addresses that strangers name may be asked. */
export const policyOf = ({ webhooks: { allow, ports } }: Pick<Config, 'webhooks'>) =>
  compilePolicy({
    ports,
    allow: allow.map(({ cidr, ports: only, http }) => ({ cidr, http, ...(only === null ? {} : { ports: only }) })),
  })
