import { once } from 'node:events'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { systemClock, virtualClock } from './clock.ts'
import { startSandbox, type Sandbox } from './index.ts'
import { isVariant, VARIANTS, type VariantName } from './undecided.ts'

/** What the command sees of its process. */
interface Context {
  /** Write as given: a line needs its line break. */
  readonly stdout: (text: string) => void
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal
  /** `--data` starts here. */
  readonly cwd: string
}

const port = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('not a port (0 to 65535)')
  return value
}

const positive = (text: string): number => {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('must be a number above 0')
  return value
}

const variant = (text: string): VariantName => {
  if (!isVariant(text)) throw new InvalidArgumentError(`one of ${Object.keys(VARIANTS).join(', ')}`)
  return text
}

interface Options {
  primaryPort: number
  alternatePort: number
  host: string
  speed: number
  seed: number
  unlimited?: boolean
  unlimitedRate?: boolean
  unlimitedCredits?: boolean
  unlimitedSlots?: boolean
  clock: 'real' | 'virtual'
  variant: VariantName
  data?: string
  json?: boolean
}

/** Both services on this machine until they are stopped (docs/sandbox.md): `command` gets the options and the action. */
export const sandboxCommand = (command: Command, context: Context): Command =>
  withOptions(command)
    .description('run a simulation of both backends on this machine')
    .action(async (options: Options) => {
      const sandbox = await start(options, context)
      context.stdout(options.json ? `${JSON.stringify(addressesOf(sandbox))}\n` : greeting(sandbox))
      if (!context.signal.aborted) await once(context.signal, 'abort')
      await sandbox.close()
    })

const withOptions = (command: Command): Command =>
  command
    .addOption(new Option('--primary-port <port>', '0: any free port').argParser(port).default(4010))
    .addOption(new Option('--alternate-port <port>', '0: any free port').argParser(port).default(4020))
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .addOption(
      new Option('--speed <factor>', 'how many times as fast as the real services').argParser(positive).default(10),
    )
    .addOption(new Option('--seed <number>', 'seed of the job durations').argParser(positive).default(1))
    .option('--unlimited', 'no rate limits, slots, credits and quotas')
    .option('--unlimited-rate', 'no rate limit')
    .option('--unlimited-credits', 'no limit for credits, characters, uploads and storage')
    .option('--unlimited-slots', 'no limit for running jobs')
    .addOption(
      new Option('--clock <kind>', 'virtual: the time stops until POST /sandbox/clock moves it')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .addOption(
      new Option(
        '--variant <name>',
        `other answers where the contracts are silent (${Object.keys(VARIANTS).join(', ')})`,
      )
        .argParser(variant)
        .default('standard'),
    )
    .option('--data <dir>', 'folder that keeps jobs, keys, charges and files over a restart')
    .option('--json', 'print addresses and keys as JSON')

const start = (options: Options, { cwd }: Context): Promise<Sandbox> => {
  const { data, clock, unlimited = false, unlimitedRate, unlimitedCredits, unlimitedSlots, ...others } = options
  return startSandbox({
    ...others,
    clock: clock === 'virtual' ? virtualClock(systemClock.now()) : systemClock,
    unlimitedRate: unlimitedRate ?? unlimited,
    unlimitedCredits: unlimitedCredits ?? unlimited,
    unlimitedSlots: unlimitedSlots ?? unlimited,
    dataDir: data === undefined ? null : resolve(cwd, data),
    sampleJobs: true,
  }).catch((error: unknown) => {
    throw new Error(`the sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  })
}

const addressesOf = ({ primaryUrl, primaryKey, alternateUrl, alternateKey }: Sandbox) => ({
  primary: { url: primaryUrl, key: primaryKey },
  alternate: { url: alternateUrl, key: alternateKey },
})

const greeting = (sandbox: Sandbox): string => `primary   ${sandbox.primaryUrl}   key ${sandbox.primaryKey}
alternate ${sandbox.alternateUrl}   key ${sandbox.alternateKey}
what you can make happen: ${sandbox.primaryUrl}/sandbox/scenarios   what happened: …/sandbox/ledger
`
