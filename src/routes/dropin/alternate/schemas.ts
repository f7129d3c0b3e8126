import { z } from 'zod'
import { RESOLUTIONS } from '../../../core/vocabulary.ts'

/**
 * What `/v1` answers and takes (alternate contract, "Resources and their fields"). Objects are open: with an alternate
 * backend behind, fields of its own are carried over as they are.
 */

const time = z.iso.datetime()
const status = z.enum(['processing', 'completed', 'failed'])
const OPEN = 'An alternate backend may add its own fields.'

const shared = {
  id: z.string(),
  status,
  puppet_id: z
    .string()
    .nullable()
    .describe('Null for a video that was made from an image URL on another surface, and for a canceled one'),
  created_at: time,
}
const chosen = {
  voice_id: z.string().nullable(),
  resolution: z.enum(RESOLUTIONS).nullable(),
}
const Item = z.looseObject({ ...shared, duration_sec: z.int().nullable() })
const Video = z.looseObject({
  ...shared,
  ...chosen,
  duration_sec: z.int().nullable(),
  download_url: z.string().nullable().describe('A signed URL'),
  thumbnail_url: z.string().nullable(),
  completed_at: time.nullable().optional().describe('Present after completion'),
  error: z
    .looseObject({})
    .nullable()
    .optional()
    .describe('Why the video failed. Opaque here: each backend has its own fields'),
})
const Voice = z.looseObject({
  id: z.string().describe('Give it as `voice_id`'),
  name: z.string().nullable(),
  gender: z.string().nullable(),
  language: z.string().nullable().describe('A locale'),
  preview_url: z.string().nullable(),
})
const Puppet = z.looseObject({
  id: z.string().describe('Give it as `puppet_id`'),
  name: z.string().nullable(),
  type: z.enum(['stock', 'custom']),
  thumbnail_url: z.string().nullable(),
})

export const ALTERNATE_VIEWS = {
  AlternateCreatedVideo: z
    .looseObject({
      ...shared,
      ...chosen,
      duration_estimate_sec: z
        .int()
        .nullable()
        .describe("The backend's estimate. If it has none, the gateway estimates from the number of words"),
    })
    .describe(OPEN),
  AlternateVideoItem: Item,
  AlternateVideoList: z.looseObject({
    data: z.array(Item),
    pagination: z.strictObject({
      page: z.int().min(1),
      limit: z.int().min(1).max(100),
      total: z.int().min(0).describe('The number of your own videos'),
      total_pages: z.int().min(0),
    }),
  }),
  AlternateVideo: Video.describe(OPEN),
  AlternateDownload: z.looseObject({
    download_url: z.string(),
    expires_at: time.describe(
      'When the link expires, as the backend reports it. Otherwise the time until which the gateway would use the link',
    ),
  }),
  AlternateVoice: Voice,
  AlternateVoiceList: z.looseObject({ data: z.array(Voice) }),
  AlternatePuppet: Puppet,
  AlternatePuppetList: z.looseObject({ data: z.array(Puppet) }),
  AlternateCallback: z
    .looseObject({})
    .describe(
      "An event `{type, timestamp, data}`, and `data` is the video as a read answers it. If each value of the backend's own callback is also in that video: the fields of the callback, with your id of the video. Opaque here",
    ),
  AlternateError: z.strictObject({
    error: z.looseObject({ code: z.string().describe('The code, for programs'), message: z.string() }),
  }),
} as const satisfies Record<string, z.ZodType>

export const ALTERNATE_BODIES = {
  AlternateNewVideo: z.strictObject({
    script: z.string().min(1).max(5_000).describe('The text to speak'),
    puppet_id: z.string(),
    voice_id: z.string().optional().describe("The id of a voice. Default: the puppet's own voice"),
    resolution: z.enum(RESOLUTIONS).default('1080p').optional(),
    webhook_url: z.url().optional().describe('The URL that receives a POST when the video is ready'),
  }),
} as const satisfies Record<string, z.ZodType>
