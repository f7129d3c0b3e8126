import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { CliError } from '../context.ts'
import { blocksIn, type Block } from './blocks.ts'
import { why } from './why.ts'

/** What `listen` asks of a gateway, as one client of it. */
export interface GatewayOptions {
  readonly url: string
  readonly key: string
  /** As the gateway's `types` wants them; null: all. */
  readonly types: string | null
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
const waitAfter = (failures: number): number => Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS)

/** What the answer says of itself: `detail` of a problem. */
interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly retryAfterMs: number
}

const textField = (value: unknown, name: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : ''
}

const refusalOf = async ({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Refusal> => {
  const problem: unknown = await body.json().catch(() => null)
  const seconds = Number(headers['retry-after'])
  return {
    status: statusCode,
    code: textField(problem, 'code'),
    detail: textField(problem, 'detail') || `it answered ${statusCode}`,
    retryAfterMs: seconds > 0 ? seconds * 1_000 : 0,
  }
}

/** Worth coming back for: the client's rate, a gateway that starts, stops or is in trouble, and whatever is before it. */
const passes = ({ status }: Refusal): boolean => status === 429 || status >= 500

export const createGateway = ({ url, key, types, signal, notice }: GatewayOptions) => {
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
    if (types !== null) streamUrl.searchParams.set('types', types)
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
    if (passes(refusal)) return refusal
    throw refused(refusal, 'webhooks:read', file)
  }

  return {
    /**
     * The client's newest default secret. Throws a `CliError` where the key may not read it; null where it cannot be
     * told now.
     */
    async secret(): Promise<string | null> {
      try {
        const response = await request(at('/webhook_secret'), { dispatcher, signal, headers })
        if (response.statusCode === 200) return textField(await response.body.json(), 'secret') || null
        const refusal = await refusalOf(response)
        if (passes(refusal)) return null
        const need =
          'webhooks:write, which reads the webhook secret: give --secret whsec_…, or set TALKBRIDGE_WEBHOOK_SECRET'
        throw refused(refusal, need, '')
      } catch (error) {
        if (error instanceof CliError || signal.aborted) throw error
        return null
      }
    },

    /** Blocks for ever, across whatever happens to the gateway; `place` is asked at each beginning. Ends by `signal`. */
    async *follow(place: () => string | null, file: string): AsyncGenerator<Block> {
      let failures = 0
      let told = ''
      while (!signal.aborted) {
        let reason = 'the stream ended'
        let leastMs = 0
        try {
          const opened = await open(place(), file)
          if (Symbol.asyncIterator in opened) {
            if (told !== '') notice(`connected to ${url}`)
            told = ''
            for await (const block of blocksIn(opened)) {
              failures = 0
              yield block
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
export type ListenGateway = ReturnType<typeof createGateway>
