import { z } from 'zod'
import { ENDPOINT_EVENT_TYPES, STATUSES } from '../../core/vocabulary.ts'
import { MetadataFilter } from './metadata-filter.ts'
import { BackendName, DocumentedAs, Instant, PAGE } from '../parse.ts'

/** What each operation reads from its query: the schemas that parse it, and that the OpenAPI document shows. */

export const ListVideosQuery = z.strictObject({
  ...PAGE,
  status: z.enum(STATUSES).optional().describe('Only videos with this status'),
  backend: BackendName.optional().describe('Only videos of this backend'),
  created_after: Instant('Only videos created after this time').optional(),
  created_before: Instant('Only videos created before this time').optional(),
  metadata: MetadataFilter,
  origin: z
    .literal('backend')
    .optional()
    .describe('Lists what the backend itself knows. Needs `backend`, and the scope `backends:read_all`'),
})

export const GetVideoQuery = z.strictObject({
  expand: z.literal('timeline').optional().describe('Adds `timeline`: what happened to the video, step by step'),
})

export const ContentQuery = z.strictObject({
  sig: z.string().max(200).optional().describe('The signature in place of a key. It is part of every `content_url`'),
})

export const StreamVideoQuery = z.strictObject({
  sig: z.string().max(200).optional().describe('The signature in place of a key. It is part of every `events_url`'),
})

export const StreamEventsQuery = z.strictObject({
  types: DocumentedAs(
    z
      .string()
      .max(200)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(ENDPOINT_EVENT_TYPES)))
      .optional(),
    {
      type: 'string',
      maxLength: 200,
      description: 'Only events of these types, separated by commas',
      example: 'video.completed,video.failed',
    },
  ),
})

const backend = BackendName.optional().describe('Only items of this backend')

export const ListVoicesQuery = z.strictObject({
  ...PAGE,
  backend,
  language: z
    .string()
    .min(1)
    .max(35)
    .optional()
    .describe('The beginning of a language tag (BCP 47): `en` finds `en-GB`'),
  gender: z.string().min(1).max(35).optional(),
})

export const ListPuppetsQuery = z.strictObject({ ...PAGE, backend })

export const ResolveBody = z.union(
  [
    z.strictObject({ job_id: z.string().min(1).max(200).describe('The job that the create made on the backend') }),
    z.strictObject({
      absent: z.literal(true).describe('The create made no job. The gateway sends a create in doubt again'),
      attempt: z.int().min(1).describe('The attempt that you checked: `doubt.attempt` of the video'),
    }),
  ],
  'give only job_id, or only absent: true with its attempt',
)
