import { z } from 'zod'
import { STATUSES, VIDEO_EVENT_TYPES } from '../../core/vocabulary.ts'
import { BackendName, DocumentedAs, Instant, PAGE } from '../parse.ts'

/** What each operation reads from its query: the schemas that parse it, and that the OpenAPI document shows. */

export const ListVideosQuery = z.strictObject({
  ...PAGE,
  status: z.enum(STATUSES).optional().describe('Only videos of this status'),
  backend: BackendName.optional().describe('Only videos of this backend'),
  created_after: Instant('Only videos created after this time').optional(),
  created_before: Instant('Only videos created before this time').optional(),
  origin: z
    .literal('backend')
    .optional()
    .describe('Instead what the backend itself knows: with `backend`, and the scope `backends:read_all`'),
})

export const GetVideoQuery = z.strictObject({
  expand: z.literal('timeline').optional().describe('Adds `timeline`: what happened to the video, step by step'),
})

export const ContentQuery = z.strictObject({
  sig: z.string().max(200).optional().describe('Stands in for the key: part of every `content_url`'),
})

export const StreamEventsQuery = z.strictObject({
  types: DocumentedAs(
    z
      .string()
      .max(200)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(VIDEO_EVENT_TYPES)))
      .optional(),
    {
      type: 'string',
      maxLength: 200,
      description: 'Only events of these types, with commas between them',
      example: 'video.completed,video.failed',
    },
  ),
})

const backend = BackendName.optional().describe('Only those of this backend')

export const ListVoicesQuery = z.strictObject({
  ...PAGE,
  backend,
  language: z.string().min(1).max(35).optional().describe('BCP 47, by prefix: `en` finds `en-GB`'),
  gender: z.string().min(1).max(35).optional(),
})

export const ListPuppetsQuery = z.strictObject({ ...PAGE, backend })

export const ResolveBody = z.union(
  [
    z.strictObject({ job_id: z.string().min(1).max(200).describe('The job that the backend made of the create') }),
    z.strictObject({
      absent: z.literal(true).describe('There is no such job: a create in doubt is sent once more'),
      attempt: z.int().min(1).describe('The attempt that this is about: `doubt.attempt` of the video as you read it'),
    }),
  ],
  'give either job_id, or absent: true with the attempt that it is about, and nothing else',
)
