import type { RequestHandler, Router } from 'express'
import type { Catalog } from '../../../catalog/index.ts'
import type { Voice } from '../../../core/adapter.ts'
import { onlyMethods } from '../../middleware/problems.ts'
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

/** listServiceVoices. */
export const primaryVoices = (router: Router, frame: Frame, { catalog }: { catalog: Catalog }): void => {
  const list: RequestHandler = async (_req, res) => {
    const { backend } = frame.behind(res)
    const voices = await catalog.of.voices(backend.name)
    res.json({ object: 'list', data: voices.map((voice) => voiceBody(backend.name, voice)) })
  }
  router.route('/voices/service').get(frame.guarded('voices:read'), list).all(onlyMethods('GET', 'HEAD'))
}
