import { z } from 'zod'
import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../../../core/api/videos.ts'
import type { JsonSchema } from '../../openapi/components.ts'
import { DocumentedAs } from '../../parse.ts'
import { GROUPS, JOB_IDS, STATUS_PATHS } from './errors.ts'

/** What is sent to `/api/v1`: the alias groups of the primary contract, one name of each required group. */

interface Group {
  /** The first is the name that the others are aliases of. */
  names: readonly string[]
  required?: true
  schema: JsonSchema
}

const STRING = { type: 'string' }
const URL_OF = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description })

const IMAGE: Group = {
  names: GROUPS.image_url,
  required: true,
  schema: URL_OF('The HTTPS URL of the portrait'),
}
const KEY: Group = {
  names: GROUPS.idempotency_key,
  schema: { type: 'string', minLength: 1, maxLength: 200, description: 'Replaces the header `Idempotency-Key`' },
}
const EXPRESSIVENESS: Group = {
  names: ['expressiveness'],
  schema: { type: 'number', description: 'The scale of the motion' },
}
/** The one field that the contract does not have. */
const WEBHOOK: Group = {
  names: ['webhook_url'],
  schema: URL_OF('Added by the gateway: where to send the signed events of this video (Standard Webhooks)'),
}

const schemaOf = ({ names, schema }: Group): [string, JsonSchema][] => {
  const [first] = names
  return names.map((name) => {
    const alias = { ...schema, description: `Another name for \`${first}\`. If you give both, they must be equal` }
    return [name, name === first ? schema : alias]
  })
}

/** A closed object of these groups. */
const aliased = (groups: readonly Group[]): z.ZodType => {
  const required = groups.filter((group) => group.required).map(({ names }) => names)
  const single = required.filter(({ length }) => length === 1).flat()
  const choices = required.filter(({ length }) => length > 1)
  return DocumentedAs(z.unknown(), {
    type: 'object',
    properties: Object.fromEntries(groups.flatMap(schemaOf)),
    ...(single.length > 0 && { required: single }),
    additionalProperties: false,
    ...(choices.length > 0 && {
      allOf: choices.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
    }),
  })
}

export const PRIMARY_BODIES = {
  PrimaryTextVideo: aliased([
    IMAGE,
    { names: GROUPS.text, required: true, schema: { ...STRING, description: 'The text to speak' } },
    {
      names: GROUPS.voice_id,
      schema: { ...STRING, description: 'The id of a voice. Default: the default voice of the service' },
    },
    { names: ['language'], schema: STRING },
    EXPRESSIVENESS,
    KEY,
    WEBHOOK,
  ]),
  PrimaryAudioVideo: aliased([
    IMAGE,
    {
      names: GROUPS.audio_url,
      required: true,
      schema: URL_OF('The HTTPS URL of audio that you uploaded through createHostedAudioUploadUrl with the same key'),
    },
    EXPRESSIVENESS,
    KEY,
    WEBHOOK,
  ]),
  PrimaryNewPuppet: aliased([
    { names: ['imageUrl'], required: true, schema: URL_OF('The public URL of a portrait') },
    { names: ['name'], schema: { ...STRING, description: 'Display name' } },
  ]),
  PrimarySpeechText: aliased([
    { names: ['voice_id'], required: true, schema: { ...STRING, description: 'The id of a voice' } },
    { names: ['text'], required: true, schema: STRING },
    { names: ['speed'], schema: { type: 'number', description: 'A multiplier of the speed' } },
  ]),
  PrimaryAudioUpload: aliased([
    {
      names: GROUPS.mime_type,
      required: true,
      schema: { type: 'string', enum: AUDIO_TYPES },
    },
    {
      names: GROUPS.content_length,
      required: true,
      schema: { type: 'integer', minimum: 1, maximum: MAX_AUDIO_BYTES, description: 'The size in bytes' },
    },
    KEY,
    {
      names: ['require_video_readiness', 'requireVideoReadiness', 'video_readiness_required', 'videoReadinessRequired'],
      schema: {
        type: 'boolean',
        description: 'True: you get 402 or 429 if no video can be created now, and nothing is reserved',
      },
    },
  ]),
} as const satisfies Record<string, z.ZodType>

/**
 * What `/api/v1` answers. Objects are open: with a primary backend behind, fields of its own are carried over as they
 * are.
 */

