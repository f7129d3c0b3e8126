import { z } from 'zod'
import { AUDIT_ACTIONS } from '../access.ts'
import { SCOPES, STATUSES, type TERMINAL } from '../vocabulary.ts'
import { WAIT_REASONS } from '../video.ts'
import { DriftView, BackendView } from './videos.ts'
import {
  DeliveryWithAttemptsView,
  EndpointDetailView,
  EndpointView,
  EventView,
  ListedDeliveryView,
} from './webhooks.ts'

/** What operators see of keys, clients and the audit log: one schema each, which documents, types and tests it. */

const time = z.iso.datetime()

const KEY_STATUSES = ['active', 'expired', 'revoked', 'suspended'] as const

export const KeyView = z.strictObject({
  id: z.string().describe('`key_…`: the id of the key. It is not a secret'),
  object: z.literal('key'),
  client: z.string(),
  name: z.string().nullable(),
  last_four: z.string().describe('The last four characters of the key'),
  scopes: z.array(z.enum(SCOPES)),
  status: z
    .enum(KEY_STATUSES)
    .describe(
      'Only `active` keys work. `suspended`: the client is disabled, deleted, or no longer in the configuration',
    ),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable().describe('To about a minute'),
  revoked_at: time.nullable(),
  rotated_to: z.string().nullable().describe('The key that replaces this one. Both work until `expires_at`'),
  replaces: z.string().nullable().describe('The key that this one replaces'),
})
export type KeyView = z.infer<typeof KeyView>

export const KeyWithSecretView = KeyView.extend({
  key: z.string().describe('`tb_live_…`: the key itself. Only this answer shows it'),
})

export const SOURCES = ['configuration', 'stored'] as const

const ClientLimitsView = z.strictObject({
  requests_per_minute: z.int(),
  videos_per_month: z.int().nullable().describe('Null: no limit'),
  credits_per_month: z.int().nullable().describe('Null: no limit'),
  queued_videos: z.int(),
  streams: z.int(),
})

export const ClientView = z.strictObject({
  id: z.string(),
  object: z.literal('client'),
  source: z
    .enum(SOURCES)
    .describe('`configuration`: you change it only in the configuration file. `stored`: it was made through the API'),
  description: z.string().nullable(),
  backends: z.array(z.string()).nullable().describe('The names of the backends that it may use; null: all'),
  limits: ClientLimitsView,
  enabled: z.boolean().describe('False: the gateway refuses its issued keys'),
  disabled_at: time.nullable(),
  created_at: time.nullable().describe('Null: the client is in the configuration'),
  updated_at: time.nullable(),
})
export type ClientView = z.infer<typeof ClientView>

