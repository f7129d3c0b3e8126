/** A mutant that no test notices. It is known by its text, since numbers of lines move. */
export interface Survivor {
  file: string
  /** The line that it is in, or begins in. */
  line: string
  was: string
  /** The first line of what it becomes. */
  becomes: string
}

/** What the others of the union have in its place is undefined, and compares as false. */
const FOR_THE_COMPILER = 'only the compiler needs the check'

export const SURVIVORS: readonly (Survivor & { why: string })[] = [
  {
    file: 'src/webhooks/schedule.ts',
    line: 'return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : 0',
    was: 'waitMs > 0',
    becomes: 'waitMs >= 0',
    why: 'a wait of 0 is 0 either way',
  },
  {
    file: 'src/webhooks/schedule.ts',
    line: "if (outcome.kind === 'failed') return 0",
    was: "outcome.kind === 'failed'",
    becomes: 'false',
    why: FOR_THE_COMPILER,
  },
  {
    file: 'src/webhooks/schedule.ts',
    line: "outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300",
    was: "outcome.kind === 'answered'",
    becomes: 'true',
    why: FOR_THE_COMPILER,
  },
  {
    file: 'src/webhooks/schedule.ts',
    line: "if (outcome.kind === 'answered' && outcome.status === 410) return { status: 'failed' }",
    was: "outcome.kind === 'answered'",
    becomes: 'true',
    why: FOR_THE_COMPILER,
  },
]
