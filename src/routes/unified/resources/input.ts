import { z } from 'zod'
import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../../../core/api/videos.ts'
import { BackendName } from '../../parse.ts'
import { CreateVideoBody, HttpsUrl, Id, NativeId, Spoken } from '../videos/input.ts'

/** Bodies of what is made beside videos. */

export const CreateSpeechBody = z.strictObject({
  text: Spoken.describe('The text to speak'),
  voice_id: NativeId.describe('The voice. Its id also names the backend'),
  speed: z.number().positive().nullish().describe('The speed of the speech; 1 is normal'),
})

export const CreateUploadBody = z.strictObject({
  content_type: z.enum(AUDIO_TYPES),
  size_bytes: z.int().min(1).describe(`The size of the file, at most ${MAX_AUDIO_BYTES}. A larger one gets 413`),
  require_video_readiness: z
    .boolean()
    .nullish()
    .describe('True: refuse the upload if no video could be made with it now'),
})

export const CreatePuppetBody = z.strictObject({
  image_url: HttpsUrl.describe('An https URL'),
  name: Spoken.max(200).nullish(),
  backend: CreateVideoBody.shape.backend,
})

export const ImportVideoBody = z.strictObject({
  backend: BackendName.describe('The backend that made the job'),
  backend_job_id: Id.describe("The backend's own id of the job"),
  webhook_url: CreateVideoBody.shape.webhook_url,
  metadata: CreateVideoBody.shape.metadata,
})
