import { type Config, configWarnings } from '../../config.ts'
import { type Agents, createAgents } from '../../http/agents.ts'
import { BACKEND_ROWS, backendChecks } from './backends.ts'
import { CONFIGURATION_ROWS, configurationCheck, EXPOSURE_ROWS, exposureCheck, faultFindings } from './configuration.ts'
import {
  type Check,
  type DoctorContext,
  findings,
  wordsOf,
  type Finding,
  type Rows,
  LEVELS,
  type Level,
  createStoreLook,
  once,
} from './findings.ts'
import { GATEWAY_ROWS, gatewayCheck, PUBLIC_URL_ROWS, publicUrlCheck, lookAtGateway } from './gateway.ts'
import {
  POSTGRES_ROWS,
  postgresCheck,
  REDIS_ROWS,
  redisCheck,
  SECRET_KEY_ROWS,
  secretKeyCheck,
  STORE_ROWS,
  storeCheck,
} from './store.ts'
import { type CliContext, paints, CliError, type Register } from '../context.ts'
import { lookup as lookUp } from 'node:dns/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { proxiesOf } from '../../accounts.ts'
import { duration } from '../../config/fields.ts'
import { volumeOf } from '../../stores/inspect.ts'
import { configFile, readConfig, withConfigOption } from '../config-file.ts'

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

/** What a start would refuse, and this machine alone can tell. */
export const startChecks = (): Check[] => [secretKeyCheck, gatewayCheck]

