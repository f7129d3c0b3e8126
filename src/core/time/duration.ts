/** Durations as people write them: `500ms`, `30s`, `5m`, `24h`, `7d`. */

export const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
export type DurationUnit = keyof typeof UNIT_MS

export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/

const isUnit = (text: string | undefined): text is DurationUnit => text !== undefined && Object.hasOwn(UNIT_MS, text)

/** Milliseconds; `NaN` if the text is no duration, or in none of the `units`. */
export const durationMs = (text: string, units: readonly DurationUnit[] = ['ms', 's', 'm', 'h', 'd']): number => {
  const [, count, unit] = DURATION.exec(text) ?? []
  return isUnit(unit) && units.includes(unit) ? Number(count) * UNIT_MS[unit] : Number.NaN
}

/** Milliseconds as the shortest text that `durationMs` reads back. */
export const durationText = (ms: number): string => {
  const [unit, unitMs] = Object.entries(UNIT_MS).findLast(([, unitMs]) => ms % unitMs === 0) ?? ['ms', 1]
  return `${ms / unitMs}${unit}`
}
