import type { Clock } from '../../src/core/time/clock.ts'
import type { Delivery, Lease, RecordedAttempt } from '../../src/core/store/webhooks.ts'
import type { Store } from '../../src/core/store/index.ts'

type Verbs = Pick<
  Store,
  | 'dueDeliveries'
  | 'nextDueDelivery'
  | 'claimDeliveries'
  | 'extend'
  | 'release'
  | 'attempted'
  | 'delivery'
  | 'deliveriesById'
  | 'attempts'
>
type Verb = keyof Verbs

export interface DeliveryStore extends Verbs {
  /** A delivery due now, with what is not given made up. */
  add(
    given?: Partial<Omit<Delivery, 'target' | 'event'>> & {
      url?: string
      client?: string
      body?: string
      endpoint?: string
    },
  ): Delivery
  /** The next `times` calls of `verb` reject, having written nothing. */
  fail(verb: Verb, times: number): void
  /** How many leases were asked for. */
  claims(): number
  /** How often a verb was called. */
  calls(verb: Verb): number
  /** Resolves when `count` attempts in all are recorded. */
  recorded(count: number): Promise<void>
  current(id: string): Delivery
}

interface Row {
  delivery: Delivery
  lease: Lease | null
  attempts: RecordedAttempt[]
}

/** The part of the store that the sender uses, in memory, by the words of the port; the clock is the test's. */
export const createDeliveryStore = (clock: Clock): DeliveryStore => {
  const rows = new Map<string, Row>()
  const failing = new Map<Verb, number>()
  const called = new Map<Verb, number>()
  const waiting = new Set<{ count: number; resolve: () => void }>()
  let made = 0
  let tokens = 0
  let claimed = 0
  let recorded = 0

  const rowOf = (id: string): Row => {
    const row = rows.get(id)
    if (!row) throw new Error(`no delivery ${id}`)
    return row
  }
  const enter = async (verb: Verb): Promise<void> => {
    called.set(verb, (called.get(verb) ?? 0) + 1)
    const left = failing.get(verb) ?? 0
    if (left === 0) return
    failing.set(verb, left - 1)
    throw new Error(`the store fails at ${verb}`)
  }
  const isFree = ({ delivery, lease }: Row): boolean =>
    delivery.status === 'pending' &&
    (delivery.nextAttemptAtMs ?? Infinity) <= clock.now() &&
    (lease === null || lease.untilMs <= clock.now())
  const holds = (row: Row, lease: Lease): boolean => row.lease?.token === lease.token && row.lease.untilMs > clock.now()

  const announce = (): void => {
    recorded += 1
    for (const waiter of waiting) {
      if (recorded < waiter.count) continue
      waiting.delete(waiter)
      waiter.resolve()
    }
  }

  return {
    add({
      url = 'https://hooks.example/',
      client = 'acme',
      body = '{"type":"video.completed"}',
      endpoint,
      ...given
    } = {}) {
      made += 1
      const number = String(made).padStart(4, '0')
      const delivery: Delivery = {
        id: `dlv_${number}`,
        event: {
          id: `evt_${number}`,
          type: 'video.completed',
          client,
          videoId: `vid_${number}`,
          sequence: 1,
          atMs: clock.now(),
          body,
        },
        target: endpoint === undefined ? { kind: 'video', url } : { kind: 'endpoint', id: endpoint, url },
        status: 'pending',
        attempts: 0,
        tried: 0,
        nextAttemptAtMs: clock.now(),
        isAskedLater: false,
        trace: null,
        ...given,
      }
      rows.set(delivery.id, { delivery, lease: null, attempts: [] })
      return delivery
    },
    fail: (verb, times) => failing.set(verb, times),
    claims: () => claimed,
    calls: (verb) => called.get(verb) ?? 0,
    recorded: (count) =>
      new Promise((resolve) => {
        if (recorded >= count) resolve()
        else waiting.add({ count, resolve })
      }),
    current: (id) => rowOf(id).delivery,

    async dueDeliveries(limit, after = { dueAtMs: -1, n: 0 }) {
      await enter('dueDeliveries')
      return [...rows.values()]
        .flatMap((row, i) =>
          isFree(row) ? [{ ...row.delivery, place: { dueAtMs: row.delivery.nextAttemptAtMs ?? 0, n: i + 1 } }] : [],
        )
        .toSorted(({ place: a }, { place: b }) => a.dueAtMs - b.dueAtMs || a.n - b.n)
        .filter(({ place: { dueAtMs, n } }) => dueAtMs > after.dueAtMs || (dueAtMs === after.dueAtMs && n > after.n))
        .slice(0, limit)
        .map(({ id, event, target, place }) => ({ id, client: event.client, videoId: event.videoId, target, place }))
    },
    async nextDueDelivery() {
      await enter('nextDueDelivery')
      const pending = [...rows.values()].filter(({ delivery }) => delivery.status === 'pending')
      const next = pending.map((row) => Math.max(row.delivery.nextAttemptAtMs ?? 0, row.lease?.untilMs ?? 0))
      return next.length === 0 ? null : Math.min(...next)
    },
    async claimDeliveries(ids, leaseMs) {
      await enter('claimDeliveries')
      const leases = ids.flatMap((id) => {
        const row = rows.get(id)
        if (!row || !isFree(row)) return []
        tokens += 1
        row.lease = { id, token: `token-${tokens}`, untilMs: clock.now() + leaseMs }
        return [[id, { lease: { ...row.lease }, delivery: row.delivery }] as const]
      })
      claimed += ids.length
      return new Map(leases)
    },
    async extend(_kind, lease, leaseMs) {
      await enter('extend')
      const row = rowOf(lease.id)
      if (!holds(row, lease)) return false
      row.lease = { ...lease, untilMs: clock.now() + leaseMs }
      return true
    },
    async release(_kind, lease) {
      await enter('release')
      const row = rowOf(lease.id)
      if (row.lease?.token === lease.token) row.lease = null
    },
    async attempted(lease, attempt, after) {
      await enter('attempted')
      const row = rowOf(lease.id)
      const nextAttemptAtMs = after.status === 'pending' ? after.nextAttemptAtMs : null
      row.attempts.push({ ...attempt, nextAttemptAtMs })
      row.delivery = { ...row.delivery, attempts: row.delivery.attempts + 1, tried: row.delivery.tried + 1 }
      const moves = after.status === 'delivered' || (row.delivery.status === 'pending' && holds(row, lease))
      if (moves) {
        row.delivery = { ...row.delivery, status: after.status, nextAttemptAtMs }
        row.lease = null
      }
      announce()
      return { status: moves ? after.status : null, disabled: null }
    },
    async delivery(id) {
      await enter('delivery')
      return rows.get(id)?.delivery ?? null
    },
    async deliveriesById(ids) {
      await enter('deliveriesById')
      return new Map(
        ids.flatMap((id): [string, Delivery][] => {
          const delivery = rows.get(id)?.delivery
          return delivery ? [[id, delivery]] : []
        }),
      )
    },
    async attempts(id) {
      return rowOf(id).attempts
    },
  }
}
