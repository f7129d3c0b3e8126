import { fingerprintOf } from '../../core/ids.ts'
import { Problem } from '../../core/errors.ts'
import type { Ports } from '../../core/ports.ts'
import type { Order, VideoRecord } from '../../core/video.ts'
import { end, type Step } from '../life/job-steps.ts'
import { type Backend, type Backends, namedBy } from '../upstream/accounts.ts'
import type { Chosen } from './plan.ts'
import type { Source } from './route.ts'

/**
 * Two videos of one service with the same hash are made for the same client from exactly the same. Null: nobody knows
 * whether they are, since the file behind an address that is not the gateway's may have changed.
 */
export const inputHashOf = (client: string, order: Order, source: Source): string | null => {
  if (source.kind === 'external') return null
  // The URL of an upload has the signature of the day.
  const audioUrl = source.kind === 'upload' ? source.upload.id : null
  return fingerprintOf({ client, order: { ...order, audioUrl } }).slice(0, 32)
}

/** What is to be made, and where: by any member of a pool, if any of them could make it. */
export interface Wanted {
  members: readonly Backend[]
  inputHash: string | null
}

export const wantedOf = (client: string, chosen: Chosen, source: Source, visible: Backends): Wanted => ({
  members: chosen.pool === null ? [chosen.backend] : namedBy(chosen.pool, visible),
  inputHash: inputHashOf(client, chosen.order, source),
})

/** The same on the member that made it already. */
export const madeBy = (chosen: Chosen, { members }: Wanted, { account }: VideoRecord): Chosen => {
  const backend = members.find((one) => one.account.id === account) ?? chosen.backend
  const considered = chosen.note.considered.map((one) =>
    one.verdict === 'chosen' ? { ...one, backend: backend.name } : one,
  )
  return { ...chosen, backend, pool: null, siblings: [], note: { ...chosen.note, considered } }
}

/** A completed video with its job. */
export type Original = VideoRecord & { backendJobId: string }

interface ReuseDeps extends Pick<Ports, 'store' | 'clock'> {
  /** Throws if its file cannot be had. */
  download: (video: VideoRecord) => Promise<unknown>
}

/** Finds the latest video that was made from exactly the same, and is not older than `withinMs`. */
export const createReuse = ({ store, clock, download }: ReuseDeps) => {
  const find = async ({ members, inputHash }: Wanted, withinMs: number): Promise<VideoRecord | null> =>
    inputHash === null || withinMs === 0
      ? null
      : store.reusable(
          members.map(({ account }) => account.id),
          inputHash,
          clock.now() - withinMs,
        )

  return {
    find,
    /** The same, if its file can be had: its link is valid, or the backend has a fresh one. */
    async findWithFile(wanted: Wanted, withinMs: number): Promise<Original | null> {
      const found = await find(wanted, withinMs)
      if (!found) return null
      try {
        await download(found)
      } catch (error) {
        if (error instanceof Problem) return null
        throw error
      }
      // With the link that was learned now.
      const original = await store.video(found.id)
      const jobId = original?.backendJobId ?? null
      return original && jobId !== null ? { ...original, backendJobId: jobId } : null
    },
  }
}
export type Reuse = ReturnType<typeof createReuse>

/**
 * A new video that has the file of another. The job stays the other's, and no third video reuses this one: what is
 * younger than some days was made within these days.
 */
export const withFileOf = (video: VideoRecord, other: Original, nowMs: number): Step => {
  const { link, thumbnailUrl, durationSeconds, durationEstimateSeconds, backendStatus } = other
  const file = { link, thumbnailUrl, durationSeconds, durationEstimateSeconds, backendStatus }
  const step = end(video, { status: 'completed' }, nowMs)
  return {
    video: {
      ...step.video,
      ...file,
      inputHash: null,
      reused: { videoId: other.id, jobId: other.backendJobId },
      credits: { charged: 0, remaining: null },
    },
    notes: [{ at: nowMs, type: 'reused', detail: other.id }, ...step.notes],
  }
}
