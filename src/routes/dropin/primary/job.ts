import type { Request } from 'express'
import { z } from 'zod'
import { AUDIO_TYPES, MAX_AUDIO_BYTES, type VideoView } from '../../../core/api/videos.ts'
import { fieldProblem, Problem } from '../../../core/errors.ts'
import { PlainUrl, Spoken, WebhookUrl } from '../../unified/input.ts'
import { parseOr400 } from '../../parse.ts'
import { type Unsupported, failedThere, inJob, keptId, laidOver, renamed, without, wordOf } from '../translation.ts'
import { GROUPS, hintFields, hintHeaders, jobHeaders, publicIdOf, statusPathOf, type Hint } from './errors.ts'
import type { Verbatim, VideoRecord } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import { paceOf, retryAfterSeconds } from '../../unified/videos/read.ts'

/** Reads the bodies of the primary contract: aliases first, then the values under the first name of each group. */

type Group = keyof typeof GROUPS

const invalid = (param: string, message: string): Problem =>
  fieldProblem('invalid_request', param, `${param}: ${message}`)

const keysDiffer = (where: string): Problem =>
  new Problem('idempotency_key_invalid', `the idempotency keys of ${where} differ`)

/** The value of a group, if any of its aliases is given. Throws for two that differ, for keys as `keyOf` does. */
const valueOf = (body: Readonly<Record<string, unknown>>, group: Group): { name: string; value: unknown } | null => {
  const [first, ...others] = GROUPS[group].filter((name) => Object.hasOwn(body, name))
  if (first === undefined) return null
  const other = others.find((name) => body[name] !== body[first])
  if (other !== undefined && group === 'idempotency_key') throw keysDiffer('the body')
  if (other !== undefined) throw invalid(other, `is another name for ${first}, but the values differ`)
  return { name: first, value: body[first] }
}

const objectOf = (body: unknown): Readonly<Record<string, unknown>> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid_request', 'the body must be a JSON object')
  }
  return { ...body }
}

/** A body by its groups, and the fields that nobody knows. */
interface Collapsed {
  given: Record<string, unknown>
  key: unknown
  unknown: Unsupported[]
}

/** `plain`: fields without aliases. Throws `invalid_request` for aliases that differ, and for what is no object. */
export const collapse = (body: unknown, groups: readonly Group[], plain: readonly string[]): Collapsed => {
  const object = objectOf(body)
  const known = new Set<string>([...plain, ...groups.flatMap((group) => GROUPS[group])])
  const given: Record<string, unknown> = {}
  for (const group of groups) {
    const found = valueOf(object, group)
    if (found) given[group] = found.value
  }
  for (const name of plain) if (Object.hasOwn(object, name)) given[name] = object[name]
  const { idempotency_key: key, ...fields } = given
  const unknown = Object.keys(object).filter((name) => !known.has(name))
  return { given: fields, key, unknown: unknown.map((param) => ({ code: 'unknown_field', param })) }
}

const MAX_KEY_LENGTH = 200

/**
 * The key of the header and of the body, which must match ("Alias convention"); null without any. Throws
 * `idempotency_key_invalid` if they differ, `invalid_request` if it is blank or over 200 characters.
 */
export const keyOf = (req: Request, inBody: unknown): string | null => {
  const header = req.headersDistinct['idempotency-key'] ?? []
  const given: unknown[] = [...header, ...(inBody === undefined ? [] : [inBody])]
  const [key] = given
  if (given.length === 0) return null
  if (given.some((other) => other !== key)) {
    throw keysDiffer('the header and the body')
  }
  if (typeof key !== 'string' || key.trim() === '' || key.length > MAX_KEY_LENGTH) {
    throw invalid('idempotency_key', `must be 1 to ${MAX_KEY_LENGTH} characters, not blank`)
  }
  return key
}

/** Not given is null further in. A null that is given is a wrong type, as it is for the service. */
const orNull = <S extends z.ZodType>(schema: S) => schema.optional().transform((value) => value ?? null)

const OPTIONS = {
  expressiveness: orNull(z.number()),
  webhook_url: orNull(WebhookUrl),
}
const TextVideo = z.object({
  // "HTTPS image URL": the route checks that. A listed puppet may have another one.
  image_url: PlainUrl,
  text: Spoken,
  // However long: what no voice is called is 404, and the body has a limit of its own.
  voice_id: orNull(Spoken),
  language: orNull(Spoken.max(35)),
  ...OPTIONS,
})
const AudioVideo = z.object({ image_url: PlainUrl, audio_url: PlainUrl, ...OPTIONS })

export const readTextVideo = (given: unknown): z.output<typeof TextVideo> => parseOr400(TextVideo, given)
export const readAudioVideo = (given: unknown): z.output<typeof AudioVideo> => parseOr400(AudioVideo, given)

const Upload = z.object({
  mime_type: z.enum(AUDIO_TYPES),
  content_length: z.int().min(1),
  require_video_readiness: z.boolean().default(false),
})

/** Throws `file_too_large` over 52428800 bytes ("Limits"). */
export const readUpload = (given: unknown): z.output<typeof Upload> => {
  const upload = parseOr400(Upload, given)
  if (upload.content_length <= MAX_AUDIO_BYTES) return upload
  throw new Problem('file_too_large', `audio may have at most ${MAX_AUDIO_BYTES} bytes`, {
    details: { max_file_bytes: MAX_AUDIO_BYTES },
  })
}

