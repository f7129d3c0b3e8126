import type { Request, Response, Router } from 'express'
import { isoOrNull } from '../../../core/time/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { MAX_AUDIO_BYTES, type SpeechView, type UploadView } from '../../../core/api/videos.ts'
import type { Resources } from '../../../resources/index.ts'
import { jsonBody } from '../../middleware/body.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { idempotencyKey, parseOr400, NoQuery, noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { CreateSpeechBody, CreateUploadBody } from './input.ts'
import { asCaller } from './puppets.ts'

interface AudioRoutesDeps {
  resources: Pick<Resources, 'createSpeech' | 'uploads'>
}

const refuseTooLarge = (sizeBytes: number): void => {
  if (sizeBytes <= MAX_AUDIO_BYTES) return
  throw new Problem('file_too_large', `audio may have at most ${MAX_AUDIO_BYTES} bytes`, {
    param: 'size_bytes',
    details: { max_file_bytes: MAX_AUDIO_BYTES },
  })
}

/** Speech from text, and places for a client's own audio. */
export const audioRoutes = ({ resources: { createSpeech, uploads } }: AudioRoutesDeps): Router => {
  const speech = async (req: Request, res: Response): Promise<void> => {
    const { text, voice_id: voiceId, speed } = parseOr400(CreateSpeechBody, req.body)
    const clip = await createSpeech(asCaller(res), { text, voiceId, speed: speed ?? null })
    const view: SpeechView = {
      object: 'speech',
      audio_url: clip.audioUrl,
      expires_at: isoOrNull(clip.expiresAtMs),
      duration_seconds: clip.durationSeconds,
      content_type: clip.contentType,
    }
    res.json(view)
  }

  const upload = async (req: Request, res: Response): Promise<void> => {
    const key = idempotencyKey(req)
    parseQuery(NoQuery, req)
    const { content_type: contentType, size_bytes: sizeBytes, ...rest } = parseOr400(CreateUploadBody, req.body)
    refuseTooLarge(sizeBytes)
    const request = {
      operation: 'POST /uploads',
      contentType,
      sizeBytes,
      requireVideoReadiness: rest.require_video_readiness ?? false,
    }
    const created = await uploads.create(asCaller(res), request, key)
    const { upload: record, hosted, replayed } = created
    if (replayed) res.set('idempotency-replayed', 'true')
    const view: UploadView = {
      id: record.id,
      object: 'upload',
      backend: record.backend,
      upload_url: hosted.uploadUrl,
      method: 'PUT',
      headers: hosted.headers,
      audio_url: hosted.audioUrl,
      expires_at: isoOrNull(hosted.expiresAtMs),
    }
    res.status(replayed ? 200 : 201).json(view)
  }

  const router = createRouter()
  router.route('/speech').post(needs('tts:create'), jsonBody, noQuery, speech).all(onlyMethods('POST'))
  router.route('/uploads').post(needs('uploads:create'), jsonBody, upload).all(onlyMethods('POST'))
  return router
}
