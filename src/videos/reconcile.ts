import type { Store } from '../core/ports.ts'
import { accountIdOf } from '../core/vocabulary.ts'
import type { Apply } from './engine.ts'
import { end } from './settle.ts'

export interface ReconcileDeps {
  store: Store
  apply: Apply
  isAccount: (id: string) => boolean
  isClient: (id: string) => boolean
}

const AT_MOST = 1_000

/**
 * Holds a configuration against what the store has open (design 4, "Reload"), before anything is started: a backend that
 * was removed, re-keyed or re-pointed while it has open videos is refused, because nobody could ask after them any more;
 * what a removed client has waiting is canceled, and what runs for it settles.
 */
export const reconcile = async ({ store, apply, isAccount, isClient }: ReconcileDeps): Promise<void> => {
  for (const account of (await store.due('pump', AT_MOST)).map(accountIdOf)) {
    if (!isAccount(account)) {
      const { waiting, held } = await store.counts(account)
      const [backend] = await store.backendsOf(account)
      throw new Error(
        `backend ${backend ?? '?'} has ${waiting + held} open video(s) under a base_url or api_key that is configured no more: ` +
          'put it back, with `drain: true` (under another name, if need be), until they have ended',
      )
    }
    for (const { id, client } of await store.waitingOf(account)) {
      if (isClient(client)) continue
      await apply(id, (video, nowMs) =>
        video.phase === 'waiting' ? end(video, { status: 'canceled' }, nowMs) : 'keep',
      )
    }
  }
}