/** "POST /api/v1/tts/service". */
const Speech = z.object({ voice_id: Spoken, text: Spoken, speed: orNull(z.number()) })
export const readSpeech = (given: unknown): z.output<typeof Speech> => parseOr400(Speech, given)

const Puppet = z.object({ imageUrl: PlainUrl, name: orNull(Spoken.max(200)) })
export const readPuppet = (given: unknown): z.output<typeof Puppet> => parseOr400(Puppet, given)

const OUT_OF_PAGE = 'must be a whole number from 1 to 100'
const Page = z.object({
  limit: z
    .string(OUT_OF_PAGE)
    .regex(/^\d{1,3}$/, OUT_OF_PAGE)
    .transform(Number)
    .pipe(z.int().min(1, OUT_OF_PAGE).max(100, OUT_OF_PAGE))
    .default(20),
  cursor: z.string().optional(),
})
export const readPage = ({ query }: Request): z.output<typeof Page> => parseOr400(Page, query)

/** A video as a job of the primary contract ("Video job"; "States and transitions"). */

export interface JobContext {
  /** A link that works now; null before completion. */
  videoUrl: string | null
  origin: string
  nowMs: number
  /** The answer to a create, not to a read. */
  isCreate: boolean
  /** Of a create that made a video, not of one that was sent again. */
  isNew: boolean
  /** For a backend that reports no progress: as far as jobs have come by this time, usually. 0 to 1. */
  usualProgress: number
}

interface JobAnswer {
  status: 200 | 202
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** When a failure may be tried again: the contract shows no number. */
const FAILED_RETRY_S = 30

const hintOf = (view: VideoView, { nowMs, isCreate }: JobContext): Hint | null => {
  const inSeconds = (seconds: number): Hint => ({ seconds, atMs: nowMs + seconds * 1000 })
  const { isTerminal, nextPollAtMs } = paceOf(view)
  if (!isTerminal) return inSeconds(retryAfterSeconds(nextPollAtMs, nowMs))
  // "Only for retryable failed replays."
  return isCreate && view.status === 'failed' && view.error?.retryable ? inSeconds(FAILED_RETRY_S) : null
}

const stateOf = (
  { status, progress, error }: VideoRecord,
  { videoUrl, isNew, usualProgress }: JobContext,
): Record<string, unknown> => {
  switch (status) {
    case 'queued':
      return { status: 'queued' }
    case 'processing':
      // "202: job queued", though another interface has no word for it.
      if (isNew) return { status: 'queued' }
      // "Progress (number, 0 to 1, during processing)": always.
      return { status: 'processing', progress: progress ?? usualProgress }
    case 'completed':
      return { status: 'completed', video_url: videoUrl }
    case 'failed':
    case 'canceled':
      return {
        status: 'failed',
        error: error?.code ?? status,
        message: error?.message ?? 'the video was canceled',
        retryable: error?.retryable ?? false,
      }
  }
}

/** What its backend said, where that speaks this contract, under the client's own id; otherwise null. */
const saidOf = (video: VideoRecord, id: string, link: string | null): Verbatim | null =>
  video.interface === 'primary' && video.verbatim !== null ? renamed(video.verbatim, video, { id, link }) : null

const HINTS = Object.keys(hintFields({ seconds: 0, atMs: 0 }))

/** `next_poll_at` in both spellings, and what else the backend's answer has of the kind. */
const hintsIn = (job: Verbatim, hint: Hint | null): Verbatim =>
  Object.fromEntries(
    Object.entries(hint ? hintFields(hint) : {}).filter(([name]) => name.startsWith('next') || name in job),
  )

/** The state as the backend words it: a failure that it reported is reported as it came. */
const wordedBy = (video: VideoRecord, context: JobContext): Record<string, unknown> => {
  const word = wordOf(video)
  const { progress, ...state } = stateOf(video, { ...context, isNew: false })
  return {
    ...(failedThere(video) ? {} : state),
    ...(word !== null && { status: word }),
    ...(video.progress !== null && progress !== undefined && { progress }),
  }
}

/** Credits that the create cost ("present when create-time debit data is available"). */
const creditHeaders = ({ credits }: VideoView): Record<string, string> => ({
  ...(credits !== null && credits.charged !== null && { 'x-service-credits-required': String(credits.charged) }),
  ...(credits !== null && credits.remaining !== null && { 'x-service-credits-remaining': String(credits.remaining) }),
})

/** 202 for a create that is yet to end, else 200. Pure. */
export const jobAnswer = (video: VideoRecord, view: VideoView, context: JobContext): JobAnswer => {
  const id = (video.interface === 'primary' ? keptId(video) : null) ?? publicIdOf(view.id)
  const path = statusPathOf(id)
  const hint = hintOf(view, context)
  const said = saidOf(video, id, context.videoUrl)
  const ours = {
    id,
    operation_id: id,
    request_id: id,
    status_url: path,
    content_location: path,
    ...(said ? wordedBy(video, context) : stateOf(video, context)),
  }
  return {
    status: context.isCreate && !isTerminal(view.status) ? 202 : 200,
    headers: { ...jobHeaders(id, context.origin), ...creditHeaders(view), ...(hint && hintHeaders(hint)) },
    body: inJob(said ?? {}, id, (job) => laidOver(without(job, HINTS), { ...ours, ...hintsIn(job, hint) })),
  }
}
