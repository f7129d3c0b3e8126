import { createHash } from 'node:crypto'
import { ADAPTERS, type Drift } from './adapters/index.ts'
import type { BackendConfig, Config } from './config.ts'
import type { Clock } from './core/clock.ts'
import type { Log } from './core/log.ts'
import { accountIdOf, type AccountId } from './core/vocabulary.ts'
import type { Agents } from './http/agents.ts'
import type { Account, Backends } from './videos/backends.ts'

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex')

/** (interface, origin, hash of the key), in one opaque word. */
export const accountId = (backend: Pick<BackendConfig, 'interface' | 'base_url' | 'api_key'>): AccountId =>
  accountIdOf(
    `acc_${sha256(backend.interface, new URL(backend.base_url).origin, sha256(backend.api_key)).slice(0, 32)}`,
  )

const DRIFT_AT_MOST = 1_000

/** One line for each thing that a backend never sent before, not one for each time it does. */
const createDriftLog = (log: Log, backend: string) => {
  const seen = new Set<string>()
  return (drift: Drift): void => {
    const what = `${drift.kind} ${drift.operation} ${drift.value}`
    if (seen.has(what) || seen.size >= DRIFT_AT_MOST) return
    seen.add(what)
    log.warn({ backend, ...drift }, 'the backend sent something unknown')
  }
}

/** Backends of the same account share one: its adapter, and the stricter of their limits. */
export const createBackends = (config: Config, agents: Agents, clock: Clock, log: Log): Backends => {
  const named = Object.entries(config.backends).map(([name, backend]) => ({ name, backend, id: accountId(backend) }))
  const accounts = new Map(
    [...Map.groupBy(named, ({ id }) => id)].map(([id, ofAccount]) => [
      id,
      accountOf(id, ofAccount, agents, clock, log),
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
): Account => {
  const [first] = named
  if (!first) throw new Error('an account has at least one name')
  const { name, backend } = first
  const all = named.map((one) => one.backend)
  const slots = all.flatMap((one) => (one.slots === null ? [] : [one.slots]))
  return {
    id,
    origin: new URL(backend.base_url).origin,
    adapter: ADAPTERS[backend.interface]({
      baseUrl: backend.base_url,
      apiKey: backend.api_key,
      timeoutMs: backend.timeout,
      agents,
      clock,
      drift: createDriftLog(log, name),
    }),
    backends: named.map((one) => one.name),
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
