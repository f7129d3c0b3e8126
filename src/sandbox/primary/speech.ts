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

const spoken = async (world: World, { key, origin }: Call, { voiceId, text, speed }: Wanted): Promise<Answer> => {
  sweepAudio(world)
  const exact = text.length / world.decisions.timing.charsPerSpeechSecond / speed
  const wav = speechWav(voiceId, Math.max(1, Math.ceil(exact * 10) / 10))
  reserve(world, key.account, { sizeBytes: wav.length, characters: text.length })
  const nowMs = world.clock.now()
  const audio: Audio = {
    id: world.newId('aud'),
    keyId: key.id,
    account: key.account,
    mimeType: 'audio/wav',
    sizeBytes: wav.length,
    createdAtMs: nowMs,
    uploadedAtMs: nowMs,
    seconds: Math.max(1, Math.ceil(exact * 10) / 10),
  }
  await world.blobs.write(audio.id, wav)
  world.state.audio.put(audio.id, audio)
  const link = readLink(world, origin, audio.id)
  const body = world.decisions.primary.speech({
    id: audio.id,
    audioUrl: link.url,
    voiceId,
    characters: text.length,
    durationSeconds: audio.seconds ?? 0,
    sizeBytes: wav.length,
    expiresAt: iso(link.expiresAtMs),
  })
  return { status: 200, body }
}
