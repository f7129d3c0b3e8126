import { type BackendProblem, UNTOLD } from '../../core/adapter.ts'
import type { Ports } from '../../core/ports.ts'
import type { Credits } from '../send/dispatch.ts'
import type { Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'
import { type Chosen, lackedField, type Lists } from './plan.ts'

interface ForeseenDeps extends Pick<Ports, 'store' | 'clock'> {
  upstream: Pick<Upstream, 'slotsPausedUntilMs'>
  lookUp: Lists
  credits: Credits
  /** What the account says now, read again after some seconds; null: it does not say. */
  creditsLeft: (backend: Backend) => Promise<number | null>
}

/** Endings of files that are no pictures. The contract does not show which types are supported. */
const NO_PICTURE = /\.(txt|html?|pdf|json|xml|zip|mp[34]|m4[av]|wav|mov|avi|webm|docx?)$/i

const refusal = (code: BackendProblem['code'], message: string): BackendProblem => ({
  ...UNTOLD,
  code,
  message,
  retryable: false,
})

/**
 * The refusal that the backend would give, if the video would only wait for a slot, or for the end of a pause; null: none is known. A list that
 * lacks an id is read again first, and credits that are used up are, too.
 */
export const createForeseen =
  ({ store, clock, upstream, lookUp, credits, creditsLeft }: ForeseenDeps) =>
  async (chosen: Chosen): Promise<BackendProblem | null> => {
    const { backend, order } = chosen
    const { account, name } = backend
    const { waiting, held } = await store.queue(account.id)
    const isFull = account.slots !== null && (waiting > 0 || held >= account.slots)
    const waits = isFull || account.paused.isPaused('creates')
    if (!waits && upstream.slotsPausedUntilMs(account.id) <= clock.now()) return null
    const { pathname = '' } = (order.imageUrl !== null && URL.parse(order.imageUrl)) || {}
    if (NO_PICTURE.test(pathname)) return refusal('invalid_image', 'image_url is not a supported image')
    const field = await lackedField(lookUp, chosen)
    if (field !== null) {
      const code = field === 'voice_id' ? 'voice_not_found' : 'puppet_not_found'
      return refusal(code, `backend ${name} does not have this ${field}`)
    }
    const known = credits.get(account.id)
    const price = known?.charged ?? 1
    const isSpent = (remaining: number | null): remaining is number =>
      remaining !== null && remaining < (waiting + 1) * price
    if (!known || !isSpent(known.remaining)) return null
    const remaining = await creditsLeft(backend)
    if (!isSpent(remaining)) {
      credits.set(account.id, { ...known, remaining })
      return null
    }
    return {
      ...refusal('insufficient_credits', 'the videos that wait use up the credits'),
      details: {
        video_generation: { can_create: false, reason: 'insufficient_credits', active_jobs: held, available_slots: 0 },
      },
    }
  }
export type Foreseen = ReturnType<typeof createForeseen>
