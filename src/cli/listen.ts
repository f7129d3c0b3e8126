import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import { iso, createSystemClock } from '../core/time/clock.ts'
import { VERSION } from '../core/vocabulary.ts'
import { parseWebhookSecret } from '../webhooks/sign.ts'
import { CliError, GATEWAY_URL, messageOf, type CliContext, type Register } from './context.ts'
import { paints } from './demo/screen.ts'
import { afterTry, isRefusal, postOnce, type Next, type Outcome, type Sending } from './listen/forward.ts'
import { createGateway, type ListenGateway } from './listen/gateway.ts'
import { openPosition, positionName } from './listen/position.ts'
import { SANDBOX_CLIENT_KEY } from './profile.ts'

interface Options {
  forwardTo: string
  url: string
  key?: string
  secret?: string
  events?: string
  position?: string
  json?: boolean
}

const DATA_DIR = './data'
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

const usage = (message: string): CliError => new CliError(2, `talkbridge listen: ${message}`)

const httpUrl = (text: string, option: string): URL => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw usage(`${option} must be a URL such as http://127.0.0.1:3000/hook`)
  return url
}

/** The sandbox's fixed key is for this machine alone. */
const keyOf = ({ key }: Options, gateway: URL, { env }: CliContext): string => {
  const found = key ?? env['TALKBRIDGE_KEY']
  if (found) return found
  if (LOOPBACK.test(gateway.hostname)) return SANDBOX_CLIENT_KEY
  throw usage('no key: set TALKBRIDGE_KEY to a key of the gateway')
}

const fixedSecret = ({ secret }: Options, { env }: CliContext): string | null => {
  const found = secret ?? env['TALKBRIDGE_WEBHOOK_SECRET']
  if (!found) return null
  try {
    parseWebhookSecret(found)
    return found
  } catch (error) {
    throw usage(messageOf(error))
  }
}

/** An event as the stream told it: its id is what stands before the dot (docs/webhooks.md). */
interface Told {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly subject: string
}

const subjectOf = (body: string): string => {
  const { data } = Object(JSON.parse(body)) as { data?: { id?: unknown; endpoint_id?: unknown; rule?: unknown } }
  const id = data?.id ?? data?.endpoint_id ?? data?.rule
  return typeof id === 'string' ? id : ''
}

const toldBy = (streamId: string | null, type: string, body: string): Told => {
  const [, id] = /^(evt_[\w-]+)\./.exec(streamId ?? '') ?? []
  if (id === undefined)
    throw new CliError(1, 'talkbridge listen: this gateway has another version: it sends no event ids')
  return { id, type, body, subject: subjectOf(body) }
}

/** What the machine's clock shows. */
const { wall } = createSystemClock()

type Show = (told: Told, outcome: Outcome, tries: number, next: Next) => void

const jsonLines =
  ({ stdout }: CliContext): Show =>
  ({ id, type, subject }, outcome, tries, next) => {
    const status = outcome.kind === 'answered' ? outcome.status : null
    const error = outcome.kind === 'answered' ? null : outcome.reason
    const what = { at: iso(wall()), event_id: id, type, subject, attempt: tries, status, error }
    stdout(`${JSON.stringify({ ...what, duration_ms: outcome.durationMs, outcome: next.kind })}\n`)
  }

/** A line for each event, and one for each new kind of failure on the way. */
const plainLines = ({ stdout, isTty, env }: CliContext): Show => {
  const paint = paints(isTty && !env['NO_COLOR'])
  let said = ''
  return ({ id, type, subject }, outcome, tries, next) => {
    const answer = outcome.kind === 'answered' ? String(outcome.status) : outcome.reason
    const line = `${id} ${answer}`
    if (next.kind === 'again' && line === said) return
    said = line
    const [how, colour] = {
      delivered: [tries > 1 ? ` after ${tries} tries` : '', paint.green] as const,
      again: [', trying again in order', paint.red] as const,
      given_up: [` ${tries} times: GIVEN UP, going on`, paint.red] as const,
    }[next.kind]
    const time = iso(wall()).slice(11, 19)
    stdout(`${paint.dim(time)}  ${type.padEnd(16)}  ${id}  ${subject}  ${colour(`${answer}${how}`)}\n`)
  }
}

