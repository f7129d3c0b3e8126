import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { createSystemClock } from '../core/time/clock.ts'
import { parseWebhookSecret } from '../webhooks/sign.ts'
import { diagnose, spelled, type Diagnosis } from '../webhooks/verify.ts'
import { headersIn, requestIn, type Capture } from './capture.ts'
import { CliError, messageOf, type CliContext, type Register } from './context.ts'

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
    throw new CliError(2, `talkbridge verify: ${what}: ${messageOf(error)}`, { cause: error })
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
  // Whoever typed the command alone would wait without knowing for what.
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
