import { pino, type DestinationStream, type Logger } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { Config } from './config.ts'

/** Fields that must never be read in a log, wherever a careless line puts them. */
const SECRET_FIELDS = [
  'authorization',
  'api_key',
  'apiKey',
  'key',
  'secret',
  'webhook_secret',
  'token',
  'sig',
  'password',
]
const REDACT = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])

/** JSON lines, or readable ones on a terminal. */
export const createLog = ({ level, format }: Config['log'], destination: DestinationStream, isTty: boolean): Logger => {
  const pretty = format === 'pretty' || (format === 'auto' && isTty)
  const stream = pretty ? PinoPretty({ destination, colorize: isTty, ignore: 'pid,hostname' }) : destination
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACT, censor: '[redacted]' },
    },
    stream,
  )
}
