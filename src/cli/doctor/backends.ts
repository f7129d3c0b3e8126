import { createBackends } from '../../accounts.ts'
import type { AccountUsage, BackendProblem, RateHeaders } from '../../core/adapter.ts'
import { SILENT as UNCOUNTED } from '../../core/tally.ts'
import { createSystemClock } from '../../core/time/clock.ts'
import { createPassing } from '../../core/tracing.ts'
import type { Account } from '../../engine/upstream/accounts.ts'
import { cheapRead } from '../../engine/upstream/ask.ts'
import type { Agents } from '../../http/agents.ts'
import type { Config } from '../../config.ts'
import {
  type Check,
  type DoctorContext,
  aheadText,
  findings,
  spanText,
  type Finding,
  type Rows,
  reach,
  type Reach,
} from './findings.ts'

export const BACKEND_ROWS = {
  backend_ok: { level: 'ok', means: 'The backend answered a read, and accepted the key.', advice: null },
  backend_no_name: {
    level: 'fault',
    means: 'The host of `base_url` has no address.',
    advice: 'Correct `base_url`, or the name servers of this machine.',
  },
  backend_no_answer: {
    level: 'fault',
    means: 'Nothing answers at the host and port of `base_url`.',
    advice: 'Correct `base_url`, or allow the connection in the firewall. If the backend is down, ask its operator.',
  },
  backend_certificate_over: {
    level: 'fault',
    means: 'The certificate of the backend has expired. The gateway does not connect without a valid one.',
    advice:
      'Ask the operator of the backend to renew it. If that date is in the future, correct the clock of this machine.',
  },
  backend_untrusted: {
    level: 'fault',
    means: 'This machine does not trust the certificate of the backend, or the certificate is for another name.',
    advice: 'Correct `base_url`. If you have your own certificate authority, set NODE_EXTRA_CA_CERTS.',
  },
  backend_certificate_ends: {
    level: 'hint',
    means: 'The certificate of the backend expires within 14 days.',
    advice: 'Nothing yet: the backend should renew it. Check again later.',
  },
  backend_proxied: { level: 'ok', means: 'Requests to the backend go through a proxy.', advice: null },
  backend_proxy_fails: {
    level: 'fault',
    means: 'The proxy of the backend does not answer, or refuses the connection.',
    advice:
      'Correct `proxy` of the backend, or HTTPS_PROXY and NO_PROXY. Let the proxy connect to the host of `base_url`.',
  },
  backend_silent: {
    level: 'fault',
    means: 'The backend accepted the connection, but did not answer the request.',
    advice: 'Check whether a proxy or firewall cuts long requests, or ask the operator of the backend.',
  },
  backend_key_refused: {
    level: 'fault',
    means: 'The backend refuses its key (401). Nothing works.',
    advice: 'Put a valid key of this backend in `api_key`.',
  },
  backend_forbidden: {
    level: 'fault',
    means: 'The backend forbids every read that the doctor tried with this key (403).',
    advice: 'Give the key its scopes at the backend. Check whether the backend limits IP addresses.',
  },
  backend_scope_missing: {
    level: 'warning',
    means: 'The backend accepts the key, but forbids one read (403): the key lacks a scope.',
    advice: 'Give the key that scope at the backend, or create a key that has it.',
  },
  backend_other_interface: {
    level: 'fault',
    means: 'Another kind of server answers at `base_url`.',
    advice: 'Correct `base_url` and `interface`. Write the URL without /api/v1 or /v1.',
  },
  backend_failing: {
    level: 'warning',
    means: 'The backend answers with a server error.',
    advice: 'Run this again in a minute. If the error stays, ask the operator of the backend.',
  },
  backend_window_spent: {
    level: 'hint',
    means: 'The rate limit of the account is used up, so the doctor could not ask.',
    advice: 'Run this again in a minute. If no gateway runs, somebody else uses the key.',
  },
  backend_cannot_create: {
    level: 'warning',
    means: 'The account cannot make a video now.',
    advice: 'If it has no credits, buy some. If its slots are taken, wait until a job ends.',
  },
  backend_clock: {
    level: 'warning',
    means: 'The clocks of this machine and of the backend differ by more than 10 seconds.',
    advice:
      'If this is true for several backends, correct the clock of this machine (NTP). Otherwise the backend’s clock is wrong.',
  },
  backend_limit_high: {
    level: 'warning',
    means:
      '`requests_per_minute` is more than the backend allows. The gateway uses the backend’s limit from its first answer on.',
    advice: 'Set `requests_per_minute` to the limit that the backend reports.',
  },
  backend_slots_high: {
    level: 'warning',
    means: '`slots` is more than the account has. The backend refuses creates above it, and they wait.',
    advice: 'Set `slots` to the number that the backend reports.',
  },
  backend_slots_low: {
    level: 'hint',
    means: '`slots` is less than the account has. Videos wait although a slot is free.',
    advice: 'Set `slots` to the number that the backend reports, if nobody else uses the account.',
  },
} as const satisfies Rows
const say = findings(BACKEND_ROWS)
type Code = keyof typeof BACKEND_ROWS

