import { z } from 'zod'
import { SplitView } from '../../core/api/migration.ts'
import { adminCall } from '../admin.ts'
import { GATEWAY_URL, type Register } from '../context.ts'
import { splitText } from './tables.ts'

/** A newer gateway may tell more. */
const Answer = z.object(SplitView.shape)

interface Options {
  rule?: string
  force?: boolean
  url: string
  json?: boolean
}

const changing =
  (name: string, description: string, isForced = false): Register =>
  (migrate, context) => {
    const command = migrate
      .command(name)
      .description(description)
      .option('--rule <key>', 'the rule of the split; needed only with several splits')
      .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
      .option('--json', 'print what the gateway answers')
    if (isForced) command.option('--force', 'even if gates do not hold, but not if the split is stopped')
    command.action(async ({ rule, force, url, json }: Options) => {
      const body = { ...(rule !== undefined && { rule }), ...(force && { force }) }
      const raw = await adminCall(context, { method: 'POST', path: `/unified/v1/admin/migration/${name}`, body, url })
      context.stdout(json ? `${JSON.stringify(raw)}\n` : splitText(Answer.parse(raw)))
    })
  }

export const stepCommand = changing(
  'step',
  'give the new side the next of 1, 5, 10, 25, 50 and 100 %, if its gates hold',
  true,
)
export const rollbackCommand = changing('rollback', 'give the new side 0 %, at once')
export const resumeCommand = changing('resume', 'continue a split that stopped itself, at the weight that it had')
