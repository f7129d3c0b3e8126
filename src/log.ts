import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
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
const CENSOR = '[redacted]'
/** Objects within objects that are searched. */
const MAX_DEPTH = 3

/**
 * The same value without what its secret fields say; the value itself where it has none. By hand: the paths of pino's
 * own redaction, with wildcards, cost more than all the rest of a line.
 */
const redacted = (value: unknown, depth = 1): unknown => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  const hidden = Object.entries(value).flatMap(([name, inner]) => {
    const shown = SECRET_FIELDS.has(name) ? CENSOR : redacted(inner, depth + 1)
    return shown === inner ? [] : [[name, shown] as const]
  })
  if (hidden.length === 0) return value
  return Object.assign(Array.isArray(value) ? [...value] : { ...value }, Object.fromEntries(hidden))
}

/** Errors are made an object by their serializer; until then they are left alone. */
const redactedLine = (line: Record<string, unknown>): Record<string, unknown> => {
  const { err, ...fields } = line
  const shown = redacted(fields)
  return shown === fields || typeof shown !== 'object' ? line : { ...shown, ...(err === undefined ? {} : { err }) }
}

/** JSON lines, or readable ones on a terminal. */
export const createLog = ({ level, format }: Config['log'], destination: DestinationStream, isTty: boolean): Logger => {
  const pretty = format === 'pretty' || (format === 'auto' && isTty)
  const stream = pretty ? PinoPretty({ destination, colorize: isTty, ignore: 'pid,hostname' }) : destination
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactedLine },
      serializers: { err: (error: Error) => redacted(stdSerializers.err(error), 2) },
    },
    stream,
  )
}
