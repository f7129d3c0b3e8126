import { Command, CommanderError } from 'commander'
import { VERSION } from '../core/version.ts'
import { configCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { listenCommand } from './listen.ts'
import { migrateCommand } from './migrate/index.ts'
import { resolveCommand } from './resolve.ts'
import { sandboxCommand } from './sandbox.ts'
import { serveCommand } from './serve.ts'
import { storeCommand } from './store.ts'
import { verifyCommand } from './verify.ts'
import { CliError, type CliContext, type Register } from './context.ts'

/** A new command is one file in this folder and one line here. */
const COMMANDS: readonly Register[] = [
  serveCommand,
  sandboxCommand,
  demoCommand,
  listenCommand,
  verifyCommand,
  resolveCommand,
  migrateCommand,
  storeCommand,
  configCommand,
]

/**
 * Runs one command line. `argv` starts at the command's name. Answers the exit code: 0 ok, 1 failed, 2 usage or bad
 * configuration. Never rejects.
 */
export const run = async (
  argv: readonly string[],
  context: CliContext,
  commands: readonly Register[] = COMMANDS,
): Promise<number> => {
  try {
    await buildProgram(context, commands).parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    return report(error, context)
  }
}

const buildProgram = (context: CliContext, commands: readonly Register[]): Command => {
  const program = new Command('talkbridge')
    .description('One gateway in front of two talking-head video services.')
    .version(VERSION)
    // Before the commands: they inherit both.
    .exitOverride()
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .showHelpAfterError('(--help shows what is possible)')
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

const firstLine = (error: unknown): string => {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return message.split('\n', 1)[0] ?? ''
}
