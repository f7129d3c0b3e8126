import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { createSystemClock } from '../core/time/clock.ts'
import { parseWebhookSecret, diagnose, spelled, type Diagnosis } from '../webhooks/sign.ts'
import { codeOf } from '../core/errors.ts'
import { CliError, fileFault, messageOf, type CliContext, type Register } from './context.ts'

/** What was captured of a request, as text or raw bytes; all pure, all faults are `Error`s that say what is wrong. */

interface Capture {
  readonly headers: Map<string, string>
  readonly body: Buffer
}

const add = (headers: Map<string, string>, line: string): void => {
  const [, name, value] = /^([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new Error(`not a header: "${line.slice(0, 60)}" (expected NAME: VALUE)`)
  const key = name.toLowerCase()
  const before = headers.get(key)
  // As one request may say it twice (RFC 9110, 5.3).
  headers.set(key, before === undefined ? value : `${before}, ${value}`)
}

/** Lines `NAME: VALUE`, or a JSON object as frameworks print it. */
const headersIn = (text: string): Map<string, string> => {
  const headers = new Map<string, string>()
  if (text.trimStart().startsWith('{')) {
    const parsed: unknown = JSON.parse(text)
    for (const [name, value] of Object.entries(Object(parsed) as Record<string, unknown>))
      headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value))
    return headers
  }
  for (const line of text.split(/\r?\n/)) if (line.trim() !== '') add(headers, line)
  return headers
}

/** RFC 9112, 7.1. */
const unchunked = (bytes: Buffer): Buffer => {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\n', at)
    const size = end < 0 ? Number.NaN : Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (!(size >= 0) || end + 1 + size > bytes.length) throw new Error('the chunked body is incomplete or broken')
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(end + 1, end + 1 + size))
    at = bytes.indexOf('\n', end + 1 + size) + 1
    if (at === 0) throw new Error('the chunked body is incomplete or broken')
  }
}

const framed = (headers: ReadonlyMap<string, string>, rest: Buffer): Buffer => {
  // A tool that shows a request often shows the body without its chunks.
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '') && /^[0-9a-f]+(;.*)?\r?$/im.test(firstLine(rest)))
    return unchunked(rest)
  const length = headers.get('content-length')
  if (length === undefined || !/^\d+$/.test(length)) return rest
  if (rest.length < Number(length))
    throw new Error(`the body is incomplete: content-length says ${length} bytes, but there are ${rest.length}`)
  // What comes after it is of the file: usually the line break at its end.
  return rest.subarray(0, Number(length))
}

const firstLine = (bytes: Buffer): string => bytes.subarray(0, Math.max(0, bytes.indexOf('\n'))).toString('latin1')

/** A raw HTTP/1.1 request: its first line (which may be missing), headers, an empty line, the body. */
const requestIn = (bytes: Buffer): Capture => {
  const [separator] = /\r?\n\r?\n/.exec(bytes.toString('latin1')) ?? []
  const end = separator === undefined ? -1 : bytes.indexOf(separator)
  if (separator === undefined) throw new Error('not a raw request: there is no empty line between headers and body')
  const lines = bytes.subarray(0, end).toString('utf8').split(/\r?\n/)
  if (/^[A-Z]+ \S+( HTTP\/[\d.]+)?$/.test(lines[0] ?? '')) lines.shift()
  const headers = headersIn(lines.join('\n'))
  return { headers, body: framed(headers, bytes.subarray(end + separator.length)) }
}

/** Events are under 20 kB. */
const MAX_CAPTURE_BYTES = 4 * 1024 * 1024
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

interface Options {
  secret: string[]
  headers?: string
  header: string[]
  body?: string
  request?: string
  tolerance: number
  json?: boolean
}

const tolerance = (text: string): number => {
  if (text === 'any') return Number.POSITIVE_INFINITY
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
  if (Number.isNaN(ms)) throw new InvalidArgumentError('such as 30s, 5m, 24h, 7d, or "any"')
  return ms
}

const gather = (value: string, before: string[]): string[] => [...before, value]

/** Runs `work`; whatever it throws is a capture that cannot be read: usage. */
const read = <T>(what: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const fault = codeOf(error) === '' ? messageOf(error) : `cannot be read: ${fileFault(error)}`
    throw new CliError(2, `talkbridge verify: ${what}: ${fault}`, { cause: error })
  }
}

