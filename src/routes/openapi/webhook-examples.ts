import type {
  DeliveryView,
  DeliveryWithAttemptsView,
  EndpointView,
  EndpointWithSecretView,
  EventView,
} from '../../core/api/webhooks.ts'
import { EXAMPLE_IDS } from '../../core/ids.ts'
import { DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { COMPLETED, exampleEvent } from './examples.ts'

export const ENDPOINT: EndpointView = {
  id: EXAMPLE_IDS.endpoint,
  object: 'webhook_endpoint',
  url: 'https://app.example/hooks/talkbridge',
  events: [...DEFAULT_EVENT_TYPES],
  description: null,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failures: 0,
  failing_since: null,
  held: 0,
  last_delivered_at: '2026-11-20T12:00:00.000Z',
  last_failed_at: null,
  old_secret_expires_at: null,
  replay: null,
  created_at: '2026-11-20T11:00:00.000Z',
  updated_at: '2026-11-20T11:00:00.000Z',
}

export const ENDPOINT_WITH_SECRET: EndpointWithSecretView = {
  ...ENDPOINT,
  secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE=',
}

const { type, timestamp, data } = exampleEvent('video.completed')
export const EVENT: EventView = {
  id: EXAMPLE_IDS.event,
  object: 'event',
  type,
  timestamp,
  video_id: COMPLETED.id,
  data,
}

export const DELIVERY: DeliveryView = {
  id: EXAMPLE_IDS.delivery,
  object: 'delivery',
  event_id: EVENT.id,
  event_type: type,
  event_at: timestamp,
  video_id: COMPLETED.id,
  target: { kind: 'endpoint', endpoint_id: ENDPOINT.id, url: ENDPOINT.url },
  status: 'delivered',
  attempt_count: 1,
  next_attempt_at: null,
}

export const ATTEMPT: DeliveryWithAttemptsView['attempts'][number] = {
  at: '2026-11-20T12:00:41.120Z',
  duration_ms: 38,
  status: 204,
  error: null,
  response_body: '',
  next_attempt_at: null,
}

export const SENT_REQUEST: DeliveryWithAttemptsView['request'] = {
  method: 'POST',
  url: ENDPOINT.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'talkbridge/1.0.0',
    'webhook-id': EVENT.id,
    'webhook-timestamp': '1795176041',
    'webhook-signature': 'v1,…',
  },
  body: '{"type":"video.completed","timestamp":"2026-11-20T12:00:41.000Z","data":{"id":"vid_…"}}',
}
