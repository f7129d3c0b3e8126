import type { Delivery, RecordedAttempt, PlacedEvent } from '../../../core/store/webhooks.ts'
import { iso, isoOrNull } from '../../../core/time/clock.ts'
import { USER_AGENT } from '../../../core/vocabulary.ts'
import type { DeliveryView, DeliveryWithAttemptsView, EventView } from '../../../core/api/webhooks.ts'

/** Bytes that this gateway made: the envelope of Standard Webhooks. */
const dataOf = (body: string): Record<string, unknown> => {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  return data
}

export const eventView = ({ event: { id, type, atMs, videoId, body } }: PlacedEvent): EventView => ({
  id,
  object: 'event',
  type,
  timestamp: iso(atMs),
  video_id: videoId,
  data: dataOf(body),
})

export const deliveryView = ({ id, event, target, status, attempts, nextAttemptAtMs }: Delivery): DeliveryView => ({
  id,
  object: 'delivery',
  event_id: event.id,
  event_type: event.type,
  event_at: iso(event.atMs),
  video_id: event.videoId,
  target:
    target.kind === 'endpoint'
      ? { kind: 'endpoint', endpoint_id: target.id, url: target.url }
      : { kind: 'webhook_url', endpoint_id: null, url: target.url },
  status,
  attempt_count: attempts,
  next_attempt_at: isoOrNull(nextAttemptAtMs),
})

/** What `attempt.ts` sends. Whoever sees a signature of a secret could send the same again, so none is shown. */
const requestView = ({ event, target }: Delivery, latest: RecordedAttempt | undefined) => ({
  method: 'POST' as const,
  url: target.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': event.id,
    ...(latest && { 'webhook-timestamp': String(Math.floor(latest.atMs / 1000)) }),
    'webhook-signature': 'v1,…',
  },
  body: event.body,
})

export const attemptView = (attempt: RecordedAttempt): DeliveryWithAttemptsView['attempts'][number] => ({
  at: iso(attempt.atMs),
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  response_body: attempt.responseBody,
  next_attempt_at: isoOrNull(attempt.nextAttemptAtMs),
})

/** A delivery with all that its store knows of its attempts. */
export const detailView = (delivery: Delivery, attempts: readonly RecordedAttempt[]): DeliveryWithAttemptsView => ({
  ...deliveryView(delivery),
  request: requestView(delivery, attempts.at(-1)),
  attempts: attempts.map(attemptView),
})
