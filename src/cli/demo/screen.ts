import type { CliContext } from '../context.ts'

/** What the demo looks like: bars and colours on a terminal, plain lines everywhere else. */
type Paint = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>

export const paints = (coloured: boolean): Paint => {
  const paint = (code: number) => (text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), cyan: paint(36) }
}

const BAR_CHARS = 24
const RUNNER_CHARS = 4

/** A bar of 24 characters; without a known progress (null) a block that runs to and fro with `tick`. */
export const bar = (progress: number | null, tick: number): string => {
  if (progress !== null) {
    const full = Math.round(Math.min(1, Math.max(0, progress)) * BAR_CHARS)
    return '█'.repeat(full) + '░'.repeat(BAR_CHARS - full)
  }
  const room = BAR_CHARS - RUNNER_CHARS
  const at = room - Math.abs((tick % (2 * room)) - room)
  return '░'.repeat(at) + '▒'.repeat(RUNNER_CHARS) + '░'.repeat(room - at)
}

/** `3.052 s`, right-aligned in a column of 9. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`.padStart(9)

export const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`

export const shortened = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars - 1)}…` : text

export interface Screen {
  readonly paint: Paint
  /** Whether a drawing can be drawn over. */
  readonly live: boolean
  heading(title: string, note: string): void
  line(text: string): void
  /** Lines that replace those of the drawing before. No colour and no wrapping survives a frame: Ctrl-C leaves a sane terminal. */
  draw(lines: readonly string[]): void
}

export const createScreen = ({ env, isTty, stdout }: Pick<CliContext, 'env' | 'isTty' | 'stdout'>): Screen => {
  const live = isTty && env['TERM'] !== 'dumb'
  const paint = paints(live && !env['NO_COLOR'])
  let drawn = 0
  return {
    paint,
    live,
    heading(title, note) {
      drawn = 0
      stdout(`\n${paint.bold(title)}  ${paint.dim(note)}\n`)
    },
    line: (text) => stdout(`  ${text}\n`),
    draw(lines) {
      const up = drawn > 0 ? `\u001b[${drawn}A` : ''
      // A wrapped line would count as two.
      stdout(`\u001b[?7l${up}${lines.map((text) => `\u001b[2K  ${text}\n`).join('')}\u001b[?7h`)
      drawn = lines.length
    },
  }
}
