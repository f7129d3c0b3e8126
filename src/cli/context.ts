import { styleText } from 'node:util'
import type { Command } from 'commander'
import { codeOf } from '../core/errors.ts'

/** What a command sees of the process; `src/main.ts` makes the real one. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Of `--defaults FILE --config FILE` before the command, with which an image starts: what else is named ranks above.
   */
  readonly image?: { readonly defaults?: string; readonly config?: string }
  /** Write as given: a line needs its line break. */
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** What is piped in, read only by who asks. */
  readonly stdin: () => AsyncIterable<Uint8Array>
  /** Whether stdout is a terminal: colours only there. */
  readonly isTty: boolean
  /** Of the terminal that stderr is, now; null: it is none, and gets no progress bar. */
  readonly stderrColumns: () => number | null
  /** Aborted by SIGINT and SIGTERM: a command then ends by itself. */
  readonly signal: AbortSignal
  /**
   * The process ends in `ms` at the latest, whatever hangs: with the code of its command, or with 1 if that still runs.
   */
  readonly endWithin: (ms: number) => void
  /** Calls `run` at each SIGHUP from then on, which otherwise ends the process. */
  readonly onHangup: (run: () => void) => void
  /** Runs what this process waits for without hearing anything, such as a pipe: a signal ends it then. */
  readonly whileBlocked: <T>(work: () => T) => T
  /** For a command that runs for long: this process takes less memory, for more collections. */
  readonly keepHeapSmall: () => void
  /** Relative paths start here. */
  readonly cwd: string
}

/** The gateway of this machine, for commands that talk to one. */
export const GATEWAY_URL = 'http://127.0.0.1:8080'

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * A command file exports one of these; it adds its command to `program`. An action may be async, answers nothing, and
 * throws to fail.
 */
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

/** What codes of undici and of files mean to a person; those of connections (ECONNREFUSED) are known to the reader. */
const SAID: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'nothing was heard for too long',
}

/** Why an exchange failed, in a few words. */
export const why = (error: unknown): string => {
  const code = codeOf(error)
  return code === '' ? messageOf(error) : (SAID[code] ?? code)
}

/** Why a file cannot be used. */
export const fileFault = (error: unknown): string => (codeOf(error) === 'ENOENT' ? 'no such file' : why(error))

/** Text of strangers (names, ids) without what would move a terminal's cursor or turn the text around. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')

/** Rows of text as columns, each as wide as its widest cell. `right`: the columns that are aligned right. Pure. */
export const columns = (given: readonly (readonly string[])[], right: readonly number[] = []): string => {
  const rows = given.map((row) => row.map(plain))
  const widths: number[] = []
  for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
  const padded = (cell: string, n: number): string =>
    right.includes(n) ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)
  return rows.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('')
}

export const numberText = (n: number): string => n.toLocaleString('en-US')

export const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** Whether what is drawn can be drawn over. */
export const isLive = ({ env, isTty }: Pick<CliContext, 'env' | 'isTty'>): boolean => isTty && env['TERM'] !== 'dumb'

/** As Node itself has it: FORCE_COLOR decides if it is there, then NO_COLOR, then whether somebody looks. */
export const isColoured = (context: Pick<CliContext, 'env' | 'isTty'>): boolean => {
  const { FORCE_COLOR, NO_COLOR } = context.env
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR)
  return isLive(context) && !NO_COLOR
}

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string

/** Styles text where there are colours, and leaves it as it is everywhere else. */
export const createPaint = (context: Pick<CliContext, 'env' | 'isTty'>): Paint =>
  isColoured(context) ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text

const RUNNER_CHARS = 4

/** A bar; without a known progress (null) a block that runs to and fro with `tick`. */
export const bar = (progress: number | null, tick = 0, chars = 24): string => {
  if (progress !== null) {
    const full = Math.round(Math.min(1, Math.max(0, progress)) * chars)
    return '█'.repeat(full) + '░'.repeat(chars - full)
  }
  const room = chars - RUNNER_CHARS
  const at = room - Math.abs((tick % (2 * room)) - room)
  return '░'.repeat(at) + '▒'.repeat(RUNNER_CHARS) + '░'.repeat(room - at)
}

const CLEAR = '\r\u001b[2K'

/** A bar on stderr, on a terminal only: what is printed stays what is asked for. */
export const createProgress = ({ env, stderr, stderrColumns }: CliContext) => {
  const live = isLive({ env, isTty: stderrColumns() !== null })
  return {
    live,
    show(share: number, what: string): void {
      if (!live) return
      // A line that wraps would be left behind.
      const room = (stderrColumns() || 80) - 1
      const line = `${bar(share, 0, Math.min(32, Math.floor(room / 4)))} ${Math.floor(share * 100)} %  ${what}`
      stderr(`${CLEAR}${shortened(line, room)}`)
    },
    clear(): void {
      if (live) stderr(CLEAR)
    },
  }
}

/** `3.052 s`, right-aligned in a column of 9. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`.padStart(9)

/** `400 ms`, `12 s`, `5 min`, `3 h`, `2 days`: for people. */
export const spanText = (ms: number): string => {
  const size = Math.abs(ms)
  if (size < 1_000) return `${Math.round(size)} ms`
  if (size < 120_000) return `${Math.round(size / 1_000)} s`
  if (size < 7_200_000) return `${Math.round(size / 60_000)} min`
  if (size < 172_800_000) return `${Math.round(size / 3_600_000)} h`
  return `${Math.round(size / 86_400_000)} days`
}

export const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`

export const shortened = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars - 1)}…` : text

export const createScreen = (context: CliContext) => {
  const { stdout } = context
  const live = isLive(context)
  const paint = createPaint(context)
  let drawn = 0
  return {
    paint,
    live,
    heading(title: string, note: string): void {
      drawn = 0
      stdout(`\n${paint('bold', title)}  ${paint('dim', note)}\n`)
    },
    line: (text: string) => stdout(`  ${text}\n`),
    /**
     * Lines that replace those of the drawing before. No colour and no wrapping survives a frame: Ctrl-C leaves a sane
     * terminal.
     */
    draw(lines: readonly string[]): void {
      const up = drawn > 0 ? `\u001b[${drawn}A` : ''
      // A wrapped line would count as two.
      stdout(`\u001b[?7l${up}${lines.map((text) => `\u001b[2K  ${text}\n`).join('')}\u001b[?7h`)
      drawn = lines.length
    },
  }
}
export type Screen = ReturnType<typeof createScreen>
