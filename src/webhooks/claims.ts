import type { Delivery, Lease } from '../core/store/webhooks.ts'
import type { Store } from '../core/store/index.ts'

/** A delivery as it is under its lease: what was queued may be outdated. */
export interface Claimed {
  lease: Lease
  delivery: Delivery
}

interface Asked {
  id: string
  resolve: (claimed: Claimed | null) => void
  reject: (error: unknown) => void
}

/** Leases deliveries: all that are asked for in one turn of the event loop are one write and one read. */
export const createClaims = (store: Pick<Store, 'claimDeliveries' | 'deliveriesById'>, leaseMs: number) => {
  let asked: Asked[] = []

  const claim = async (): Promise<void> => {
    const batch = asked
    asked = []
    try {
      const leases = await store.claimDeliveries(
        batch.map(({ id }) => id),
        leaseMs,
      )
      const deliveries = await store.deliveriesById([...leases.keys()])
      for (const { id, resolve } of batch) {
        const [lease, delivery] = [leases.get(id), deliveries.get(id)]
        resolve(lease && delivery?.status === 'pending' ? { lease, delivery } : null)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** Null: it is not due, or another process has it. Rejects if the store fails. */
  return (id: string): Promise<Claimed | null> =>
    new Promise((resolve, reject) => {
      if (asked.push({ id, resolve, reject }) === 1) setImmediate(() => void claim())
    })
}
