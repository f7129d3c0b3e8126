import { createHash } from 'node:crypto'
import type { Delivery, DeliveryStatus, RecordedAttempt, Target } from '../../core/store/deliveries.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { DISABLED_REASONS, type EndpointRecord, type ReplayProgress } from '../../core/endpoints.ts'
import {
  type EventRecord,
  MADE_FROM,
  type Phase,
  PHASES,
  storedVideo,
  type TimelineEntry,
  type VideoRecord,
} from '../../core/video.ts'
import { EVENT_TYPES, type EndpointEventType } from '../../core/vocabulary.ts'
import { int, intOrNull, orNull, text, textOrNull, type Row } from './db.ts'

export const oneOf = <T extends string>(known: readonly T[], value: string, column: string): T => {
  const found = known.find((word) => word === value)
  if (found === undefined) throw new Error(`column ${column} holds an unknown word`)
  return found
}

/** `data` was written by `putVideo` alone, from a VideoRecord of this version or one before. */
export const videoFrom = (row: Row): VideoRecord => storedVideo(JSON.parse(text(row, 'data')) as VideoRecord)

export const openVideoFrom = (row: Row): OpenVideo => ({
  id: text(row, 'id'),
  client: text(row, 'client'),
  phase: oneOf<Phase>(PHASES, text(row, 'phase'), 'phase'),
  version: int(row, 'version'),
  dueAtMs: intOrNull(row, 'due_at'),
  leaseUntilMs: intOrNull(row, 'lease_until'),
  backend: text(row, 'backend'),
  acceptedAtMs: intOrNull(row, 'accepted_at'),
  lastHintAtMs: intOrNull(row, 'last_hint_at'),
  hasWebhook: int(row, 'has_webhook') === 1,
  linkOwed: int(row, 'link_owed') === 1,
  source: oneOf(MADE_FROM, text(row, 'source'), 'source'),
})

export const timelineFrom = (row: Row): TimelineEntry => ({
  at: int(row, 'at'),
  type: text(row, 'type'),
  detail: textOrNull(row, 'detail'),
})

export const eventFrom = (row: Row): EventRecord => ({
  id: text(row, 'event_id'),
  type: oneOf(EVENT_TYPES, text(row, 'type'), 'type'),
  client: text(row, 'client'),
  videoId: textOrNull(row, 'video_id'),
  sequence: int(row, 'sequence'),
  atMs: int(row, 'at'),
  body: text(row, 'body'),
})

const TARGET_KINDS = ['video', 'endpoint'] as const satisfies readonly Target['kind'][]
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const satisfies readonly DeliveryStatus[]

/** Of columns `target_kind`, `target` and `url`. */
export const targetFrom = (row: Row): Target => {
  const kind = oneOf(TARGET_KINDS, text(row, 'target_kind'), 'target_kind')
  const url = text(row, 'url')
  return kind === 'endpoint' ? { kind, id: text(row, 'target'), url } : { kind, url }
}

/** What tells one target from another of its kind. */
export const targetKey = (target: Target): string => (target.kind === 'endpoint' ? target.id : target.url)

/** Of a row of `deliveries` joined with its event. */
export const deliveryFrom = (row: Row): Delivery => ({
  id: text(row, 'id'),
  event: eventFrom(row),
  target: targetFrom(row),
  status: oneOf(DELIVERY_STATUSES, text(row, 'delivery_status'), 'status'),
  attempts: int(row, 'attempts'),
  tried: int(row, 'tried'),
  nextAttemptAtMs: intOrNull(row, 'next_attempt_at'),
  isAskedLater: intOrNull(row, 'asked_at') !== null,
  trace: textOrNull(row, 'trace'),
})

export const attemptFrom = (row: Row): RecordedAttempt => ({
  atMs: int(row, 'at'),
  durationMs: int(row, 'duration_ms'),
  status: intOrNull(row, 'status'),
  error: textOrNull(row, 'error'),
  responseBody: textOrNull(row, 'response_body'),
  nextAttemptAtMs: intOrNull(row, 'next_attempt_at'),
})

const disabledFrom = (row: Row): EndpointRecord['disabled'] => {
  const atMs = intOrNull(row, 'disabled_at')
  if (atMs === null) return null
  return { reason: oneOf(DISABLED_REASONS, text(row, 'disabled_reason'), 'disabled_reason'), atMs }
}

/** Only the verbs of endpoints write `events`, from a list of types. */
export const typesFrom = (json: string): EndpointEventType[] => JSON.parse(json) as EndpointEventType[]

/** No secret outlives one that came after it: the last to expire is one of those that still sign. */
export const ENDPOINT = `SELECT id, client, url, events, description, disabled_reason, disabled_at, failures, failing_since,
  created_at, updated_at, held, last_delivered_at, last_failed_at, replay,
  (SELECT max(s.expires_at) FROM webhook_secrets s WHERE s.keeper = 'endpoint:' || endpoints.id) AS old_secret_until
  FROM endpoints`

const replayFrom = (row: Row): ReplayProgress => JSON.parse(text(row, 'replay')) as ReplayProgress

/** Of a row of `ENDPOINT`. */
export const endpointFrom = (row: Row): EndpointRecord => ({
  id: text(row, 'id'),
  client: text(row, 'client'),
  url: text(row, 'url'),
  events: typesFrom(text(row, 'events')),
  description: textOrNull(row, 'description'),
  disabled: disabledFrom(row),
  failures: int(row, 'failures'),
  failingSinceMs: intOrNull(row, 'failing_since'),
  held: int(row, 'held'),
  lastDeliveredAtMs: intOrNull(row, 'last_delivered_at'),
  lastFailedAtMs: intOrNull(row, 'last_failed_at'),
  oldSecretUntilMs: intOrNull(row, 'old_secret_until'),
  replay: orNull(row['replay'] === null ? undefined : row, replayFrom),
  createdAtMs: int(row, 'created_at'),
  updatedAtMs: int(row, 'updated_at'),
})

/** One delivery per event and target: the same two always give the same id. */
export const deliveryId = (eventId: string, target: Target): string =>
  `dlv_${createHash('sha256')
    .update(`${eventId}\0${target.kind}\0${targetKey(target)}`)
    .digest('hex')
    .slice(0, 26)}`
