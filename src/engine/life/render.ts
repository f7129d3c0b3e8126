import { iso, isoOrNull } from '../../core/time/clock.ts'
import type { VideoView } from '../../core/api/videos.ts'
import { sourceOf, type VideoRecord } from '../../core/video.ts'

export interface RenderContext {
  nowMs: number
  /** The link to keep: absolute, with its own signature. */
  contentUrl: (videoId: string) => string
  /** The stream of this one video: likewise. */
  eventsUrl: (videoId: string) => string
  /** Only of a video that waits. */
  position: number | null
  /** Of an accepted video: when the gateway polls again, as far as this process knows. */
  plannedPollAtMs: number | null
}

/** What of a video's public shape changes while its record, and its place in a queue, stay the same. */
export interface Passing {
  isLinkShown: boolean
  nextPollAtMs: number | null
}

/** What is to be known of a record to say whether its public shape is still the same. */
export type ShownPart = Pick<VideoRecord, 'id' | 'account' | 'version' | 'phase' | 'dueAtMs' | 'link'>

export const passingOf = (
  { phase, link }: Pick<VideoRecord, 'phase' | 'link'>,
  { nowMs, plannedPollAtMs }: Pick<RenderContext, 'nowMs' | 'plannedPollAtMs'>,
): Passing => ({
  isLinkShown: link !== null && (link.expiresAtMs === null || link.expiresAtMs > nowMs),
  nextPollAtMs: phase === 'accepted' && plannedPollAtMs !== null && plannedPollAtMs > nowMs ? plannedPollAtMs : null,
})

/** The public shape of a video (`VideoView`), as it is now. A link that has expired is not shown. */
export const renderVideo = (video: VideoRecord, context: RenderContext): VideoView => {
  const { contentUrl, eventsUrl, position } = context
  const { isLinkShown, nextPollAtMs } = passingOf(video, context)
  const link = isLinkShown ? video.link : null
  return {
    id: video.id,
    object: 'video',
    status: video.status,
    progress: video.progress,
    backend: video.backend,
    interface: video.interface,
    backend_job_id: video.backendJobId,
    source: sourceOf(video),
    input: video.input,
    video_url: link?.url ?? null,
    video_url_expires_at: isoOrNull(link?.expiresAtMs ?? null),
    thumbnail_url: video.thumbnailUrl,
    duration_seconds: video.durationSeconds,
    duration_estimate_seconds: video.durationEstimateSeconds,
    content_url: contentUrl(video.id),
    events_url: eventsUrl(video.id),
    error: video.error,
    credits: video.credits,
    warnings: video.warnings,
    metadata: video.metadata,
    webhook_url: video.webhookUrl,
    backend_status: video.backendStatus,
    routing: video.routing,
    replaces: video.replaces,
    replaced_by: video.replacedBy,
    queue: position === null ? null : { position, reason: video.waitReason ?? 'no_free_slot' },
    created_at: iso(video.createdAtMs),
    dispatched_at: isoOrNull(video.dispatchedAtMs),
    completed_at: isoOrNull(video.endedAtMs),
    next_poll_at: isoOrNull(nextPollAtMs),
  }
}
