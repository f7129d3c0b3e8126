import { type Request, type RequestHandler, type Response, Router } from 'express'
import { iso } from '../clock.ts'
import {
  type Answer,
  type Call,
  invalid,
  type JsonObject,
  mediaTypeOf,
  type Operation,
  readJson,
  Refusal,
  entryOf,
} from '../http.ts'
import {
  noted,
  refuse,
  sendFile,
  signedLink,
  MIME_TYPES,
  speechWav,
  WAV_HEAD_BYTES,
  wavSeconds,
  wavSizeBytes,
} from '../media/media.ts'
import { scenariosIn, after, type World } from '../world.ts'
import type { Audio, Key } from '../state.ts'
import { checkReadiness, reserve, spend, findVoice } from './catalog.ts'
import * as fields from './dialect.ts'
import { type Once, refuseIfAsked } from './dialect.ts'

/** Where the reserved PUT goes, and where the audio is read: two paths, so that one's signature is not the other's. */
const putPath = (id: string): string => `/media/uploads/${id}`
const audioPath = (id: string): string => `/media/audio/${id}`

const signed = (world: World, origin: string, path: string, lifeMs: number) => {
  const expiresAtMs = after(world, lifeMs)
  return { url: `${origin}${world.links.sign(path, expiresAtMs)}`, expiresAtMs }
}

/** A fresh signed PUT URL (primary, "Hosted audio upload"). */
const putLink = (world: World, origin: string, id: string) =>
  signed(world, origin, putPath(id), world.decisions.primary.uploadLinkMs)

/** A fresh signed read URL. */
const readLink = (world: World, origin: string, id: string) =>
  signed(world, origin, audioPath(id), world.decisions.primary.readLinkMs)

/**
 * The hosted audio that a URL names, whatever its signature: "Rotated or expired signed read-URL query parameters of
 * the same hosted upload count as the same idempotent input" (primary, "Audio rules"). `null`: not hosted here.
 */
