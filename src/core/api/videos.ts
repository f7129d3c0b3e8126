import { z } from 'zod'
import { PROBLEM_CODES } from '../errors.ts'
import { PRIORITIES, RESOLUTIONS, STATUSES } from '../vocabulary.ts'

/** What clients see of videos and catalogues: one schema each, which documents, types and tests it. */

const time = z.iso.datetime().describe('ISO 8601, UTC, milliseconds')

export const BackendErrorView = z
  .strictObject({
    status: z.int().nullable().describe('The HTTP status; null if no answer came'),
    code: z.string().nullable().describe("The backend's own error code"),
    block_code: z.string().nullable().describe('Why the account is blocked, if the backend says so'),
    message: z.string().nullable().describe("The backend's own message"),
  })
  .describe('What the backend answered, for debugging. The rest of the answer is the same for all backends')

/** Open: a new interface breaks no client. The document lists those that there are (`routes/openapi/components.ts`). */
export const InterfaceField = z.string().describe('The API of that backend; new values may come')

/** Why a backend was chosen. */
const RoutingView = z.strictObject({
  chosen_by: z.enum(['request', 'id', 'rule', 'default', 'failover']),
  rule: z.string().nullable().describe('The rule of the configuration that decided; null: no rule decided'),
  pool: z
    .string()
    .nullable()
    .describe(
      'The pool that `backend` is a member of; null: none. Before the video is sent, another member may take it',
    ),
  considered: z.array(
    z.strictObject({
      backend: z.string(),
      verdict: z.enum(['chosen', 'passed_over']),
      reason: z.string().nullable(),
    }),
  ),
})

export const VideoView = z.strictObject({
  id: z.string().describe('`vid_…`'),
  object: z.literal('video'),
  status: z.enum(STATUSES).describe('`completed`, `failed` and `canceled` are terminal: they never change'),
  progress: z.number().min(0).max(1).nullable().describe('0 to 1; null if the backend reports none'),
  backend: z.string().describe('The backend that makes the video'),
  interface: InterfaceField,
  backend_job_id: z.string().nullable().describe("The backend's id of the job; null until the backend accepted it"),
  source: z.enum(['text', 'audio', 'import']).describe('What the video is made from'),
  input: z
    .strictObject({
      image_url: z.string().nullable(),
      puppet_id: z.string().nullable(),
      text: z.string().nullable(),
      audio_url: z.string().nullable(),
      upload_id: z.string().nullable(),
      voice_id: z.string().nullable(),
      language: z.string().nullable(),
      expressiveness: z.number().nullable(),
      resolution: z.enum(RESOLUTIONS).nullable(),
    })
    .describe(
      'The request; null where you gave nothing. You can send it again as it is. Of a video that was canceled before it was sent, nothing is stored: every field is null',
    ),
  video_url: z.string().nullable().describe("The backend's signed link; null before completion and after it expired"),
  video_url_expires_at: time.nullable().describe('Null: unknown'),
  thumbnail_url: z.string().nullable(),
  duration_seconds: z.number().nullable().describe('The duration of the finished video'),
  duration_estimate_seconds: z
    .number()
    .nullable()
    .describe('The duration that the backend estimates before it makes the video'),
  content_url: z
    .string()
    .describe('The link to keep. It needs no key, stays valid, and redirects to a fresh signed link'),
  events_url: z
    .string()
    .describe(
      'A stream of this video for the `EventSource` of a browser. It needs no key: anyone who has the link can follow the video',
    ),
  error: z
    .strictObject({
      code: z
        .string()
        .describe(
          '`backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal',
        ),
      message: z.string(),
      retryable: z.boolean().describe('True: the same request may succeed later, as a new video'),
      backend_error: BackendErrorView.nullable(),
    })
    .nullable()
    .describe('Null unless the video failed'),
  credits: z
    .strictObject({ charged: z.number().nullable(), remaining: z.number().nullable() })
    .nullable()
    .describe('Null if the backend reports none'),
  warnings: z
    .array(z.strictObject({ code: z.literal('option_ignored'), param: z.string(), message: z.string() }))
    .describe('Options that the backend does not have and the gateway left out, with `unsupported: warn`'),
  metadata: z.record(z.string(), z.string()).describe('As you gave it'),
  webhook_url: z.string().nullable().describe('As you gave it'),
  backend_status: z.string().nullable().describe("The backend's own status, word for word"),
  routing: RoutingView.describe('Why this backend makes the video'),
  priority: z.enum(PRIORITIES),
  reused_from: z.string().nullable().describe('The video whose file it has'),
  replaces: z.string().nullable().describe('The failed video (`create_outcome_unknown`) that this video replaces'),
  replaced_by: z.string().nullable().describe('The video that an operator made from its job, after this video failed'),
  queue: z
    .strictObject({
      position: z.int().min(1).describe('1 is the next video of its backend, not of a pool'),
      reason: z.string().describe('Why it waits, such as `no_free_slot` or `backend_paused`'),
    })
    .nullable()
    .describe('Set only while the video waits in the gateway'),
  created_at: time,
  dispatched_at: time.nullable().describe('When the gateway sent it to the backend'),
  completed_at: time.nullable().describe('When the video ended'),
  deleted_at: time.nullable().describe('When you deleted it. Its input, links and metadata are gone'),
  next_poll_at: time.nullable().describe('When the gateway polls next; null after the end'),
})
export type VideoView = z.infer<typeof VideoView>

