import type { PrettyOptions } from 'pino-pretty'

/** What lines look like on a terminal: what happened, then who and what as `name=value`. */

type Fields = Readonly<Record<string, unknown>>

/** Shown elsewhere in the line. */
const FRAME: readonly string[] = ['level', 'time', 'msg']
const PLAIN = /^[\w.:/@+,*…-]+$/

/** Paths and words of backends are somebody else's: nothing of theirs moves the cursor, ends a line or turns it around. */
const inert = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '?')

const shown = (value: unknown): string =>
  inert(typeof value === 'string' && PLAIN.test(value) ? value : (JSON.stringify(value) ?? ''))

const pairs = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join(' ')

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** `GET /unified/v1/videos 200 3 ms client=acme`; of an answer that is an error also its id. */
const requestLine = ({ method, path, status, duration_ms: ms, request_id: id, ...rest }: Fields) => ({
  what: [method, path, status, `${String(ms)} ms`].map((part) => inert(String(part))).join(' '),
  rest: { ...rest, ...(Number(status) >= 400 && { request_id: id }) },
})

const errorLines = (err: unknown): { why: string; stack: string } => {
  const { message, stack } = asFields(err)
  const lines = typeof stack === 'string' ? stack.split('\n').map((line) => `\n    ${inert(line)}`) : []
  return { why: typeof message === 'string' ? `: ${inert(message)}` : '', stack: lines.join('') }
}

export const PRETTY: PrettyOptions = {
  translateTime: 'SYS:HH:MM:ss',
  hideObject: true,
  messageFormat(log, messageKey, _level, { colors }) {
    const fields = Object.entries(log).filter(([name]) => !FRAME.includes(name))
    const { err, ...others } = Object.fromEntries(fields)
    const said = inert(String(log[messageKey]))
    const isRequest = said === 'request' || said === 'request failed'
    const { what, rest } = isRequest ? requestLine(others) : { what: said, rest: others }
    const { why, stack } = errorLines(err)
    const beside = pairs(rest)
    return `${what}${why}${beside === '' ? '' : `  ${colors.gray(beside)}`}${stack}`
  },
}
