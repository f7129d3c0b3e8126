import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import type { Call, Operation } from '../http/call.ts'
import { wavSizeBytes } from '../media/index.ts'
import { scenariosIn } from '../scenarios.ts'
import type { World } from '../world.ts'
import { spend } from './account.ts'
import { readLink, reserveAudio, sweepAudio } from './audio.ts'
import * as fields from './fields.ts'
import { refuseIfAsked } from './magic.ts'
import { findVoice } from './voices.ts'

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
      if (!findVoice(voiceId)) throw new Refusal(404, { code: 'voice_not_found' }, 'No voice has this id.')
      refuseIfAsked(world, scenariosIn(text))
      await call.during()
      return spoken(world, call, voiceId, text, speed)
    },
  },
]

const spoken = async (world: World, call: Call, voiceId: string, text: string, speed: number): Promise<Answer> => {
  sweepAudio(world)
  const exact = text.length / world.decisions.timing.charsPerSpeechSecond / speed
  const seconds = Math.max(1, Math.ceil(exact * 10) / 10)
  // Its room is taken before the file is made: two at once never share the last of it.
  const file = { mimeType: 'audio/wav', sizeBytes: wavSizeBytes(seconds), seconds }
  const pending = world.state.atomically(() => reserveAudio(world, call.key, file, { characters: text.length }))
  try {
    await world.blobs.copy(pending.id, await world.media.wav({ text, voice: voiceId, seconds }))
  } catch (cause) {
    world.state.atomically(() => {
      world.state.audio.remove(pending.id)
      spend(world, pending.account, { characters: -text.length })
    })
    throw unmade(world, cause)
  }
  world.state.audio.put(pending.id, { ...pending, uploadedAtMs: pending.createdAtMs })
  const link = readLink(world, call.origin, pending.id)
  const body = world.decisions.primary.speech({
    id: pending.id,
    audioUrl: link.url,
    voiceId,
    characters: text.length,
    durationSeconds: seconds,
    sizeBytes: pending.sizeBytes,
    expiresAt: iso(link.expiresAtMs),
  })
  return { status: 200, body }
}

/** "Asset could not be created" (primary, "Status code meanings", 502). */
const unmade = ({ decisions }: World, cause: unknown): Refusal => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Refusal(502, { code: decisions.primary.codes.assetFailed }, `The sandbox could not make the file: ${why}`)
}
