import { Command, CommanderError, Help } from 'commander'
import { VERSION } from '../core/vocabulary.ts'
import { CliError, type CliContext, fileFault, plain, type Register } from './context.ts'

/** Each command has one line here. What it needs is loaded when it runs. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  sandbox: async () => {
    const { sandboxCommand } = await import('@talkbridge/sandbox/command')
    return (program, context) => void sandboxCommand(program.command('sandbox'), context)
  },
  demo: async () => (await import('./demo.ts')).demoCommand,
  batch: async () => (await import('./batch/index.ts')).batchCommand,
  doctor: async () => (await import('./doctor/index.ts')).doctorCommand,
  health: async () => (await import('./health.ts')).healthCommand,
  listen: async () => (await import('./listen.ts')).listenCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  resolve: async () => (await import('./admin.ts')).resolveCommand,
  keys: async () => (await import('./admin.ts')).keysCommand,
  backends: async () => (await import('./admin.ts')).backendsCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  store: async () => (await import('./store.ts')).storeCommand,
  config: async () => (await import('./config.ts')).configCommand,
  completion: async () => (await import('./completion.ts')).completionCommand(() => commandsFor([])),
}

/** Only the command that is asked for; all of them where the answer is about them, as for `--help`. */
const commandsFor = ([name = '']: readonly string[]): Promise<Register[]> => {
  const asked = Object.entries(COMMANDS).filter(([command]) => command === name)
  const needed = asked.length > 0 ? asked : Object.entries(COMMANDS)
  return Promise.all(needed.map(([, load]) => load()))
}

/** What an image puts before the command, and the rest. */
const withoutImage = (
  argv: readonly string[],
): { image: NonNullable<CliContext['image']>; rest: readonly string[] } => {
  const [option, file, ...rest] = argv
  if (file === undefined || (option !== '--defaults' && option !== '--config')) return { image: {}, rest: argv }
  const others = withoutImage(rest)
  return { image: { [option.slice('--'.length)]: file, ...others.image }, rest: others.rest }
}

/**
 * Runs one command line. `argv` starts at the command's name. Answers the exit code: 0 ok, 1 failed, 2 usage or bad
 * configuration. Never rejects.
 */
export const run = async (
  argv: readonly string[],
  outside: CliContext,
  commands?: readonly Register[],
): Promise<number> => {
  const { image, rest } = withoutImage(argv)
  const context = { ...outside, image }
  try {
    await buildProgram(context, commands ?? (await commandsFor(rest))).parseAsync([...rest], { from: 'user' })
    return 0
  } catch (error) {
    return report(error, context)
  }
}

const buildProgram = (context: CliContext, commands: readonly Register[]): Command => {
  const program = new Command('talkbridge')
    .description('One gateway in front of two talking-head video services.')
    .version(VERSION)
    // Before the commands: they inherit these.
    .exitOverride()
    .configureHelp({
      optionDescription: (option) => `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
    })
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .addHelpText(
      'after',
      '\nBefore the command, for an image: --defaults FILE (settings that rank below the configuration file) and\n' +
        '--config FILE (the configuration file, where neither the command nor TALKBRIDGE_CONFIG names one).',
    )
    .showHelpAfterError('(run it with --help to see what is possible)')
  for (const register of commands) register(program, context)
  return program
}

const report = (error: unknown, { env, stderr }: CliContext): number => {
  // Commander has printed its message already; help and --version end with 0, every misuse with 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CliError) {
    if (error.message !== '') stderr(`${error.message}\n`)
  } else stderr(`talkbridge: ${firstLine(error)}\n`)
  if (env['TALKBRIDGE_DEBUG'] && error instanceof Error) stderr(`${error.stack ?? ''}\n`)
  return error instanceof CliError ? error.exitCode : 1
}

/** A fault of a file in the words of `config`; of anything else the first line of what it says. */
const firstLine = (error: unknown): string => {
  if (error instanceof Error && 'path' in error && typeof error.path === 'string')
    return plain(`${error.path}: ${fileFault(error)}`)
  const message = error instanceof Error ? error.message || error.name : String(error)
  return message.split('\n', 1)[0] ?? ''
}