export const AdminVideoView = VideoView.extend({
  client: z.string().describe('The client that owns it'),
  doubt: z
    .strictObject({
      open: z.boolean().describe('False: the gateway gave up'),
      attempt: z.int().describe('The attempt whose outcome is unknown. Send it with `absent`'),
      since: time.nullable(),
      candidates: z.array(z.string()).describe("Jobs in the backend's list that this create may have made"),
      evidence: z
        .strictObject({
          walks: z
            .array(
              z.strictObject({
                at: time,
                jobs: z
                  .int()
                  .nullable()
                  .describe('The number of jobs in the list; null: the list was incomplete, so it proves nothing'),
              }),
            )
            .describe("The latest readings of the backend's list, at most four"),
          named: z
            .array(z.strictObject({ job_id: z.string(), state: z.enum(['pending', 'read', 'duplicate']) }))
            .describe(
              'Jobs that callbacks named, in the order of the callbacks. `duplicate`: a second job of this video',
            ),
          resends: z.int().describe('How often the gateway sent the create again'),
        })
        .describe('What is known until now'),
      resolved_at: time.nullable().describe('When an operator said that there is no job, after the gateway gave up'),
    })
    .nullable()
    .describe('Null unless the create is in doubt, or the gateway gave it up as unknown'),
})
export type AdminVideoView = z.infer<typeof AdminVideoView>

export const VoiceView = z.strictObject({
  id: z.string().describe("`<backend>:<native id>`: the backend's name and its own id"),
  object: z.literal('voice'),
  backend: z.string(),
  name: z.string().nullable(),
  provider: z.string().nullable(),
  language: z.string().nullable().describe('The name of the language, for display'),
  language_code: z.string().nullable().describe('A language tag (BCP 47), such as `en-GB`'),
  gender: z.string().nullable().describe('In lower case'),
  preview_url: z.string().nullable().describe('An absolute URL'),
})
export type VoiceView = z.infer<typeof VoiceView>

export const PuppetView = z.strictObject({
  id: z.string().describe("`<backend>:<native id>`: the backend's name and its own id"),
  object: z.literal('puppet'),
  backend: z.string(),
  name: z.string().nullable(),
  type: z
    .enum(['stock', 'custom'])
    .describe('`stock`: it comes with the backend; `custom`: somebody in the workspace saved it'),
  image_url: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
  created_at: time.nullable(),
})
export type PuppetView = z.infer<typeof PuppetView>

