import { z } from 'zod'
import { VideoView } from './videos.ts'
import { VIDEO_EVENT_TYPES, ENDPOINT_EVENT_TYPES, EVENT_TYPES } from '../vocabulary.ts'
import { DISABLED_REASONS } from '../endpoints.ts'

const time = z.iso.datetime()

/** The body of a webhook about a video: a Video without its input and without links that expire. */
export const VideoEventView = z.strictObject({
  type: z.enum(VIDEO_EVENT_TYPES),
  timestamp: time.describe('When it happened'),
  data: VideoView.omit({ input: true }).extend({
    sequence: z.int().min(1).describe('The place of this event among the events of its video'),
    timing: z
      .strictObject({
        accepted_at: time
          .nullable()
          .describe(
            'When the gateway learned that the backend accepted the job, or when it imported the job; null: no job',
          ),
        detected_at: time.describe('When the gateway learned that the job had ended'),
        uncertainty_ms: z
          .number()
          .nullable()
          .describe(
            'The job ended at most this many milliseconds before `detected_at`; null: it had ended before the import',
          ),
      })
      .optional()
      .describe('Present only in terminal events'),
  }),
})
export type VideoEventView = z.infer<typeof VideoEventView>

/** What clients see of webhooks: one schema each, which documents, types and tests it. */

const ReplayProgressView = z.strictObject({
  since: time,
  until: time,
  only_failed: z.boolean(),
  asked_at: time,
  events: z.int().describe('How many events the gateway found when you asked'),
  queued: z
    .int()
    .describe('How many of them are due or sent. The gateway sends them as fast as the endpoint accepts them'),
  ended_at: time
    .nullable()
    .describe(
      'When the last of them became due, or when the endpoint was disabled, which ends the replay; null: it continues',
    ),
})

export const EndpointView = z.strictObject({
  id: z.string().describe('`we_…`'),
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  events: z
    .array(z.enum(ENDPOINT_EVENT_TYPES))
    .describe(
      'The events that it receives. `endpoint.disabled` of your other endpoints and `routing.stopped` need no subscription',
    ),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      '`client`: you disabled it; `operator`: an operator of the gateway did; `gone`: it answered 410; `failures`: 100 attempts failed in a row; `failing`: all attempts failed for 120 hours',
    ),
  disabled_at: time.nullable(),
  failures: z.int().describe('Failed attempts since the last success'),
  failing_since: time.nullable(),
  held: z.int().describe('Terminal events that wait until the endpoint is enabled'),
  last_delivered_at: time.nullable().describe('When it last answered 2xx, to the minute; null: never'),
  last_failed_at: time.nullable().describe('When an attempt last failed; null: never'),
  old_secret_expires_at: time
    .nullable()
    .describe('Until then the gateway also signs events with an old secret; null: only with the newest'),
  replay: ReplayProgressView.nullable().describe('Your latest replay; null: none, or it found no event'),
  created_at: time,
  updated_at: time,
})
export type EndpointView = z.infer<typeof EndpointView>

export const EndpointDetailView = EndpointView.extend({
  pending: z
    .int()
    .describe(
      'Deliveries that wait for an attempt, counted up to 10,000. After a replay it shows what is still to be sent',
    ),
})
export type EndpointDetailView = z.infer<typeof EndpointDetailView>

export const EndpointWithSecretView = EndpointView.extend({
  secret: z.string().describe('`whsec_…`: signs the events of this endpoint. Only this answer shows it'),
})
export type EndpointWithSecretView = z.infer<typeof EndpointWithSecretView>

export const EndpointTestView = z.strictObject({
  object: z.literal('webhook_test'),
  delivered: z.boolean().describe('True: the endpoint answered 2xx in time'),
  status: z.int().nullable().describe('Null: no complete answer came'),
  error: z.string().nullable().describe('Why the test failed, as in an attempt of a delivery'),
  response_body: z
    .string()
    .nullable()
    .describe(
      'The answer of the endpoint, at most 16 KiB; null: no complete answer came. The gateway does not store it',
    ),
  duration_ms: z.number(),
})

