import { z } from 'zod'
import { BackendName, DocumentedAs } from '../../parse.ts'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d{1,6})([mhd])$/
const NO_TIME = 'must be a time, or a duration such as 30d, 12h or 90m'

/** A time, or how long before `nowMs`; null: neither. */
const sinceOf = (text: string): ((nowMs: number) => number) | null => {
  const [, count, unit] = DURATION.exec(text) ?? []
  if (unit === 'm' || unit === 'h' || unit === 'd') return (nowMs) => Math.max(0, nowMs - Number(count) * UNIT_MS[unit])
  const time = z.iso.datetime({ offset: true }).safeParse(text)
  const atMs = time.success ? Date.parse(time.data) : Number.NaN
  return Number.isNaN(atMs) ? null : () => atMs
}

export const MigrationReportQuery = z.strictObject({
  from: BackendName.describe('The backend whose recorded requests are judged'),
  to: BackendName.describe('The backend that they are judged for'),
  since: DocumentedAs(
    z
      .string()
      .max(40)
      .default('30d')
      .transform((text, context) => {
        const since = sinceOf(text)
        if (since) return since
        context.addIssue({ code: 'custom', message: NO_TIME })
        return z.NEVER
      }),
    {
      type: 'string',
      maxLength: 40,
      default: '30d',
      description: 'Only videos created since: a time, or how long ago (`30d`, `12h`, `90m`)',
      example: '30d',
    },
  ),
})
