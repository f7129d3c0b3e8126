import type * as Pretty from 'pino-pretty'
import type { PrettyOptions } from 'pino-pretty'
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'
import { codeOf, Problem } from './core/errors.ts'
import { chainOf, isExpected } from './core/log.ts'

/** What lines look like on a terminal: what happened, then who and what as `name=value`. */

type Fields = Readonly<Record<string, unknown>>

/** Shown elsewhere in the line. */
const FRAME: readonly string[] = ['level', 'time', 'msg']
const PLAIN = /^[\w.:/@+,*…-]+$/

/**
 * Paths and words of backends are somebody else's: nothing of theirs moves the cursor, ends a line or turns it around.
 */
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

const PRETTY: PrettyOptions = {
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

/** Whole with its stack if it is our own fault; otherwise what happened in one line, and what is known of it. */
const shownError = (error: Error): Record<string, unknown> => {
  const whole = pino.stdSerializers.err(error)
  if (!isExpected(error)) return censored(whole)
  const message = [...new Set(chainOf(error).map(saidBy))].filter((said) => said !== '').join(': ')
  // The cause is in the message, and a backend's body may repeat what the client sent.
  const extras = error instanceof Problem ? { ...error.extras, cause: undefined, verbatim: undefined } : undefined
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

/** A `kill -9` loses the lines of so long, and those that nobody has read yet. */
const BATCH_MS = 20
/** What is kept in memory for a reader that takes nothing. Later lines are lost. */
const MOST_KEPT = 4 * 1024 * 1024
/** How long a process that ends waits for a reader that takes nothing. */
const READER_MS = 3_000
const READER_AGAIN_MS = 5

const NOTHING = Buffer.alloc(0)

const lossOf = (bytes: number): string => {
  const msg = 'log lines were lost: they could not be written'
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), bytes, msg })}\n`
}

/**
 * Lines into an open file, many in one write: one for each line took a tenth of a read. This thread writes them: what
 * another one holds is lost when it ends first. Node made a pipe or a socket non-blocking when it opened
 * `process.stdout`, so a reader that takes nothing holds up nobody. What is left when the process exits is written then,
 * also after an uncaught exception.
 */
export const batchedTo = (fd: number): DestinationStream => {
  let batch = ''
  let bytes = NOTHING
  let lost = 0
  let timer: NodeJS.Timeout | null = null

  /** Whether nothing is left. A full disk, or a reader that went away, costs lines and not the process. */
  const write = (): boolean => {
    try {
      while (bytes.length > 0 || batch !== '' || lost > 0) {
        if (bytes.length === 0) {
          bytes = Buffer.from(lost > 0 ? batch + lossOf(lost) : batch)
          batch = ''
          lost = 0
        }
        bytes = bytes.subarray(writeSync(fd, bytes))
      }
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return false
      lost += bytes.length
      bytes = NOTHING
    }
    return true
  }
  const writeLater = (): void => {
    // Who has nothing else to do ends, and writes the rest then.
    timer ??= setTimeout(() => {
      timer = null
      if (!write()) writeLater()
    }, BATCH_MS).unref()
  }
  process.on('exit', () => {
    const untilMs = performance.now() + READER_MS
    const asleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    while (!write() && performance.now() < untilMs) Atomics.wait(asleep, 0, 0, READER_AGAIN_MS)
  })
  return {
    write(line) {
      writeLater()
      if (bytes.length + batch.length < MOST_KEPT) batch += line
      else lost += Buffer.byteLength(line)
    },
  }
}
