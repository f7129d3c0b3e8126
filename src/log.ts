import { pino, type DestinationStream, type Logger } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { Config } from './config.ts'

/** Fields that must never be read in a log, wherever a careless line puts them. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'authorization',
  'api_key',
  'apiKey',
  'key',
  'secret',
  'webhook_secret',
  'token',
  'sig',
  'password',
])
const CENSORED = '[redacted]'
const DEEPEST = 8

/** `fields` with nothing secret in them; the very same object where nothing was: most lines have nothing. */
const censored = (fields: Record<string, unknown>, depth = 0): Record<string, unknown> => {
  let copy: Record<string, unknown> | null = null
  for (const name in fields) {
    const value = fields[name]
    const shown = SECRET_FIELDS.has(name) && value !== undefined ? CENSORED : shownOf(value, depth + 1)
    if (shown !== value) (copy ??= { ...fields })[name] = shown
  }
  return copy ?? fields
}

/** An error is seen through when it was made a plain object. */
const shownOf = (value: unknown, depth: number): unknown => {
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof Error ||
    ArrayBuffer.isView(value) ||
    depth > DEEPEST
  )
    return value
  if (Array.isArray(value)) {
    const shown = value.map((one: unknown) => shownOf(one, depth + 1))
    return shown.some((one, i) => one !== value[i]) ? shown : value
  }
  return censored(value as Record<string, unknown>, depth)
}

/** JSON lines, or readable ones on a terminal. */
export const createLog = ({ level, format }: Config['log'], destination: DestinationStream, isTty: boolean): Logger => {
  const pretty = format === 'pretty' || (format === 'auto' && isTty)
  const stream = pretty
    ? PinoPretty({ destination, colorize: isTty, ignore: 'pid,hostname', singleLine: true })
    : destination
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => censored(fields) },
      serializers: { err: (error: Error) => censored(pino.stdSerializers.err(error)) },
    },
    stream,
  )
}
