import type { CliContext, Register } from '../../src/cli/context.ts'
import { run } from '../../src/cli/index.ts'
import type { Ended } from './harness.ts'

interface Printed {
  stdout: string
  stderr: string
}

/** A process without variables, terminal, input or signals, whose output goes to `printed`. */
export const contextOf = (printed: Printed, more: Partial<CliContext> = {}): CliContext => ({
  env: {},
  stdout: (text) => void (printed.stdout += text),
  stderr: (text) => void (printed.stderr += text),
  stdin: async function* () {},
  isTty: false,
  stderrColumns: () => (more.isTty ? 200 : null),
  signal: new AbortController().signal,
  endWithin: () => undefined,
  onHangup: () => undefined,
  whileBlocked: (work) => work(),
  keepHeapSmall: () => undefined,
  cwd: '/',
  ...more,
})

/**
 * Runs one command line in this process: all but `src/main.ts`, which hands it the real one. Starting that takes a
 * hundred times as long: `start` in `harness.ts` is for what needs a process.
 */
export const runHere = async (
  args: readonly string[],
  more: Partial<CliContext> = {},
  commands?: readonly Register[],
): Promise<Ended> => {
  const printed = { stdout: '', stderr: '' }
  const code = await run(args, contextOf(printed, more), commands)
  return { code, ...printed }
}
