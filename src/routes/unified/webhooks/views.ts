import type { EndpointRecord, ReplayProgress } from '../../../core/endpoints.ts'
import { iso, isoOrNull } from '../../../core/time/clock.ts'
import type { EndpointView } from '../../../core/api/webhooks.ts'

const replayView = (replay: ReplayProgress): EndpointView['replay'] => ({
  since: iso(replay.sinceMs),
  until: iso(replay.untilMs),
  only_failed: replay.onlyFailed,
  asked_at: iso(replay.askedAtMs),
  events: replay.events,
  queued: replay.queued,
  ended_at: isoOrNull(replay.endedAtMs),
})

/** Null once it is past: expired secrets are removed later. */
const stillToCome = (atMs: number | null, nowMs: number): string | null =>
  atMs !== null && atMs > nowMs ? iso(atMs) : null

export const endpointView = (endpoint: EndpointRecord, nowMs: number): EndpointView => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.disabled === null,
  disabled_reason: endpoint.disabled?.reason ?? null,
  disabled_at: isoOrNull(endpoint.disabled?.atMs ?? null),
  failures: endpoint.failures,
  failing_since: isoOrNull(endpoint.failingSinceMs),
  held: endpoint.held,
  last_delivered_at: isoOrNull(endpoint.lastDeliveredAtMs),
  last_failed_at: isoOrNull(endpoint.lastFailedAtMs),
  old_secret_expires_at: stillToCome(endpoint.oldSecretUntilMs, nowMs),
  replay: endpoint.replay && replayView(endpoint.replay),
  created_at: iso(endpoint.createdAtMs),
  updated_at: iso(endpoint.updatedAtMs),
})
