import { z } from 'zod'
import { DELIVERY_STATUSES } from '../../../core/api/webhooks.ts'
import { ENDPOINT_EVENT_TYPES, EVENT_TYPES } from '../../../core/vocabulary.ts'
import { Instant, PAGE } from '../../parse.ts'
import { CreateVideoBody } from '../videos/input.ts'

/** What the operations on webhooks read. */

const Url = CreateVideoBody.shape.webhook_url.unwrap().unwrap().describe('The https URL that receives the events')
const Types = z
  .array(z.enum(ENDPOINT_EVENT_TYPES))
  .min(1, 'must not be empty')
  .max(ENDPOINT_EVENT_TYPES.length)
  .describe('The events to send. Default: completed, failed and canceled')
const DAY_S = 86_400

export const CreateEndpointBody = z.strictObject({
  url: Url,
  events: Types.optional(),
  description: z.string().max(500).nullable().optional(),
  enabled: z.boolean().optional().describe('Default: true'),
})

export const PatchEndpointBody = CreateEndpointBody.extend({
  url: Url.optional(),
  enabled: z.boolean().optional().describe('True: the gateway sends what it holds, ten a second'),
})

export const RotateSecretBody = z.strictObject({
  expire_old_in_seconds: z
    .int()
    .min(0)
    .max(30 * DAY_S)
    .optional()
    .describe(`How long the gateway also signs events with the old secrets. Default: ${DAY_S}`),
})
export const rotationMs = ({ expire_old_in_seconds: s = DAY_S }: z.infer<typeof RotateSecretBody>): number => s * 1000

export const ReplayBody = z.strictObject({
  since: Instant('Events from this time on'),
  until: Instant('Events before this time'),
  only_failed: z
    .boolean()
    .optional()
    .describe(
      'True: only events whose delivery the gateway gave up. Default: all events that the endpoint subscribes to',
    ),
})

const id = z.string().min(1).max(100)
export const ListEventsQuery = z.strictObject({
  ...PAGE,
  type: z.enum(EVENT_TYPES).optional().describe('Only events of this type'),
  video: id.optional().describe('Only events of this video'),
  since: Instant('Only events from this time on').optional(),
  until: Instant('Only events before this time').optional(),
})
export const ListDeliveriesQuery = z.strictObject({
  ...PAGE,
  endpoint: id.optional().describe('Only deliveries to this endpoint'),
  video: id.optional().describe('Only deliveries about this video'),
  event: id.optional().describe('Only deliveries of this event'),
  status: z.enum(DELIVERY_STATUSES).optional().describe('Only deliveries with this status'),
  expand: z
    .literal('attempts')
    .optional()
    .describe('Adds `attempts` to each delivery: when it was sent, and what the receiver answered'),
})
