import { z } from 'zod'
import { PROBLEM_CODES } from '../errors.ts'
import { RESOLUTIONS, STATUSES } from '../vocabulary.ts'

/** What clients see of videos and catalogues: one schema each, which documents, types and tests it. */

const time = z.iso.datetime().describe('ISO 8601, UTC, milliseconds')

export const BackendErrorView = z
  .strictObject({
    status: z.int().nullable().describe('Its HTTP status; null when it said nothing'),
    code: z.string().nullable().describe('Its own error code'),
    block_code: z.string().nullable().describe('Why its account is blocked, where it says so'),
    message: z.string().nullable().describe('Its own words'),
  })
  .describe('What the backend said, for people who debug; the rest of the answer is normalized')

/** Open: a new interface breaks no client. The document lists those that there are (`routes/openapi/components.ts`). */
export const InterfaceField = z.string().describe('The kind of that backend; more may come')

/** Why a backend was chosen. */
export const RoutingView = z.strictObject({
  chosen_by: z.enum(['request', 'id', 'rule', 'default', 'failover']),
  rule: z.string().nullable().describe('The rule of the configuration that decided; null: none did'),
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
  status: z.enum(STATUSES).describe('The last three are terminal: nothing changes after them'),
  progress: z.number().min(0).max(1).nullable().describe('0 to 1; null when the backend tells none'),
  backend: z.string().describe('The configured backend that makes it'),
  interface: InterfaceField,
  backend_job_id: z.string().nullable().describe("The backend's id of the job; null until it accepted"),
  source: z.enum(['text', 'audio', 'import']).describe('What it is made from'),
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
    .describe('As asked; null where nothing was asked. Can be sent again as it is'),
  video_url: z.string().nullable().describe("The backend's signed link; null before completion and once expired"),
  video_url_expires_at: time.nullable().describe('Null where unknown'),
  thumbnail_url: z.string().nullable(),
  duration_seconds: z.number().nullable().describe('Of the finished video'),
  duration_estimate_seconds: z.number().nullable().describe('As the backend estimates it beforehand'),
  content_url: z.string().describe('The link to keep: needs no key, stays valid, leads to a fresh signed link'),
  error: z
    .strictObject({
      code: z
        .string()
        .describe(
          '`backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal',
        ),
      message: z.string(),
      retryable: z.boolean().describe('Whether the same request may succeed later, as a new video'),
      backend_error: BackendErrorView.nullable(),
    })
    .nullable()
    .describe('Null unless it failed'),
  credits: z
    .strictObject({ charged: z.number().nullable(), remaining: z.number().nullable() })
    .nullable()
    .describe('Null when the backend tells none'),
  warnings: z
    .array(z.strictObject({ code: z.literal('option_ignored'), param: z.string(), message: z.string() }))
    .describe('Options that the backend cannot honour, with `unsupported: warn`'),
  metadata: z.record(z.string(), z.string()).describe('As given'),
  webhook_url: z.string().nullable().describe('As given'),
  backend_status: z.string().nullable().describe("The backend's own word, verbatim"),
  routing: RoutingView.describe('Why this backend makes it'),
  replaces: z.string().nullable().describe('The failed video (`create_outcome_unknown`) that this one stands for'),
  replaced_by: z.string().nullable().describe('The video that an operator made of its job after it failed'),
  queue: z
    .strictObject({
      position: z.int().min(1).describe('1 is next'),
      reason: z.string().describe('What it waits for, such as `no_free_slot`'),
    })
    .nullable()
    .describe('Only while it waits in the gateway'),
  created_at: time,
  dispatched_at: time.nullable().describe('When it was handed to the backend'),
  completed_at: time.nullable().describe('When it became terminal'),
  next_poll_at: time.nullable().describe('When the gateway polls next; null when terminal'),
})
export type VideoView = z.infer<typeof VideoView>

export const AdminVideoView = VideoView.extend({
  doubt: z
    .strictObject({
      open: z.boolean().describe('False: it was given up'),
      attempt: z.int().describe('The create attempt whose outcome is not known: say it with `absent`'),
      since: time.nullable(),
      candidates: z.array(z.string()).describe("The backend's jobs that may be it, as far as its list was read"),
    })
    .nullable()
    .describe('Null unless its create is in doubt, or was given up as unknown'),
})
export type AdminVideoView = z.infer<typeof AdminVideoView>

export const VoiceView = z.strictObject({
  id: z.string().describe('`<backend>:<native id>`: also says which backend'),
  object: z.literal('voice'),
  backend: z.string(),
  name: z.string().nullable(),
  provider: z.string().nullable(),
  language: z.string().nullable().describe('Display name of `language_code`'),
  language_code: z.string().nullable().describe('BCP 47, such as `en-GB`'),
  gender: z.string().nullable().describe('Lower case'),
  preview_url: z.string().nullable().describe('Absolute'),
})
export type VoiceView = z.infer<typeof VoiceView>

export const PuppetView = z.strictObject({
  id: z.string().describe('`<backend>:<native id>`: also says which backend'),
  object: z.literal('puppet'),
  backend: z.string(),
  name: z.string().nullable(),
  type: z.enum(['stock', 'custom']).describe('`stock`: of the backend; `custom`: saved by somebody of its workspace'),
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
  capabilities: z.record(z.string(), z.boolean()).describe('What its interface can do, as this gateway uses it'),
  limits: z.strictObject({
    text_characters: z.int().nullable().describe('The longest text that it takes; null where it names no limit'),
  }),
  budget: z
    .strictObject({ limit: z.int(), remaining: z.int(), resets_at: time.nullable() })
    .describe('Requests to the backend, in its present window'),
  slots: z
    .strictObject({ limit: z.int().nullable(), used: z.int() })
    .describe('Jobs running at once; no limit where null'),
  queue_depth: z.int().describe('Videos that wait in the gateway for this backend'),
  held_by: z.string().nullable().describe('The replica that sends and polls for it now; null: none does'),
})
export type BackendView = z.infer<typeof BackendView>

export const DownloadView = z.strictObject({
  download_url: z.string().describe("The backend's signed link"),
  expires_at: time.nullable().describe('Null where unknown'),
})
export const WebhookSecretView = z.strictObject({
  object: z.literal('webhook_secret'),
  secret: z.string().describe('`whsec_…`, as Standard Webhooks libraries take it'),
})

export const ProblemView = z.strictObject({
  type: z.string().describe('`urn:talkbridge:problem:<code>`'),
  title: z.string().describe('The same for every problem of this code'),
  status: z.int().describe('That of the answer'),
  detail: z.string().describe('What happened, in words'),
  code: z.enum(PROBLEM_CODES).describe('For programs; the table is at the schema'),
  retryable: z.boolean().describe('Whether the same request may succeed later'),
  retry_after_seconds: z.int().nullable().describe('That of the header `Retry-After`'),
  retry_at: time.nullable().describe('Trying again earlier is pointless'),
  param: z.string().nullable().describe('The first of `errors`'),
  errors: z
    .array(z.strictObject({ path: z.string().describe('Dotted, such as `metadata.team`'), message: z.string() }))
    .describe('One entry for each fault'),
  details: z.record(z.string(), z.unknown()).nullable().describe('Opaque: more for some codes'),
  backend: z.string().nullable().describe('The backend that it is about'),
  backend_error: BackendErrorView.nullable(),
  video_id: z.string().nullable().describe('The video that it is about'),
  request_id: z.string().describe('That of the header `X-Request-Id`: tell it to who runs the gateway'),
})
export type ProblemView = z.infer<typeof ProblemView>

export const listOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe('Opaque; null on the last page'),
  })
export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