const time = z.iso.datetime()
const jobId = z.string().regex(/^api_video_[A-Za-z0-9_-]+$/)
const statusPath = z.string().regex(/^\/api\/v1\/videos\//)
const OPEN = 'A primary backend may add its own fields.'

const hints = {
  retry_after_seconds: z.int().optional(),
  retryAfter: z.int().optional(),
  retryAfterSeconds: z.int().optional(),
  next_poll_at: time.optional(),
  nextPollAt: time.optional(),
}

const Voice = z.looseObject({
  id: z.string().describe('Give it as `voice_id`'),
  object: z.literal('voice'),
  name: z.string(),
  provider: z.string(),
  language: z.string().describe('Display name'),
  language_code: z.string(),
  gender: z.string().describe('With a capital first letter'),
  preview_url: z.string().describe('The path of a short sample, always the same one'),
})

const Puppet = z.looseObject({
  id: z.string(),
  // "Puppet record fields: not shown beyond the identifier": with a primary backend behind, they are its own.
  object: z.literal('puppet').optional(),
  name: z.string().nullish(),
  imageUrl: z.string().nullish(),
  createdAt: time.nullish(),
})

const Job = z.looseObject({
  id: jobId,
  operation_id: jobId,
  request_id: jobId,
  status_url: statusPath,
  content_location: statusPath,
  status: z
    .string()
    .describe("`queued`, `processing`, `completed` or `failed`. For a failure, it may be the backend's own status"),
  progress: z.number().min(0).max(1).optional().describe('Present while the job is processed'),
  video_url: z.string().optional().describe('Present when the job is completed'),
  next_poll_at: time.optional().describe('The same time as `X-Service-Next-Poll-At`'),
  nextPollAt: time.optional(),
  error: z.string().optional().describe('Why the job failed'),
  message: z.string().optional(),
  retryable: z.boolean().optional(),
})

const VideoGeneration = z.looseObject({
  can_create: z.boolean(),
  canCreate: z.boolean(),
  reason: z.string().nullable().optional(),
  active_jobs: z.int().nullable().optional(),
  activeJobs: z.int().nullable().optional(),
  available_slots: z.int().nullable().optional(),
  availableSlots: z.int().nullable().optional(),
  ...hints,
})

/** Of an error, and again in its `details` (primary contract, "Error body fields"). */
const repeated = {
  retryable: z.boolean().optional(),
  ...hints,
  retry_blocked_reason: z.string().optional(),
  retryBlockedReason: z.string().optional(),
  retry_block_code: z.string().optional(),
  retryBlockCode: z.string().optional(),
  ...Object.fromEntries([...JOB_IDS, ...STATUS_PATHS].map((name) => [name, z.string().optional()])),
}

export const PRIMARY_VIEWS = {
  PrimaryVoice: Voice,
  PrimaryVoiceList: z.looseObject({ object: z.literal('list'), data: z.array(Voice) }),
  PrimaryPuppet: Puppet.describe(OPEN),
  PrimaryPuppetList: z
    .looseObject({
      object: z.literal('list').optional(),
      data: z.array(Puppet).optional(),
      nextCursor: z.string().nullable().optional().describe('The `cursor` of the next page; null on the last page'),
    })
    .describe("The fields are the service's own. With another service behind: as here"),
  PrimarySpeech: z.looseObject({}).describe('A hosted WAV file. Opaque here: the fields are the backend’s own'),
  PrimaryUpload: z
    .looseObject({})
    .describe(
      'A signed URL to which you PUT the audio, and one to read it from. Opaque here: the fields are the backend’s own',
    ),
  PrimaryUsage: z
    .looseObject({})
    .describe(
      'Credits, and whether a video can be created now. Opaque here: the fields are the backend’s own. With an alternate backend, the gateway shows its own counts; null: unknown',
    ),
  PrimaryVideoGeneration: VideoGeneration,
  PrimaryVideoJob: Job.describe(OPEN),
  PrimaryError: z.looseObject({
    error: z.string().describe('The code, for programs'),
    message: z.string(),
    ...repeated,
    details: z
      .looseObject({
        ...repeated,
        code: z.string().optional(),
        reason: z.string().optional(),
        max_body_bytes: z.int().optional(),
        max_file_bytes: z.int().optional(),
        video_generation: VideoGeneration.optional(),
        videoGeneration: VideoGeneration.optional(),
      })
      .optional(),
  }),
} as const satisfies Record<string, z.ZodType>
