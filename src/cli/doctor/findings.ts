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
import { isIP, connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** From good to bad. Only a fault makes the command fail. */
export const LEVELS = ['ok', 'hint', 'warning', 'fault'] as const
export type Level = (typeof LEVELS)[number]

/** One kind of finding. `docs/doctor.md` has a row for each, held equal to these words by a test. */
interface Row {
  readonly level: Level
  readonly means: string
  /** What to do; null: nothing. */
  readonly advice: string | null
}
export type Rows = Readonly<Record<string, Row>>

export interface Finding {
  readonly code: string
  readonly level: Level
  /** What was looked at, by the name of its key or file. */
  readonly about: string
  /** What was found. Never a secret. */
  readonly found: string
  readonly advice: string | null
}

/** Speaks the findings of one table. */
export const findings =
  <R extends Rows>(rows: R) =>
  (code: keyof R & string, about: string, found: string): Finding => {
    const { level, advice }: Row = rows[code] ?? { level: 'fault', means: '', advice: null }
    return { code, level, about, found, advice }
  }

/** The words of an error, on one line, with none of the secrets that are known to be in it. */
export const wordsOf = (error: unknown, secrets: readonly (string | null | undefined)[] = []): string => {
  if (error instanceof AggregateError) return wordsOf(error.errors[0], secrets)
  const text = error instanceof Error ? error.message || codeOf(error) || error.name : String(error)
  const line = text.split('\n', 1)[0] ?? ''
  return secrets
    .reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '***') : shown), line)
    .slice(0, 200)
}

export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** `400 ms`, `12 s`, `5 min`, `3 h`, `2 days`: for people. */
export const spanText = (ms: number): string => {
  const size = Math.abs(ms)
  if (size < 1_000) return `${Math.round(size)} ms`
  if (size < 120_000) return `${Math.round(size / 1_000)} s`
  if (size < 7_200_000) return `${Math.round(size / 60_000)} min`
  if (size < 172_800_000) return `${Math.round(size / 3_600_000)} h`
  return `${Math.round(size / 86_400_000)} days`
}

/** What a clock shows beside this machine's; positive: it is ahead. */
export const aheadText = (offMs: number): string => `${spanText(offMs)} ${offMs > 0 ? 'ahead of' : 'behind'}`

/** What a look at the store came to. */
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
  /** Looked at once, for all who ask. */
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

/** One look at the store, whoever asks first. Never rejects. `isLocal`: connects to no server. */
export const createStoreLook = (
  { store }: Pick<Config, 'store'>,
  cwd: string,
  { limitMs, signal, isLocal }: { limitMs: number; signal: AbortSignal; isLocal: boolean },
): (() => Promise<StoreLook>) =>
  once(async () => {
    const path = resolve(cwd, store.path)
    if (store.driver === 'sqlite') {
      try {
        return { driver: 'sqlite', path, facts: inspectSqlite(path), error: null }
      } catch (error) {
        return { driver: 'sqlite', path, facts: null, error }
      }
    }
    if (isLocal) return { driver: 'postgres', path, facts: null, error: null }
    try {
      const facts = await inspectPostgres({ url: store.url ?? '', schema: store.schema }, { limitMs, signal })
      return { driver: 'postgres', path, facts, error: null }
    } catch (error) {
      return { driver: 'postgres', path, facts: null, error }
    }
  })

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
