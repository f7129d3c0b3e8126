import { z } from 'zod'
import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../../../core/api/resources.ts'
import { BackendName } from '../../parse.ts'
import { CreateVideoBody, HttpsUrl, Id, NativeId, Spoken } from '../videos/input.ts'

/** Bodies of what is made beside videos. */

export const CreateSpeechBody = z.strictObject({
  text: Spoken.describe('What is said'),
  voice_id: NativeId.describe('Also says which backend speaks'),
  speed: z.number().positive().nullish().describe('1 is as the voice speaks'),
})

export const CreateUploadBody = z.strictObject({
  content_type: z.enum(AUDIO_TYPES),
  size_bytes: z.int().min(1).describe(`At most ${MAX_AUDIO_BYTES}; more is 413`),
  require_video_readiness: z.boolean().nullish().describe('Whether a video must be possible with it at once'),
})

export const CreatePuppetBody = z.strictObject({
  image_url: HttpsUrl.describe('An https URL'),
  name: Spoken.max(200).nullish(),
  backend: CreateVideoBody.shape.backend,
})

export const ImportVideoBody = z.strictObject({
  backend: BackendName.describe('The backend that made the job'),
  backend_job_id: Id.describe("The backend's own id of it"),
  webhook_url: CreateVideoBody.shape.webhook_url,
  metadata: CreateVideoBody.shape.metadata,
})
