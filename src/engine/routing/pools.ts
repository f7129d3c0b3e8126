import type { Ports } from '../../core/ports.ts'
import type { Queue } from '../../core/store/videos.ts'
import type { Account, Backend, Backends } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Priority } from '../../core/vocabulary.ts'
import { waitsBehind } from './rules.ts'

/** What speaks for one member of a pool, or against it. */
interface Standing {
  isDown: boolean
  /** A create can go out now. */
  canSend: boolean
  /** How many creates can, by its slots and its window. */
  room: number
  /** How many rounds of its slots a new video waits. */
  rounds: number
  /** How long nothing goes out, by its window or its breaker. */
  pausedMs: number
}

/** The one with most room first; of those without, the one with the shortest wait. Pure. */
export const byRoom = (a: Standing, b: Standing): number =>
  Number(a.isDown) - Number(b.isDown) ||
  Number(b.canSend) - Number(a.canSend) ||
  (a.canSend ? b.room - a.room : a.rounds - b.rounds || a.pausedMs - b.pausedMs)

interface RankedDeps extends Pick<Ports, 'store' | 'clock'> {
  upstream: Upstream
}

/** Nothing goes out to the account before then. */
const notBeforeOf = (upstream: Upstream, account: Account, { window }: Queue): number =>
  Math.max(
    upstream.slotsPausedUntilMs(account.id),
    upstream.shutUntilMs(account.id),
    upstream.view(account, window).nextCreateAtMs ?? 0,
  )

/** The same backends, and of each pool the members with most room first. Asks no backend. */
export const createRanked =
  ({ store, clock, upstream }: RankedDeps) =>
  async (visible: Backends, priority: Priority = 'normal'): Promise<Backends> => {
    const pools = Map.groupBy(visible.values(), ({ pool }) => pool?.name ?? null)
    pools.delete(null)
    if (pools.size === 0) return visible
    await upstream.heed()
    const standingOf = async ({ account, drain }: Backend): Promise<Standing> => {
      const queue = await store.queue(account.id)
      const pausedMs = Math.max(0, notBeforeOf(upstream, account, queue) - clock.now())
      const slots = account.slots ?? Infinity
      const free = slots - queue.held
      return {
        isDown:
          drain ||
          account.paused.isPaused('creates') ||
          upstream.health(account.id).status === 'down' ||
          upstream.refusesUntilMs(account.id) > clock.now(),
        canSend: pausedMs === 0 && free > 0 && !waitsBehind(queue, priority),
        room: Math.min(free, upstream.view(account, queue.window).remaining),
        rounds: (queue.waiting + 1) / slots,
        pausedMs,
      }
    }
    const ranked = new Map<string | null, Iterator<Backend>>()
    for (const [name, members] of pools) {
      const standings = new Map(await Promise.all(members.map(async (one) => [one, await standingOf(one)] as const)))
      const order = [...standings].toSorted(([, a], [, b]) => byRoom(a, b)).map(([one]) => one)
      ranked.set(name, order.values())
    }
    // Each pool keeps its places among the others.
    return new Map(
      [...visible.values()].map((one) => {
        const next: Backend = ranked.get(one.pool?.name ?? null)?.next().value ?? one
        return [next.name, next]
      }),
    )
  }
export type Ranked = ReturnType<typeof createRanked>
