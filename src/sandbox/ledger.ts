import type { Interface } from './state.ts'

/** One request that a contract or media route received. The key itself is never kept. */
export interface RequestEntry {
  readonly number: number
  readonly at: string
  readonly interface: Interface
  readonly method: string
  /** Without the query, which may carry a signature. */
  readonly path: string
  operation: string | null
  key_id: string | null
  idempotency_key: string | null
  /** `null`: not answered (yet): reset, aborted or hanging. */
  status: number | null
  job_id: string | null
  /** The kind of the fault that was played on it. */
  fault: string | null
}

/** One try to announce a video at its webhook_url. */
export interface CallbackEntry {
  readonly at: string
  readonly job_id: string
  readonly url: string
  readonly try: number
  readonly status: number | null
  readonly error: string | null
}

/** Keeps the last `max` items; dropping in chunks keeps `push` cheap. */
const lastOf = <T>(max: number) => {
  const items: T[] = []
  return {
    push(item: T) {
      items.push(item)
      if (items.length >= max * 1.1) items.splice(0, items.length - max)
    },
    list: () => items.slice(-max),
  }
}

const MAX_PATH_CHARS = 512

export const createLedger = (max = 10_000) => {
  const requests = lastOf<RequestEntry>(max)
  const callbacks = lastOf<CallbackEntry>(max)
  let total = 0
  return {
    /** The entry is filled in while the request is worked on. */
    begin(request: Pick<RequestEntry, 'at' | 'interface' | 'method' | 'path'>): RequestEntry {
      total += 1
      const entry: RequestEntry = {
        number: total,
        ...request,
        path: request.path.slice(0, MAX_PATH_CHARS),
        operation: null,
        key_id: null,
        idempotency_key: null,
        status: null,
        job_id: null,
        fault: null,
      }
      requests.push(entry)
      return entry
    },
    callback: (entry: CallbackEntry): void => callbacks.push(entry),
    view: () => ({
      // All that ever came, also those no longer listed.
      requests_total: total,
      // The last ones, oldest first.
      requests: requests.list().map((entry) => ({ ...entry })),
      callbacks: callbacks.list(),
    }),
  }
}
export type Ledger = ReturnType<typeof createLedger>
