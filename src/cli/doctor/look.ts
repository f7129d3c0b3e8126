import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { Fault } from '../../config/faults.ts'
import {
  inspectPostgres,
  inspectSqlite,
  type PostgresFacts,
  type SqliteFacts,
  type Volume,
} from '../../stores/inspect.ts'
import { codeOf } from '../../core/errors.ts'
import { spanText } from '../context.ts'
import { say, sayIf, type Finding } from './findings.ts'
import { isIP, connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'

/** The words of an error, on one line, with none of the secrets that are known to be in it. */
export const wordsOf = (error: unknown, secrets: readonly (string | null | undefined)[] = []): string => {
  if (error instanceof AggregateError) return wordsOf(error.errors[0], secrets)
  const text = error instanceof Error ? error.message || codeOf(error) || error.name : String(error)
  const line = text.split('\n', 1)[0] ?? ''
  return secrets
    .reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '***') : shown), line)
    .slice(0, 200)
}

/** What a clock shows beside this machine's; positive: it is ahead. */
export const aheadText = (offMs: number): string => `${spanText(offMs)} ${offMs > 0 ? 'ahead of' : 'behind'}`

/** What a check of the store came to. */
export type StoreLook =
  | { driver: 'sqlite'; path: string; facts: SqliteFacts | null; error: unknown }
  | { driver: 'postgres'; path: string; facts: PostgresFacts | null; error: unknown }

/** Who answers where the gateway listens. */
export interface GatewayLook {
  /** Whether some gateway does. */
  isRunning: boolean
  finding: Finding
}

/** What every check sees. */
export interface DoctorContext {
  /** As it was given. */
  readonly file: string
  readonly config: Config
  readonly warnings: readonly Fault[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that a gateway would start in. */
  readonly cwd: string
  /** This machine's clock, milliseconds since the Unix epoch. */
  readonly wall: () => number
  readonly volumeOf: (folder: string) => Volume
  /** The addresses of a name; rejects when it has none. */
  readonly lookup: (hostname: string) => Promise<unknown>
  /** Of one step, such as a connection; a check has three times as long. */
  readonly limitMs: number
  /** Checked once, for all who ask. */
  readonly store: () => Promise<StoreLook>
  /** Likewise. Null: the gateway has no port before it starts. */
  readonly gateway: () => Promise<GatewayLook | null>
  /** Notes a request that the backend counts. */
  readonly spend: (backend: string) => void
}

/** One look at one thing. Never writes. What it throws is a finding of its own. */
export interface Check<C = DoctorContext> {
  readonly name: string
  readonly run: (context: C, signal: AbortSignal) => Promise<readonly Finding[]> | readonly Finding[]
}

export const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | null = null
  return () => (known ??= work())
}

/** One check of the store, no matter who asks first. Never rejects. `isLocal`: connects to no server. */
export const createStoreLook = (
  { store: { driver, path: file, url, schema, password_file: passwordFile } }: Pick<Config, 'store'>,
  cwd: string,
  { isLocal, ...limits }: { limitMs: number; signal: AbortSignal; isLocal: boolean },
): (() => Promise<StoreLook>) =>
  once(async () => {
    const path = resolve(cwd, file)
    try {
      if (driver === 'sqlite') return { driver, path, facts: inspectSqlite(path), error: null }
      const facts = isLocal ? null : await inspectPostgres({ url: url ?? '', schema, passwordFile }, limits)
      return { driver, path, facts, error: null }
    } catch (error) {
      return { driver, path, facts: null, error }
    }
  })

/** How far one gets on the way to an origin. */
type Reach =
  | { kind: 'reached'; certificateEndsMs: number | null }
  | { kind: 'no_name' | 'no_answer'; words: string }
  /** `endedMs`: its certificate is over. */
  | { kind: 'no_trust'; words: string; endedMs: number | null }

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
  { lookup, wall, limitMs }: Pick<DoctorContext, 'lookup' | 'wall' | 'limitMs'>,
  ending: AbortSignal,
): Promise<Reach> => {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(limitMs)])
  // As a connection meets it: no brackets.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isName = isIP(host) === 0
  if (isName) {
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true })
    })
    try {
      await Promise.race([lookup(host), late])
    } catch (error) {
      return { kind: 'no_name', words: `${host}: ${codeOf(error) || wordsOf(error)}` }
    }
  }
  const isPlain = url.protocol === 'http:'
  const at = { host, port: Number(url.port) || (isPlain ? 80 : 443) }
  // What is wrong with the certificate is what is asked: nothing is sent over this connection.
  const socket = isPlain
    ? connectPlain(at)
    : connectTls({ ...at, rejectUnauthorized: false, ...(isName && { servername: host }) })
  try {
    await opened(socket, isPlain ? 'connect' : 'secureConnect', signal)
    return socket instanceof TLSSocket ? certificateOf(socket, wall()) : { kind: 'reached', certificateEndsMs: null }
  } catch (error) {
    return { kind: 'no_answer', words: `${url.host}: ${codeOf(error) || wordsOf(error)}` }
  } finally {
    socket.destroy()
  }
}

const SOON_MS = 14 * 86_400_000

/** What is said of the way to a backend, or to the public URL. Pure. */
export const onTheWay = (to: 'backend' | 'public_url', about: string, reached: Reach, nowMs: number): Finding[] => {
  if (reached.kind === 'reached') {
    const leftMs = (reached.certificateEndsMs ?? Infinity) - nowMs
    return sayIf(leftMs < SOON_MS, `${to}_certificate_ends`, about, `in ${spanText(leftMs)}`)
  }
  if (reached.kind !== 'no_trust') return [say(`${to}_${reached.kind}`, about, reached.words)]
  return reached.endedMs === null
    ? [say(`${to}_untrusted`, about, reached.words)]
    : [say(`${to}_certificate_over`, about, `it ended ${new Date(reached.endedMs).toISOString()}`)]
}
