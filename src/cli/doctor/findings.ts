/** From good to bad. Only a fault makes the command fail. */
export const LEVELS = ['ok', 'hint', 'warning', 'fault'] as const
export type Level = (typeof LEVELS)[number]

/** One kind of finding. `docs/doctor.md` has a row for each, held equal to these words by a test. */
export interface Row {
  readonly level: Level
  readonly means: string
  /** What to do; null: nothing. */
  readonly advice: string | null
}
export type Rows = Readonly<Record<string, Row>>

export interface Finding {
  readonly code: string
  readonly level: Level
  /** What was looked at, by the name of its key or file. */
  readonly about: string
  /** What was found. Never a secret. */
  readonly found: string
  readonly advice: string | null
}

/** Speaks the findings of one table. */
export const findings =
  <R extends Rows>(rows: R) =>
  (code: keyof R & string, about: string, found: string): Finding => {
    const { level, advice }: Row = rows[code] ?? { level: 'fault', means: '', advice: null }
    return { code, level, about, found, advice }
  }

/** The words of an error, on one line, with none of the secrets that are known to be in it. */
export const wordsOf = (error: unknown, secrets: readonly (string | null | undefined)[] = []): string => {
  if (error instanceof AggregateError) return wordsOf(error.errors[0], secrets)
  const text = error instanceof Error ? error.message || codeOf(error) || error.name : String(error)
  const line = text.split('\n', 1)[0] ?? ''
  return secrets
    .reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '***') : shown), line)
    .slice(0, 200)
}

export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** `400 ms`, `12 s`, `5 min`, `3 h`, `2 days`: for people. */
export const spanText = (ms: number): string => {
  const size = Math.abs(ms)
  if (size < 1_000) return `${Math.round(size)} ms`
  if (size < 120_000) return `${Math.round(size / 1_000)} s`
  if (size < 7_200_000) return `${Math.round(size / 60_000)} min`
  if (size < 172_800_000) return `${Math.round(size / 3_600_000)} h`
  return `${Math.round(size / 86_400_000)} days`
}

/** What a clock shows beside this machine's; positive: it is ahead. */
export const aheadText = (offMs: number): string => `${spanText(offMs)} ${offMs > 0 ? 'ahead of' : 'behind'}`
