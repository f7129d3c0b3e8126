import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { z } from 'zod'
import { connectionOf, httpUrl, withConnectionOptions, type ConnectionOptions } from './connection.ts'
import { CliError, fileFault, why, messageOf, type CliContext, type Register, createPaint } from './context.ts'
import { codeOf } from '../core/errors.ts'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sign, parseWebhookSecret } from '../webhooks/sign.ts'
import { iso, createSystemClock } from '../core/time/clock.ts'
import { VERSION } from '../core/vocabulary.ts'
import { createFrameReader } from '../../packages/client/src/stream.ts'

interface GatewayOptions {
  readonly url: string
  readonly key: string
  /** As the gateway's `types` wants them; default: all. */
  readonly types: string | undefined
  readonly signal: AbortSignal
  /** What a person should know, a line. */
  readonly notice: (text: string) => void
}

/** A comment comes every 15 s: three missed, and nobody is there. */
const SILENT_MS = 45_000
const ANSWER_MS = 15_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 10_000

/** Doubles with every failure in a row. */
const waitAfter = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS)

const Problem = z.object({ code: z.string().catch(''), detail: z.string().catch('') }).catch({ code: '', detail: '' })
const Secret = z.object({ secret: z.string() })

const refusalOf = async ({ statusCode: status, headers, body }: Dispatcher.ResponseData) => {
  const { code, detail } = Problem.parse(await body.json().catch(() => null))
  return {
    status,
    code,
    detail: detail || `it answered ${status}`,
    retryAfterMs: (Number(headers['retry-after']) || 0) * 1_000,
    /** Worth coming back for: the client's rate, a gateway that starts or stops, and whatever is before it. */
    passes: status === 429 || status >= 500,
  }
}
type Refusal = Awaited<ReturnType<typeof refusalOf>>

/** What `listen` asks of a gateway, as one client of it. */
const createGateway = ({ url, key, types, signal, notice }: GatewayOptions) => {
  const dispatcher = new Agent({ headersTimeout: ANSWER_MS, bodyTimeout: SILENT_MS, connect: { timeout: 5_000 } })
  const headers = { authorization: `Bearer ${key}` }
  const at = (path: string): URL => new URL(`${url}/unified/v1${path}`)

  const refused = ({ status, code, detail }: Refusal, scope: string, file: string): CliError => {
    const said: Readonly<Record<string, string>> = {
      unauthenticated: `${url} does not know this key: correct TALKBRIDGE_KEY or --key`,
      insufficient_scope: `this key lacks the scope ${scope}`,
      invalid_cursor: `${file} belongs to another client or store: delete it to start from now`,
    }
    const reason = said[code] ?? `${url} refused (${status} ${code || 'no problem'}): ${detail}`
    return new CliError(1, `talkbridge listen: ${reason}`)
  }

  /** The stream from `lastEventId` on; a refusal that may pass is answered as such. */
  const open = async (lastEventId: string | null, file: string): Promise<Dispatcher.ResponseData['body'] | Refusal> => {
    const streamUrl = at('/events/stream')
    if (types !== undefined) streamUrl.searchParams.set('types', types)
    const response = await request(streamUrl, {
      dispatcher,
      signal,
      headers: {
        ...headers,
        accept: 'text/event-stream',
        ...(lastEventId !== null && { 'last-event-id': lastEventId }),
      },
    })
    if (response.statusCode === 200) return response.body
    const refusal = await refusalOf(response)
    if (refusal.passes) return refusal
    throw refused(refusal, 'webhooks:read', file)
  }

  return {
    /**
     * The client's newest default secret. Throws a `CliError` where the key may not read it; null where it cannot be
     * reported now.
     */
    async secret(): Promise<string | null> {
      try {
        const response = await request(at('/webhook_secret'), { dispatcher, signal, headers })
        if (response.statusCode === 200) return Secret.parse(await response.body.json()).secret
        const refusal = await refusalOf(response)
        if (refusal.passes) return null
        const need =
          'webhooks:write, which reads the webhook secret: give --secret whsec_…, or set TALKBRIDGE_WEBHOOK_SECRET'
        throw refused(refusal, need, '')
      } catch (error) {
        if (error instanceof CliError || signal.aborted) throw error
        return null
      }
    },

    /**
     * What each piece of the stream makes whole, across whatever happens to the gateway; `place` is asked at each
     * beginning. Ends by `signal`.
     */
    async *follow(place: () => string | null, file: string) {
      let failures = 0
      let told = ''
      while (!signal.aborted) {
        let reason = 'the stream ended'
        let leastMs = 0
        try {
          const at = place()
          const opened = await open(at, file)
          if (Symbol.asyncIterator in opened) {
            if (told !== '') notice(`connected to ${url}`)
            told = ''
            const decoder = new TextDecoder()
            const reader = createFrameReader(at)
            for await (const bytes of opened) {
              const frames = reader.push(decoder.decode(bytes, { stream: true }))
              failures = 0
              yield { frames, lastEventId: reader.lastEventId() }
            }
          } else {
            reason = opened.detail
            leastMs = opened.retryAfterMs
          }
        } catch (error) {
          if (error instanceof CliError || signal.aborted) throw error
          reason = why(error)
        }
        failures += 1
        // One line for one outage.
        if (told !== reason) notice(`${url}: ${reason}; retrying until it answers`)
        told = reason
        await pause(Math.max(waitAfter(failures), leastMs), undefined, { signal })
      }
    },

    close: () => dispatcher.destroy(),
  }
}
type ListenGateway = ReturnType<typeof createGateway>