export const BackendView = z.strictObject({
  object: z.literal('backend'),
  name: z.string(),
  interface: InterfaceField,
  health: z.strictObject({
    status: z.enum(['up', 'degraded', 'down']),
    since: time.nullable(),
    reason: z.string().nullable(),
  }),
  capabilities: z.record(z.string(), z.boolean()).describe('What the gateway can do with this backend'),
  limits: z.strictObject({
    text_characters: z.int().nullable().describe('The longest text; null: it states no limit'),
    concurrent_creates_per_puppet: z
      .int()
      .nullable()
      .describe('1: creates of one puppet go one at a time; null: no limit'),
  }),
  budget: z
    .strictObject({ limit: z.int(), remaining: z.int(), resets_at: time.nullable() })
    .describe('Requests to the backend in the current rate-limit window'),
  slots: z
    .strictObject({ limit: z.int().nullable(), used: z.int() })
    .describe('Jobs that run at the same time; a null `limit`: no limit'),
  queue_depth: z.int().describe('Videos that wait for this backend'),
  paused: z
    .strictObject({
      creates: z.boolean().describe('True: the gateway sends it no creates. Videos for it wait'),
      polls: z.boolean().describe('True: the gateway does not poll it'),
      until: time.nullable().describe('When the pause ends by itself; null: when an operator resumes it'),
      reason: z.string(),
      by: z.string().describe('The id of the client whose operator paused it'),
      since: time,
    })
    .nullable()
    .describe('What an operator paused; null: nothing'),
  held_by: z.string().nullable().describe('The replica that works for it now; null: none'),
})
export type BackendView = z.infer<typeof BackendView>

export const PoolView = z.strictObject({
  object: z.literal('pool'),
  name: z.string(),
  interface: InterfaceField,
  members: z.array(z.string()).describe('The names of its backends'),
  room: z.int().describe('Creates that its members can send now: free slots with a request left'),
  slots: z.strictObject({ limit: z.int().nullable(), used: z.int() }).describe('Of all members together'),
  queue_depth: z.int().describe('Videos that wait for its members'),
})
export type PoolView = z.infer<typeof PoolView>

export const DownloadView = z.strictObject({
  download_url: z.string().describe("The backend's signed link"),
  expires_at: time.nullable().describe('Null: unknown'),
})
export const WebhookSecretView = z.strictObject({
  object: z.literal('webhook_secret'),
  secret: z.string().describe('`whsec_…`, the format of Standard Webhooks libraries'),
})

export const ProblemView = z.strictObject({
  type: z.string().describe('`urn:talkbridge:problem:<code>`'),
  title: z.string().describe('The same text for every problem with this code'),
  status: z.int().describe('The HTTP status of the answer'),
  detail: z.string().describe('What happened, in words'),
  code: z.enum(PROBLEM_CODES).describe('The code, for programs. The table is in the description of this schema'),
  retryable: z.boolean().describe('True: the same request may succeed later'),
  retry_after_seconds: z.int().nullable().describe('The seconds of the header `Retry-After`'),
  retry_at: time.nullable().describe('Do not retry before this time'),
  param: z.string().nullable().describe('The field of the first entry in `errors`'),
  errors: z
    .array(
      z.strictObject({
        path: z.string().describe('The field, with dots, such as `metadata.team`'),
        message: z.string(),
      }),
    )
    .describe('One entry for each fault'),
  details: z.record(z.string(), z.unknown()).nullable().describe('More facts for some codes. Opaque'),
  backend: z.string().nullable().describe('The backend that the problem is about'),
  backend_error: BackendErrorView.nullable(),
  video_id: z.string().nullable().describe('The video that the problem is about'),
  request_id: z
    .string()
    .describe('The id of the header `X-Request-Id`. Give it to your operator when you report a problem'),
})
export type ProblemView = z.infer<typeof ProblemView>

export const listOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .describe('Opaque: send it as `cursor` to get the next page. Null on the last page'),
  })
export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

export const BackendListView = listOf(BackendView).extend({ pools: z.array(PoolView) })

/** What clients see beside videos and catalogues: one schema each, which documents, types and tests it. */

const timestamp = z.iso.datetime()

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
  expires_at: timestamp.nullable(),
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
  expires_at: timestamp.nullable(),
})
export type UploadView = z.infer<typeof UploadView>

