import { LRUCache } from 'lru-cache'
import { onTheWall, type Clock } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Apply } from '../life/apply.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface Download {
  url: string
  /** As the backend reported it. */
  expiresAtMs: number | null
  /** The same, or until when the gateway believes in a link whose expiry nobody reported. By the wall clock. */
  goodUntilMs: number
}

type Link = NonNullable<VideoRecord['link']>

/** A link whose expiry nobody reported is trusted this long. */
const UNKNOWN_EXPIRY_MS = 10 * 60_000
const PATIENCE_MS = 2_000
/**
 * A failure is remembered for this long: anyone who has a content link may ask as often as they like, without a key.
 */
const FAILURE_KEPT_MS = 60_000
const FAILURES_AT_MOST = 1_000

const downloadOf = ({ url, expiresAtMs, learnedAtMs }: Link, clock: Clock): Download => ({
  url,
  expiresAtMs,
  goodUntilMs: expiresAtMs ?? onTheWall(clock, learnedAtMs + UNKNOWN_EXPIRY_MS),
})

const fresh = ({ link }: VideoRecord, clock: Clock): Download | null => {
  if (!link) return null
  // The expiry is reported by the backend's clock, the fallback counts by ours.
  const leftMs =
    link.expiresAtMs === null ? link.learnedAtMs + UNKNOWN_EXPIRY_MS - clock.now() : link.expiresAtMs - clock.wall()
  return leftMs > 0 ? downloadOf(link, clock) : null
}

export interface DownloadWish {
  /** A link is good enough only if its backend was asked for it lately: only that answer says when it expires. */
  wantsExpiry?: boolean
}

interface DownloadDeps {
  apply: Apply
  upstream: Upstream
  clock: Clock
  accountOf: (video: VideoRecord) => Account | null
}

/**
 * The link of a completed video. While the stored one is valid, that one; then a fresh one, asked for once for all who
 * wait, within the budget and the share of the video's client. If the backend refuses, all who ask within the next
 * minute get that refusal, or the stored link while that is valid. Throws `video_not_completed`, `backend_unavailable`
 * (no budget; with a time) or the backend's problem.
 */
export const createDownload = ({ apply, upstream, clock, accountOf }: DownloadDeps) => {
  const refreshing = new Map<string, Promise<Download>>()
  const failures = new LRUCache<string, Problem>({
    max: FAILURES_AT_MOST,
    ttl: FAILURE_KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })
  /** Videos whose backend was asked for a link lately. */
  const asked = new LRUCache<string, true>({
    max: FAILURES_AT_MOST,
    ttl: UNKNOWN_EXPIRY_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })

  const refresh = async (video: VideoRecord): Promise<Download> => {
    const account = accountOf(video)
    const jobId = video.backendJobId ?? video.reused?.jobId ?? null
    if (!account || jobId === null) {
      throw new Problem('backend_unavailable', 'the configuration no longer has the account that made this video', {
        videoId: video.id,
        backend: video.backend,
      })
    }
    const ask = () => account.adapter.download(jobId)
    const answered = await upstream.ask(account, 'read', PATIENCE_MS, ask, video.client)
    const extras = { backend: video.backend, videoId: video.id }
    if (answered.kind === 'not_now') {
      const message = 'the link has expired, and the rate limit of the backend is used up: retry later'
      throw new Problem('backend_unavailable', message, { ...extras, retryAtMs: answered.retryAtMs })
    }
    if (!answered.outcome.ok) {
      const { code, message, retryable, backendError } = answered.outcome.problem
      const retryAtMs = Math.max(answered.outcome.problem.retryAtMs ?? 0, clock.now() + FAILURE_KEPT_MS)
      const failure = new Problem(code, message, { ...extras, retryable, retryAtMs, backendError })
      failures.set(video.id, failure)
      throw failure
    }
    const link = answered.outcome.value
    asked.set(video.id, true)
    await apply(video.id, (current, nowMs) =>
      // It may have been deleted while its backend was asked: nothing is written back.
      current.deletedAtMs === null
        ? {
            video: { ...current, link: { ...link, learnedAtMs: nowMs } },
            notes: [{ at: nowMs, type: 'link_refreshed', detail: null }],
          }
        : 'keep',
    )
    return downloadOf({ ...link, learnedAtMs: clock.now() }, clock)
  }

  /** One request for all who wait. */
  const refreshed = (video: VideoRecord): Promise<Download> => {
    const running = refreshing.get(video.id)
    if (running) return running
    const started = refresh(video).finally(() => refreshing.delete(video.id))
    refreshing.set(video.id, started)
    return started
  }

  return async (video: VideoRecord, { wantsExpiry = false }: DownloadWish = {}): Promise<Download> => {
    if (video.deletedAtMs !== null) throw new Problem('video_not_found', 'the video was deleted', { videoId: video.id })
    if (video.status !== 'completed') {
      throw new Problem('video_not_completed', `the video is ${video.status}`, {
        videoId: video.id,
        retryable: video.phase !== 'ended',
      })
    }
    const known = fresh(video, clock)
    if (known && (!wantsExpiry || asked.has(video.id))) return known
    const failure = failures.get(video.id)
    if (failure && known) return known
    if (failure) throw failure
    return refreshed(video).catch((error: unknown) => {
      if (known && error instanceof Problem) return known
      throw error
    })
  }
}
