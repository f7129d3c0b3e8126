import { z } from 'zod'
import { DocumentedAs } from '../../parse.ts'

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d{1,6})([smhd])$/
const NO_TIME = 'must be a duration such as 90m, 24h or 30d, or a time in ISO 8601'

/** A time, or how long before `nowMs`, as milliseconds of the epoch; null: neither. */
const sinceOf = (text: string): ((nowMs: number) => number) | null => {
  const [, count, unit] = DURATION.exec(text) ?? []
  if (unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')
    return (nowMs) => Math.max(0, nowMs - Number(count) * UNIT_MS[unit])
  const atMs = z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? null : () => atMs
}

/** From when on something counts: a duration back from now, or ISO 8601. */
export const sinceParam = (preset: string, what: string) =>
  DocumentedAs(
    z
      .string()
      .max(40)
      .default(preset)
      .transform((text, context) => {
        const since = sinceOf(text)
        if (since) return since
        context.addIssue({ code: 'custom', message: NO_TIME })
        return z.NEVER
      }),
    {
      type: 'string',
      maxLength: 40,
      default: preset,
      description: `${what}: a duration before now (\`90m\`, \`24h\`, \`30d\`), or a time in ISO 8601`,
      example: preset,
    },
  )