const secretsOf = ({ secret }: Options, { env }: CliContext): string[] => {
  const set = env['TALKBRIDGE_WEBHOOK_SECRET']
  const secrets = secret.length > 0 ? secret : set ? [set] : []
  if (secrets.length === 0)
    throw new CliError(2, 'talkbridge verify: no secret: give --secret whsec_…, or set TALKBRIDGE_WEBHOOK_SECRET')
  for (const one of secrets) read('the secret', () => parseWebhookSecret(one))
  return secrets
}

const stdinBytes = async ({ stdin, stderr, isTty }: CliContext): Promise<Buffer> => {
  // Anyone who typed only the command would wait without knowing for what.
  if (isTty) stderr('talkbridge verify: reading stdin\n')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stdin()) {
    size += chunk.length
    if (size > MAX_CAPTURE_BYTES) throw new CliError(2, 'talkbridge verify: the capture is larger than 4 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const bytesOf = (file: string, context: CliContext): Buffer | Promise<Buffer> => {
  if (file === '-') return stdinBytes(context)
  return read(file, () => {
    const path = resolve(context.cwd, file)
    if (statSync(path).size > MAX_CAPTURE_BYTES) throw new Error('the capture is larger than 4 MiB')
    return readFileSync(path)
  })
}

/** The request as a whole, or headers and body apart; without either, a whole one from stdin. */
const captureOf = async (options: Options, context: CliContext): Promise<Capture> => {
  const { headers, header, body, request } = options
  const apart = headers !== undefined || header.length > 0 || body !== undefined
  if (request !== undefined && apart)
    throw new CliError(2, 'talkbridge verify: give either --request, or --header and --body')
  if (headers === '-' && (body ?? '-') === '-')
    throw new CliError(2, 'talkbridge verify: only one of --headers and --body can be stdin')
  if (!apart) {
    const bytes = await bytesOf(request ?? '-', context)
    return read(request ?? 'stdin', () => requestIn(bytes))
  }
  const listed = headers === undefined ? '' : (await bytesOf(headers, context)).toString()
  const found = read(headers ?? '', () => headersIn(listed))
  const given = read('--header', () => headersIn(header.join('\n')))
  return { headers: new Map([...found, ...given]), body: await bytesOf(body ?? '-', context) }
}

const linesOf = ({ faults, id, timestampS, matched }: Diagnosis, secrets: number, nowMs: number): string => {
  const which = secrets > 1 && matched !== null ? ` (secret ${matched + 1} of ${secrets})` : ''
  if (faults.length === 0)
    return `valid: ${id}, signed ${spelled(Math.max(0, nowMs - (timestampS ?? 0) * 1000))} ago${which}\n`
  const lines = faults.flatMap(({ message, hints }) => [`  ${message}`, ...hints.map((hint) => `    · ${hint}`)])
  const signature = matched === null ? '' : `  the signature itself is right${which}\n`
  return `NOT valid${id === null ? '' : `: ${id}`}\n${lines.join('\n')}\n${signature}`
}

const asJson = ({ ok, faults, id, timestampS, matched }: Diagnosis): string =>
  `${JSON.stringify({ ok, webhook_id: id, timestamp: timestampS, matched_secret: matched, faults })}\n`

/** `talkbridge verify`: is this captured request a webhook of ours, and if not, why not? */
export const verifyCommand: Register = (program, context) => {
  program
    .command('verify')
    .description('check the signature of a captured webhook, and say what is wrong')
    .addOption(new Option('--secret <whsec>', 'repeatable').argParser(gather).default([], 'TALKBRIDGE_WEBHOOK_SECRET'))
    .option('--request <file>', 'the raw HTTP request; - for stdin (the default if you give no header)')
    .option('--headers <file>', 'the headers: lines NAME: VALUE, or a JSON object')
    .addOption(
      new Option('--header <line>', 'one header, NAME: VALUE; repeatable').argParser(gather).default([], 'none'),
    )
    .option('--body <file>', 'the body, byte for byte; - for stdin (the default if you give headers)')
    .addOption(
      new Option('--tolerance <time>', 'how far its timestamp may be from now: 30s, 5m, 24h, 7d, or any')
        .argParser(tolerance)
        .default(300_000, '5m'),
    )
    .option('--json', 'print the result as JSON')
    .action(async (options: Options) => {
      const secrets = secretsOf(options, context)
      const capture = await captureOf(options, context)
      const nowMs = createSystemClock().wall()
      const result = diagnose(capture, { secrets, nowMs, toleranceMs: options.tolerance })
      context.stdout(options.json ? asJson(result) : linesOf(result, secrets.length, nowMs))
      if (!result.ok) throw new CliError(1, '')
    })
}
