import { iso } from '../../core/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import type { Call, Operation } from '../http/operation.ts'
import { scenariosIn } from '../scenarios.ts'
import type { Audio } from '../state.ts'
import { speechWav } from '../wav.ts'
import type { World } from '../world.ts'
import { reserve } from './account.ts'
import { readLink, sweepAudio } from './audio.ts'
import * as fields from './fields.ts'
import { refuseIfAsked } from './magic.ts'
import { findVoice } from './voices.ts'

interface Wanted {
  readonly voiceId: string
  readonly text: string
  readonly speed: number
}

/** createServiceSpeech (primary, "POST /api/v1/tts/service"). */
export const speechOperations = (world: World): Operation[] => [
  {
    method: 'post',
    path: '/api/v1/tts/service',
    name: 'createServiceSpeech',
    scope: 'tts:create',
    run: async (call) => {
      const rules = { limitBytes: world.decisions.primary.smallBodyBytes, refuseWith: 400 } as const
      const body = await readJson(call.req, rules)
      const { speed: range, speechMaxChars } = world.decisions.primary
      const voiceId = fields.requiredText(body, ['voice_id'])
      const text = fields.requiredText(body, ['text'])
      const speed = fields.numberOf(body, 'speed', range) ?? 1
      if (text.length > speechMaxChars) throw invalid(`text must have at most ${speechMaxChars} characters.`)
      if (!findVoice(voiceId)) {
        throw new Refusal({ status: 404, reason: { code: 'voice_not_found' }, message: 'No voice has this id.' })
      }
      refuseIfAsked(world, scenariosIn(text))
      await call.during()
      return spoken(world, call, { voiceId, text, speed })
    },
  },
]

const spoken = async (world: World, call: Call, { voiceId, text, speed }: Wanted): Promise<Answer> => {
  sweepAudio(world)
  const exact = text.length / world.decisions.timing.charsPerSpeechSecond / speed
  const seconds = Math.max(1, Math.ceil(exact * 10) / 10)
  const wav = speechWav(voiceId, seconds)
  const { id, account } = call.key
  const nowMs = world.clock.now()
  // Its room is taken before the file is written: two at once never share the last of it.
  const pending: Audio = world.state.atomically(() => {
    reserve(world, account, { sizeBytes: wav.length, characters: text.length })
    const audio = { id: world.newId('aud'), keyId: id, account, mimeType: 'audio/wav', sizeBytes: wav.length }
    const made = { ...audio, createdAtMs: nowMs, uploadedAtMs: null, seconds }
    world.state.audio.put(made.id, made)
    return made
  })
  await world.blobs.write(pending.id, wav)
  world.state.audio.put(pending.id, { ...pending, uploadedAtMs: nowMs })
  const link = readLink(world, call.origin, pending.id)
  const body = world.decisions.primary.speech({
    id: pending.id,
    audioUrl: link.url,
    voiceId,
    characters: text.length,
    durationSeconds: seconds,
    sizeBytes: wav.length,
    expiresAt: iso(link.expiresAtMs),
  })
  return { status: 200, body }
}
