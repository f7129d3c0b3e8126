import type {
  Adapter,
  CreateContext,
  CreateOutcome,
  JobPage,
  JobReport,
  Page,
  Puppet,
  Voice,
} from '../../src/core/adapter.ts'
import type { ProblemCode } from '../../src/core/errors.ts'
import type { Order, WireRequest } from '../../src/core/video.ts'
import type { Interface, Dialect, JobStatus } from '../../src/adapters/shared/dialect.ts'

/** An answer as a backend gives it. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** A refusal of a create, and exactly what it comes to. */
export type Refusal = [
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string>,
  comesTo: [
    code: ProblemCode,
    retryable: boolean,
    waits: 'slot' | 'budget' | 'check' | null,
    kind: 'refused' | 'doubt',
    retryAfterS: number | null,
  ],
  /** What the backend's own words were. */
  said: [code: string | null, message: string | null],
]

/**
 * What an interface's adapter is right by: exact requests, and exact readings of recorded-style answers. The contract
 * asks for enough of them (`adapter-exact.ts`), so that one that shows too little fails like one that is wrong.
 */
export interface AdapterKit {
  dialect: Dialect
  /** The headers that carry this key. */
  credential: (key: string) => Readonly<Record<string, string>>
  /** What holds where a configuration says nothing. */
  defaults: Interface['defaults']
  /** A text without a voice is refused. */
  voiceRequired: boolean
  /** A job's id as it looks there. */
  jobId: string
  /** What the contract sends where it matters not what: everything that the interface takes beside a text. */
  order: Order
  /** Exact requests: together they show at least two values of every field of an order that the interface takes. */
  creates: { order: Order; context: CreateContext; request: WireRequest }[]
  accepted: { answer: Answer; outcome: CreateOutcome }
  /** Answers to a poll of `jobId`: running (with 1 % of progress, where it tells any), completed and failed; one with a duration. */
  jobs: { answer: Answer; report: JobReport }[]
  /** That there is no such job. */
  lost: Answer
  /** Every status word that is read. `job`: an answer's body with that word. */
  words: Readonly<Record<string, JobStatus>>
  job: (word: string) => unknown
  voices: { path: string; answer: Answer; voices: (base: string) => Voice[] }
  /** All pages of one list, at least two: each is asked for with the cursor of the one before. */
  puppets: { path: string; answer: Answer; page: Omit<Page<Puppet>, 'raw'> }[]
  download: { path: string; answer: Answer; link: { url: string; expiresAtMs: number | null } }
  /** Pages 1, 2 and so on of one list: at least two where `native_list`, else none. */
  list: { path: string; answer: Answer; page: JobPage }[]
  /** Only where `native_webhook`: a callback's body, and the job that it names. */
  callback: { body: unknown; jobId: string } | null
  /** Every row of the error table decides one of these. */
  refusals: readonly Refusal[]
  /** `METHOD /path` of every operation of its contract, and the call of the port that uses it. */
  operations: Readonly<Record<string, (adapter: Adapter) => Promise<unknown>>>
}
