import { type Config, configWarnings } from '../../config.ts'
import { type Agents, createAgents } from '../../http/exchange.ts'
import { backendChecks } from './backends.ts'
import { configurationCheck, exposureCheck, faultFindings } from './configuration.ts'
import { LEVELS, say, type Finding, type Level } from './findings.ts'
import { gatewayCheck, publicUrlCheck, lookAtGateway } from './gateway.ts'
import { type Check, type DoctorContext, createStoreLook, once, wordsOf } from './look.ts'
import { openVideosCheck, postgresCheck, redisCheck, secretKeyCheck, storeCheck } from './store.ts'
import { type CliContext, type Paint, CliError, counted, createPaint, type Register } from '../context.ts'
import { lookup as lookUp } from 'node:dns/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { proxiesOf } from '../../accounts.ts'
import { duration } from '../../config/fields.ts'
import { volumeOf } from '../../stores/inspect.ts'
import { configFile, readConfig, withConfigOption } from '../config-file.ts'

/** Those that look at something which the configuration names. */
export const connectingChecks = (config: Config, limitMs: number, agents: Agents): Check[] => [
  storeCheck,
  postgresCheck,
  redisCheck,
  secretKeyCheck,
  openVideosCheck,
  ...backendChecks(config, limitMs, agents),
  gatewayCheck,
]

/** What a start would refuse, and only this machine can show. */
export const startChecks = (): Check[] => [secretKeyCheck, openVideosCheck, gatewayCheck]

/** All, in the order in which they are reported. */
const allChecks = (config: Config, limitMs: number, agents: Agents): Check[] => [
  configurationCheck,
  ...connectingChecks(config, limitMs, agents),
  publicUrlCheck,
  exposureCheck,
]

/** How much longer than one step a check may take: it has a few. */
const STEPS = 3

interface Section {
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

const countOf = ({ sections }: Diagnosis, level: Level): number =>
  sections.flatMap(({ findings }) => findings).filter((finding) => finding.level === level).length

export const hasFault = (diagnosis: Diagnosis): boolean => countOf(diagnosis, 'fault') > 0

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

const summary = (diagnosis: Diagnosis): string => {
  const counts = LEVELS.toReversed().flatMap((level) => {
    const n = countOf(diagnosis, level)
    return n === 0 || level === 'ok' ? [] : [counted(n, level)]
  })
  const spent = Object.entries(diagnosis.requests).map(([name, n]) => `${n} of ${name}`)
  const requests = spent.length === 0 ? '' : ` Requests spent: ${spent.join('; ')}.`
  return `${counts.length === 0 ? 'All is well' : counts.join(', ')}.${requests}`
}

const COLOURS = { ok: 'green', hint: 'cyan', warning: 'yellow', fault: 'red' } as const

/** For people. Pure. */
export const asText = (diagnosis: Diagnosis, paint: Paint): string => {
  const lines = ({ level, about, found, advice }: Finding): string[] => [
    `  ${paint(COLOURS[level], level.padEnd(WIDTH))}  ${about}: ${found}`,
    ...(advice === null ? [] : [`  ${' '.repeat(WIDTH)}  ${paint('dim', `→ ${advice}`)}`]),
  ]
  const sections = diagnosis.sections.map(({ name, findings }) =>
    [paint('bold', name), ...findings.flatMap(lines), ''].join('\n'),
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

interface Examined extends Pick<DoctorContext, 'file' | 'config' | 'limitMs'> {
  /** Connects to no server but this machine's own port. */
  isLocal?: boolean
  checksOf: (config: Config, limitMs: number, agents: Agents) => readonly Check[]
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
  context.stdout(json ? asJson(diagnosis) : asText(diagnosis, createPaint(context)))

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
