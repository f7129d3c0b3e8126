import { lookup as lookUp } from 'node:dns/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { proxiesOf } from '../../accounts.ts'
import { configWarnings, type Config } from '../../config.ts'
import { duration } from '../../config/fields.ts'
import { createAgents } from '../../http/agents.ts'
import { volumeOf } from '../../stores/inspect.ts'
import { configFile, readConfig, withConfigOption } from '../config-file.ts'
import { CliError, type CliContext, type Register } from '../context.ts'
import { allChecks, runChecks, type Section } from './checks.ts'
import { faultFindings } from './configuration.ts'
import { createStoreLook, once, type Check, type DoctorContext } from './context.ts'
import { lookAtGateway } from './gateway.ts'
import { asJson, asText, hasFault, isColoured, type Diagnosis } from './render.ts'

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
  checksOf: (config: Config, limitMs: number, agents: ReturnType<typeof createAgents>) => readonly Check[]
}

/** Runs checks of one configuration that holds together. */
export const examine = async (
  { file, config, limitMs, checksOf }: Examined,
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
    store: createStoreLook(config, cwd, limitMs, signal),
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
