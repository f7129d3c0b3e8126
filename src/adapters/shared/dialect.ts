import type { JobReport } from '../../core/adapter.ts'
import type { ProblemCode } from '../../core/errors.ts'
import type { ProgressUnit } from './read.ts'
import type { ERROR, JOB, LIST, PUPPET, SpelledAs, VOICE } from './spellings.ts'

export type JobStatus = NonNullable<JobReport['status']>

export type Waits = 'slot' | 'budget' | 'check' | null

/** Which answers a row is about; `429 hinted` is a 429 that says when to come back. */
type When = number | '3xx' | '4xx' | '429 hinted' | 'any'

/**
 * One row of an adapter's error table; the first that fits decides. `error` and `block` are the backend's codes: null
 * fits all, `*` fits any code but not its absence. `retryable: 'told'` follows the body's `retryable`, else whether a
 * hint came. `onCreate: 'doubt'`: a create answered so may have been carried out.
 */
export type ErrorRow = readonly [
  when: When,
  error: string | null,
  block: string | null,
  code: ProblemCode,
  retryable: boolean | 'told',
  waits: Waits,
  onCreate: 'refused' | 'doubt',
]

/** How one interface says no. */
export interface ErrorDialect {
  rows: readonly ErrorRow[]
  /** `X-RateLimit-Reset` alone counts as a hint of a 429. */
  resetIsHint: boolean
  /** Where a refusal tells what. Jobs and usage say when to come back under `hintsUnder` as well. */
  error: SpelledAs<typeof ERROR>
}

export interface Moment {
  base: URL
  nowMs: number
}

/** How one interface spells what this gateway reads. The rest of `shared` knows no interface but by this. */
export interface Dialect extends ErrorDialect {
  /** The word before the key in `Authorization`: `Bearer`. */
  scheme: string
  /** Where a job is read, below the base URL, such as `/v1/videos/{id}`; also how a `Location` names one. */
  statusPath: string
  /** What its status words mean, as `plainWord` writes them. Any other word leaves the video as it is. */
  statuses: Readonly<Record<string, JobStatus>>
  /** Where a running job tells its progress, and what the number counts; null: this interface tells none. */
  progress: { at: readonly string[]; unit: ProgressUnit } | null
  job: SpelledAs<typeof JOB>
  voice: SpelledAs<typeof VOICE>
  puppet: SpelledAs<typeof PUPPET>
  list: SpelledAs<typeof LIST>
  /** Refusals of a create whose headers name the job that our own key already made. */
  namesOurJob: readonly number[]
  /** Its contract shows no error body, so that a 4xx with an empty one says all that it promises to say. */
  errorsMayBeEmpty: boolean
  /** Whether a 404 with this error code, in JSON, says that there is no such job. */
  isLost(errorCode: string | null): boolean
}

/** Likely words for how jobs end, beside those of a contract. A completed job without a link waits for it in the engine. */
export const ENDS = {
  completed: 'completed',
  succeeded: 'completed',
  complete: 'completed',
  done: 'completed',
  ready: 'completed',
  failed: 'failed',
  error: 'failed',
  errored: 'failed',
  failure: 'failed',
  rejected: 'failed',
  canceled: 'failed',
  cancelled: 'failed',
  expired: 'failed',
  timed_out: 'failed',
  deleted: 'failed',
} as const satisfies Dialect['statuses']

/** Status words as the tables hold them: lower case, `_` between their parts. */
const plainWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

/** Null: a word that nobody told us of. */
export const statusOf = (word: string, { statuses }: Pick<Dialect, 'statuses'>): JobStatus | null => {
  const plain = plainWord(word)
  return Object.hasOwn(statuses, plain) ? (statuses[plain] ?? null) : null
}

/** The path below the base URL at which a job is read. */
export const statusPathOf = (jobId: string, { statusPath }: Pick<Dialect, 'statusPath'>): string =>
  statusPath.replace('{id}', () => encodeURIComponent(jobId))

/** The id in a URL that ends like a status path, whatever stands before its last noun; null: it names no job. */
export const idInPath = (url: string, { statusPath }: Pick<Dialect, 'statusPath'>): string | null => {
  const [before = '', after = ''] = statusPath.split('{id}')
  const noun = before.slice(before.lastIndexOf('/', before.length - 2))
  const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '')
  if (!path.endsWith(after)) return null
  const head = path.slice(0, path.length - after.length)
  const from = head.lastIndexOf('/') + 1
  return head.slice(0, from).endsWith(noun) ? head.slice(from) : null
}
