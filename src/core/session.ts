/** Somebody who signed in to the console: what the store keeps of it. Nothing in it opens anything. */
export interface SessionRecord {
  /** SHA-256 of what the browser holds, base64url. */
  id: string
  client: string
  /** `key_…` of an issued key; of a configured one a keyed hash, which says nothing without the gateway's secret key. */
  key: string
  createdAtMs: number
  /** Of the last request; coarse: written about once a minute. */
  seenAtMs: number
  /** When it is over, unless a request comes before. */
  endsAtMs: number
}

/** Of one client at once. The oldest makes room for another one. */
export const MAX_SESSIONS = 100
/** However busy it is, a session is over then. */
export const SESSION_LIFE_MS = 7 * 86_400_000
