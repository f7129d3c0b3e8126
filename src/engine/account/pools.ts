import { NOWHERE_ELSE } from '../../core/adapter.ts'
import type { Ports } from '../../core/ports.ts'
import type { Queue } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { laneOf } from '../doubt/list.ts'
import { notBeforeOf } from '../routing/pools.ts'
import type { Dispatch, Room } from '../send/dispatch.ts'
import { type Account, type Backend, type Backends, leaseMsOf } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

interface PoolsDeps extends Pick<Ports, 'store' | 'clock'> {
  upstream: Upstream
  dispatch: Dispatch
  /** A reload closes it to accounts that it removes. */
  intake: {
    isOpen(account: AccountId): boolean
    enter<T>(video: VideoRecord, write: () => Promise<T>): Promise<T>
  }
  backends: Backends
}

/** The video as another member of its pool makes it. Why it waited at its account says nothing of this one. */
const movedTo = (video: VideoRecord, { name, account }: Backend, nowMs: number): VideoRecord => {
  const { considered } = video.routing
  const passed = considered.flatMap((one) => {
    if (one.backend === name) return []
    return one.verdict === 'chosen' ? [{ ...one, verdict: 'passed_over' as const, reason: 'no room' }] : [one]
  })
  return {
    ...video,
    account: account.id,
    backend: name,
    lane: laneOf(account, video.order),
    dueAtMs: nowMs,
    refusal: null,
    routing: { ...video.routing, considered: [...passed, { backend: name, verdict: 'chosen', reason: null }] },
  }
}

/** Others may be as quick: so often the next one is tried. */
const TRIES = 3

/**
 * No member of a pool with room is idle while a video of the pool waits that was never sent. What was ever sent
 * stays with its account: a doubt never moves.
 */
export const createPools = ({ store, clock, upstream, dispatch, intake, backends }: PoolsDeps) => {
  const members = new Map<AccountId, Backend & { pool: object }>()
  for (const one of backends.values())
    if (one.pool && !one.drain) members.set(one.account.id, { ...one, pool: one.pool })

  /** One that is not well keeps what it tried. So it takes one, to see, and no more before that went well. */
  const isWorthIt = (account: Account, { waiting, held }: Queue): boolean => {
    const { status, reason } = upstream.health(account.id)
    const isUp = status === 'up' || (status === 'degraded' && reason === 'backend_credentials_rejected')
    return isUp || waiting + held === 0
  }

  return {
    /** Whether a video of the account's pool waits elsewhere that this account may take over. */
    async isWanted({ id, slots }: Account): Promise<boolean> {
      const member = members.get(id)
      return member !== undefined && (await store.nextInPool(member.pool.name, id, slots)) !== null
    },
    /** Takes over what waits at other members, while there is room. Answers when to try again, if something waits. */
    async takeOver(account: Account, { hasRoom, start }: Room): Promise<number | null> {
      const member = members.get(account.id)
      if (!member) return null
      for (let lost = 0; lost < TRIES;) {
        const queue = await store.queue(account.id)
        const isFull = queue.held >= (account.slots ?? Infinity) || !hasRoom() || !intake.isOpen(account.id)
        if (isFull || !isWorthIt(account, queue)) return null
        const next = await store.nextInPool(member.pool.name, account.id, account.slots)
        // The pool may have had members of another interface when it was created.
        if (!next || next.interface !== member.interface) return null
        const notBeforeMs = notBeforeOf(upstream, account, queue)
        if (notBeforeMs > clock.now()) return notBeforeMs
        const moved = movedTo(next, member, clock.now())
        const first = dispatch.first(account, moved)
        const askedAtMs = clock.elapsed()
        const admission = { slots: account.slots, leaseMs: leaseMsOf(account) }
        const taken = await intake.enter(moved, () => store.takeFromPool(next.account, moved, admission, first))
        if (!taken) {
          lost += 1
          continue
        }
        const { video, lease, ticket } = taken
        start(video, async () => {
          await dispatch.dispatch(account, video, lease, 'queued', NOWHERE_ELSE, ticket && { ticket, askedAtMs })
        })
      }
      return null
    },
  }
}
export type Pools = ReturnType<typeof createPools>