interface Forwarding {
  readonly gateway: ListenGateway
  readonly secret: string | null
  readonly sending: Sending
  readonly show: Show
}

/** Hands events over one by one: the next waits until this one is taken or given up. */
const createForward = ({ gateway, secret: fixed, sending, show }: Forwarding) => {
  let secret = fixed
  /** Also before each further try: it may have been rotated, which is why it was refused. */
  const learn = async (): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      if (fixed === null) secret = (await gateway.secret()) ?? secret
      if (secret !== null) return secret
      await pause(Math.min(500 * tries, 5_000), undefined, { signal: sending.signal })
    }
  }
  const forward = async (told: Told): Promise<void> => {
    let refusals = 0
    for (let tries = 1; ; tries += 1) {
      const outcome = await postOnce(
        { ...told, secret: tries === 1 ? (secret ?? (await learn())) : await learn() },
        sending,
      )
      if (isRefusal(outcome)) refusals += 1
      const next = afterTry(outcome, tries, refusals)
      show(told, outcome, tries, next)
      if (next.kind !== 'again') return
      await pause(next.waitMs, undefined, { signal: sending.signal })
    }
  }
  return { learn, forward }
}

const listen = async (options: Options, context: CliContext): Promise<void> => {
  const { signal, stderr, cwd } = context
  const forwardTo = httpUrl(options.forwardTo, '--forward-to').href
  const base = httpUrl(options.url, '--url')
  // The address of its API is as good as its own.
  const url = base.href.replace(/(\/unified\/v1)?\/*$/, '')
  const key = keyOf(options, base, context)
  const secret = fixedSecret(options, context)
  const position = openPosition(resolve(cwd, options.position ?? `${DATA_DIR}/${positionName(url, key, forwardTo)}`))
  const notice = (text: string): void => stderr(`talkbridge listen: ${text}\n`)
  const gateway = createGateway({ url, key, types: options.events ?? null, signal, notice })
  const dispatcher = new Agent({ connect: { timeout: 5_000 } })
  const sending = { url: forwardTo, dispatcher, signal, userAgent: `talkbridge/${VERSION}`, nowMs: wall }
  const show = (options.json ? jsonLines : plainLines)(context)
  const { learn, forward } = createForward({ gateway, secret, sending, show })
  const since = position.get() === null ? 'from now on' : 'from where it stopped'
  try {
    let ready = false
    for await (const { id, event, data } of gateway.follow(position.get, position.file)) {
      if (!ready) {
        // Not before the gateway took the key, and not with the first event: the key may lack the scope of the secret.
        await learn()
        ready = true
        notice(`${since}, position in ${position.file}`)
        notice(`forwarding ${url} to ${forwardTo}`)
      }
      if (event === 'stream.gap') notice('older events are deleted: this starts at the oldest one that is left')
      else if (data !== null) await forward(toldBy(id, event, data))
      // Only now: whatever ends this process before is sent again, under the same webhook-id.
      if (id) position.save(id)
    }
  } catch (error) {
    // SIGINT and SIGTERM are how it ends.
    if (!signal.aborted) throw error
  } finally {
    await Promise.all([gateway.close(), dispatcher.destroy()])
  }
}

/** `talkbridge listen`: a client's events, forwarded to a receiver that the gateway itself could not reach. */
export const listenCommand: Register = (program, context) => {
  program
    .command('listen')
    .description("forward a client's events to a receiver on this machine: signed, in order, from where it stopped")
    .requiredOption('--forward-to <url>', 'URL of your receiver, such as http://127.0.0.1:3000/hook')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--key <key>', 'key of the gateway (default: TALKBRIDGE_KEY, or on this machine the key of the sandbox)')
    .option('--secret <whsec>', "secret that signs (default: TALKBRIDGE_WEBHOOK_SECRET, or the client's own)")
    .option('--events <types>', 'only these types, such as video.completed,video.failed')
    .option('--position <file>', `file that remembers the last event (default: in ${DATA_DIR})`)
    .option('--json', 'print a line of JSON for each attempt')
    .action((options: Options) => listen(options, context))
}
