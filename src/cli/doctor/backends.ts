import { createBackends } from '../../accounts.ts'
import type { AccountUsage, BackendProblem, RateHeaders } from '../../core/adapter.ts'
import { SILENT as UNCOUNTED } from '../../core/tally.ts'
import { createSystemClock } from '../../core/time/clock.ts'
import { createPassing } from '../../core/tracing.ts'
import type { Account } from '../../engine/upstream/accounts.ts'
import { cheapRead } from '../../engine/upstream/ask.ts'
import type { Agents } from '../../http/exchange.ts'
import type { Config } from '../../config.ts'
import { spanText } from '../context.ts'
import { say, sayIf, type Code, type Finding } from './findings.ts'
import { type Check, type DoctorContext, aheadText, onTheWay, reach } from './look.ts'

const CLOCK_MS = 10_000

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What a refusal says of the configuration. Pure. */
const codeOfRefusal = ({ code, backendError: { status } }: BackendProblem): Code => {
  if (status === null) return 'backend_silent'
  if (status === 401) return 'backend_key_refused'
  if (status === 403) return 'backend_forbidden'
  if (status === 429) return 'backend_window_spent'
  if (status === 402 || code === 'insufficient_credits') return 'backend_cannot_create'
  return status >= 500 ? 'backend_failing' : 'backend_other_interface'
}

const told = ({ message, backendError: { status } }: BackendProblem): string =>
  status === null || message.includes(String(status)) ? message : `${message} (${status})`

/** What the answer's headers say beside its body. Pure. */
const rateFindings = (
  about: string,
  rate: RateHeaders | null,
  { requestsPerMinute }: Account,
  wallMs: number,
): Finding[] => {
  if (rate === null) return []
  const offMs = rate.dateMs === null ? 0 : rate.dateMs - wallMs
  const { limit } = rate
  const words = `${requestsPerMinute} configured, ${limit} told`
  const clock = `the backend's clock is ${aheadText(offMs)} this machine's`
  return [
    ...sayIf(Math.abs(offMs) > CLOCK_MS, 'backend_clock', about, clock),
    ...sayIf(limit !== null && requestsPerMinute > limit, 'backend_limit_high', `${about}.requests_per_minute`, words),
  ]
}

/** What the account says of itself. Pure. */
const usageFindings = (about: string, usage: AccountUsage, { slots }: Account): Finding[] => {
  const { activeJobs, freeSlots, canCreate, blockedReason } = usage
  const has = activeJobs === null || freeSlots === null ? null : activeJobs + freeSlots
  const words = `${slots ?? 'no limit'} configured, ${has} told`
  return [
    ...sayIf(canCreate === false, 'backend_cannot_create', about, blockedReason ?? 'the backend gives no reason'),
    ...sayIf(has !== null && (slots ?? Infinity) > has, 'backend_slots_high', `${about}.slots`, words),
    ...sayIf(has !== null && (slots ?? Infinity) < has, 'backend_slots_low', `${about}.slots`, words),
  ]
}

const okWords = (what: string, tookMs: number, rate: RateHeaders | null): string => {
  const { remaining = null, limit = null } = rate ?? {}
  const left = remaining === null || limit === null ? '' : `; ${remaining} of ${limit} requests left`
  return `answered ${what} in ${spanText(tookMs)}${left}`
}

/** One read of the account, and a second one only if the first was forbidden. */
const askAccount = async (account: Account, about: string, { wall, spend }: DoctorContext): Promise<Finding[]> => {
  const { adapter } = account
  const beganMs = performance.now()
  spend(about)
  const { what, outcome } = await cheapRead(adapter)
  const rate = rateFindings(about, outcome.rate, account, wall())
  if (outcome.ok) {
    const usage = outcome.value === null ? [] : usageFindings(about, outcome.value, account)
    return [say('backend_ok', about, okWords(what, performance.now() - beganMs, outcome.rate)), ...usage, ...rate]
  }
  const code = codeOfRefusal(outcome.problem)
  if (code !== 'backend_forbidden') return [say(code, about, told(outcome.problem)), ...rate]
  spend(about)
  const voices = await adapter.voices()
  const is403 = !voices.ok && voices.problem.backendError.status === 403
  if (is403) return [say('backend_forbidden', about, `${what} and voices are forbidden`), ...rate]
  return [say('backend_scope_missing', about, `the key may not read ${what}`), ...rate]
}

const check = (account: Account, baseUrl: string, proxy: string | null): Check => {
  const about = account.backends.map((name) => `backends.${name}`).join(', ')
  return {
    name: about,
    async run(context, signal) {
      // What the proxy resolves and meets, only a request through it shows.
      if (proxy !== null) {
        const asked = await askAccount(account, about, context)
        const told = asked.map((one) =>
          one.code === 'backend_silent' ? say('backend_proxy_fails', about, one.found) : one,
        )
        return [say('backend_proxied', about, `through ${new URL(proxy).host}`), ...told]
      }
      const reached = await reach(new URL(baseUrl), context, signal)
      const found = onTheWay('backend', about, reached, context.wall())
      return reached.kind === 'reached' ? [...found, ...(await askAccount(account, about, context))] : found
    },
  }
}

/** A check for each account: its name, connection and certificate, then one read under its key. */
export const backendChecks = (config: Config, limitMs: number, agents: Agents): Check[] => {
  const backends = Object.fromEntries(
    Object.entries(config.backends).map(([name, backend]) => {
      return [name, { ...backend, timeout: Math.min(backend.timeout, limitMs) }]
    }),
  )
  const told = { clock: createSystemClock(), log: SILENT, tally: UNCOUNTED, tracing: createPassing() }
  const named = createBackends({ ...config, backends }, agents, told)
  const accounts = new Set([...named.values()].map(({ account }) => account))
  return [...accounts].flatMap((account) => {
    const backend = backends[account.backends[0] ?? '']
    return backend === undefined ? [] : [check(account, backend.base_url, backend.proxy)]
  })
}
