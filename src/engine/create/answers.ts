import { Problem } from '../../core/errors.ts'
import type { FullScope } from '../../core/store/videos.ts'
import { nextMonthMs } from '../../core/time/clock.ts'
import type { VideoRecord } from '../../core/video.ts'

/** What a client is told where its create opens no video. */

/** What one client may have; null: as much as it likes. */
export interface CreatorLimits {
  queuedVideos: number
  videosPerMonth: number | null
  creditsPerMonth: number | null
}

export interface Created {
  video: VideoRecord
  replayed: boolean
}

export const otherRequest = (videoId: string): Problem =>
  new Problem(
    'idempotency_key_conflict',
    'this Idempotency-Key was used with another request: use a new key for a new request',
    { videoId },
  )

export const replayOf = (video: VideoRecord, fingerprintMatches: boolean, nowMs: number): Created => {
  if (!fingerprintMatches) throw otherRequest(video.id)
  // Also when its lease is over: the first attempt may still be refused, and then there was no video.
  if (!video.told) {
    throw new Problem(
      'idempotency_key_in_progress',
      'the first request with this Idempotency-Key is still running: retry soon',
      { retryAtMs: nowMs + 1_000 },
    )
  }
  return { video, replayed: true }
}

export const fullProblem = (scope: FullScope, limits: CreatorLimits, nowMs: number): Problem => {
  const quota = (name: string, limit: number | null): Problem =>
    new Problem('quota_exceeded', `you have had your ${limit ?? 0} ${name.replace('_per_month', '')} of this month`, {
      retryAtMs: nextMonthMs(nowMs),
      details: { quota: name, limit },
    })
  switch (scope) {
    case 'queue':
      return new Problem('queue_full', 'too many videos wait in the gateway: retry later', {
        retryAtMs: nowMs + 30_000,
      })
    case 'client':
      return new Problem(
        'concurrency_limit_reached',
        'too many of your videos wait in the gateway: retry when some have been sent',
        { retryAtMs: nowMs + 30_000 },
      )
    case 'videos':
      return quota('videos_per_month', limits.videosPerMonth)
    case 'credits':
      return quota('credits_per_month', limits.creditsPerMonth)
  }
}
