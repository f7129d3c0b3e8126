import { z } from 'zod'
import { INTERFACES, RESOLUTIONS, STATUSES } from './vocabulary.ts'

/** The shapes that clients see (design 3), as the one schema each that documents, types and is tested against. */

const time = z.iso.datetime()

export const BackendErrorView = z.strictObject({
  status: z.int().nullable(),
  code: z.string().nullable(),
  block_code: z.string().nullable(),
  message: z.string().nullable(),
})

export const VideoView = z.strictObject({
  id: z.string(),
  object: z.literal('video'),
  status: z.enum(STATUSES),
  progress: z.number().min(0).max(1).nullable(),
  backend: z.string(),
  interface: z.enum(INTERFACES),
  backend_job_id: z.string().nullable(),
  source: z.enum(['text', 'audio', 'import']),
  input: z.strictObject({
    image_url: z.string().nullable(),
    puppet_id: z.string().nullable(),
    text: z.string().nullable(),
    audio_url: z.string().nullable(),
    upload_id: z.string().nullable(),
    voice_id: z.string().nullable(),
    language: z.string().nullable(),
    expressiveness: z.number().nullable(),
    resolution: z.enum(RESOLUTIONS).nullable(),
  }),
  video_url: z.string().nullable(),
  video_url_expires_at: time.nullable(),
  thumbnail_url: z.string().nullable(),
  duration_seconds: z.number().nullable(),
  duration_estimate_seconds: z.number().nullable(),
  content_url: z.string(),
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      backend_error: BackendErrorView.nullable(),
    })
    .nullable(),
  credits: z.strictObject({ charged: z.number().nullable(), remaining: z.number().nullable() }).nullable(),
  warnings: z.array(z.strictObject({ code: z.literal('option_ignored'), param: z.string(), message: z.string() })),
  metadata: z.record(z.string(), z.string()),
  webhook_url: z.string().nullable(),
  backend_status: z.string().nullable(),
  routing: z.strictObject({
    chosen_by: z.enum(['request', 'id', 'default']),
    considered: z.array(
      z.strictObject({
        backend: z.string(),
        verdict: z.enum(['chosen', 'passed_over']),
        reason: z.string().nullable(),
      }),
    ),
  }),
  queue: z.strictObject({ position: z.int().min(1), reason: z.string() }).nullable(),
  created_at: time,
  dispatched_at: time.nullable(),
  completed_at: time.nullable(),
  next_poll_at: time.nullable(),
})
export type VideoView = z.infer<typeof VideoView>

export const VoiceView = z.strictObject({
  id: z.string(),
  object: z.literal('voice'),
  backend: z.string(),
  name: z.string().nullable(),
  provider: z.string().nullable(),
  language: z.string().nullable(),
  language_code: z.string().nullable(),
  gender: z.string().nullable(),
  preview_url: z.string().nullable(),
})
export type VoiceView = z.infer<typeof VoiceView>

export const PuppetView = z.strictObject({
  id: z.string(),
  object: z.literal('puppet'),
  backend: z.string(),
  name: z.string().nullable(),
  type: z.enum(['stock', 'custom']),
  image_url: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
  created_at: time.nullable(),
})
export type PuppetView = z.infer<typeof PuppetView>

export const BackendView = z.strictObject({
  object: z.literal('backend'),
  name: z.string(),
  interface: z.enum(INTERFACES),
  health: z.strictObject({
    status: z.enum(['up', 'degraded', 'down']),
    since: time.nullable(),
    reason: z.string().nullable(),
  }),
  capabilities: z.record(z.string(), z.boolean()),
  budget: z.strictObject({ limit: z.int(), remaining: z.int(), resets_at: time.nullable() }),
  slots: z.strictObject({ limit: z.int().nullable(), used: z.int() }),
  queue_depth: z.int(),
})
export type BackendView = z.infer<typeof BackendView>

export const DownloadView = z.strictObject({ download_url: z.string(), expires_at: time.nullable() })
export const WebhookSecretView = z.strictObject({ object: z.literal('webhook_secret'), secret: z.string() })

export const ProblemView = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  retryable: z.boolean(),
  retry_after_seconds: z.int().nullable(),
  retry_at: time.nullable(),
  param: z.string().nullable(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  details: z.record(z.string(), z.unknown()).nullable(),
  backend: z.string().nullable(),
  backend_error: BackendErrorView.nullable(),
  video_id: z.string().nullable(),
  request_id: z.string(),
})
export type ProblemView = z.infer<typeof ProblemView>

export const listOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