export const BackendUsageView = z.strictObject({
  backend: z.string(),
  credits_remaining: z.number().nullable(),
  credits_used_month: z.number().nullable(),
  credits_included: z.number().nullable(),
  credits_purchased: z.number().nullable(),
  checkout_available: z.boolean().nullable(),
  /** Opaque: as the backend reports them. */
  credit_packs: z.array(z.unknown()).nullable().describe('Opaque: as the backend sends them'),
  can_create: z.boolean().nullable().describe('True: the backend would accept a create now'),
  blocked_reason: z.string().nullable(),
  retry_at: timestamp.nullable(),
  active_jobs: z.int().nullable(),
  free_slots: z.int().nullable(),
  requests: z.strictObject({ limit: z.int(), remaining: z.int(), resets_at: timestamp.nullable() }),
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
  first_seen: timestamp,
  last_seen: timestamp,
  /** Redacted; null where there is nothing to show. */
  sample: z.string().nullable(),
})
export type DriftView = z.infer<typeof DriftView>

export const CheckView = z.strictObject({
  object: z.literal('check'),
  chosen: z.string().nullable().describe('The backend that would make the video; null: none can'),
  routing: RoutingView.nullable().describe('Why this backend; null: none can'),
  reused_from: z.string().nullable().describe('The video whose file it would have'),
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

export const CancellationView = z.strictObject({
  object: z.literal('cancellation'),
  canceled: z.int().describe('Videos that this call canceled'),
  not_cancelable: z
    .int()
    .describe('Videos that are `queued` but no longer wait in the gateway: their backend has them, or may have them'),
  has_more: z.boolean().describe('True: more videos may wait. Send the same request again with `next_cursor`'),
  next_cursor: z.string().nullable().describe('Opaque: send it as `cursor`. Null: these were the last'),
})

export const DeletionView = z.strictObject({
  object: z.literal('deletion'),
  deleted: z.int().describe('Videos that this call deleted'),
  not_deletable: z.int().describe('Videos that have not ended: delete them after their end'),
  has_more: z.boolean().describe('True: there are more videos. Send the same request again with `next_cursor`'),
  next_cursor: z.string().nullable().describe('Opaque: send it as `cursor`. Null: these were the last'),
})

export const WEBHOOK_STATES = ['delivered', 'pending', 'failed'] as const

/** A video in few words, for a table. */
export const VideoRowView = z.strictObject({
  id: z.string(),
  status: z.enum(STATUSES),
  in_doubt: z.boolean().describe('True: it is `queued`, and nobody knows whether its create made a job'),
  progress: z.number().nullable(),
  client: z.string().nullable().describe('The client that owns it. Only operators see it'),
  backend: z.string(),
  text: z.string().nullable().describe('The first 40 characters'),
  error_code: z.string().nullable(),
  took_seconds: z.number().nullable().describe('From created to ended; null: it has not ended'),
  webhook: z
    .enum(WEBHOOK_STATES)
    .nullable()
    .describe('`failed`: a delivery was given up. `pending`: one is still to come. Null: it has no deliveries'),
  created_at: timestamp,
})
export type VideoRowView = z.infer<typeof VideoRowView>

export const VideoRowListView = listOf(VideoRowView).extend({
  total: z
    .strictObject({ count: z.int(), complete: z.boolean().describe('False: there are more') })
    .nullable()
    .describe('How many there are, at most 10,000. Null without `total=true`'),
})

export const BackendVideoView = z.strictObject({
  object: z.literal('backend_video'),
  backend: z.string(),
  backend_job_id: z.string().describe("The backend's own id. Give it to importVideo"),
  status: z.enum(STATUSES).nullable().describe("Null: the gateway does not know the backend's status"),
  puppet_id: z.string().nullable().describe('`<backend>:<native id>`'),
  created_at: timestamp.nullable(),
  video_id: z.string().nullable().describe('Your video of this job; null: you have none'),
})
export type BackendVideoView = z.infer<typeof BackendVideoView>

export const TimelineEntryView = z.strictObject({ at: timestamp, type: z.string(), detail: z.string().nullable() })
