import type { Call, Operation } from '../http/call.ts'
import { portraitPath, PORTRAITS } from '../media/portraits.ts'
import { previewPath } from '../media/speech.ts'

const VOICES = [
  { id: 'voice_amber', name: 'Amber', gender: 'female', language: 'en-US' },
  { id: 'voice_brook', name: 'Brook', gender: 'male', language: 'en-US' },
  { id: 'voice_cedar', name: 'Cedar', gender: 'male', language: 'en-GB' },
  { id: 'voice_dune', name: 'Dune', gender: 'female', language: 'es-ES' },
  { id: 'voice_elm', name: 'Elm', gender: 'male', language: 'fr-FR' },
  { id: 'voice_fern', name: 'Fern', gender: 'female', language: 'de-DE' },
  { id: 'voice_gale', name: 'Gale', gender: 'female', language: 'pt-BR' },
  { id: 'voice_haze', name: 'Haze', gender: 'female', language: 'ja-JP' },
]

/** Every portrait is a puppet here; the last is `custom`. Each has a default voice ("Create body", voice_id). */
const PUPPETS = PORTRAITS.map(({ id, name }, index) => ({
  id: `pup_${id}`,
  name,
  type: index === PORTRAITS.length - 1 ? 'custom' : 'stock',
  portrait: id,
  defaultVoiceId: VOICES[index % VOICES.length]?.id ?? 'voice_amber',
}))

export const findVoice = (id: string) => VOICES.find((voice) => voice.id === id)
export const findPuppet = (id: string) => PUPPETS.find((puppet) => puppet.id === id)

/** GET /v1/voices and GET /v1/puppets (alternate, "Endpoints"). */
export const catalogOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/voices',
    name: 'listVoices',
    run: ({ origin }: Call) => {
      const data = VOICES.map((voice) => ({ ...voice, preview_url: `${origin}${previewPath(voice.id)}` }))
      return { status: 200, body: { data } }
    },
  },
  {
    method: 'get',
    path: '/v1/puppets',
    name: 'listPuppets',
    run: ({ origin }: Call) => {
      const data = PUPPETS.map(({ id, name, type, portrait }) => {
        return { id, name, type, thumbnail_url: `${origin}${portraitPath(portrait)}` }
      })
      return { status: 200, body: { data } }
    },
  },
]
