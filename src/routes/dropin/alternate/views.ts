import { iso, isoOrNull } from '../../../core/time/clock.ts'
import type { Puppet, Voice } from '../../../core/adapter.ts'
import { isPast, sourceOf, type Verbatim, type VideoRecord } from '../../../core/video.ts'
import { STATUSES, type Status } from '../../../core/vocabulary.ts'
import {
  failedThere,
  inJob,
  isSameFile,
  keptId,
  laidOver,
  renamed,
  without,
  withoutLinks,
  wordOf,
} from '../translation.ts'
import type { OwnBody } from '../../../engine/index.ts'

/** What the alternate contract shows ("Resources and their fields"). All pure. */

type Shown = 'processing' | 'completed' | 'failed'

/** "States and transitions": three words. */
const SHOWN: Readonly<Record<Status, Shown>> = {
  queued: 'processing',
  processing: 'processing',
  completed: 'completed',
  failed: 'failed',
  canceled: 'failed',
}

/** The statuses that a word of the contract represents. */
export const statusesOf = (word: Shown): Status[] => STATUSES.filter((status) => SHOWN[status] === word)

const idOf = (video: VideoRecord): string => (video.interface === 'alternate' ? keptId(video) : null) ?? video.id

const isSame = (video: VideoRecord): boolean => video.interface === 'alternate' && video.verbatim !== null

/** What its backend said, where that speaks this contract, as a client knows the video; otherwise nothing. */
const saidOf = (video: VideoRecord, link: string | null = null): Verbatim =>
  isSame(video) ? renamed(video.verbatim ?? {}, video, { id: idOf(video), link }) : {}

const shownStatus = (video: VideoRecord): string => (isSame(video) ? wordOf(video) : null) ?? SHOWN[video.status]

/** An id as its backend has it, or an alias: the name of a backend before it is the gateway's own. */
const unqualified = (id: string | null, backend: string): string | null =>
  id !== null && id.startsWith(`${backend}:`) ? id.slice(backend.length + 1) : id

/** What a create, a detail and a list item all show. A job from elsewhere keeps the time of its own creation. */
const shared = (video: VideoRecord, said: Verbatim) => {
  const { input, order, backend, createdAtMs } = video
  const createdAt = sourceOf(video) === 'import' ? said['created_at'] : undefined
  return {
    id: idOf(video),
    status: shownStatus(video),
    puppet_id: said['puppet_id'] ?? unqualified(input.puppet_id, backend) ?? order.puppetId,
    created_at: createdAt ?? iso(createdAtMs),
  }
}

/** "`resolution`: default `1080p`": what a client of this contract asks for by asking for nothing. */
const DEFAULT_RESOLUTION = '1080p'

const voicing = ({ input, backend, surface }: VideoRecord, said: Verbatim) => ({
  voice_id: said['voice_id'] ?? unqualified(input.voice_id, backend),
  resolution: said['resolution'] ?? input.resolution ?? (surface === 'alternate' ? DEFAULT_RESOLUTION : null),
})

const durationOf = ({ durationSeconds }: VideoRecord): number | null =>
  durationSeconds === null ? null : Math.round(durationSeconds)

const WORDS_PER_SECOND = 2.5

/** How long a text takes to say, in whole seconds, at least 1. */
const speechSeconds = (text: string): number =>
  Math.max(1, Math.ceil((text.match(/\S+/g) ?? []).length / WORDS_PER_SECOND))

/** The backend's estimate, else one from the words of the script. */
const estimateOf = ({ durationEstimateSeconds, input }: VideoRecord): number | null => {
  if (durationEstimateSeconds !== null) return Math.round(durationEstimateSeconds)
  return input.text === null ? null : speechSeconds(input.text)
}

/** What only a detail has: a create that is sent again may find a video that ended. */
const OF_DETAIL = ['duration_sec', 'download_url', 'thumbnail_url', 'completed_at', 'error']

