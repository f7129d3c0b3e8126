import type { Scope } from './vocabulary.ts'

/** Keys that the gateway issued, and clients that are not of the configuration. */

/** Issued keys that work at the same time. Each is held in the memory of every process. */
export const MAX_KEYS = 10_000
/** Clients through the API, with those that were deleted: their ids stay taken. */
export const MAX_CLIENTS = 10_000

/** An issued key, without the key. */
export interface KeyRecord {
  /** `key_…` */
  id: string
  client: string
  name: string | null
  /** SHA-256 of the key, base64url. */
  hash: string
  /** The last four characters of the key. */
  lastFour: string
  scopes: readonly Scope[]
  createdAtMs: number
  expiresAtMs: number | null
  revokedAtMs: number | null
  /** The key that took its place; null: none did. */
  rotatedTo: string | null
  /** The key whose place it took. */
  replaces: string | null
  /** Of its last write: numbers rise over all keys and clients. 0: not written yet. */
  change: number
}

/** A key as the store has it. */
export interface StoredKey extends KeyRecord {
  /** Coarse: written about once a minute. */
  usedAtMs: number | null
}

export interface ClientLimits {
  requestsPerMinute: number
  /** null: no limit. */
  videosPerMonth: number | null
  creditsPerMonth: number | null
  queuedVideos: number
  streams: number
}

/** Of a client that names none, wherever it was made. */
export const DEFAULT_LIMITS: ClientLimits = {
  requestsPerMinute: 600,
  videosPerMonth: null,
  creditsPerMonth: null,
  queuedVideos: 100,
  streams: 20,
}

/** A client that was made through the API. */
export interface ClientRecord {
  id: string
  description: string | null
  /** Its allow-list; null: every backend. */
  backends: readonly string[] | null
  limits: ClientLimits
  createdAtMs: number
  updatedAtMs: number
  /** Its keys are refused from then on; null: it is enabled. */
  disabledAtMs: number | null
  /** It stays as a mark, so that nobody else gets its id, and with it its videos. */
  deletedAtMs: number | null
  /** As of `KeyRecord`. */
  change: number
}

/** When a key ends or ended by itself or by a word; null: it has no end. */
export const endOf = ({ expiresAtMs, revokedAtMs }: KeyRecord): number | null =>
  expiresAtMs === null || revokedAtMs === null ? (expiresAtMs ?? revokedAtMs) : Math.min(expiresAtMs, revokedAtMs)

export const hasEnded = (key: KeyRecord, nowMs: number): boolean => (endOf(key) ?? Infinity) <= nowMs
