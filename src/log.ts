import { createRequire } from 'node:module'
import { pino, type DestinationStream, type Logger } from 'pino'
import type * as Pretty from 'pino-pretty'
import type { Config } from './config.ts'
import { Problem } from './core/errors.ts'
import { chainOf, isExpected } from './core/log.ts'
import { PRETTY } from './log/pretty.ts'

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

/** A code where the system said no more. */
const saidBy = (error: Error): string => error.message || String(Reflect.get(error, 'code') ?? '')

/** Whole with its stack if it is our own fault; else what happened in one line, and what is known of it. */
const shownError = (error: Error): Record<string, unknown> => {
  const whole = pino.stdSerializers.err(error)
  if (!isExpected(error)) return censored(whole)
  const message = [...new Set(chainOf(error).map(saidBy))].filter((said) => said !== '').join(': ')
  // The cause is in the message.
  const extras = error instanceof Problem ? { ...error.extras, cause: undefined } : undefined
  return censored({ type: whole.type, message, code: Reflect.get(error, 'code'), extras })
}

/** Many lines are of one millisecond. */
const createTimestamp = (): (() => string) => {
  const last = { ms: NaN, text: '' }
  return () => {
    const ms = Date.now()
    if (ms !== last.ms) Object.assign(last, { ms, text: `,"time":"${new Date(ms).toISOString()}"` })
    return last.text
  }
}

/**
 * Readable lines into `destination`, which need not be a stream: pino-pretty's own stream pipes into one, and fails
 * where there is only `write`. Loaded where lines are made readable: a service writes JSON.
 */
const prettyTo = (destination: DestinationStream, options: Pretty.PrettyOptions): DestinationStream => {
  const { prettyFactory }: typeof Pretty = createRequire(import.meta.url)('pino-pretty')
  const pretty = prettyFactory(options)
  return { write: (line) => destination.write(pretty(line)) }
}

/** JSON lines, or readable ones on a terminal. */
export const createLog = (
  { level, format }: Config['log'],
  destination: DestinationStream,
  isTty: boolean,
  colorize = isTty,
): Logger => {
  const pretty = format === 'pretty' || (format === 'auto' && isTty)
  const stream = pretty ? prettyTo(destination, { ...PRETTY, colorize }) : destination
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }), log: (fields) => censored(fields) },
      serializers: { err: (error: unknown) => (error instanceof Error ? shownError(error) : error) },
    },
    stream,
  )
}
