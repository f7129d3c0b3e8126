import { CopyDiffers, CopyRefused, failureOf, OutcomeUnknown, QueryFailed, SourceFault } from '../../stores/copy.ts'
import { CliError, messageOf } from '../context.ts'

/** By SQLSTATE (PostgreSQL, appendix A), and by the system's error codes. Never the server's own words about who asked. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'the server refuses the user or the password: correct the URL'],
  [/^3D000$/, 'the server has no such database: create it (CREATE DATABASE … ENCODING UTF8), or correct the URL'],
  [
    /^42501$/,
    'the user may not do this: make it the owner of the schema, or allow it to create one (GRANT CREATE ON DATABASE)',
  ],
  [/^55P03$/, 'something else works in that schema: stop the gateways on it, then run this again'],
  [/^53300$/, 'the server has no connection left: stop what uses it, or raise max_connections'],
  [/^53100$/, 'the disk of the server is full: free some space, then run this again'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'the server does not answer: start it, or correct host and port',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no host with this name: correct the URL'],
]

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const whyOf = (error: unknown): string => {
  const cause = error instanceof QueryFailed ? error.cause : error
  const code = codeOf(cause)
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1]
  if (advice !== undefined) return advice
  if (failureOf(error) !== 'disconnected') return messageOf(cause)
  return `the connection failed (${messageOf(cause)}): check the server and its log, then run this again`
}

/** One line: what happened, and what to do. `where`: host and database, without who asks. */
export const storeFault = (error: unknown, where: string, signal: AbortSignal): CliError => {
  const nothing = 'nothing was copied'
  const told = (message: string): CliError => new CliError(1, `talkbridge: ${message}`, { cause: error })
  if (signal.aborted) return told(`stopped: ${nothing}`)
  if (error instanceof SourceFault) return told(`--from: ${error.message}`)
  if (error instanceof OutcomeUnknown) {
    return told(
      `--to ${where}: ${error.message}: run this again; if it then says that the schema holds a store, the copy is complete`,
    )
  }
  if (error instanceof CopyRefused) return told(`--to ${where}: ${error.message}`)
  if (error instanceof CopyDiffers) return told(`${nothing}: ${error.message}`)
  return told(`--to ${where}: ${whyOf(error)}; ${nothing}`)
}
