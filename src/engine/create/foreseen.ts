import { fieldProblem, Problem } from '../../core/errors.ts'
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

/**
 * Refuses what the backend would refuse, if the video would only wait for a slot: as far as the gateway knows it without
 * asking. A list that lacks an id is read again first, and credits that are used up are, too.
 */
export const createForeseen =
  ({ store, clock, upstream, lookUp, credits, creditsLeft }: ForeseenDeps) =>
  async (chosen: Chosen): Promise<void> => {
    const { backend, order } = chosen
    const { account, name } = backend
    const { waiting, held } = await store.queue(account.id)
    const isFull = account.slots !== null && (waiting > 0 || held >= account.slots)
    if (!isFull && upstream.slotsPausedUntilMs(account.id) <= clock.now()) return
    const { pathname = '' } = (order.imageUrl !== null && URL.parse(order.imageUrl)) || {}
    if (NO_PICTURE.test(pathname))
      throw fieldProblem('invalid_image', 'image_url', 'image_url is not a supported image', { backend: name })
    const field = await lackedField(lookUp, chosen)
    if (field !== null) {
      const code = field === 'voice_id' ? 'voice_not_found' : 'puppet_not_found'
      throw fieldProblem(code, field, `backend ${name} does not have this ${field}`, { backend: name })
    }
    const known = credits.get(account.id)
    const price = known?.charged ?? 1
    const isSpent = (remaining: number | null): remaining is number =>
      remaining !== null && remaining < (waiting + 1) * price
    if (!known || !isSpent(known.remaining)) return
    const remaining = await creditsLeft(backend)
    if (!isSpent(remaining)) return void credits.set(account.id, { ...known, remaining })
    throw new Problem('insufficient_credits', 'the videos that wait use up the credits', {
      backend: name,
      details: {
        video_generation: { can_create: false, reason: 'insufficient_credits', active_jobs: held, available_slots: 0 },
      },
    })
  }
export type Foreseen = ReturnType<typeof createForeseen>
