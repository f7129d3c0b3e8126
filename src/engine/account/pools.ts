import { reasonOf } from '../../core/adapter.ts'
import type { Ports } from '../../core/ports.ts'
import type { Queue } from '../../core/store/videos.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { laneOf } from '../doubt/list.ts'
import type { Dispatch, PoolTurn } from '../send/dispatch.ts'
import type { Account, Backend, Backends, Pool } from '../upstream/accounts.ts'
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
  /** Whether a client may have its videos made by it now. */
  maySee: (client: string, backend: Backend) => boolean
}

/** The video as another member of its pool makes it. Why it waited at its account says nothing of this one. */
const movedTo = (video: VideoRecord, { name, account }: Backend, nowMs: number): VideoRecord => {
  const { considered } = video.routing
  const reason = (video.refusal && reasonOf(video.refusal)) ?? 'no room'
  const passed = considered.flatMap((one) => {
    if (one.backend === name) return []
    return one.verdict === 'chosen' ? [{ ...one, verdict: 'passed_over' as const, reason }] : [one]
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

/** Of so many clients and videos nothing is taken over in one turn. */
const MOST_PASSED = 32

/**
 * No member of a pool with room is idle while a video of the pool waits that was never sent. What was ever sent
 * stays with its account: a doubt never moves.
 */
export const createPools = ({ store, clock, upstream, dispatch, intake, backends, maySee }: PoolsDeps) => {
  const members = new Map<AccountId, Backend & { pool: Pool }>()
  for (const one of backends.values())
    if (one.pool && !one.drain) members.set(one.account.id, { ...one, pool: one.pool })

  const isRefusing = ({ id }: Account): boolean => upstream.refusesUntilMs(id) > clock.now()

  /** One that is not well takes one, to see, and no more before that went well. One that refuses takes nothing. */
  const isWorthIt = (account: Account, { waiting, held }: Queue): boolean => {
    if (isRefusing(account)) return false
    const { status, reason } = upstream.health(account.id)
    const isUp = status === 'up' || (status === 'degraded' && reason === 'backend_credentials_rejected')
    return isUp || waiting + held === 0
  }

  /** The pool may have had other members when the video was created, and its client other rights. */
  const mayMake = (member: Backend, video: VideoRecord): boolean =>
    video.interface === member.interface && maySee(video.client, member)

  const takes = ({ account }: Backend): boolean =>
    !isRefusing(account) &&
    upstream.health(account.id).status !== 'down' &&
    !account.paused.isPaused('creates') &&
    intake.isOpen(account.id)

  return {
    /** Whether another member of its pool, which is well, may make the video. Whether it has room is not asked. */
    mayPass: (video: VideoRecord): boolean =>
      [...members.values()].some(
        (one) => one.pool.name === video.pool && one.account.id !== video.account && takes(one) && mayMake(one, video),
      ),
    /** Whether a video of the account's pool waits, here or elsewhere, that this account may send. */
    async isWanted({ id, slots }: Account): Promise<boolean> {
      const member = members.get(id)
      return member !== undefined && (await store.nextInPool(member.pool.name, id, slots)) !== null
    },
    /** Null: the account is a member of no pool, or is drained. */
    turnOf(account: Account): PoolTurn | null {
      const member = members.get(account.id)
      if (!member) return null
      const passed: string[] = []
      return {
        mayTake: (queue) => passed.length < MOST_PASSED && intake.isOpen(account.id) && isWorthIt(account, queue),
        next: () => store.nextInPool(member.pool.name, account.id, account.slots, passed),
        async take(next, admission) {
          if (!mayMake(member, next)) {
            passed.push(next.client)
            return null
          }
          const moved = movedTo(next, member, clock.now())
          const first = dispatch.first(account, moved)
          const taken = await intake.enter(moved, () => store.takeFromPool(next.account, moved, admission, first))
          // Another was as quick, or its lane is not free here.
          if (!taken) passed.push(next.id)
          return taken
        },
      }
    },
  }
}
export type Pools = ReturnType<typeof createPools>
