import { z } from 'zod'
import { VideoView } from './videos.ts'
import { VIDEO_EVENT_TYPES } from '../vocabulary.ts'

const time = z.iso.datetime()

/** The body of a webhook about a video: a Video without its input and without links that expire. */
export const VideoEventView = z.strictObject({
  type: z.enum(VIDEO_EVENT_TYPES),
  timestamp: time.describe('When it happened'),
  data: VideoView.omit({ input: true }).extend({
    sequence: z.int().min(1).describe('The place of this event among the events of its video'),
    timing: z
      .strictObject({
        accepted_at: time
          .nullable()
          .describe(
            'When the gateway learned that the backend accepted the job, or when it imported the job; null: no job',
          ),
        detected_at: time.describe('When the gateway learned that the job had ended'),
        uncertainty_ms: z
          .number()
          .nullable()
          .describe(
            'The job ended at most this many milliseconds before `detected_at`; null: it had ended before the import',
          ),
      })
      .optional()
      .describe('Present only in terminal events'),
  }),
})
export type VideoEventView = z.infer<typeof VideoEventView>
