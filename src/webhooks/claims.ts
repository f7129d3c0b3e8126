import type { Store } from '../core/store/index.ts'
import type { Lease } from '../core/store/work.ts'

interface Asked {
  id: string
  resolve: (lease: Lease | null) => void
  reject: (error: unknown) => void
}

/** Leases deliveries: all that are asked for in one turn of the event loop are one write. */
export const createClaims = (store: Pick<Store, 'claimDeliveries'>, leaseMs: number) => {
  let asked: Asked[] = []

  const claim = async (): Promise<void> => {
    const batch = asked
    asked = []
    try {
      const leases = await store.claimDeliveries(
        batch.map(({ id }) => id),
        leaseMs,
      )
      for (const { id, resolve } of batch) resolve(leases.get(id) ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** Null: it is not due, or another process has it. Rejects if the store fails. */
  return (id: string): Promise<Lease | null> =>
    new Promise((resolve, reject) => {
      if (asked.push({ id, resolve, reject }) === 1) setImmediate(() => void claim())
    })
}