const CLOCK_MS = 10_000
const SOON_MS = 14 * 86_400_000

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
  return [
    ...(Math.abs(offMs) > CLOCK_MS
      ? [say('backend_clock', about, `the backend's clock is ${aheadText(offMs)} this machine's`)]
      : []),
    ...(limit !== null && requestsPerMinute > limit
      ? [say('backend_limit_high', `${about}.requests_per_minute`, words)]
      : []),
  ]
}

/** What the account says of itself. Pure. */
const usageFindings = (about: string, usage: AccountUsage, { slots }: Account): Finding[] => {
  const { activeJobs, freeSlots, canCreate, blockedReason } = usage
  const has = activeJobs === null || freeSlots === null ? null : activeJobs + freeSlots
  const words = `${slots ?? 'no limit'} configured, ${has} told`
  return [
    ...(canCreate === false
      ? [say('backend_cannot_create', about, blockedReason ?? 'the backend gives no reason')]
      : []),
    ...(has !== null && (slots === null || slots > has) ? [say('backend_slots_high', `${about}.slots`, words)] : []),
    ...(has !== null && slots !== null && slots < has ? [say('backend_slots_low', `${about}.slots`, words)] : []),
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

const reachFindings = (about: string, reached: Reach, nowMs: number): Finding[] => {
  switch (reached.kind) {
    case 'no_name':
      return [say('backend_no_name', about, reached.words)]
    case 'no_answer':
      return [say('backend_no_answer', about, reached.words)]
    case 'no_trust':
      return reached.endedMs === null
        ? [say('backend_untrusted', about, reached.words)]
        : [say('backend_certificate_over', about, `it ended ${new Date(reached.endedMs).toISOString()}`)]
    case 'reached': {
      const leftMs = reached.certificateEndsMs === null ? Infinity : reached.certificateEndsMs - nowMs
      return leftMs < SOON_MS ? [say('backend_certificate_ends', about, `in ${spanText(leftMs)}`)] : []
    }
  }
}

const check = (account: Account, baseUrl: string, proxy: string | null): Check => {
  const about = account.backends.map((name) => `backends.${name}`).join(', ')
  return {
    name: about,
    async run(context, signal) {
      // What the proxy resolves and meets, only a request through it tells.
      if (proxy !== null) {
        const asked = await askAccount(account, about, context)
        const told = asked.map((one) =>
          one.code === 'backend_silent' ? say('backend_proxy_fails', about, one.found) : one,
        )
        return [say('backend_proxied', about, `through ${new URL(proxy).host}`), ...told]
      }
      const { lookup, wall, limitMs } = context
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
      const reached = await reach(new URL(baseUrl), { lookup, nowMs: wall(), signal: limited })
      const onTheWay = reachFindings(about, reached, wall())
      return reached.kind === 'reached' ? [...onTheWay, ...(await askAccount(account, about, context))] : onTheWay
    },
  }
}

/** A check for each account: its name, connection and certificate, then one read under its key. */
export const backendChecks = (config: Config, limitMs: number, agents: Agents): Check[] => {
  const backends = Object.fromEntries(
    Object.entries(config.backends).map(([name, backend]) => [
      name,
      { ...backend, timeout: Math.min(backend.timeout, limitMs) },
    ]),
  )
  const told = { clock: createSystemClock(), log: SILENT, tally: UNCOUNTED, tracing: createPassing() }
  const named = createBackends({ ...config, backends }, agents, told)
  const accounts = new Set([...named.values()].map(({ account }) => account))
  return [...accounts].flatMap((account) => {
    const backend = backends[account.backends[0] ?? '']
    return backend === undefined ? [] : [check(account, backend.base_url, backend.proxy)]
  })
}
