import type { Config } from '../../config.ts'
import type { Agents } from '../../http/agents.ts'
import { BACKEND_ROWS, backendChecks } from './backends.ts'
import { CONFIGURATION_ROWS, configurationCheck } from './configuration.ts'
import type { Check, DoctorContext } from './context.ts'
import { EXPOSURE_ROWS, exposureCheck } from './exposure.ts'
import { findings, wordsOf, type Finding, type Rows } from './findings.ts'
import { GATEWAY_ROWS, gatewayCheck } from './gateway.ts'
import { POSTGRES_ROWS, postgresCheck } from './postgres.ts'
import { PUBLIC_URL_ROWS, publicUrlCheck } from './public-url.ts'
import { REDIS_ROWS, redisCheck } from './redis.ts'
import { SECRET_KEY_ROWS, secretKeyCheck } from './secret-key.ts'
import { STORE_ROWS, storeCheck } from './store.ts'

const CHECK_ROWS = {
  check_timeout: {
    level: 'fault',
    means: 'A check took too long.',
    advice: 'Run this again with a longer `--timeout`, and look at the thing that was checked.',
  },
  check_failed: {
    level: 'fault',
    means: 'A check failed in a way that the doctor does not know.',
    advice: 'Follow the message. If it does not help you, report it.',
  },
} as const satisfies Rows
const say = findings(CHECK_ROWS)

/** Every finding that there is, by topic. */
export const ROWS: Readonly<Record<string, Rows>> = {
  Configuration: CONFIGURATION_ROWS,
  Store: STORE_ROWS,
  PostgreSQL: POSTGRES_ROWS,
  Redis: REDIS_ROWS,
  'Secret key': SECRET_KEY_ROWS,
  Backends: BACKEND_ROWS,
  Gateway: GATEWAY_ROWS,
  'Public URL': PUBLIC_URL_ROWS,
  Exposure: EXPOSURE_ROWS,
  'The check itself': CHECK_ROWS,
}

/** Those that look at something which the configuration names. */
export const connectingChecks = (config: Config, limitMs: number, agents: Agents): Check[] => [
  storeCheck,
  postgresCheck,
  redisCheck,
  secretKeyCheck,
  ...backendChecks(config, limitMs, agents),
  gatewayCheck,
]

/** All, in the order in which they are told. */
export const allChecks = (config: Config, limitMs: number, agents: Agents): Check[] => [
  configurationCheck,
  ...connectingChecks(config, limitMs, agents),
  publicUrlCheck,
  exposureCheck,
]

/** How much longer than one step a check may take: it has a few. */
const STEPS = 3

export interface Section {
  readonly name: string
  readonly findings: readonly Finding[]
}

type Limited = Pick<DoctorContext, 'limitMs'>

const runOne = async <C extends Limited>(
  { name, run }: Check<C>,
  context: C,
  ending: AbortSignal,
): Promise<Section> => {
  const limited = AbortSignal.any([ending, AbortSignal.timeout(STEPS * context.limitMs)])
  const late = new Promise<Finding[]>((resolve) => {
    const onAbort = (): void => resolve([say('check_timeout', name, ending.aborted ? 'it was stopped' : 'it hangs')])
    limited.addEventListener('abort', onAbort, { once: true })
  })
  const done = (async () => run(context, limited))().catch((error: unknown) => [
    say('check_failed', name, wordsOf(error)),
  ])
  return { name, findings: await Promise.race([done, late]) }
}

/** Runs them side by side, each within its time; answers those that found anything, in their order. Never rejects. */
export const runChecks = async <C extends Limited>(
  checks: readonly Check<C>[],
  context: C,
  ending: AbortSignal,
): Promise<Section[]> => {
  const sections = await Promise.all(checks.map((check) => runOne(check, context, ending)))
  return sections.filter(({ findings }) => findings.length > 0)
}
