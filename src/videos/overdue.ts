import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Store } from '../core/ports.ts'
import { accountIdOf, type AccountId } from '../core/vocabulary.ts'
import type { Apply } from './engine.ts'
import { end, expire, failure } from './settle.ts'

export interface OverdueDeps {
  store: Store
  apply: Apply
  clock: Clock
  log: Log
  /** Of the configuration. */
  isKnown: (account: string) => boolean
  settings: { maxAgeMs: number }
}

const AT_ONCE = 100

/** Ends what can wait no longer (design 4, "Create" 4), and what belongs to an account that is configured no more. */
export const createOverdue = ({ store, apply, clock, log, isKnown, settings }: OverdueDeps) => {
  const giveUpWaiting = async (account: AccountId): Promise<void> => {
    for (const id of await store.overdue(account, clock.now() - settings.maxAgeMs, AT_ONCE)) {
      await apply(id, (video, nowMs) => {
        const error =
          video.refusal ?? failure('backend_unavailable', 'the backend had no room for it within the time allowed')
        return video.phase === 'waiting' ? end(video, { status: 'failed', error }, nowMs) : 'keep'
      })
    }
  }

  const expireRunning = async (account: AccountId): Promise<number> => {
    const running = await store.running(account)
    for (const { id } of running) {
      await apply(id, (video, nowMs) =>
        nowMs - (video.acceptedAtMs ?? video.createdAtMs) >= settings.maxAgeMs ? expire(video, nowMs) : 'keep',
      )
    }
    return running.length
  }

  return {
    giveUpWaiting,
    /**
     * Videos of an account that was removed, re-keyed or re-pointed cannot be asked after: the operator is told how many,
     * and they end at their `max_age` like any other.
     */
    async orphans(): Promise<void> {
      for (const account of (await store.due('pump', AT_ONCE)).filter((id) => !isKnown(id)).map(accountIdOf)) {
        await giveUpWaiting(account)
        const running = await expireRunning(account)
        const { waiting } = await store.counts(account)
        if (running + waiting === 0) continue
        const fields = { account, running, waiting }
        log.error(
          fields,
          'open videos belong to a backend whose base_url or api_key is configured no more: put it back',
        )
      }
    },
  }
}