/** "Video (create response)". */
export const createdBody = (video: VideoRecord): Record<string, unknown> =>
  inJob(saidOf(video), idOf(video), (job) => ({
    ...laidOver(without(job, OF_DETAIL), shared(video, job)),
    ...voicing(video, job),
    duration_estimate_sec: estimateOf(video),
  }))

/** "Video (list item)". */
export const itemBody = (video: VideoRecord): Record<string, unknown> => {
  const said = saidOf(video)
  // Of an older job, what was said is the line of the service's list, read perhaps long ago: links have expired since.
  return laidOver(isPast(video) ? withoutLinks(said, video.link?.url) : {}, {
    ...shared(video, said),
    duration_sec: durationOf(video),
  })
}

/** A failure that the backend reported is reported in its own words. */
const failureOf = (video: VideoRecord): Record<string, unknown> => {
  const { error, status } = video
  if (SHOWN[status] !== 'failed' || (isSame(video) && failedThere(video))) return {}
  return { error: { code: error?.code ?? status, message: error?.message ?? 'the video was canceled' } }
}

/**
 * "Video (detail)". `downloadUrl`: a link that works now; null before completion. `portraitUrl`: the puppet's, if the
 * record has none, until the backend shows one of the video.
 */
export const detailBody = (
  video: VideoRecord,
  downloadUrl: string | null,
  portraitUrl: string | null = null,
): Record<string, unknown> =>
  inJob(saidOf(video, downloadUrl), idOf(video), (job) => {
    const completedAt = sourceOf(video) === 'import' ? job['completed_at'] : undefined
    return {
      ...laidOver(without(job, ['duration_estimate_sec', 'completed_at']), shared(video, job)),
      ...voicing(video, job),
      duration_sec: job['duration_sec'] ?? durationOf(video),
      download_url: downloadUrl,
      thumbnail_url: job['thumbnail_url'] ?? video.thumbnailUrl ?? video.order.imageUrl ?? portraitUrl,
      ...(video.status === 'completed' && { completed_at: completedAt ?? isoOrNull(video.endedAtMs) }),
      ...failureOf(video),
    }
  })

/** "Voice": its `language` is the locale. */
export const voiceBody = ({ id, name, gender, languageCode, previewUrl }: Voice): object => ({
  id,
  name: name ?? id,
  gender,
  language: languageCode,
  preview_url: previewUrl,
})

/** "Puppet". */
export const puppetBody = ({ id, name, type, imageUrl, thumbnailUrl }: Puppet): object => ({
  id,
  name: name ?? id,
  type,
  thumbnail_url: thumbnailUrl ?? imageUrl,
})

/** "The service sends a POST to it when the video is ready. Payload and signature of that POST: not shown." Pure. */

/** As of every event. */
const MAX_BODY_BYTES = 20_000
/** The longest link of a backend in it. */
const LONGEST_URL = 2_048

/**
 * Names that services give, beside those of a detail: to the event, to the video, to a link, to its end, and to what is
 * around them.
 */
const OF_EVENT = ['event', 'event_type', 'type', 'object', 'topic']
/** Words with which services call an end, beside those of the contract. */
const ENDS: Readonly<Record<Shown, readonly string[]>> = {
  processing: [],
  completed: ['complete', 'done', 'finished', 'ready', 'succeeded', 'success'],
  failed: ['error', 'errored', 'failure'],
}
const OF_VIDEO = ['id', 'video', 'video_id', 'job', 'job_id', 'resource_id', 'self']
const OF_LINK = ['link', 'url', 'video_url', 'download_url']
const OF_END = ['ended_at', 'finished_at', 'timestamp']
const AROUND = ['data', 'payload', 'result', 'video', 'job', 'resource']

/**
 * What the poll confirmed: which values a name may have, under the client's own ids. A name that is not here says
 * nothing.
 */
