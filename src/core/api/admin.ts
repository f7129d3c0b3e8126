import { z } from 'zod'
import { STATUSES } from '../vocabulary.ts'
import {
  DeliveryWithAttemptsView,
  EndpointDetailView,
  EndpointView,
  EventView,
  ListedDeliveryView,
} from './webhooks.ts'

/** What operators see of all clients: what each client sees itself, and whose it is. */

const whose = { client: z.string().describe('The client that owns it') }

export const AdminEventView = EventView.extend(whose)
export type AdminEventView = z.infer<typeof AdminEventView>

export const AdminDeliveryView = ListedDeliveryView.extend(whose)
export type AdminDeliveryView = z.infer<typeof AdminDeliveryView>

export const AdminDeliveryWithAttemptsView = DeliveryWithAttemptsView.extend(whose)

export const AdminEndpointView = EndpointView.extend(whose)
export type AdminEndpointView = z.infer<typeof AdminEndpointView>

export const AdminEndpointDetailView = EndpointDetailView.extend(whose)

export const ClientUsageView = z.strictObject({
  object: z.literal('client_usage'),
  month: z.string().describe('A month in UTC, such as `2026-11`'),
  client: z.string(),
  backend: z
    .string()
    .nullable()
    .describe(
      "Null: what belongs to no backend. These are the client's requests, and videos that were removed before the gateway counted by backend",
    ),
  videos: z.record(z.enum(STATUSES), z.int()).describe('Videos created in this month, by their status now'),
  credits_charged: z.number().describe('What these videos cost, as far as the backend reported it'),
  requests: z
    .int()
    .nullable()
    .describe(
      "The client's requests to the gateway. Null in rows of a backend, because a request belongs to no backend",
    ),
})
export type ClientUsageView = z.infer<typeof ClientUsageView>
