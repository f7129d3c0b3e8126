import type { Priority, Scope } from './vocabulary.ts'
import type { QuotaWarningView } from './api/webhooks.ts'
import { iso, nextMonthMs } from './time/clock.ts'
import { type EventRecord, eventOfNoVideo } from './video.ts'

/** Who does something as an operator, and from where. */
export interface Actor {
  /** The id of a client, or `gateway`. */
  client: string
  /** Which of its keys: `key_…`, or where in the configuration; null for the gateway itself. */
  key: string | null
  /** As `server.trust_proxy` lets it be known. */
  address: string | null
  requestId: string | null
}

/** The gateway by itself. */
export const GATEWAY: Actor = { client: 'gateway', key: null, address: null, requestId: null }

/** Everything that the audit log records. */
export const AUDIT_ACTIONS = [
  'key.create',
  'key.rotate',
  'key.revoke',
  'client.create',
  'client.update',
  'client.delete',
  'video.resolve',
  'video.cancel',
  'client.erase',
  'event.redeliver',
  'split.step',
  'split.rollback',
  'split.resume',
  'split.stop',
  'endpoint.disable',
  'endpoint.enable',
  'endpoint.test',
  'endpoint.replay',
  'backend.pause',
  'backend.resume',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Who did what, to what, when and from where. `detail` has no secret in it. */
export interface AuditEntry {
  /** `aud_…` */
  id: string
  atMs: number
  /** The id of a client, or `gateway`. */
  actor: string
  key: string | null
  address: string | null
  requestId: string | null
  action: AuditAction
  /** What it was done to: the id of a key, a client, an endpoint or a video, the name of a backend, or the key of a rule. */
  subject: string
  detail: Readonly<Record<string, unknown>>
}

/** What was done, without who and when. */
export type Deed = Pick<AuditEntry, 'action' | 'subject' | 'detail'>

export const entryOf = ({ client, ...from }: Actor, id: string, atMs: number, deed: Deed): AuditEntry => ({
  id,
  atMs,
  actor: client,
  ...from,
  ...deed,
})

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

/** What a client's videos are unless they say otherwise. */
export interface ClientDefaults {
  priority: Priority
  /** How old a video may be whose file one of the unified API reuses; 0: none is. */
  reuseMs: number
}

/** Of a client that names none, wherever it was made. */
export const NO_DEFAULTS: ClientDefaults = { priority: 'normal', reuseMs: 0 }

/** How many may wait of such a limit: low videos leave a tenth of it to normal ones. */
export const roomIn = (limit: number, isLow: boolean): number =>
  isLow ? Math.max(1, limit - Math.ceil(limit / 10)) : limit

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

/** Somebody who signed in to the console: what the store keeps of it. Nothing in it opens anything. */
export interface SessionRecord {
  /** SHA-256 of what the browser holds, base64url. */
  id: string
  client: string
  /**
   * `key_…` of an issued key; of a configured one a keyed hash, which says nothing without the gateway's secret key.
   */
  key: string
  createdAtMs: number
  /** Of the last request; coarse: written about once a minute. */
  seenAtMs: number
  /** When it is over, unless a request comes before. */
  endsAtMs: number
}

/** Of one client at the same time. The oldest makes room for another one. */
export const MAX_SESSIONS = 100
/** However busy it is, a session is over then. */
export const SESSION_LIFE_MS = 7 * 86_400_000

/** What a client may have in a month; null: no limit. */
export interface Quotas {
  videosPerMonth: number | null
  creditsPerMonth: number | null
}

/** Per cent of a quota at which its client is warned. */
const THRESHOLDS = [80, 100] as const

interface QuotaWarning {
  client: string
  /** `2026-11` */
  month: string
  quota: 'videos_per_month' | 'credits_per_month'
  threshold: number
  used: number
  limit: number
}

/** Of each quota and threshold that is reached, the warning that is due if it was not sent. Pure. */
export const warningsOf = (
  of: Pick<QuotaWarning, 'client' | 'month'>,
  used: { videos: number; credits: number },
  { videosPerMonth, creditsPerMonth }: Quotas,
): QuotaWarning[] =>
  [
    { quota: 'videos_per_month', used: used.videos, limit: videosPerMonth } as const,
    { quota: 'credits_per_month', used: used.credits, limit: creditsPerMonth } as const,
  ].flatMap(({ quota, used: count, limit }) =>
    limit === null
      ? []
      : THRESHOLDS.filter((threshold) => count * 100 >= limit * threshold).map((threshold) => ({
          ...of,
          quota,
          threshold,
          used: count,
          limit,
        })),
  )

/** The event of a warning: the same warning of the same limit is the same event. */
export const quotaEvent = (warning: QuotaWarning, atMs: number): EventRecord => {
  const { client, month, quota, threshold, used, limit } = warning
  const named = JSON.stringify([client, 'quota.warning', month, quota, threshold, limit])
  const body: QuotaWarningView = {
    type: 'quota.warning',
    timestamp: iso(atMs),
    data: { quota, threshold, used, limit, month, resets_at: iso(nextMonthMs(Date.parse(`${month}-01T00:00:00Z`))) },
  }
  return eventOfNoVideo(client, named, atMs, body)
}

/** Whether a list of backends and pools has it; null: every list does. */
export const isAllowed = (
  allowed: readonly string[] | null | undefined,
  { name, pool }: { name: string; pool: { name: string } | null },
): boolean => !allowed || allowed.includes(name) || (pool !== null && allowed.includes(pool.name))
