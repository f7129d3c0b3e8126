import type { Request } from 'express'
import type { RequestEntry } from '../ledger.ts'
import type { Key } from '../state.ts'
import type { Answer, Refused } from './answer.ts'

/** One authorized request, as an operation sees it. */
export interface Call {
  readonly req: Request
  readonly key: Key
  /** `http://host:port` as the caller wrote it: absolute links name it. */
  readonly origin: string
  /** The line of the ledger; operations add the job and the idempotency key. */
  readonly entry: RequestEntry
  /** A create awaits this between taking its idempotency key and making its job: where a latency fault can sit. */
  readonly during: () => Promise<void>
}

export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  /** The contract's operationId; faults and the ledger use it. */
  readonly name: string
  readonly scope?: string
  readonly run: (call: Call) => Answer | Promise<Answer>
  /** What the contract wants on an error of this status, when a fault makes it: the job, its hints. */
  readonly faulted?: (req: Request, status: number) => Partial<Refused>
  /** What happens although a fault keeps the request from being heard. */
  readonly unheard?: (call: Omit<Call, 'during' | 'entry'>) => Promise<void>
}
