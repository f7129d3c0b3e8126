import { createHash } from 'node:crypto'
import type { Delivery, DeliveryStatus, OpenVideo, RecordedAttempt, Target } from '../../core/ports.ts'
import { PHASES, type EventRecord, type Phase, type TimelineEntry, type VideoRecord } from '../../core/video.ts'
import { VIDEO_EVENT_TYPES } from '../../core/vocabulary.ts'
import { int, intOrNull, text, textOrNull, type Row } from './db.ts'

const oneOf = <T extends string>(known: readonly T[], value: string, column: string): T => {
  const found = known.find((word) => word === value)
  if (found === undefined) throw new Error(`column ${column} holds an unknown word`)
  return found
}

/** `data` was written by `putVideo` alone, from a VideoRecord, under the schema version that `migrate` checked. */
export const videoFrom = (row: Row): VideoRecord => JSON.parse(text(row, 'data')) as VideoRecord

export const openVideoFrom = (row: Row): OpenVideo => ({
  id: text(row, 'id'),
  phase: oneOf<Phase>(PHASES, text(row, 'phase'), 'phase'),
  version: int(row, 'version'),
  dueAtMs: intOrNull(row, 'due_at'),
  leaseUntilMs: intOrNull(row, 'lease_until'),
  backend: text(row, 'backend'),
  acceptedAtMs: intOrNull(row, 'accepted_at'),
  lastHintAtMs: intOrNull(row, 'last_hint_at'),
  hasWebhook: int(row, 'has_webhook') === 1,
})

export const timelineFrom = (row: Row): TimelineEntry => ({
  at: int(row, 'at'),
  type: text(row, 'type'),
  detail: textOrNull(row, 'detail'),
})

export const eventFrom = (row: Row): EventRecord => ({
  id: text(row, 'event_id'),
  type: oneOf(VIDEO_EVENT_TYPES, text(row, 'type'), 'type'),
  client: text(row, 'client'),
  videoId: text(row, 'video_id'),
  sequence: int(row, 'sequence'),
  atMs: int(row, 'at'),
  body: text(row, 'body'),
})

const TARGET_KINDS = ['video'] as const satisfies readonly Target['kind'][]
const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const satisfies readonly DeliveryStatus[]

/** Of a row of `deliveries` joined with its event. */
export const deliveryFrom = (row: Row): Delivery => ({
  id: text(row, 'id'),
  event: eventFrom(row),
  target: { kind: oneOf(TARGET_KINDS, text(row, 'target_kind'), 'target_kind'), url: text(row, 'target_url') },
  status: oneOf(DELIVERY_STATUSES, text(row, 'delivery_status'), 'status'),
  attempts: int(row, 'attempts'),
  nextAttemptAtMs: intOrNull(row, 'next_attempt_at'),
})

export const attemptFrom = (row: Row): RecordedAttempt => ({
  atMs: int(row, 'at'),
  durationMs: int(row, 'duration_ms'),
  status: intOrNull(row, 'status'),
  error: textOrNull(row, 'error'),
  responseBody: textOrNull(row, 'response_body'),
  nextAttemptAtMs: intOrNull(row, 'next_attempt_at'),
})

/** One delivery per event and target, under an id that any replay of the same write makes again. */
export const deliveryId = (eventId: string, target: Target): string =>
  `dlv_${createHash('sha256').update(`${eventId}\0${target.kind}\0${target.url}`).digest('hex').slice(0, 26)}`
