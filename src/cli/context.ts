import type { Command } from 'commander'

/** What a command sees of the process; `src/main.ts` makes the real one. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of `--defaults FILE --config FILE` before the command, with which an image starts: what else is named ranks above. */
  readonly image?: { readonly defaults?: string; readonly config?: string }
  /** Write as given: a line needs its line break. */
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** What is piped in, read only by who asks. */
  readonly stdin: () => AsyncIterable<Uint8Array>
  /** Whether stdout is a terminal: colours and progress bars only there. */
  readonly isTty: boolean
  /** Aborted by SIGINT and SIGTERM: a command then ends by itself. */
  readonly signal: AbortSignal
  /** The process ends in `ms` at the latest, whatever hangs: with the code of its command, or with 1 if that still runs. */
  readonly endWithin: (ms: number) => void
  /** Calls `run` at each SIGHUP from then on, which otherwise ends the process. */
  readonly onHangup: (run: () => void) => void
  /** For a command that runs for long: this process takes less memory, for more collections. */
  readonly keepHeapSmall: () => void
  /** Relative paths start here. */
  readonly cwd: string
}

/** The gateway of this machine, for commands that talk to one. */
export const GATEWAY_URL = 'http://127.0.0.1:8080'

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A command file exports one of these; it adds its command to `program`. An action may be async, answers nothing, and throws to fail. */
export type Register = (program: Command, context: CliContext) => void

/** 1: the command failed. 2: it was used wrongly, or the configuration is bad. */
type FailureCode = 1 | 2

/** Ends a command with its exit code, `message` on stderr (several lines allowed; empty: nothing is printed). */
export class CliError extends Error {
  readonly exitCode: FailureCode
  constructor(exitCode: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}
