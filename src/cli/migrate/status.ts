import { z } from 'zod'
import { MigrationView } from '../../core/api/migration.ts'
import { adminCall } from '../admin.ts'
import { CliError, GATEWAY_URL, type Register } from '../context.ts'
import { outcomeTable, splitText } from './tables.ts'

/** A newer gateway may tell more. */
const Answer = z.object(MigrationView.shape)

interface Options {
  since: string
  rule?: string
  url: string
  json?: boolean
}

/** `talkbridge migrate status`: how backends compare, and how each split stands. */
export const statusCommand: Register = (migrate, context) => {
  migrate
    .command('status')
    .description('compare how videos end on each backend, and show the state of each ramp')
    .option('--since <time>', 'count only videos that ended after this: a time in ISO 8601, or how long ago', '24h')
    .option('--rule <key>', 'only this split')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--json', 'print what the gateway answers')
    .action(async ({ since, rule, url, json }: Options) => {
      const path = `/unified/v1/migration?since=${encodeURIComponent(since)}`
      const raw = await adminCall(context, { method: 'GET', path, url })
      if (json) return context.stdout(`${JSON.stringify(raw)}\n`)
      const migration = Answer.parse(raw)
      const splits = migration.splits.filter((split) => rule === undefined || split.rule === rule)
      if (rule !== undefined && splits.length === 0) throw new CliError(1, `talkbridge: no split has the rule ${rule}`)
      if (rule === undefined) context.stdout(`${outcomeTable(migration)}\n`)
      context.stdout(splits.length === 0 ? 'no split\n' : splits.map(splitText).join('\n'))
    })
}
