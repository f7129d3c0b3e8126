import { z } from 'zod'
import { sinceParam } from './since.ts'

/** What the operations on the migration read. */

export const MigrationQuery = z.strictObject({ since: sinceParam('24h', 'Count videos that ended after this time') })

const rule = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The rule of the split, `rule_…`. You can leave it out if there is only one split')

export const SplitBody = z.strictObject({ rule })
export const StepBody = z.strictObject({
  rule,
  force: z
    .boolean()
    .optional()
    .describe('True: step even if gates do not hold. You must still resume a stopped split first'),
})
