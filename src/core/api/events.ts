import { z } from 'zod'
import { VideoView } from './videos.ts'
import { VIDEO_EVENT_TYPES } from '../vocabulary.ts'

const time = z.iso.datetime()

/** The body of a webhook about a video: a Video without its input and without links that expire. */
export const VideoEventView = z.strictObject({
  type: z.enum(VIDEO_EVENT_TYPES),
  timestamp: time.describe('When it happened'),
  data: VideoView.omit({ input: true }).extend({
    sequence: z.int().min(1).describe('Orders the events of one video'),
    timing: z
      .strictObject({
        accepted_at: time
          .nullable()
          .describe('When the gateway learned that the backend had accepted the job, or imported it; null: no job'),
        detected_at: time.describe('When the gateway learned of the end'),
        uncertainty_ms: z
          .number()
          .nullable()
          .describe(
            'The end lies within so many milliseconds before `detected_at`; null: it was over when it was imported',
          ),
      })
      .optional()
      .describe('Of terminal events'),
  }),
})
export type VideoEventView = z.infer<typeof VideoEventView>
