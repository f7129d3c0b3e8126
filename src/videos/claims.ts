import { sleepUntil, type Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Store } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import { duplicate, pendingClaims, readNow } from './callbacks.ts'
import type { Confirm } from './confirm.ts'
import type { Apply } from './engine.ts'

export interface ClaimsDeps {
  store: Pick<Store, 'video'>
  apply: Apply
  confirm: Confirm
  clock: Clock
  log: Log
  accountOf: (video: VideoRecord) => Account | null
}

/** Videos whose claims are followed at once; those of more are left to the next callback. */
const AT_MOST = 1_000
/** How often a ticket is asked for before the claim is left to the next callback. */
const TRIES = 10

/**
 * Reads the jobs that callbacks name for a video that has its job already, or was given up: only one that the backend
 * itself confirms raises `duplicate_job`. What is to be read stands in the record; who reads it is this process.
 */
export const createClaims = ({ store, apply, confirm, clock, log, accountOf }: ClaimsDeps) => {
  const following = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  const follow = async (id: string): Promise<void> => {
    for (let tries = 0; tries < TRIES && !stopping.signal.aborted;) {
      const video = await store.video(id)
      const account = video && accountOf(video)
      const claim = video && pendingClaims(video)[0]
      if (!account || !claim) return
      if (claim.atMs > clock.now()) {
        await sleepUntil(clock, claim.atMs, stopping.signal)
        continue
      }
      const confirmed = await confirm(account, video, claim.jobId)
      if (confirmed.kind === 'not_now') {
        tries += 1
        await sleepUntil(clock, confirmed.retryAtMs, stopping.signal)
        continue
      }
      await apply(id, (current, nowMs) => {
        const second = confirmed.kind === 'ours' ? duplicate(current, claim.jobId, nowMs) : null
        return second ?? { video: readNow(current, claim.jobId, nowMs), notes: [] }
      })
    }
  }

  return {
    /** Follows what callbacks claim of this video. */
    check(video: VideoRecord): void {
      if (pendingClaims(video).length === 0 || stopping.signal.aborted) return
      if (following.has(video.id) || following.size >= AT_MOST) return
      const done: Promise<void> = follow(video.id)
        .catch((err: unknown) => log.error({ video_id: video.id, err }, 'a job that a callback named was not read'))
        .then(() => void following.delete(video.id))
      following.set(video.id, done)
    },
    /** Reads nothing more. */
    halt: (): void => stopping.abort(),
    async stop(): Promise<void> {
      await Promise.all(following.values())
    },
  }
}
