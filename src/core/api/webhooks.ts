import { z } from 'zod'
import { DISABLED_REASONS } from '../endpoints.ts'
import { EVENT_TYPES, VIDEO_EVENT_TYPES } from '../vocabulary.ts'

/** What clients see of webhooks: one schema each, which documents, types and tests it. */

const time = z.iso.datetime()

export const EndpointView = z.strictObject({
  id: z.string().describe('`we_…`'),
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  events: z
    .array(z.enum(VIDEO_EVENT_TYPES))
    .describe('What it is sent, beside `endpoint.disabled` of others and `routing.stopped`'),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      '`client`: you said so; `gone`: it answered 410; `failures`: 100 in a row; `failing`: nothing else for 120 hours',
    ),
  disabled_at: time.nullable(),
  failures: z.int().describe('Failed attempts since the last that succeeded'),
  failing_since: time.nullable(),
  held: z.int().describe('Terminal events that wait for it to be enabled'),
  created_at: time,
  updated_at: time,
})
export type EndpointView = z.infer<typeof EndpointView>

export const EndpointWithSecretView = EndpointView.extend({
  secret: z.string().describe('`whsec_…`: signs its events; shown only now'),
})
export type EndpointWithSecretView = z.infer<typeof EndpointWithSecretView>

export const EndpointTestView = z.strictObject({
  object: z.literal('webhook_test'),
  delivered: z.boolean().describe('It answered 2xx in time'),
  status: z.int().nullable().describe('Null: no whole answer came'),
  error: z
    .string()
    .nullable()
    .describe('Why it was not delivered, as in an attempt of a delivery; never what it answered'),
  duration_ms: z.number(),
})

export const EventView = z.strictObject({
  id: z.string().describe('`evt_…`: the `webhook-id` of every attempt to deliver it'),
  object: z.literal('event'),
  type: z.enum(EVENT_TYPES),
  timestamp: time.describe('When it happened'),
  video_id: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).describe('As it was sent: see the webhook of this type'),
})
export type EventView = z.infer<typeof EventView>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const

export const DeliveryView = z.strictObject({
  id: z.string().describe('`dlv_…`'),
  object: z.literal('delivery'),
  event_id: z.string(),
  event_type: z.enum(EVENT_TYPES),
  video_id: z.string().nullable(),
  target: z.strictObject({
    kind: z.enum(['webhook_url', 'endpoint']),
    endpoint_id: z.string().nullable(),
    url: z.string(),
  }),
  status: z.enum(DELIVERY_STATUSES).describe('`held`: its endpoint is disabled'),
  attempt_count: z.int(),
  next_attempt_at: time.nullable(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

export const DeliveryWithAttemptsView = DeliveryView.extend({
  attempts: z
    .array(
      z.strictObject({
        at: time,
        duration_ms: z.number(),
        status: z.int().nullable().describe('Null: no whole answer came'),
        error: z.string().nullable(),
        response_body: z.string().nullable().describe('16 KiB of it at most; null in all but the latest 5'),
        next_attempt_at: time.nullable(),
      }),
    )
    .describe('Oldest first; the latest 100'),
})
export type DeliveryWithAttemptsView = z.infer<typeof DeliveryWithAttemptsView>

export const RedeliveryView = z.strictObject({
  object: z.literal('redelivery'),
  event_id: z.string(),
  deliveries: z.array(z.string()).describe('What is sent once more; none where nobody wants it'),
})

export const ReplayView = z.strictObject({
  object: z.literal('replay'),
  endpoint_id: z.string(),
  events: z.int().describe('As many will be sent, in the order in which they happened'),
})

export const EndpointDisabledView = z.strictObject({
  type: z.literal('endpoint.disabled'),
  timestamp: time,
  data: z.strictObject({
    endpoint_id: z.string(),
    description: z.string().nullable(),
    reason: z.enum(DISABLED_REASONS),
    disabled_at: time,
  }),
})
export const WebhookTestView = z.strictObject({
  type: z.literal('webhook.test'),
  timestamp: time,
  data: z.strictObject({ endpoint_id: z.string() }),
})
