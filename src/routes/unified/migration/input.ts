import { z } from 'zod'
import { sinceParam } from './since.ts'

/** What the operations on the migration read. */

export const MigrationQuery = z.strictObject({ since: sinceParam('24h', 'Count videos that ended after this time') })

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
