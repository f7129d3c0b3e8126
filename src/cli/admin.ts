import { z } from 'zod'
import { CliError, type CliContext } from './context.ts'

const Refusal = z.object({ detail: z.string() })

/** Throws if the environment has none. */
export const adminKey = ({ env }: Pick<CliContext, 'env'>): string => {
  const key = env['TALKBRIDGE_ADMIN_KEY']
  if (!key) throw new CliError(2, 'set TALKBRIDGE_ADMIN_KEY to a gateway key with the scope admin')
  return key
}

/** What the gateway said where it refused. */
export const refusalOf = (status: number, body: unknown): CliError => {
  const refusal = Refusal.safeParse(body)
  return new CliError(1, `talkbridge: ${refusal.success ? refusal.data.detail : `status ${status}`}`)
}
