import { isIP } from 'node:net'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { codeOf, wordsOf } from './findings.ts'

/** How far one gets on the way to an origin. */
export type Reach =
  | { kind: 'reached'; certificateEndsMs: number | null }
  | { kind: 'no_name' | 'no_answer'; words: string }
  /** `endedMs`: its certificate is over. */
  | { kind: 'no_trust'; words: string; endedMs: number | null }

/** The host of a URL as a connection meets it: no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

const opened = (socket: Socket, event: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('no answer in time'))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once(event, () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })

const certificateOf = (socket: TLSSocket, nowMs: number): Reach => {
  const { valid_to: until } = socket.getPeerCertificate()
  const endsMs = Date.parse(until)
  const certificateEndsMs = Number.isNaN(endsMs) ? null : endsMs
  if (socket.authorized) return { kind: 'reached', certificateEndsMs }
  const isOver = certificateEndsMs !== null && certificateEndsMs < nowMs
  return { kind: 'no_trust', words: String(socket.authorizationError), endedMs: isOver ? certificateEndsMs : null }
}

/** Resolves the name, connects, and shakes hands: a request is none of it. Never rejects, and leaves nothing open. */
export const reach = async (
  url: URL,
  { lookup, nowMs, signal }: { lookup: (hostname: string) => Promise<unknown>; nowMs: number; signal: AbortSignal },
): Promise<Reach> => {
  const host = hostOf(url)
  if (isIP(host) === 0) {
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true })
    })
    try {
      await Promise.race([lookup(host), late])
    } catch (error) {
      return { kind: 'no_name', words: `${host}: ${codeOf(error) || wordsOf(error)}` }
    }
  }
  const at = { host, port: portOf(url) }
  if (url.protocol === 'http:') {
    const socket = connectPlain(at)
    try {
      await opened(socket, 'connect', signal)
      return { kind: 'reached', certificateEndsMs: null }
    } catch (error) {
      return { kind: 'no_answer', words: `${url.host}: ${codeOf(error) || wordsOf(error)}` }
    } finally {
      socket.destroy()
    }
  }
  // What is wrong with the certificate is what is asked: nothing is sent over this connection.
  const socket = connectTls({ ...at, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
  try {
    await opened(socket, 'secureConnect', signal)
    return certificateOf(socket, nowMs)
  } catch (error) {
    return { kind: 'no_answer', words: `${url.host}: ${codeOf(error) || wordsOf(error)}` }
  } finally {
    socket.destroy()
  }
}
