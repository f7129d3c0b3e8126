import { iso, isoOrNull } from '../../../core/time/clock.ts'
import type { Puppet, Voice } from '../../../core/adapter.ts'
import { sourceOf, type Verbatim, type VideoRecord } from '../../../core/video.ts'
import { STATUSES, type Status } from '../../../core/vocabulary.ts'
import { laidOver, renamed } from '../verbatim.ts'

/** What the alternate contract shows ("Resources and their fields"). All pure. */

export type Shown = 'processing' | 'completed' | 'failed'

/** "States and transitions": three words. */
export const SHOWN: Readonly<Record<Status, Shown>> = {
  queued: 'processing',
  processing: 'processing',
  completed: 'completed',
  failed: 'failed',
  canceled: 'failed',
}

/** The statuses that a word of the contract stands for. */
export const statusesOf = (word: Shown): Status[] => STATUSES.filter((status) => SHOWN[status] === word)

/** What its backend said, where that speaks this contract, as a client knows the video; else nothing. */
export const saidOf = (video: VideoRecord): Verbatim =>
  video.interface === 'alternate' && video.verbatim !== null ? renamed(video.verbatim, video.backendJobId, video) : {}

const without = (said: Verbatim, names: readonly string[]): Verbatim =>
  Object.fromEntries(Object.entries(said).filter(([name]) => !names.includes(name)))

/** An id as its backend has it, or an alias: the name of a backend before it is the gateway's own. */
const unqualified = (id: string | null, backend: string): string | null =>
  id !== null && id.startsWith(`${backend}:`) ? id.slice(backend.length + 1) : id

/** What a create, a detail and a list item all show. A job from elsewhere keeps the time of its own creation. */
const shared = (video: VideoRecord, said: Verbatim) => {
  const { id, status, input, order, backend, createdAtMs } = video
  const createdAt = sourceOf(video) === 'import' ? said['created_at'] : undefined
  return {
    id,
    status: SHOWN[status],
    puppet_id: said['puppet_id'] ?? unqualified(input.puppet_id, backend) ?? order.puppetId,
    created_at: createdAt ?? iso(createdAtMs),
  }
}

const voicing = ({ input, backend }: VideoRecord, said: Verbatim) => ({
  voice_id: said['voice_id'] ?? unqualified(input.voice_id, backend),
  resolution: said['resolution'] ?? input.resolution,
})

const durationOf = ({ durationSeconds }: VideoRecord): number | null =>
  durationSeconds === null ? null : Math.round(durationSeconds)

const WORDS_PER_SECOND = 2.5

/** How long a text takes to say, in whole seconds, at least 1. */
export const speechSeconds = (text: string): number =>
  Math.max(1, Math.ceil((text.match(/\S+/g) ?? []).length / WORDS_PER_SECOND))

/** The backend's estimate, else one from the words of the script. */
const estimateOf = ({ durationEstimateSeconds, input }: VideoRecord): number | null => {
  if (durationEstimateSeconds !== null) return Math.round(durationEstimateSeconds)
  return input.text === null ? null : speechSeconds(input.text)
}

/** What only a detail has: a create that is sent again may find a video that ended. */
const OF_DETAIL = ['duration_sec', 'download_url', 'thumbnail_url', 'completed_at', 'error']

/** "Video (create response)". */
export const createdBody = (video: VideoRecord): Record<string, unknown> => {
  const said = saidOf(video)
  return {
    ...laidOver(without(said, OF_DETAIL), shared(video, said)),
    ...voicing(video, said),
    duration_estimate_sec: estimateOf(video),
  }
}

/** "Video (list item)". */
export const itemBody = (video: VideoRecord): Record<string, unknown> => ({
  ...shared(video, saidOf(video)),
  duration_sec: durationOf(video),
})

/** A failure that the backend told is told in its own words. */
const failureOf = ({ error, status }: VideoRecord, said: Verbatim): Record<string, unknown> => {
  if (SHOWN[status] !== 'failed' || (error?.code === 'backend_failed' && 'error' in said)) return {}
  return { error: { code: error?.code ?? status, message: error?.message ?? 'the video was canceled' } }
}

/** "Video (detail)". `downloadUrl`: a link that works now; null before completion. */
export const detailBody = (video: VideoRecord, downloadUrl: string | null): Record<string, unknown> => {
  const said = saidOf(video)
  const completedAt = sourceOf(video) === 'import' ? said['completed_at'] : undefined
  return {
    ...laidOver(without(said, ['duration_estimate_sec', 'completed_at']), shared(video, said)),
    ...voicing(video, said),
    duration_sec: said['duration_sec'] ?? durationOf(video),
    download_url: downloadUrl,
    thumbnail_url: said['thumbnail_url'] ?? video.thumbnailUrl,
    ...(video.status === 'completed' && { completed_at: completedAt ?? isoOrNull(video.endedAtMs) }),
    ...failureOf(video, said),
  }
}

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
