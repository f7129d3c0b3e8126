import type { DeliveryView, EndpointView, EndpointWithSecretView, EventView } from '../../core/api/webhooks.ts'
import { DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { COMPLETED, exampleEvent } from './examples.ts'

export const ENDPOINT: EndpointView = {
  id: 'we_01M7WA9S7VF4P8S27TV0W2QQJA',
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
  created_at: '2026-11-20T11:00:00.000Z',
  updated_at: '2026-11-20T11:00:00.000Z',
}

export const ENDPOINT_WITH_SECRET: EndpointWithSecretView = {
  ...ENDPOINT,
  secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE=',
}

const { type, timestamp, data } = exampleEvent('video.completed')
export const EVENT: EventView = {
  id: 'evt_6f2c1d0b9a8e7f6a5b4c3d2e1f',
  object: 'event',
  type,
  timestamp,
  video_id: COMPLETED.id,
  data,
}

export const DELIVERY: DeliveryView = {
  id: 'dlv_0a1b2c3d4e5f60718293a4b5c6',
  object: 'delivery',
  event_id: EVENT.id,
  event_type: type,
  video_id: COMPLETED.id,
  target: { kind: 'endpoint', endpoint_id: ENDPOINT.id, url: ENDPOINT.url },
  status: 'delivered',
  attempt_count: 1,
  next_attempt_at: null,
}
