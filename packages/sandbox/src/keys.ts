import { createHash, randomBytes } from 'node:crypto'
import type { Clock, NewId } from './clock.ts'
import type { Interface, Key, State } from './state.ts'

/** The primary's scopes (contract, Operations). The alternate has none: its keys carry an empty list. */
export const SCOPES = ['voices:read', 'videos:read', 'videos:create', 'tts:create', 'uploads:create'] as const

export const PRIMARY_KEY = 'sandbox-primary-key'
export const ALTERNATE_KEY = 'sandbox-alternate-key'
export const DEFAULT_ACCOUNT = 'sandbox'

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** The keys that exist from the start, with all scopes. */
export const seedKeys = (state: State): void => {
  const seed = (id: string, key: string, from: Interface, scopes: readonly string[]) => {
    const hash = hashOf(key)
    if (state.keys.get(hash)) return
    state.keys.put(hash, { id, hash, interface: from, account: DEFAULT_ACCOUNT, scopes: [...scopes], active: true })
  }
  seed('key_primary', PRIMARY_KEY, 'primary', SCOPES)
  seed('key_alternate', ALTERNATE_KEY, 'alternate', [])
}

/**
 * A new key, shown once. On the primary it revokes the account's old one ("One active key per account is allowed").
 */
export const issueKey = (
  state: State,
  newId: NewId,
  wanted: { interface: Interface; account: string; scopes: readonly string[] },
): { record: Key; key: string } => {
  const key = `sk_sandbox_${randomBytes(18).toString('base64url')}`
  const record: Key = { id: newId('key'), hash: hashOf(key), ...wanted, scopes: [...wanted.scopes], active: true }
  if (wanted.interface === 'primary') {
    for (const old of state.keys.values()) {
      if (old.interface === 'primary' && old.account === wanted.account && old.active)
        state.keys.put(old.hash, { ...old, active: false })
    }
  }
  state.keys.put(record.hash, record)
  return { record, key }
}

/** The active key of this interface that an Authorization header carries, or `null`. */
export const keyOf = (state: State, from: Interface, authorization: string | undefined): Key | null => {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return null
  const key = state.keys.get(hashOf(token))
  return key?.active && key.interface === from ? key : null
}

/** A key's rate window, as the X-RateLimit-* headers tell it. */
export interface Window {
  readonly limit: number
  readonly remaining: number
  /** Always a whole second: see undecided.ts. */
  readonly resetAtMs: number
  readonly allowed: boolean
}

const UNLIMITED = 1_000_000

const endOf = (nowMs: number, windowMs: number): number => Math.ceil((nowMs + windowMs) / 1000) * 1000

/** Both contracts count requests per minute; `windowMs` is that minute divided by the speed. */
export const createRates = (clock: Clock, windowMs: number, unlimited: boolean) => {
  const windows = new Map<string, { used: number; resetAtMs: number }>()
  const current = (keyId: string, nowMs: number) => {
    const open = windows.get(keyId)
    // The second condition ends a window that a clock set back would keep open for hours.
    return open && nowMs < open.resetAtMs && open.resetAtMs <= endOf(nowMs, windowMs)
      ? open
      : { used: 0, resetAtMs: endOf(nowMs, windowMs) }
  }
  return {
    /** Counts one request of the key. */
    take(keyId: string, stated: number): Window {
      const limit = unlimited ? UNLIMITED : stated
      const open = current(keyId, clock.now())
      const allowed = open.used < limit
      const used = allowed ? open.used + 1 : open.used
      windows.set(keyId, { used, resetAtMs: open.resetAtMs })
      return { limit, remaining: limit - used, resetAtMs: open.resetAtMs, allowed }
    },
    /** The headers of a caller without a key: an untouched window, nothing counted. */
    untouched(stated: number): Window {
      const limit = unlimited ? UNLIMITED : stated
      return { limit, remaining: limit, resetAtMs: endOf(clock.now(), windowMs), allowed: true }
    },
  }
}
export type Rates = ReturnType<typeof createRates>