/** All, in the order in which they are told. */
const allChecks = (config: Config, limitMs: number, agents: Agents): Check[] => [
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

interface Diagnosis {
  readonly file: string
  readonly sections: readonly Section[]
  /** Requests that each account's backend counts. */
  readonly requests: Readonly<Record<string, number>>
}

const findingsOf = ({ sections }: Pick<Diagnosis, 'sections'>): readonly Finding[] =>
  sections.flatMap((section) => section.findings)

const countOf = (diagnosis: Diagnosis, level: Level): number =>
  findingsOf(diagnosis).filter((finding) => finding.level === level).length

export const hasFault = (diagnosis: Diagnosis): boolean => countOf(diagnosis, 'fault') > 0

/** Whether a person looks, who wants colours. */
export const isColoured = ({ env, isTty }: Pick<CliContext, 'env' | 'isTty'>): boolean => isTty && !env['NO_COLOR']

/** Each finding with the check that made it. */
export const flat = ({ sections }: Diagnosis): (Finding & { check: string })[] =>
  sections.flatMap(({ name, findings }) => findings.map((finding) => ({ check: name, ...finding })))

/** For machines: one object, one line. */
const asJson = (diagnosis: Diagnosis): string => {
  const counts = Object.fromEntries(LEVELS.map((level) => [level, countOf(diagnosis, level)]))
  const { file, requests } = diagnosis
  return `${JSON.stringify({ file, ok: !hasFault(diagnosis), counts, requests, findings: flat(diagnosis) })}\n`
}

const WIDTH = Math.max(...LEVELS.map((level) => level.length))

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`

const summary = (diagnosis: Diagnosis): string => {
  const counted = LEVELS.toReversed().flatMap((level) => {
    const n = countOf(diagnosis, level)
    return n === 0 || level === 'ok' ? [] : [plural(n, level)]
  })
  const spent = Object.entries(diagnosis.requests).map(([name, n]) => `${n} of ${name}`)
  const requests = spent.length === 0 ? '' : ` Requests spent: ${spent.join('; ')}.`
  return `${counted.length === 0 ? 'All is well' : counted.join(', ')}.${requests}`
}

/** For people. Pure. */
export const asText = (diagnosis: Diagnosis, coloured: boolean): string => {
  const paint = paints(coloured)
  const colours = { ok: paint.green, hint: paint.cyan, warning: paint.yellow, fault: paint.red }
  const lines = ({ level, about, found, advice }: Finding): string[] => [
    `  ${colours[level](level.padEnd(WIDTH))}  ${about}: ${found}`,
    ...(advice === null || level === 'ok' ? [] : [`  ${' '.repeat(WIDTH)}  ${paint.dim(`→ ${advice}`)}`]),
  ]
  const sections = diagnosis.sections.map(({ name, findings }) =>
    [paint.bold(name), ...findings.flatMap(lines), ''].join('\n'),
  )
  return `${sections.join('\n')}\n${summary(diagnosis)}\n`
}

/** What tests put in place of the machine. */
export type Machine = Pick<DoctorContext, 'wall' | 'volumeOf' | 'lookup'>

const MACHINE: Machine = { wall: Date.now, volumeOf, lookup: (hostname) => lookUp(hostname) }

/** A name that is still being looked up holds the process no longer. */
const ENDING_MS = 2_000

const Limit = duration('50ms', '5m')

const limitOf = (text: string): number => {
  const limit = Limit.safeParse(text)
  if (limit.success) return limit.data
  throw new InvalidArgumentError('It is a duration from 50ms to 5m, such as 5s.')
}

/** Of one step of a check. */
export const withTimeoutOption = (command: Command): Command =>
  command.addOption(
    new Option('--timeout <duration>', 'how long one step of a check may take').argParser(limitOf).default(5_000, '5s'),
  )

interface Examined {
  file: string
  config: Config
  limitMs: number
  /** Connects to no server but this machine's own port. */
  isLocal?: boolean
  checksOf: (config: Config, limitMs: number, agents: ReturnType<typeof createAgents>) => readonly Check[]
}

/** Runs checks of one configuration that holds together. */
export const examine = async (
  { file, config, limitMs, isLocal = false, checksOf }: Examined,
  { env, cwd, signal, endWithin }: CliContext,
  machine: Machine = MACHINE,
): Promise<Diagnosis> => {
  const agents = createAgents({ connectTimeoutMs: limitMs, proxyOf: proxiesOf(config) })
  const requests: Record<string, number> = {}
  const context: DoctorContext = {
    ...machine,
    file,
    config,
    warnings: configWarnings(config, env),
    env,
    cwd,
    limitMs,
    store: createStoreLook(config, cwd, { limitMs, signal, isLocal }),
    gateway: once(() => lookAtGateway(context, signal)),
    spend: (backend) => (requests[backend] = (requests[backend] ?? 0) + 1),
  }
  const sections: Section[] = await runChecks(checksOf(config, limitMs, agents), context, signal)
  await agents.close()
  endWithin(ENDING_MS)
  return { file, sections, requests }
}

const print = (diagnosis: Diagnosis, json: boolean, context: CliContext): void =>
  context.stdout(json ? asJson(diagnosis) : asText(diagnosis, isColoured(context)))

interface Options {
  config?: string
  json?: boolean
  timeout: number
}

const doctor = async (options: Options, context: CliContext, machine: Machine): Promise<void> => {
  const file = configFile(options, context)
  if (file === null)
    throw new CliError(
      2,
      'which file? give --config FILE, or set TALKBRIDGE_CONFIG; `talkbridge config init` makes one',
    )
  const json = options.json ?? false
  const parsed = readConfig(file, context)
  if (!parsed.ok) {
    const sections = [{ name: 'configuration', findings: faultFindings(file, parsed.faults) }]
    print({ file, sections, requests: {} }, json, context)
    throw new CliError(2, '')
  }
  const examined = { file, config: parsed.config, limitMs: options.timeout, checksOf: allChecks }
  const diagnosis = await examine(examined, context, machine)
  print(diagnosis, json, context)
  if (hasFault(diagnosis)) throw new CliError(1, '')
}

export const doctorCommandOn =
  (machine: Machine): Register =>
  (program, context) => {
    withTimeoutOption(withConfigOption(program.command('doctor')))
      .description('look at everything that the gateway needs, and say what to do. Writes nothing')
      .option('--json', 'print the findings as JSON')
      .action((options: Options) => doctor(options, context, machine))
  }

/** `talkbridge doctor`: configuration, store, keys, backends, public URL and exposure, each finding with what to do. */
export const doctorCommand = doctorCommandOn(MACHINE)