export const hostedIdIn = (audioUrl: string, origins: readonly string[]): string | null => {
  const url = URL.parse(audioUrl)
  if (!url) throw invalid('The audio must be a URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('The audio must be an HTTPS URL.')
  const id = /^\/media\/audio\/([A-Za-z0-9_-]+)$/.exec(url.pathname)?.[1]
  return id !== undefined && origins.includes(url.origin) ? id : null
}

/** The audio of this key, uploaded. Throws 400 with the two block codes of "Error codes seen". */
export const usableAudio = (world: World, key: Key, id: string | null): Audio => {
  const audio = id === null ? undefined : world.state.audio.get(id)
  if (!audio || audio.keyId !== key.id) {
    throw refused('audio_url is not a hosted upload of this key.', 'HOSTED_AUDIO_UPLOAD_NOT_FOUND')
  }
  if (audio.uploadedAtMs === null) {
    throw refused('The hosted audio upload is not finished.', 'HOSTED_AUDIO_UPLOAD_PENDING')
  }
  return audio
}

const refused = (message: string, blockCode: string): Refusal =>
  new Refusal(400, { code: 'invalid_request' }, message, { blockCode })

/** Takes the room of one hosted file, which is yet to come. Throws 429 when there is none. */
const reserveAudio = (
  world: World,
  { id: keyId, account }: Key,
  file: Pick<Audio, 'mimeType' | 'sizeBytes' | 'seconds'>,
  used: { characters: number } | { uploads: number },
): Audio => {
  reserve(world, account, { sizeBytes: file.sizeBytes, ...used })
  const id = world.newId(world.decisions.primary.audioIdPrefix)
  const audio: Audio = { id, keyId, account, ...file, createdAtMs: world.clock.now(), uploadedAtMs: null }
  world.state.audio.put(id, audio)
  return audio
}

/** Forgets hosted audio whose time is over, and its bytes: what frees storage (undecided.ts, `audioKeptMs`). */
const sweepAudio = (world: World): void => {
  const oldestMs = world.clock.now() - world.decisions.primary.audioKeptMs / world.speed
  for (const { id, createdAtMs } of world.state.audio.values()) {
    if (createdAtMs > oldestMs) break
    world.state.audio.remove(id)
    // The bytes are no longer served: whether they are gone from the disk matters to nobody's answer.
    world.blobs.remove(id).catch(() => {})
  }
}

/** Every origin under which a caller may know this server: what it wrote, and where it is bound. */
export const originsOf = (req: Request, origin: string): readonly string[] => {
  const { localPort = 0 } = req.socket
  return [origin, `http://127.0.0.1:${localPort}`, `http://localhost:${localPort}`, `http://[::1]:${localPort}`]
}

const MAX_FILE_BYTES = 52_428_800

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

const spoken = (world: World, call: Call, voiceId: string, text: string, speed: number): Answer => {
  sweepAudio(world)
  const exact = text.length / world.decisions.timing.charsPerSpeechSecond / speed
  const seconds = Math.max(1, Math.ceil(exact * 10) / 10)
  // Its room is taken before the file is made: two at the same time never share the last of it.
  const file = { mimeType: 'audio/wav', sizeBytes: wavSizeBytes(seconds), seconds }
  const pending = world.state.atomically(() => reserveAudio(world, call.key, file, { characters: text.length }))
  try {
    world.blobs.made(pending.id, () => speechWav(seconds, voiceId))
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

/**
 * The signed PUT and the signed read of hosted audio (primary, "Hosted audio upload"). What a wrong PUT is answered is
 * not shown: see `files` in undecided.ts.
 */
export const hostingRoutes = (world: World): Router =>
  Router()
    .put(putPath(':id'), noted('uploadAudio'), signedLink(world), receiving(world))
    .get(audioPath(':id'), noted('downloadAudio'), signedLink(world), serving(world))

const audioOf = (world: World, req: Request, res: Response): Audio | null => {
  const audio = world.state.audio.get(String(req.params['id']))
  if (audio) return audio
  refuse(world, res, 404, 'notFound', 'No such file.')
  return null
}

const receiving =
  (world: World): RequestHandler =>
  async (req, res) => {
    const audio = audioOf(world, req, res)
    if (!audio) return
    entryOf(req).key_id = audio.keyId
    if (mediaTypeOf(req) !== audio.mimeType)
      return refuse(world, res, 415, 'wrongType', `Reserved for ${audio.mimeType}.`)
    const length = req.headers['content-length']
    if (length !== undefined && Number(length) !== audio.sizeBytes) return wrongSize(world, res, audio, Number(length))
    const stored = await world.blobs.receive(audio.id, req, audio.sizeBytes).catch(() => 'broken' as const)
    // The caller disconnected: there is nobody to answer.
    if (stored === 'broken') return
    if (stored !== 'stored') return wrongSize(world, res, audio, stored === 'too-long' ? Number.POSITIVE_INFINITY : 0)
    const seconds = wavSeconds(await world.blobs.head(audio.id, WAV_HEAD_BYTES), audio.sizeBytes)
    // As it is now: another PUT of the same file may have ended meanwhile, or its time be over.
    const current = world.state.audio.get(audio.id)
    if (current) world.state.audio.put(audio.id, { ...current, uploadedAtMs: world.clock.now(), seconds })
    res.status(200).json(world.decisions.files.uploaded(audio.sizeBytes))
  }

const wrongSize = (world: World, res: Response, { sizeBytes }: Audio, given: number): void =>
  given > sizeBytes
    ? refuse(world, res, 413, 'tooLarge', `Exactly ${sizeBytes} bytes were reserved.`)
    : refuse(world, res, 400, 'sizeMismatch', `Exactly ${sizeBytes} bytes were reserved.`)

const serving =
  (world: World): RequestHandler =>
  (req, res, next) => {
    const audio = audioOf(world, req, res)
    if (!audio) return
    if (audio.uploadedAtMs === null) return refuse(world, res, 404, 'notFound', 'The upload is not finished.')
    sendFile(world, res, next, world.blobs.path(audio.id), { 'Content-Type': audio.mimeType })
  }
