import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import type { Call, Operation } from '../http/call.ts'
import { wavSizeBytes } from '../media/index.ts'
import { scenariosIn } from '../scenarios.ts'
import type { Audio } from '../state.ts'
import type { World } from '../world.ts'
import { release, reserve } from './account.ts'
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
  // Its room is taken before the file is made: two at once never share the last of it.
  const pending = world.state.atomically(() => reserved(world, call, text, seconds))
  try {
    await world.blobs.copy(pending.id, await world.media.wav({ text, voice: voiceId, seconds }))
  } catch (cause) {
    world.state.atomically(() => {
      world.state.audio.remove(pending.id)
      release(world, pending.account, { characters: text.length })
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

const reserved = (world: World, { key }: Call, text: string, seconds: number): Audio => {
  const sizeBytes = wavSizeBytes(seconds)
  reserve(world, key.account, { sizeBytes, characters: text.length })
  const audio: Audio = {
    id: world.newId(world.decisions.primary.audioIdPrefix),
    keyId: key.id,
    account: key.account,
    mimeType: 'audio/wav',
    sizeBytes,
    createdAtMs: world.clock.now(),
    uploadedAtMs: null,
    seconds,
  }
  world.state.audio.put(audio.id, audio)
  return audio
}

/** "Asset could not be created" (primary, "Status code meanings", 502). */
const unmade = ({ decisions }: World, cause: unknown): Refusal =>
  new Refusal({
    status: 502,
    reason: { code: decisions.primary.codes.assetFailed },
    message: `The sandbox could not make the file: ${cause instanceof Error ? cause.message : String(cause)}`,
  })
