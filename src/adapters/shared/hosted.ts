import type { AccountUsage, HostedUpload, SpeechClip } from '../../core/adapter.ts'
import type { Moment } from './dialect.ts'
import { latestHint, type Headers } from './hints.ts'
import {
  absoluteUrl,
  asObject,
  count,
  duration,
  find,
  flag,
  number,
  redact,
  secondsFrom,
  text,
  time,
  unwrapBy,
  verbatim,
} from './read.ts'
import { SPEECH, UPLOAD, USAGE } from './spellings-account.ts'
import { ERROR, VIDEO_GENERATION } from './spellings.ts'

/** A moment, or as many seconds from now. */
const expiry = (body: unknown, at: readonly string[], inSeconds: readonly string[], nowMs: number): number | null => {
  const seconds = find(body, inSeconds, duration)
  return find(body, at, time) ?? (seconds === null ? null : secondsFrom(nowMs, seconds))
}

/** Those of the connection are made by whoever sends the file. */
const OF_THE_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
const HEADERS_AT_MOST = 20
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7E]{0,1000}$/

/** The headers of the PUT, in lower case: those that the answer names, and the type that was reserved. */
const putHeaders = (body: unknown, contentType: string): Record<string, string> => {
  const told = Object.entries(find(body, UPLOAD.headers, asObject) ?? {})
    .slice(0, HEADERS_AT_MOST)
    .flatMap(([name, value]): [string, string][] => {
      const header = name.toLowerCase()
      const fits = HEADER_NAME.test(header) && typeof value === 'string' && HEADER_VALUE.test(value)
      return fits && !OF_THE_CONNECTION.has(header) ? [[header, value]] : []
    })
  return Object.fromEntries([['content-type', contentType], ...told])
}

export const unwrapUpload = (body: unknown): unknown => unwrapBy(body, ['data', 'upload', 'audio'], UPLOAD.upload, text)

/** Both links of a reservation (primary contract, "Hosted audio upload"), or null if one is missing. Pure and total. */
export const readUpload = (body: unknown, contentType: string, { base, nowMs }: Moment): HostedUpload | null => {
  const upload = unwrapUpload(body)
  const uploadUrl = find(upload, UPLOAD.upload, absoluteUrl(base))
  const audioUrl = find(upload, UPLOAD.read, absoluteUrl(base))
  if (uploadUrl === null || audioUrl === null) return null
  return {
    uploadUrl,
    // "A short-lived signed PUT URL".
    method: 'PUT',
    headers: putHeaders(upload, contentType),
    audioUrl,
    expiresAtMs: expiry(upload, UPLOAD.expires, UPLOAD.expiresIn, nowMs),
    verbatim: verbatim(upload),
  }
}

export const unwrapSpeech = (body: unknown): unknown => unwrapBy(body, ['data', 'speech', 'result'], SPEECH.link, text)

/** The contract says of every clip that it is a WAV. */
const SPEECH_TYPE = 'audio/wav'

/** A clip (primary contract, "Speech result"), or null if it has no link. Pure and total. */
export const readSpeech = (body: unknown, { base, nowMs }: Moment): SpeechClip | null => {
  const speech = unwrapSpeech(body)
  const audioUrl = find(speech, SPEECH.link, absoluteUrl(base))
  if (audioUrl === null) return null
  return {
    audioUrl,
    expiresAtMs: expiry(speech, SPEECH.expires, SPEECH.expiresIn, nowMs),
    durationSeconds: find(speech, SPEECH.duration, duration),
    contentType: find(speech, SPEECH.type, text) ?? SPEECH_TYPE,
  }
}

export const unwrapUsage = (body: unknown): unknown =>
  unwrapBy(body, ['data', 'usage'], [...USAGE.remaining, ...USAGE.used, ...USAGE.readiness], something)

const something = (value: unknown): unknown => number(value) ?? asObject(value)
const PACKS_AT_MOST = 100

/** What an account has left (primary contract, "Usage"), or null if the answer tells nothing of it. Pure and total. */
export const readUsage = (body: unknown, headers: Headers, { nowMs }: Moment): AccountUsage | null => {
  const usage = unwrapUsage(body)
  const readiness = find(usage, USAGE.readiness, asObject) ?? usage
  const canCreate = find(readiness, VIDEO_GENERATION.can_create, flag)
  const reason = find(readiness, VIDEO_GENERATION.reason, text)
  const packs = find(usage, USAGE.packs, (value) => (Array.isArray(value) ? (value as unknown[]) : null))
  const left: Omit<AccountUsage, 'verbatim'> = {
    creditsRemaining: find(usage, USAGE.remaining, number),
    creditsUsedMonth: find(usage, USAGE.used, number),
    creditsIncluded: find(usage, USAGE.included, number),
    creditsPurchased: find(usage, USAGE.purchased, number),
    checkoutAvailable: find(usage, USAGE.checkout, flag),
    creditPacks: packs?.slice(0, PACKS_AT_MOST) ?? null,
    canCreate,
    blockedReason: canCreate === true || reason === null ? null : redact(reason),
    retryAtMs: null,
    activeJobs: find(readiness, VIDEO_GENERATION.active_jobs, count),
    freeSlots: find(readiness, VIDEO_GENERATION.available_slots, count),
  }
  if (Object.values(left).every((value) => value === null)) return null
  const retryAtMs =
    canCreate === true ? null : latestHint(headers, usage, { hints: USAGE.hints, hintsUnder: ERROR.hintsUnder }, nowMs)
  return { ...left, retryAtMs, verbatim: verbatim(usage) }
}
