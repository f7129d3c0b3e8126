import { z } from 'zod'
import { JOB_IDS, STATUS_PATHS } from '../primary/dialect.ts'
import type { ShownUpload } from '../shown.ts'
import type { Decisions } from '../undecided.ts'
import { byExample, fromZod, joined, type JsonSchema } from './schema.ts'

const dateTime = z.iso.datetime()
/** Absolute or relative, as the contract has both. */
const text = z.string()

/** Primary, "Voice" and "Voice list". */
const Voice = z.strictObject({
  id: z.string().regex(/^[^-]+-.+$/),
  object: z.literal('voice'),
  name: text,
  provider: text,
  language: text,
  language_code: text,
  gender: z.string().regex(/^[A-Z]/),
  preview_url: z.string().regex(/^\//),
})
const VoiceList = z.strictObject({ object: z.literal('list'), data: z.array(Voice).length(45) })

const hints = {
  retry_after_seconds: z.int().optional(),
  retryAfter: z.int().optional(),
  retryAfterSeconds: z.int().optional(),
  next_poll_at: dateTime.optional(),
  nextPollAt: dateTime.optional(),
}

/** Primary, "Error body fields": video_generation and its twin. */
const VideoGeneration = z.strictObject({
  can_create: z.boolean(),
  canCreate: z.boolean(),
  reason: text.optional(),
  active_jobs: z.int().min(0),
  activeJobs: z.int().min(0),
  available_slots: z.int().min(0),
  availableSlots: z.int().min(0),
  ...hints,
})

const jobId = z.string().regex(/^api_video_[A-Za-z0-9_-]+$/)

/** Known fields of an error, and of its `details` (primary, "Error body fields"). */
const repeated = {
  retryable: z.boolean(),
  ...hints,
  retry_blocked_reason: text.optional(),
  retryBlockedReason: text.optional(),
  retry_block_code: text.optional(),
  retryBlockCode: text.optional(),
  // The job of a missing one is whatever was asked for.
  ...Object.fromEntries(JOB_IDS.map((name) => [name, text.optional()])),
  ...Object.fromEntries(STATUS_PATHS.map((name) => [name, text.optional()])),
}
const ErrorBody = z.strictObject({
  error: text,
  message: text,
  ...repeated,
  details: z.strictObject({
    ...repeated,
    code: text,
    reason: text,
    max_body_bytes: z.int().optional(),
    max_file_bytes: z.int().optional(),
    video_generation: VideoGeneration.optional(),
    videoGeneration: VideoGeneration.optional(),
  }),
})

/** Primary, "Video job": the known fields. */
const jobOf = (failedStatus: string) =>
  z.strictObject({
    id: jobId,
    operation_id: jobId,
    request_id: jobId,
    status_url: z.string().regex(/^\/api\/v1\/videos\//),
    content_location: z.string().regex(/^\/api\/v1\/videos\//),
    status: z.enum(['queued', 'processing', 'completed', failedStatus]),
    progress: z.number().min(0).max(1).optional(),
    video_url: z.url().optional(),
    next_poll_at: dateTime.optional(),
    nextPollAt: dateTime.optional(),
  })

const AT = '2026-01-01T00:00:00.000Z'
const PUPPET = { id: 'puppet_x', name: 'X', imageUrl: 'https://example.com/x.png', createdAt: AT }
const SPEECH = { id: 'aud_x', audioUrl: 'https://example.com/x', voiceId: 'x', characters: 1, sizeBytes: 1 }
const UPLOAD: ShownUpload = {
  id: 'aud_x',
  uploaded: false,
  mimeType: 'audio/wav',
  sizeBytes: 1,
  uploadUrl: 'https://example.com/x',
  uploadExpiresAt: AT,
  readUrl: 'https://example.com/x',
  readExpiresAt: AT,
}
const USAGE = { balance: 10, included: 10, purchased: 0, usedThisMonth: 0, month: '2026-01', checkoutAvailable: false }

/** The bodies of the primary: zod where the contract shows them, the decisions' own answers where it does not. */
export const primarySchemas = ({ primary }: Decisions): Readonly<Record<string, JsonSchema>> => {
  const puppet = primary.puppet(PUPPET)
  const generation = fromZod(VideoGeneration)
  const usage = byExample(
    primary.usage({
      ...USAGE,
      packs: primary.creditPacks,
      readiness: { video_generation: READINESS, videoGeneration: READINESS },
    }),
  )
  return {
    VoiceList: fromZod(VoiceList),
    Puppet: byExample(puppet),
    PuppetPage: byExample(primary.puppetPage([puppet], 'puppet_x'), primary.puppetPage([puppet], null)),
    Speech: byExample(primary.speech({ ...SPEECH, durationSeconds: 1, expiresAt: AT })),
    Upload: byExample(primary.upload(UPLOAD), primary.upload({ ...UPLOAD, uploaded: true })),
    Usage: withGeneration(usage, generation),
    VideoJob: joined(
      fromZod(jobOf(primary.failedStatus)),
      byExample(primary.jobExtras(AT)),
      byExample(primary.failedFields(true), primary.failedFields(false)),
    ),
    Error: fromZod(ErrorBody),
  }
}

/** Stands in the usage's example for what "Error body fields" shows. */
const READINESS = { 'x-generation': true }

/** Puts the shown `video_generation` in the place of its stand-in, however deep the decision wraps it. */
const withGeneration = (schema: JsonSchema, generation: JsonSchema): JsonSchema => {
  if (typeof schema['properties'] !== 'object' || schema['properties'] === null) return schema
  if ('x-generation' in schema['properties']) return generation
  const properties = Object.fromEntries(
    Object.entries(schema['properties']).map(([name, inner]) => [name, withGeneration(inner, generation)]),
  )
  return { ...schema, properties }
}