/** One for each gateway, key and receiver; shows nothing of the key. */
const positionName = (...parts: readonly string[]): string =>
  `listen-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}.json`

const Position = z.object({ last_event_id: z.string().regex(/^[\x21-\x7e]{1,500}$/) })

const positionIn = (file: string): string | null => {
  try {
    const stored = Position.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (stored.success) return stored.data.last_event_id
    throw new Error('it holds no last_event_id')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return null
    const isOurs = code === ''
    const what = isOurs
      ? `${messageOf(error)}: delete it to start from now`
      : `${fileFault(error)}: give another --position`
    const message = `${file} cannot be read: ${what}`
    throw new CliError(1, `talkbridge listen: ${message}`, { cause: error })
  }
}

/** How far the forwarding has come. Written whole or not at all. Throws a `CliError` on a file that is none of ours. */
const openPosition = (file: string) => {
  let at = positionIn(file)
  return {
    /** null: nothing yet. */
    get: () => at,
    save(id: string) {
      if (id === at) return
      const draft = `${file}.${process.pid}.tmp`
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(draft, `${JSON.stringify({ last_event_id: id })}\n`)
      renameSync(draft, file)
      at = id
    },
  }
}

/** One try to hand an event to the receiver. */
type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly durationMs: number }

type Next = { readonly kind: 'delivered' | 'given_up' } | { readonly kind: 'again'; readonly waitMs: number }

/** How often an answer other than 2xx is asked for again; a receiver that is down is waited for without end. */
export const MOST_REFUSALS = 5
const RECEIVER_MS = 15_000

/** What a proxy in front of it says when it is down, or itself when it wants no requests. */
const DOWN: readonly number[] = [429, 502, 503, 504]

/**
 * What comes after a try: down is waited for, in order; an answer that refuses is tried `MOST_REFUSALS` times in all,
 * since the one that develops it may be mending it; 410 says not to come again. Pure.
 */
export const afterTry = (outcome: Outcome, tries: number, refusals: number): Next => {
  const again: Next = { kind: 'again', waitMs: waitAfter(tries) }
  if (outcome.kind === 'unreachable' || DOWN.includes(outcome.status)) return again
  if (outcome.status >= 200 && outcome.status < 300) return { kind: 'delivered' }
  return outcome.status === 410 || refusals >= MOST_REFUSALS ? { kind: 'given_up' } : again
}

/** Where events are forwarded to. */
interface Receiver {
  readonly url: string
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

/** What the machine's clock shows. */
const { wall } = createSystemClock()

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === 'TimeoutError' ? `no answer in ${RECEIVER_MS / 1000} s` : why(error)

/** One POST of the event's own bytes, signed for this moment; redirects are not followed. Rejects only by `signal`. */
const postOnce = async (
  { id, body }: StreamEvent,
  secret: string,
  { url, dispatcher, signal }: Receiver,
): Promise<Outcome> => {
  const sinceMs = performance.now()
  const taken = (): number => Math.round(performance.now() - sinceMs)
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': `talkbridge/${VERSION}`,
        ...sign({ secrets: [secret], id, timestampS: Math.floor(wall() / 1000), body }),
      },
      body,
    })
    await response.body.dump({ limit: 16 * 1024 })
    return { kind: 'answered', status: response.statusCode, durationMs: taken() }
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'unreachable', reason: reasonOf(error), durationMs: taken() }
  }
}

interface Options extends ConnectionOptions {
  forwardTo: string
  secret?: string
  events?: string
  position?: string
  json?: boolean
}

const DATA_DIR = './data'

const usage = (message: string): CliError => new CliError(2, `talkbridge listen: ${message}`)

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

/** An event as the stream reported it: its id is what is before the dot (docs/webhooks.md). */
const eventOf = (streamId: string | null, type: string, body: string) => {
  const [, id] = /^(evt_[\w-]+)\./.exec(streamId ?? '') ?? []
  if (id === undefined)
    throw new CliError(1, 'talkbridge listen: this gateway has another version: it sends no event ids')
  const { data } = Object(JSON.parse(body)) as { data?: { id?: unknown; endpoint_id?: unknown; rule?: unknown } }
  const subject = data?.id ?? data?.endpoint_id ?? data?.rule
  return { id, type, body, subject: typeof subject === 'string' ? subject : '' }
}
type StreamEvent = ReturnType<typeof eventOf>