export const EventTypeView = z.enum(EVENT_TYPES)

export const EventView = z.strictObject({
  id: z.string().describe('`evt_…`: the `webhook-id` of every attempt to deliver it'),
  object: z.literal('event'),
  type: EventTypeView,
  timestamp: time.describe('When it happened'),
  video_id: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).describe('The data that was sent: see the webhook of this type'),
})
export type EventView = z.infer<typeof EventView>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const

export const DeliveryView = z.strictObject({
  id: z.string().describe('`dlv_…`'),
  object: z.literal('delivery'),
  event_id: z.string(),
  event_type: EventTypeView,
  event_at: time.describe('When the event happened'),
  video_id: z.string().nullable(),
  target: z.strictObject({
    kind: z.enum(['webhook_url', 'endpoint']),
    endpoint_id: z.string().nullable(),
    url: z.string(),
  }),
  status: z.enum(DELIVERY_STATUSES).describe('`held`: it waits because its endpoint is disabled'),
  attempt_count: z.int(),
  next_attempt_at: time.nullable(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

const AttemptView = z.strictObject({
  at: time,
  duration_ms: z.number(),
  status: z.int().nullable().describe('Null: no complete answer came'),
  error: z.string().nullable(),
  response_body: z.string().nullable().describe('At most 16 KiB. Null except in the latest 5 attempts'),
  next_attempt_at: time.nullable(),
})

export const DeliveryWithAttemptsView = DeliveryView.extend({
  request: z
    .strictObject({
      method: z.literal('POST'),
      url: z.string(),
      headers: z
        .record(z.string(), z.string())
        .describe('Signatures are masked. Without `webhook-timestamp`: there was no attempt yet'),
      body: z.string().describe('The exact bytes'),
    })
    .describe(
      'What the latest attempt sent, or what the first one will send. The URL is the one that the target has now',
    ),
  attempts: z.array(AttemptView).describe('The latest 100, oldest first'),
})

export const ListedDeliveryView = DeliveryView.extend({
  attempts: z
    .array(
      AttemptView.extend({
        response_body: z
          .string()
          .nullable()
          .describe('At most 1,000 characters; getDelivery shows more. Null except in the latest 5 attempts'),
      }),
    )
    .optional()
    .describe('Present only with `expand=attempts`. The latest 20, oldest first'),
})
export type ListedDeliveryView = z.infer<typeof ListedDeliveryView>
export type DeliveryWithAttemptsView = z.infer<typeof DeliveryWithAttemptsView>

export const RedeliveryView = z.strictObject({
  object: z.literal('redelivery'),
  event_id: z.string(),
  deliveries: z.array(z.string()).describe('The deliveries that are sent again; empty: no target wants the event'),
})

export const ReplayView = z.strictObject({
  object: z.literal('replay'),
  endpoint_id: z.string(),
  events: z.int().describe('How many events will be sent, in the order in which they happened'),
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
export const QuotaWarningView = z.strictObject({
  type: z.literal('quota.warning'),
  timestamp: time,
  data: z.strictObject({
    quota: z.enum(['videos_per_month', 'credits_per_month']).describe('The name of the limit in the configuration'),
    threshold: z.int().describe('The percent that you reached: 80 or 100'),
    used: z.number().describe('What you had used then. A video whose price is unknown counts as one credit'),
    limit: z.int(),
    month: z.string().describe('A month in UTC, such as `2026-11`'),
    resets_at: time.describe('When the next month begins'),
  }),
})
export type QuotaWarningView = z.infer<typeof QuotaWarningView>

export const WebhookTestView = z.strictObject({
  type: z.literal('webhook.test'),
  timestamp: time,
  data: z.strictObject({ endpoint_id: z.string() }),
})