const confirmedOf = (video: VideoRecord): ReadonlyMap<string, readonly unknown[]> => {
  const values = new Map<string, unknown[]>()
  const add = (name: string, value: unknown): void => {
    const known = values.get(name) ?? []
    values.set(name, known)
    if (typeof value !== 'object' || value === null) known.push(value)
    else for (const [inner, one] of Object.entries(value)) add(Array.isArray(value) ? name : inner, one)
    // `puppet` is often short for `puppet_id`.
    if (name.endsWith('_id')) add(name.slice(0, -'_id'.length), value)
  }
  const link = video.link?.url ?? null
  for (const body of [saidOf(video), detailBody(video, link)])
    for (const [name, value] of Object.entries(body)) add(name, value)
  const status = SHOWN[video.status]
  const events = [status, ...ENDS[status]].flatMap((word) => [word, `video.${word}`, `video_${word}`])
  for (const name of OF_EVENT) add(name, ['video', ...events])
  for (const name of OF_VIDEO) add(name, [video.id, `/v1/videos/${video.id}`])
  for (const name of OF_LINK) add(name, link)
  for (const name of OF_END) add(name, values.get('completed_at') ?? [])
  for (const name of AROUND) add(name, [])
  return values
}

/**
 * The callback's names and shape with the values that the poll confirmed; null if it says anything else, or does not
 * name the video. Nobody signed it, and the gateway signs only what it read itself: neither a name nor a value is the
 * caller's.
 */
const confirmed = (said: Verbatim, video: VideoRecord): Verbatim | null => {
  const known = confirmedOf(video)
  let isSo = true
  const read = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => read(name, one))
    if (typeof value === 'object' && value !== null) return layer(value)
    const values = known.get(name) ?? []
    // Two answers may sign the link to the same file differently: the poll's is right.
    const found = values.includes(value) ? value : values.find((one) => isSameFile(one, value))
    isSo &&= found !== undefined
    return found
  }
  const layer = (object: object): Verbatim =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => {
        isSo &&= known.has(name)
        return [name, isSo ? read(name, value) : null]
      }),
    )
  const body = layer(said)
  return isSo && JSON.stringify(body).includes(`"${video.id}"`) ? body : null
}

/** What its backend called back with about this very job, as far as the backend has confirmed it since. */
const calledBackWith = (video: VideoRecord): Verbatim | null => {
  const { status, error, callback, attempt, backendJobId } = video
  const isConfirmed = status === 'completed' || error?.code === 'backend_failed'
  if (!isConfirmed || callback?.attempt !== attempt) return null
  if (callback.jobId !== null && callback.jobId !== backendJobId) return null
  return confirmed(renamed(callback.body, video, { id: video.id, link: null }), video)
}

/** Without what only its backend's words make long. */
const plain = (video: VideoRecord): VideoRecord => ({
  ...video,
  verbatim: null,
  thumbnailUrl: (video.thumbnailUrl?.length ?? 0) > LONGEST_URL ? null : video.thumbnailUrl,
})

/**
 * The body of the backend's own callback if the poll confirmed all of it; otherwise the detail of the video in the
 * envelope of an event, with the link that stays valid.
 */
const webhookBody = (video: VideoRecord, { type, timestamp, contentUrl }: Parameters<OwnBody>[1]): string => {
  const enveloped = (one: VideoRecord): string =>
    JSON.stringify({ type, timestamp, data: detailBody(one, one.status === 'completed' ? contentUrl : null) })
  const callback = calledBackWith(video)
  const wanted = [...(callback === null ? [] : [JSON.stringify(callback)]), enveloped(video)]
  return wanted.find((body) => Buffer.byteLength(body) <= MAX_BODY_BYTES) ?? enveloped(plain(video))
}

/** What a video's own `webhook_url` is sent in place of the event: the words of the contract that it was made by. */
export const ownWebhookBody: OwnBody = (video, event) =>
  video.surface === 'alternate' ? webhookBody(video, event) : null
