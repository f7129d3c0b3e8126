import { request } from 'undici'
import { z } from 'zod'
import { why } from './listen/why.ts'
import { CliError, type CliContext } from './context.ts'

/** One request of an operator to the running gateway. */
export interface AdminCall {
  method: 'GET' | 'POST'
  /** Below the gateway's URL, with its query. */
  path: string
  body?: object
  /** The gateway. */
  url: string
}

const TIMEOUT_MS = 60_000
const Refusal = z.object({ detail: z.string() })

/** Throws if the environment has none. */
export const adminKey = ({ env }: Pick<CliContext, 'env'>): string => {
  const key = env['TALKBRIDGE_ADMIN_KEY']
  if (!key) throw new CliError(2, 'no key: set TALKBRIDGE_ADMIN_KEY to a gateway key with the scope admin')
  return key
}

/** What the gateway said where it refused. */
export const refusalOf = (status: number, body: unknown): CliError => {
  const refusal = Refusal.safeParse(body)
  return new CliError(1, `talkbridge: ${refusal.success ? refusal.data.detail : `status ${status}`}`)
}

/** For a request that got no answer. */
export const unanswered =
  (url: string) =>
  (error: unknown): never => {
    throw new CliError(1, `talkbridge: no gateway answers at ${url}: ${why(error)}`)
  }

/** Answers the body of a 200 or 201. Throws a `CliError` without a key (exit 2), and with what the gateway refused (exit 1). */
export const adminCall = async (context: CliContext, { method, path, body, url }: AdminCall): Promise<unknown> => {
  const authorization = `Bearer ${adminKey(context)}`
  const response = await request(new URL(path, url), {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch(unanswered(url))
  const raw: unknown = await response.body.json()
  if (response.statusCode === 200 || response.statusCode === 201) return raw
  throw refusalOf(response.statusCode, raw)
}
