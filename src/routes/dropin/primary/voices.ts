import type { RequestHandler, Router } from 'express'
import type { Catalog } from '../../../catalog/index.ts'
import type { Voice } from '../../../core/adapter.ts'
import { Problem } from '../../../core/errors.ts'
import { callerOf } from '../../middleware/caller.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { voicesOf, type Passthrough } from '../passthrough.ts'
import type { Frame } from '../frame.ts'

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** A voice of another interface ("Voice"): its id is the native one. */
const voiceBody = (backend: string, voice: Voice): object => ({
  id: voice.id,
  object: 'voice',
  name: voice.name ?? voice.id,
  provider: voice.provider ?? backend,
  language: voice.language,
  language_code: voice.languageCode,
  gender: voice.gender && capitalized(voice.gender),
  preview_url: voice.previewUrl,
})

/** The contract names no limit of a speech's body. */
const SPEECH_BODY_BYTES = 65_536

interface VoicesDeps {
  catalog: Catalog
  passthrough: Passthrough
}

/** listServiceVoices and createServiceSpeech: handed through where what is behind speaks this contract. */
export const primaryVoices = (router: Router, frame: Frame, { catalog, passthrough }: VoicesDeps): void => {
  const list: RequestHandler = async (req, res, next) => {
    const { backend, isSame } = frame.behind(res)
    if (isSame) return passthrough.forward(req, res, next, voicesOf(backend, '/api/v1/voices/service', callerOf(res)))
    const voices = await catalog.of.voices(backend.name)
    res.json({ object: 'list', data: voices.map((voice) => voiceBody(backend.name, voice)) })
  }

  const speak: RequestHandler = async (req, res, next) => {
    const { backend, isSame } = frame.behind(res)
    if (!isSame) {
      throw new Problem('capability_not_supported', `backend ${backend.name} makes no speech`, {
        backend: backend.name,
      })
    }
    await passthrough.forward(req, res, next, {
      backend,
      path: '/api/v1/tts/service',
      budget: 'create',
      reader: null,
      operation: 'createSpeech',
      credentials: true,
      maxBodyBytes: SPEECH_BODY_BYTES,
    })
  }

  router.route('/tts/service').post(frame.guarded('tts:create'), speak).all(onlyMethods('POST'))
  router.route('/voices/service').get(frame.guarded('voices:read'), list).all(onlyMethods('GET', 'HEAD'))
}
