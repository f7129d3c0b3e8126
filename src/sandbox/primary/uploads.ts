import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson, type JsonObject } from '../http/body.ts'
import type { Call, Operation } from '../http/call.ts'
import { MIME_TYPES } from '../media/sounds.ts'
import type { Audio } from '../state.ts'
import type { World } from '../world.ts'
import { checkReadiness } from './account.ts'
import { putLink, readLink, reserveAudio, sweepAudio } from './audio.ts'
import * as fields from './fields.ts'
import type { Once } from './idempotency.ts'

export const MAX_FILE_BYTES = 52_428_800

const UPLOAD_BODY = {
  limitBytes: 8_192,
  blockCodes: { 413: 'AUDIO_UPLOAD_PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_AUDIO_UPLOAD_MEDIA_TYPE' },
}

/** createHostedAudioUploadUrl (primary, "POST /api/v1/uploads/audio-url"). */
export const uploadOperations = (world: World, once: (request: Once) => Promise<Answer>): Operation[] => [
  {
    method: 'post',
    path: '/api/v1/uploads/audio-url',
    name: 'createHostedAudioUploadUrl',
    scope: 'uploads:create',
    run: async (call) => {
      const body = await readJson(call.req, UPLOAD_BODY)
      const key = fields.idempotencyKeyOf(call.req, body, world.decisions)
      const { mimeType, sizeBytes, needsReadiness } = readUpload(body)
      return once({
        call,
        endpoint: 'uploads/audio-url',
        key,
        // Not the readiness flag: it asks about the account, it does not describe the asset.
        input: { mimeType, sizeBytes },
        conflictBlockCode: 'AUDIO_UPLOAD_IDEMPOTENCY_KEY_CONFLICT',
        job: false,
        make: () => {
          if (needsReadiness) checkReadiness(world, call.key)
          sweepAudio(world)
          const audio = reserveAudio(world, call.key, { mimeType, sizeBytes, seconds: null }, { uploads: 1 })
          return { resourceId: audio.id, answer: shown(world, audio, call) }
        },
        replay: (id) => {
          const audio = world.state.audio.get(id)
          return audio ? shown(world, audio, call) : null
        },
      })
    },
  },
]

const readUpload = (body: JsonObject) => {
  const mimeType = fields.requiredText(body, fields.ALIASES.mimeType)
  const sizeBytes = fields.integerOf(body, fields.ALIASES.sizeBytes)
  const needsReadiness = fields.flagOf(body, fields.ALIASES.videoReadiness) ?? false
  if (!MIME_TYPES.includes(mimeType)) throw invalid(`The MIME type must be ${MIME_TYPES.join(', ')}.`)
  if (sizeBytes < 1) throw invalid('The size must be at least 1 byte.')
  if (sizeBytes > MAX_FILE_BYTES) {
    throw new Refusal(413, { code: 'file_too_large' }, `The audio is larger than ${MAX_FILE_BYTES} bytes.`, {
      blockCode: 'AUDIO_UPLOAD_FILE_TOO_LARGE',
      details: { max_file_bytes: MAX_FILE_BYTES },
    })
  }
  return { mimeType, sizeBytes, needsReadiness }
}

const shown = (world: World, audio: Audio, { origin }: Call): Answer => {
  const put = putLink(world, origin, audio.id)
  const read = readLink(world, origin, audio.id)
  const body = world.decisions.primary.upload({
    id: audio.id,
    uploaded: audio.uploadedAtMs !== null,
    mimeType: audio.mimeType,
    sizeBytes: audio.sizeBytes,
    uploadUrl: put.url,
    uploadExpiresAt: iso(put.expiresAtMs),
    readUrl: read.url,
    readExpiresAt: iso(read.expiresAtMs),
  })
  return { status: 200, body }
}