type Show = (event: StreamEvent, outcome: Outcome, tries: number, next: Next) => void

const jsonLines =
  ({ stdout }: CliContext): Show =>
  ({ id, type, subject }, outcome, tries, next) => {
    const status = outcome.kind === 'answered' ? outcome.status : null
    const error = outcome.kind === 'answered' ? null : outcome.reason
    const what = { at: iso(wall()), event_id: id, type, subject, attempt: tries, status, error }
    stdout(`${JSON.stringify({ ...what, duration_ms: outcome.durationMs, outcome: next.kind })}\n`)
  }

/** A line for each event, and one for each new kind of failure on the way. */
const plainLines = (context: CliContext): Show => {
  const paint = createPaint(context)
  let said = ''
  return ({ id, type, subject }, outcome, tries, next) => {
    const answer = outcome.kind === 'answered' ? String(outcome.status) : outcome.reason
    const line = `${id} ${answer}`
    if (next.kind === 'again' && line === said) return
    said = line
    const how = {
      delivered: tries > 1 ? ` after ${tries} tries` : '',
      again: ', trying again in order',
      given_up: ` ${tries} times: GIVEN UP, going on`,
    }[next.kind]
    const shown = paint(next.kind === 'delivered' ? 'green' : 'red', `${answer}${how}`)
    const time = iso(wall()).slice(11, 19)
    context.stdout(`${paint('dim', time)}  ${type.padEnd(16)}  ${id}  ${subject}  ${shown}\n`)
  }
}

/** Hands events over one by one: the next waits until this one is taken or given up. `fixed`: the secret, if given. */
const createForward = (gateway: ListenGateway, fixed: string | null, receiver: Receiver, show: Show) => {
  const { signal } = receiver
  let secret = fixed
  /** Also before each further try: it may have been rotated, which is why it was refused. */
  const learn = async (): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      if (fixed === null) secret = (await gateway.secret()) ?? secret
      if (secret !== null) return secret
      await pause(Math.min(500 * tries, 5_000), undefined, { signal })
    }
  }
  const forward = async (event: StreamEvent): Promise<void> => {
    let refusals = 0
    for (let tries = 1; ; tries += 1) {
      const signedBy = tries === 1 && secret !== null ? secret : await learn()
      const outcome = await postOnce(event, signedBy, receiver)
      // A 2xx is counted, too, and is the end.
      if (outcome.kind === 'answered' && !DOWN.includes(outcome.status)) refusals += 1
      const next = afterTry(outcome, tries, refusals)
      show(event, outcome, tries, next)
      if (next.kind !== 'again') return
      await pause(next.waitMs, undefined, { signal })
    }
  }
  return { learn, forward }
}

const listen = async (options: Options, context: CliContext): Promise<void> => {
  const { signal, stderr, cwd } = context
  const forwardTo = httpUrl('listen', options.forwardTo, '--forward-to', 'http://127.0.0.1:3000/hook').href
  const { url, key } = connectionOf('listen', options, context)
  const secret = fixedSecret(options, context)
  const file = resolve(cwd, options.position ?? `${DATA_DIR}/${positionName(url, key, forwardTo)}`)
  const position = openPosition(file)
  const notice = (text: string): void => stderr(`talkbridge listen: ${text}\n`)
  const gateway = createGateway({ url, key, types: options.events, signal, notice })
  const dispatcher = new Agent({ connect: { timeout: 5_000 } })
  const show = (options.json ? jsonLines : plainLines)(context)
  const { learn, forward } = createForward(gateway, secret, { url: forwardTo, dispatcher, signal }, show)
  const since = position.get() === null ? 'from now on' : 'from where it stopped'
  try {
    let ready = false
    for await (const { frames, lastEventId } of gateway.follow(position.get, file)) {
      if (!ready) {
        // Not before the gateway took the key, and not with the first event: the key may lack the scope of the secret.
        await learn()
        ready = true
        notice(`${since}, position in ${file}`)
        notice(`forwarding ${url} to ${forwardTo}`)
      }
      for (const { event, data, lastEventId: id } of frames) {
        if (event === 'stream.gap') notice('older events are deleted: this starts at the oldest one that is left')
        else await forward(eventOf(id, event, data))
        // Only now: whatever ends this process before is sent again, under the same webhook-id.
        if (id) position.save(id)
      }
      if (lastEventId) position.save(lastEventId)
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
  withConnectionOptions(program.command('listen'))
    .description("forward a client's events to a receiver on this machine: signed, in order, from where it stopped")
    .requiredOption('--forward-to <url>', 'URL of your receiver, such as http://127.0.0.1:3000/hook')
    .option('--secret <whsec>', "secret that signs (default: TALKBRIDGE_WEBHOOK_SECRET, or the client's own)")
    .option('--events <types>', 'only these types, such as video.completed,video.failed')
    .option('--position <file>', `file that remembers the last event (default: in ${DATA_DIR})`)
    .option('--json', 'print a line of JSON for each attempt')
    .action((options: Options) => listen(options, context))
}
