import { z } from 'zod'
import { RESOLUTIONS } from '../../../core/vocabulary.ts'

/**
 * What `/v1` answers and takes (alternate contract, "Resources and their fields"). Objects are open: with an alternate
 * backend behind, fields of its own are carried over as they are.
 */

const time = z.iso.datetime()
const status = z.enum(['processing', 'completed', 'failed'])
const OPEN = 'An alternate backend may add fields of its own.'

const shared = {
  id: z.string(),
  status,
  puppet_id: z.string().nullable().describe('Null for a video that was made from an image URL on another surface'),
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
  download_url: z.string().nullable().describe('Signed'),
  thumbnail_url: z.string().nullable(),
  completed_at: time.nullable().optional().describe('After completion'),
  error: z.looseObject({}).nullable().optional().describe('Why it failed. Opaque here: a backend has its own fields'),
})
const Voice = z.looseObject({
  id: z.string().describe('What `voice_id` takes'),
  name: z.string().nullable(),
  gender: z.string().nullable(),
  language: z.string().nullable().describe('Locale'),
  preview_url: z.string().nullable(),
})
const Puppet = z.looseObject({
  id: z.string().describe('What `puppet_id` takes'),
  name: z.string().nullable(),
  type: z.enum(['stock', 'custom']),
  thumbnail_url: z.string().nullable(),
})

export const ALTERNATE_VIEWS = {
  AlternateCreatedVideo: z
    .looseObject({
      ...shared,
      ...chosen,
      duration_estimate_sec: z.int().nullable().describe('From the words, where the backend estimates nothing'),
    })
    .describe(OPEN),
  AlternateVideoItem: Item,
  AlternateVideoList: z.looseObject({
    data: z.array(Item),
    pagination: z.strictObject({
      page: z.int().min(1),
      limit: z.int().min(1).max(100),
      total: z.int().min(0).describe('Of your own videos'),
      total_pages: z.int().min(0),
    }),
  }),
  AlternateVideo: Video.describe(OPEN),
  AlternateDownload: z.looseObject({
    download_url: z.string(),
    expires_at: time.describe('As the backend told it; else a time until which the gateway itself would use the link'),
  }),
  AlternateVoice: Voice,
  AlternateVoiceList: z.looseObject({ data: z.array(Voice) }),
  AlternatePuppet: Puppet,
  AlternatePuppetList: z.looseObject({ data: z.array(Puppet) }),
  AlternateCallback: z
    .looseObject({})
    .describe(
      "With an alternate backend behind: that one's own callback, its id of the video replaced by yours. Otherwise an event `{type, timestamp, data}`, whose `data` is the video as it is read. Opaque here",
    ),
  AlternateError: z.strictObject({
    error: z.looseObject({ code: z.string().describe('For programs'), message: z.string() }),
  }),
} as const satisfies Record<string, z.ZodType>

export const ALTERNATE_BODIES = {
  AlternateNewVideo: z.strictObject({
    script: z.string().min(1).max(5_000).describe('What is said'),
    puppet_id: z.string(),
    voice_id: z.string().optional().describe("Else the puppet's default voice"),
    resolution: z.enum(RESOLUTIONS).default('1080p').optional(),
    webhook_url: z.url().optional().describe('Receives a POST when the video is ready'),
  }),
} as const satisfies Record<string, z.ZodType>
