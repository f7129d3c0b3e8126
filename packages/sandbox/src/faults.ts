import { z } from 'zod'
import { Interface } from './state.ts'

const MAX_BODY_BYTES = 64 * 1024 * 1024

const MAX_SKEW_MS = 366 * 86_400_000

const common = {
  /** Default: the interface of the port that the fault is posted to. */
  interface: Interface.optional(),
  /** An operation name of that interface, or `*` for all. */
  operation: z.string(),
  times: z.int().min(1).max(100_000).default(1),
}
/** `before`: instead of the work. `after`: the work is done (the job exists and is charged), its answer is lost. */
const when = z.enum(['before', 'after']).default('before')

/** `POST /sandbox/faults`: what happens to the next `times` requests of an operation that carry a valid key. */
export const Fault = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('status'),
    when,
    status: z.int().min(400).max(599),
    /** `contract`: an error body as the contract shapes it; `none`: no body. */
    body: z.enum(['contract', 'none']).default('contract'),
    code: z.string().max(200).optional(),
    message: z.string().max(2_000).default('A fault that was asked for.'),
    retryable: z.boolean().optional(),
    retry_after_seconds: z.int().min(0).max(86_400).optional(),
  }),
  /** Waits by the sandbox's clock. `during`: the create has taken its idempotency key but not yet made its job. */
  z.strictObject({
    ...common,
    kind: z.literal('latency'),
    when: z.enum(['before', 'during', 'after']).default('before'),
    latency_ms: z.number().min(0).max(3_600_000),
  }),
  /** The connection is reset (RST). */
  z.strictObject({ ...common, kind: z.literal('reset'), when }),
  /** No answer ever comes. */
  z.strictObject({ ...common, kind: z.literal('hang'), when }),
  /** The true answer, cut in the middle of its JSON. */
  z.strictObject({ ...common, kind: z.literal('truncated-json') }),
  /** A proxy's error page. */
  z.strictObject({ ...common, kind: z.literal('html'), when, status: z.int().min(200).max(599).default(502) }),
  /** The true answer with another status word. */
  z.strictObject({ ...common, kind: z.literal('unknown-status'), word: z.string().max(100).default('rendering') }),
  /** A JSON body of this many bytes. */
  z.strictObject({
    ...common,
    kind: z.literal('huge-body'),
    when,
    bytes: z
      .int()
      .min(32)
      .max(MAX_BODY_BYTES)
      .default(40 * 1024 * 1024),
  }),
  /** 429 `rate_limited` with nothing remaining, as if somebody else had used the window up. */
  z.strictObject({ ...common, kind: z.literal('rate-limited') }),
  /** 401, as if the key had been revoked; `for_good`: it is. */
  z.strictObject({ ...common, kind: z.literal('key-revoked'), for_good: z.boolean().default(false) }),
  /** 403, as if the key lacked the scope. */
  z.strictObject({ ...common, kind: z.literal('scope-missing') }),
  /** The true answer by a clock that is wrong by so much: `Date`, `X-RateLimit-Reset`, `next_poll_at` and its header. */
  z.strictObject({ ...common, kind: z.literal('clock-skew'), skew_ms: z.int().min(-MAX_SKEW_MS).max(MAX_SKEW_MS) }),
  /** The true answer without these headers. */
  z.strictObject({ ...common, kind: z.literal('drop-headers'), headers: z.array(z.string().max(100)).min(1).max(20) }),
  /** The true answer without these top-level fields. */
  z.strictObject({ ...common, kind: z.literal('drop-fields'), fields: z.array(z.string().max(100)).min(1).max(20) }),
  /** The true answer with more top-level fields. */
  z.strictObject({ ...common, kind: z.literal('extra-fields'), fields: z.record(z.string().max(100), z.json()) }),
  /** A success without a body. */
  z.strictObject({ ...common, kind: z.literal('empty-body'), when, status: z.int().min(200).max(599).default(200) }),
])
export type Fault = z.infer<typeof Fault>

/** Faults in the order of their posting; each is forgotten after its last time. */
export const createFaults = (max = 1_000) => {
  const waiting: { fault: Fault; left: number }[] = []
  return {
    /** `false`: too many are waiting. */
    add(fault: Fault): boolean {
      if (waiting.length >= max) return false
      waiting.push({ fault, left: fault.times })
      return true
    },
    /** The fault to play on one request of this operation, counted down; `null` as a rule. */
    take(from: Interface, operation: string): Fault | null {
      const place = waiting.findIndex(
        ({ fault }) => fault.interface === from && (fault.operation === operation || fault.operation === '*'),
      )
      const found = waiting[place]
      if (!found) return null
      found.left -= 1
      if (found.left === 0) waiting.splice(place, 1)
      return found.fault
    },
    list: () => waiting.map(({ fault, left }) => ({ ...fault, left })),
    clear: (): void => void waiting.splice(0),
  }
}
export type Faults = ReturnType<typeof createFaults>

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
interface CallbackEntry {
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
