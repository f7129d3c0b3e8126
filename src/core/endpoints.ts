import { iso } from './time/clock.ts'
import { type EventRecord, eventOfNoVideo } from './video.ts'
import { DEFAULT_EVENT_TYPES, type EndpointEventType, type EventType } from './vocabulary.ts'

/** The most endpoints of one client: each event goes to all of them. */
export const MAX_ENDPOINTS = 50
/** The most terminal events held for one disabled endpoint. Any more are listed as failed, and can be replayed. */
export const MAX_HELD = 10_000
/** The most events of one replay. */
export const MAX_REPLAYED = 10_000
/** Deliveries that one client may have sent again in an hour, by redelivering and replaying. */
export const MAX_RESENT_AN_HOUR = 20_000
/** The gap between two held events that are released: ten a second. */
export const RELEASE_GAP_MS = 100
/** How many deliveries one write holds, releases or gives up, so that other writes do not wait long. */
export const MOVED_AT_ONCE = 100
/** The next part of held events is released this long before the last released one goes. */
export const RELEASE_AHEAD_MS = 8_000
/** How many attempts of one delivery are kept: the latest. */
export const MAX_ATTEMPTS_KEPT = 100
/** How many of them, the latest, keep what the receiver answered. */
export const MAX_ANSWERS_KEPT = 5
/** The most live secrets of one owner: each adds a signature to every attempt. */
export const MAX_SECRETS = 5
/** Deliveries that wait for an attempt are counted up to so many: a read costs no more, however many there are. */
export const MAX_PENDING_COUNTED = 10_000
/** While nothing fails, the time of the last success is written this often at most. */
export const SUCCESS_NOTED_EVERY_MS = 60_000

const MAX_FAILURES = 100
const MAX_FAILING_MS = 120 * 3_600_000

/** `client`: it said so. `operator`: one did. `gone`: it answered 410. `failures`: 100 in a row. `failing`: nothing else for 120 hours. */
export const DISABLED_REASONS = ['client', 'operator', 'gone', 'failures', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface EndpointRecord {
  id: string
  client: string
  url: string
  events: EndpointEventType[]
  description: string | null
  /** Null: enabled. */
  disabled: { reason: DisabledReason; atMs: number } | null
  /** Failed attempts since the last that succeeded. */
  failures: number
  /** When the first of them was made. */
  failingSinceMs: number | null
  /** Events that wait for it to be enabled. */
  held: number
  /** When an attempt last succeeded, to the minute while nothing fails between. Null: none since this was counted. */
  lastDeliveredAtMs: number | null
  lastFailedAtMs: number | null
  /** Until when a secret of before the newest signs, too. May be past. Null: there is none. */
  oldSecretUntilMs: number | null
  /** The replay that was asked for last. */
  replay: ReplayProgress | null
  createdAtMs: number
  updatedAtMs: number
}

/** How far a replay has come. */
export interface ReplayProgress {
  /** Its number among all replays. */
  n: number
  sinceMs: number
  untilMs: number
  onlyFailed: boolean
  askedAtMs: number
  /** As many events were found when it was asked for. */
  events: number
  /** For as many a delivery was made due. */
  queued: number
  /**
   * Null: it continues. Ended with fewer than all: the endpoint was disabled meanwhile, or events are not kept any
   * more.
   */
  endedAtMs: number | null
}

type Streak = Pick<EndpointRecord, 'failures' | 'failingSinceMs'>

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

/** Whether an event is held for a disabled endpoint. Only ends of videos are: the rest is old news by then. */
export const isHeld = (type: EventType): boolean => DEFAULT_EVENT_TYPES.some((one) => one === type)

/** The event for the client's other endpoints. It names no URL, since URLs often hold a token. */
export const disabledEvent = (
  { id, client, description }: Pick<EndpointRecord, 'id' | 'client' | 'description'>,
  reason: DisabledReason,
  atMs: number,
): EventRecord => {
  const data = { endpoint_id: id, description, reason, disabled_at: iso(atMs) }
  const body = { type: 'endpoint.disabled', timestamp: iso(atMs), data } as const
  return eventOfNoVideo(client, `${id}\0endpoint.disabled\0${atMs}`, atMs, body)
}