export const AuditEntryView = z.strictObject({
  id: z.string().describe('`aud_…`'),
  object: z.literal('audit_entry'),
  at: time,
  actor: z.string().describe('The id of a client, or `gateway`'),
  actor_key: z
    .string()
    .nullable()
    .describe('The key that was used: `key_…`, or its place in the configuration. Null: the gateway itself'),
  actor_key_name: z.string().nullable().describe('The name of that key; null: it has none, or was removed'),
  address: z.string().nullable().describe('The IP address of the caller. It depends on `server.trust_proxy`'),
  request_id: z.string().nullable(),
  action: z.enum(AUDIT_ACTIONS),
  subject: z
    .string()
    .describe(
      'What was changed: the id of a key, a client, an endpoint or a video, the name of a backend, or the key of a rule',
    ),
  subject_name: z.string().nullable().describe('The name of that key, or the description of that client'),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntryView = z.infer<typeof AuditEntryView>

/** What clients and operators see of how everything goes: one schema each, which documents, types and tests it. */

const counts = { completed: z.int(), failed: z.int(), canceled: z.int() } satisfies Record<
  (typeof TERMINAL)[number],
  z.ZodType
>

export const NEEDS = [
  'backend_unwell',
  'backend_paused',
  'split_stopped',
  'create_in_doubt',
  'endpoint_disabled',
  'endpoint_failing',
  'deliveries_given_up',
] as const

export const NeedView = z.strictObject({
  type: z.enum(NEEDS),
  at: time.nullable().describe('When it began, or the last time; null: unknown'),
  count: z
    .int()
    .describe(
      '`endpoint_disabled`: deliveries that wait. `endpoint_failing`: attempts that failed in a row. `deliveries_given_up`: how many, of the range. Otherwise 1',
    ),
  client: z.string().nullable().describe('The client that it belongs to; null: all clients. Only operators see it'),
  backend: z.string().nullable(),
  video_id: z.string().nullable(),
  delivery_id: z.string().nullable().describe('The last one that was given up'),
  endpoint_id: z.string().nullable().describe('Null for deliveries: they went to a `webhook_url`'),
  rule: z.string().nullable().describe('The rule of the split'),
  code: z.string().nullable().describe('For programs: why an endpoint is disabled or a backend is not healthy'),
  message: z.string().nullable().describe('A message of the gateway or of a backend, in plain text'),
})
export type NeedView = z.infer<typeof NeedView>

export const RANGES = ['1h', '24h', '7d', '30d'] as const

const p50And95 = z.strictObject({ p50: z.number(), p95: z.number() })
const numberOrNull = z.number().nullable()

const figure = {
  value: numberOrNull.describe('Null: nothing to measure'),
  before: numberOrNull.describe('The same of the range before'),
  trend: z.array(numberOrNull).describe('One value for each step, the oldest first'),
}

export const OverviewView = z.strictObject({
  object: z.literal('overview'),
  at: time.describe('The time of this answer'),
  client: z.string().nullable().describe('The client that the answer is about; null: all clients'),
  backend: z.string().nullable().describe('The backend that the videos are of; null: all backends'),
  range: z.enum(RANGES),
  since: time.describe('The start of the range. Its steps are whole in UTC; the last one is not over'),
  step_seconds: z.int(),
  videos: z
    .strictObject({
      waiting: z.int().describe('Videos that wait in the gateway for a slot, a request, or their audio'),
      running: z.int().describe('Videos that are at their backend or on the way there, and not in doubt'),
      in_doubt: z.int().describe('Videos whose create has an unknown outcome'),
      queued: z.int().describe('Videos that are at their backend, or on the way there, and have not started'),
      processing: z.int(),
      complete: z.boolean().describe('False: there are more than the count'),
    })
    .describe('Videos that are open now'),
  success: z.strictObject(figure).describe('The share of videos that completed, of those that completed or failed'),
  time_to_done: z
    .strictObject({
      videos: z
        .int()
        .describe('Completed videos. Reused files, and jobs that were over when you imported them, do not count'),
      p50: numberOrNull,
      p95: numberOrNull,
      before: p50And95.nullable().describe('The same of the range before'),
      trend: figure.trend.describe('`p50` of each step'),
    })
    .describe('Seconds from created to completed, to within 2 %'),
  waiting: z
    .strictObject(figure)
    .describe('`waiting` of `videos`, and its mean over the range before and over each step. Of the whole account'),
  webhooks: z
    .strictObject({ deliveries: z.int().describe('Deliveries that ended'), ...figure })
    .describe('The share of deliveries that were delivered, of those that were delivered or given up'),
  credits: z
    .strictObject({
      ...figure,
      by: z
        .array(z.strictObject({ key: z.string(), videos: z.int(), credits: numberOrNull }))
        .describe('Each client if the answer is about all, else each backend. The most first, at most 20'),
    })
    .describe('What the videos that ended cost. Null: no backend reported it'),
  ended: z
    .strictObject({
      ...counts,
      steps: z.array(z.strictObject({ from: time, ...counts })).describe('The oldest first'),
      complete: z.boolean().describe('False: there were too many to count all; the newest are counted'),
    })
    .describe('Videos that ended'),
  detection: z
    .strictObject({ videos: z.int().describe('The number of measured videos'), seconds: p50And95.nullable() })
    .describe('How late the gateway noticed ends, at most: `timing.uncertainty_ms` of the events'),
  deliveries: z
    .strictObject({
      delivered: z.int(),
      failed: z.int().describe('Deliveries that the gateway gave up'),
      pending: z.int().describe('Deliveries that are due or wait for a retry, now'),
      held: z.int().describe('Deliveries that wait for a disabled endpoint, now'),
      complete: z.boolean().describe('False: only the latest are counted'),
    })
    .describe('Deliveries, by the time of their last attempt. Deliveries belong to no backend'),
  needs_you: z.array(NeedView).describe('What somebody should look at, the latest first. At most 10 of each type'),
  failures: z
    .array(
      z.strictObject({
        code: z.string().describe("The code of the video's error"),
        videos: z.int(),
        backends: z.array(z.strictObject({ backend: z.string(), videos: z.int() })),
        trend: z.array(z.int()).describe('One count for each step, the oldest first'),
        last_at: time,
      }),
    )
    .describe('Videos that failed, by code, the most first. At most 20 codes'),
})
export type OverviewView = z.infer<typeof OverviewView>

export const SERIES_METRICS = [
  'completion',
  'lateness',
  'queue',
  'budget',
  'deliveries',
  'failures',
  'credits',
] as const
export const SERIES_KEYS = ['backend', 'client', 'code', 'endpoint'] as const

export const OverviewSeriesView = z.strictObject({
  object: z.literal('overview_series'),
  metric: z.enum(SERIES_METRICS),
  by: z.enum(SERIES_KEYS),
  unit: z.enum(['seconds', 'count', 'ratio']),
  from: time,
  to: time,
  step_seconds: z.int(),
  complete: z.boolean().describe('False: there was too much to count all; the newest is counted'),
  series: z
    .array(
      z.strictObject({
        key: z
          .string()
          .describe('`other`: the rest together. Empty: it has none, such as a delivery to a `webhook_url`'),
        points: z.array(
          z.strictObject({
            at: time.describe('The start of the step'),
            count: z.int().optional(),
            p50: z.number().optional(),
            p95: z.number().optional(),
            mean: z.number().optional(),
            max: z.number().optional(),
            success: z.number().optional(),
            credits: numberOrNull.optional(),
          }),
        ),
      }),
    )
    .describe('At most 20, the most first. Steps without data have no point'),
})
export type OverviewSeriesView = z.infer<typeof OverviewSeriesView>

const seconds = z.number()

const LearnedView = z.strictObject({
  source: z.enum(['text', 'audio']).describe('What the videos were made from. Imported videos are polled as `text`'),
  videos: z.int().describe('The number of remembered durations: at most the latest 1000'),
  seconds: z
    .strictObject({ p50: seconds, p95: seconds, longest: seconds })
    .nullable()
    .describe('Null: the gateway remembers none'),
  histogram: z
    .array(z.strictObject({ from: seconds, to: seconds.nullable().describe('Null: no upper end'), videos: z.int() }))
    .describe('Seconds from accepted to ended, in equal steps. The last step may have no upper end'),
  polls: z
    .array(
      z.strictObject({
        after: seconds.describe('Seconds after the job was accepted'),
        running: z.number().describe('The share of jobs that should still run then'),
      }),
    )
    .describe('When the gateway would poll a job that is accepted now and reports no progress. At most 40'),
  lateness: seconds.describe(
    'The price of a poll now: the gateway polls when the expected lateness reaches this value',
  ),
})

const QueuedVideoView = z.strictObject({
  position: z.int(),
  video_id: z.string(),
  client: z.string().nullable().describe('The client that owns it. Only operators see it'),
  backend: z.string(),
  reason: z.enum(WAIT_REASONS),
  created_at: time,
})

export const BackendDetailView = BackendView.extend({
  window: z
    .strictObject({
      seconds: seconds.describe('The length of a window'),
      next_request_at: time.nullable().describe('When the gateway may send the next poll; null: now'),
      next_create_at: time.nullable().describe('When the gateway may send the next create; null: now'),
    })
    .describe('More facts about `budget`'),
  breaker: z
    .strictObject({
      open: z.boolean(),
      retry_at: time.nullable().describe('When the gateway tries one request; null: the breaker is closed'),
    })
    .describe('While the breaker is open, this replica sends the backend nothing, because it did not answer'),
  queue: z
    .array(QueuedVideoView)
    .describe('The first 20 videos that wait. You see your own; operators see those of all clients'),
  learned: z.array(LearnedView).describe('How long jobs ran. The gateway uses this to choose when to poll'),
  learned_here: z
    .boolean()
    .describe('False: another replica polls (`held_by`). It may know up to 10 more videos, and have another price'),
  drift: z
    .strictObject({
      kinds: z.int(),
      latest: z
        .array(DriftView)
        .describe('The 20 newest kinds, by the time when each was first seen; `getDrift` lists all'),
    })
    .describe('What the backend sent and its contract does not have'),
})
export type BackendDetailView = z.infer<typeof BackendDetailView>

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
