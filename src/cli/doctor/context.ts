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
import type { Finding } from './findings.ts'

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

/** One look at the store, whoever asks first. Never rejects. */
export const createStoreLook = (
  { store }: Pick<Config, 'store'>,
  cwd: string,
  limitMs: number,
  signal: AbortSignal,
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
    try {
      const facts = await inspectPostgres({ url: store.url ?? '', schema: store.schema }, { limitMs, signal })
      return { driver: 'postgres', path, facts, error: null }
    } catch (error) {
      return { driver: 'postgres', path, facts: null, error }
    }
  })
