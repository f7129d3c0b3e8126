import { once } from 'node:events'
import { Option, InvalidArgumentError } from 'commander'
import { systemClock } from '../core/clock.ts'
import { startSandbox } from '../sandbox/index.ts'
import { CliError, type Register } from './context.ts'

const port = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return value
}

const positive = (text: string): number => {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('must be a number above 0')
  return value
}

interface Options {
  primaryPort: number
  alternatePort: number
  speed: number
  seed: number
  unlimited?: boolean
  unlimitedRate?: boolean
  unlimitedCredits?: boolean
  unlimitedSlots?: boolean
  data?: string
}

/** `talkbridge sandbox`: both backends on this machine. */
export const sandboxCommand: Register = (program, { stdout, signal }) => {
  program
    .command('sandbox')
    .description('run a stand-in for both backends on this machine')
    .addOption(new Option('--primary-port <port>', '0: any free one').argParser(port).default(4010))
    .addOption(new Option('--alternate-port <port>', '0: any free one').argParser(port).default(4020))
    .addOption(new Option('--speed <factor>', 'how much faster than life').argParser(positive).default(10))
    .addOption(new Option('--seed <number>', 'of everything random').argParser(positive).default(1))
    .option('--unlimited', 'lift rates, slots and credits')
    .option('--unlimited-rate', 'lift the requests a minute')
    .option('--unlimited-credits', 'lift the credits a month')
    .option('--unlimited-slots', 'lift the running jobs')
    .option('--data <dir>', 'keep jobs, keys and charges there over a restart')
    .action(async (options: Options) => {
      const { unlimited = false } = options
      const sandbox = await startSandbox({
        clock: systemClock,
        primaryPort: options.primaryPort,
        alternatePort: options.alternatePort,
        speed: options.speed,
        seed: options.seed,
        unlimitedRate: unlimited || (options.unlimitedRate ?? false),
        unlimitedCredits: unlimited || (options.unlimitedCredits ?? false),
        unlimitedSlots: unlimited || (options.unlimitedSlots ?? false),
        dataDir: options.data ?? null,
      }).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        throw new CliError(1, `talkbridge: the sandbox cannot start: ${message}`, { cause: error })
      })
      stdout(`primary   ${sandbox.primaryUrl}   key ${sandbox.primaryKey}\n`)
      stdout(`alternate ${sandbox.alternateUrl}   key ${sandbox.alternateKey}\n`)
      stdout(`what can be made to happen: ${sandbox.primaryUrl}/sandbox/scenarios   what happened: …/sandbox/ledger\n`)
      if (!signal.aborted) await once(signal, 'abort')
      await sandbox.close()
    })
}
