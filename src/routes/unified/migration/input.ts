import { z } from 'zod'
import { DocumentedAs } from '../../parse.ts'

/** What the operations on the migration read. */

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION = /^(\d{1,6})([smhd])$/
const NO_TIME = 'must be a duration such as 90m, 24h or 30d, or a time in ISO 8601'

/** A duration back from now, or a time. */
export type Since = { kind: 'ago'; ms: number } | { kind: 'at'; ms: number }

const sinceOf = (text: string): Since | null => {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  if (count !== undefined) return { kind: 'ago', ms: Number(count) * (UNIT_MS[unit] ?? 0) }
  return z.iso.datetime({ offset: true }).safeParse(text).success ? { kind: 'at', ms: Date.parse(text) } : null
}

export const MigrationQuery = z.strictObject({
  since: DocumentedAs(
    z
      .string()
      .max(40)
      .default('24h')
      .transform((text, context) => {
        const since = sinceOf(text)
        if (since) return since
        context.addIssue({ code: 'custom', message: NO_TIME })
        return z.NEVER
      }),
    {
      type: 'string',
      maxLength: 40,
      default: '24h',
      description:
        'Count videos that ended after this time: a duration back from now (`90m`, `24h`, `30d`), or ISO 8601',
      example: '24h',
    },
  ),
})

const rule = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The rule of the split, `rule_…`; may be left out where there is one split only')

export const SplitBody = z.strictObject({ rule })
export const StepBody = z.strictObject({
  rule,
  force: z
    .boolean()
    .optional()
    .describe('Step although gates do not hold. A split that stopped is resumed first all the same'),
})
