import type { Request } from 'express'
import { Refusal, invalid, type JsonObject } from '../http/answer.ts'
import type { Decisions } from '../undecided.ts'

/** The alias groups of the request bodies (primary, "Alias convention" and the field tables). */
export const ALIASES = {
  image: [
    'image_url',
    'imageUrl',
    'image',
    'portrait',
    'portrait_url',
    'portraitUrl',
    'avatar',
    'avatarUrl',
    'avatar_url',
    'photo',
    'photoUrl',
    'photo_url',
  ],
  script: ['text', 'script', 'prompt'],
  voice: ['voice_id', 'voiceId', 'voice'],
  audio: ['audio_url', 'audioUrl', 'audio'],
  mimeType: ['mime_type', 'mimeType', 'contentType'],
  sizeBytes: ['content_length', 'contentLength', 'sizeBytes', 'file_size', 'fileSize'],
  videoReadiness: [
    'require_video_readiness',
    'requireVideoReadiness',
    'video_readiness_required',
    'videoReadinessRequired',
  ],
  idempotencyKey: ['idempotencyKey', 'idempotency_key'],
} as const

/** The one value of an alias group, or `undefined`. Two different ones are 400. */
const valueOf = (body: JsonObject, group: readonly string[]): { name: string; value: unknown } | undefined => {
  const given = group.filter((name) => Object.hasOwn(body, name)).map((name) => ({ name, value: body[name] }))
  const [first, ...others] = given
  const other = others.find(({ value }) => value !== first?.value)
  if (first && other) throw invalid(`${first.name} and ${other.name} name the same value but differ.`)
  return first
}

/** A non-blank string of an alias group. Throws 400. */
export const textOf = (body: JsonObject, group: readonly string[]): string | undefined => {
  const given = valueOf(body, group)
  if (!given) return undefined
  if (typeof given.value !== 'string' || given.value.trim() === '') {
    throw invalid(`${given.name} must be a non-empty string.`)
  }
  return given.value
}

export const requiredText = (body: JsonObject, group: readonly string[]): string => {
  const text = textOf(body, group)
  if (text === undefined) throw invalid(`One of ${group.join(', ')} is required.`)
  return text
}

export const numberOf = (body: JsonObject, name: string, range: { min: number; max: number }): number | undefined => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined) return undefined
  if (typeof value !== 'number' || value < range.min || value > range.max) {
    throw invalid(`${name} must be a number from ${range.min} to ${range.max}.`)
  }
  return value
}

/** A required integer of an alias group. */
export const integerOf = (body: JsonObject, group: readonly string[]): number => {
  const given = valueOf(body, group)
  if (!given) throw invalid(`One of ${group.join(', ')} is required.`)
  if (typeof given.value !== 'number' || !Number.isSafeInteger(given.value)) {
    throw invalid(`${given.name} must be an integer.`)
  }
  return given.value
}

export const flagOf = (body: JsonObject, group: readonly string[]): boolean | undefined => {
  const given = valueOf(body, group)
  if (!given) return undefined
  if (typeof given.value !== 'boolean') throw invalid(`${given.name} must be true or false.`)
  return given.value
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const NOT_A_PICTURE = /\.(txt|html?|pdf|json|zip|mp[34]|wav|mov|docx?)$/i

/** "HTTPS image URL"; `invalid_image` for "not a supported image". What is accepted beyond: undecided.ts. */
export const imageUrlOf = (text: string, ownOrigin: string): string => {
  const url = URL.parse(text)
  if (!url) throw invalid('The image must be a URL.')
  const local = url.protocol === 'http:' && (LOOPBACK.test(url.hostname) || url.origin === ownOrigin)
  if (url.protocol !== 'https:' && !local) throw invalid('The image must be an HTTPS URL.')
  if (NOT_A_PICTURE.test(url.pathname)) throw unsupportedImage()
  return text
}

export const unsupportedImage = (): Refusal =>
  new Refusal(400, { code: 'invalid_image' }, 'image_url is not a supported image.')

const MAX_KEY_CHARS = 200

/** The Idempotency-Key of the header or the body, 1 to 200 characters, non-blank; two of them must match. */
export const idempotencyKeyOf = (req: Request, body: JsonObject, decisions: Decisions): string | null => {
  const header = req.headers['idempotency-key']
  const names = ALIASES.idempotencyKey.filter((name) => Object.hasOwn(body, name))
  const given: unknown[] = [...(header === undefined ? [] : [header]), ...names.map((name) => body[name])]
  const [key] = given
  if (key === undefined) return null
  if (given.some((other) => other !== key)) {
    const code = decisions.primary.codes.idempotencyMismatch
    throw new Refusal(400, { code }, 'The idempotency keys of the header and the body differ.')
  }
  if (typeof key !== 'string' || key.trim() === '' || key.length > MAX_KEY_CHARS) {
    throw invalid(`The idempotency key must be 1 to ${MAX_KEY_CHARS} characters, not blank.`)
  }
  return key
}
