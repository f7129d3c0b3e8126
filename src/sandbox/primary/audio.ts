import type { Request } from 'express'
import { invalid, Refusal } from '../http/answer.ts'
import type { Audio, Key } from '../state.ts'
import { after, type World } from '../world.ts'
import { reserve } from './account.ts'

/** Where the reserved PUT goes, and where the audio is read: two paths, so that one's signature is not the other's. */
export const putPath = (id: string): string => `/media/uploads/${id}`
export const audioPath = (id: string): string => `/media/audio/${id}`

const signed = (world: World, origin: string, path: string, lifeMs: number) => {
  const expiresAtMs = after(world, lifeMs)
  return { url: `${origin}${world.links.sign(path, expiresAtMs)}`, expiresAtMs }
}

/** A fresh signed PUT URL (primary, "Hosted audio upload"). */
export const putLink = (world: World, origin: string, id: string) =>
  signed(world, origin, putPath(id), world.decisions.primary.uploadLinkMs)

/** A fresh signed read URL. */
export const readLink = (world: World, origin: string, id: string) =>
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
export const reserveAudio = (
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
export const sweepAudio = (world: World): void => {
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
