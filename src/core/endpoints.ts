import { createHash } from 'node:crypto'
import { iso } from './time/clock.ts'
import type { EventRecord } from './video.ts'
import type { EventType, VideoEventType } from './vocabulary.ts'
import { DEFAULT_EVENT_TYPES } from './vocabulary.ts'

/** Of one client: more would make every event a burst. */
export const MAX_ENDPOINTS = 50
/** Terminal events that wait for one disabled endpoint; those beyond are listed as failed, and can be replayed. */
export const MAX_HELD = 10_000
/** Of one replay. */
export const MAX_REPLAYED = 10_000
/** Deliveries that one client may have sent once more in an hour, by redelivering and replaying. */
export const MAX_RESENT_AN_HOUR = 20_000
/** Between two held events that are released: ten a second. */
export const RELEASE_GAP_MS = 100
/** Deliveries of an endpoint that one write holds, releases or gives up: so no other write waits long behind it. */
export const MOVED_AT_ONCE = 100
/** Held events are made due so long before they may go: time enough for somebody to come by. */
export const RELEASE_AHEAD_MS = 8_000
/** Attempts that are kept of one delivery, the latest. */
export const MAX_ATTEMPTS_KEPT = 100
/** Of them the latest so many with what was answered. */
export const MAX_ANSWERS_KEPT = 5
/** Live secrets of one owner: each is a signature on every attempt. */
export const MAX_SECRETS = 5

const MAX_FAILURES = 100
const MAX_FAILING_MS = 120 * 3_600_000

/** `client`: it said so. `gone`: it answered 410. `failures`: 100 in a row. `failing`: nothing else for 120 hours. */
export const DISABLED_REASONS = ['client', 'gone', 'failures', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface EndpointRecord {
  id: string
  client: string
  url: string
  events: VideoEventType[]
  description: string | null
  /** Null: enabled. */
  disabled: { reason: DisabledReason; atMs: number } | null
  /** Failed attempts since the last that succeeded. */
  failures: number
  /** When the first of them was made. */
  failingSinceMs: number | null
  /** Events that wait for it to be enabled. */
  held: number
  createdAtMs: number
  updatedAtMs: number
}

export type Streak = Pick<EndpointRecord, 'failures' | 'failingSinceMs'>

/** What an attempt at `atMs` makes of the endpoint's failures, and whether that disables it. Pure. */
export const afterFailure = (
  { failures, failingSinceMs }: Streak,
  atMs: number,
  status: number | null,
): { streak: Streak; disabled: DisabledReason | null } => {
  const sinceMs = failingSinceMs ?? atMs
  const streak = { failures: failures + 1, failingSinceMs: sinceMs }
  if (status === 410) return { streak, disabled: 'gone' }
  if (streak.failures >= MAX_FAILURES) return { streak, disabled: 'failures' }
  return { streak, disabled: atMs - sinceMs >= MAX_FAILING_MS ? 'failing' : null }
}

/** Worth keeping for an endpoint that is disabled: the rest is history by the time that it is back. */
export const isHeld = (type: EventType): boolean => DEFAULT_EVENT_TYPES.some((one) => one === type)

/** What the client's other endpoints are told. No URL: they often hold a token. */
export const disabledEvent = (
  { id, client, description }: Pick<EndpointRecord, 'id' | 'client' | 'description'>,
  reason: DisabledReason,
  atMs: number,
): EventRecord => ({
  id: `evt_${createHash('sha256').update(`${id}\0endpoint.disabled\0${atMs}`).digest('hex').slice(0, 26)}`,
  type: 'endpoint.disabled',
  client,
  videoId: null,
  sequence: 1,
  atMs,
  body: JSON.stringify({
    type: 'endpoint.disabled',
    timestamp: iso(atMs),
    data: { endpoint_id: id, description, reason, disabled_at: iso(atMs) },
  }),
})
