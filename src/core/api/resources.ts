import { z } from 'zod'
import { RoutingView } from './videos.ts'
import { STATUSES } from '../vocabulary.ts'

/** What clients see beside videos and catalogues: one schema each, which documents, types and tests it. */

const time = z.iso.datetime()

export const AUDIO_TYPES = [
  'audio/wav',
  'audio/x-wav',
  'audio/mpeg',
  'audio/mp3',
  'audio/mp4',
  'audio/m4a',
  'audio/x-m4a',
] as const
/** 50 MB (contract, "Limits"). */
export const MAX_AUDIO_BYTES = 52_428_800

export const SpeechView = z.strictObject({
  object: z.literal('speech'),
  audio_url: z.string().describe('A signed URL that expires soon'),
  expires_at: time.nullable(),
  duration_seconds: z.number().nullable(),
  content_type: z.string().nullable(),
})
export type SpeechView = z.infer<typeof SpeechView>

export const UploadView = z.strictObject({
  id: z.string().describe('`upl_…`'),
  object: z.literal('upload'),
  backend: z.string(),
  upload_url: z.string().describe('Send the file here. It goes directly to storage'),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()).describe('The headers that your PUT must have'),
  audio_url: z.string(),
  expires_at: time.nullable(),
})
export type UploadView = z.infer<typeof UploadView>

export const BackendUsageView = z.strictObject({
  backend: z.string(),
  credits_remaining: z.number().nullable(),
  credits_used_month: z.number().nullable(),
  credits_included: z.number().nullable(),
  credits_purchased: z.number().nullable(),
  checkout_available: z.boolean().nullable(),
  /** Opaque: as the backend tells them. */
  credit_packs: z.array(z.unknown()).nullable().describe('Opaque: as the backend sends them'),
  can_create: z.boolean().nullable().describe('True: the backend would accept a create now'),
  blocked_reason: z.string().nullable(),
  retry_at: time.nullable(),
  active_jobs: z.int().nullable(),
  free_slots: z.int().nullable(),
  requests: z.strictObject({ limit: z.int(), remaining: z.int(), resets_at: time.nullable() }),
})
export type BackendUsageView = z.infer<typeof BackendUsageView>

export const UsageView = z.strictObject({
  object: z.literal('usage'),
  backends: z.array(BackendUsageView),
  /** The client's own counts through the gateway, this calendar month (UTC). */
  client: z.strictObject({
    month: z.string().regex(/^\d{4}-\d{2}$/),
    videos: z.record(z.enum(STATUSES), z.int()),
    credits_charged: z.number(),
    requests: z.int(),
    limits: z
      .strictObject({ videos_per_month: z.int().nullable(), credits_per_month: z.int().nullable() })
      .describe('Your limits for a month; null: no limit'),
  }),
})
export type UsageView = z.infer<typeof UsageView>

export const DriftView = z.strictObject({
  kind: z.enum(['status', 'error_code', 'field']),
  operation: z.string(),
  value: z.string().describe('The status, code or field that the contract does not have'),
  count: z.int().min(1),
  first_seen: time,
  last_seen: time,
  /** Redacted; null where there is nothing to show. */
  sample: z.string().nullable(),
})
export type DriftView = z.infer<typeof DriftView>

export const CheckView = z.strictObject({
  object: z.literal('check'),
  chosen: z.string().nullable().describe('The backend that would make the video; null: none can'),
  routing: RoutingView.nullable().describe('Why this backend; null: none can'),
  backends: z.array(
    z.strictObject({
      backend: z.string(),
      verdict: z
        .enum(['ok', 'warn', 'unsupported', 'unavailable'])
        .describe('`unavailable`: the backend can make it, but not now'),
      warnings: z
        .array(
          z.strictObject({
            code: z
              .enum(['option_ignored', 'not_verified'])
              .describe('`not_verified`: the gateway would have to ask the backend whether it has this'),
            param: z.string(),
            message: z.string(),
          }),
        )
        .describe('What would be lost, or is not certain'),
      problem: z.strictObject({ code: z.string(), param: z.string().nullable(), message: z.string() }).nullable(),
      /** The exact upstream request, secrets masked; null where there is none to make. */
      request: z
        .strictObject({
          method: z.string(),
          path: z.string(),
          headers: z.record(z.string(), z.string()),
          body: z.unknown(),
        })
        .nullable(),
    }),
  ),
})
export type CheckView = z.infer<typeof CheckView>

export const BackendVideoView = z.strictObject({
  object: z.literal('backend_video'),
  backend: z.string(),
  backend_job_id: z.string().describe("The backend's own id. Give it to importVideo"),
  status: z.enum(STATUSES).nullable().describe("Null: the gateway does not know the backend's status"),
  puppet_id: z.string().nullable().describe('`<backend>:<native id>`'),
  created_at: time.nullable(),
  video_id: z.string().nullable().describe('Your video of this job; null: you have none'),
})
export type BackendVideoView = z.infer<typeof BackendVideoView>

export const TimelineEntryView = z.strictObject({ at: time, type: z.string(), detail: z.string().nullable() })
