import type { BackendError, ProblemCode } from './errors.ts'
import type { Order, Verbatim, Warning, WireRequest } from './video.ts'
import type { Capabilities, FailoverReason, Status } from './vocabulary.ts'

/** The answer's rate headers as read: null where absent or unreadable. Times are the backend's own clock. */
export interface RateHeaders {
  limit: number | null
  remaining: number | null
  /** `X-RateLimit-Reset`, in milliseconds since the epoch. */
  resetAtMs: number | null
  /** The answer's `Date`, in milliseconds since the epoch. */
  dateMs: number | null
}

/**
 * A refusal or fault in the normalized vocabulary; `retryAtMs` is the latest hint, already bounded to an hour from now.
 */
export interface BackendProblem {
  code: ProblemCode
  message: string
  retryable: boolean
  retryAtMs: number | null
  backendError: BackendError
  details: Record<string, unknown> | null
  /** The body, as it came. */
  verbatim: Verbatim | null
}

/** Of a problem that the backend said nothing about. */
export const UNTOLD = {
  retryAtMs: null,
  backendError: { status: null, code: null, block_code: null, message: null },
  details: null,
  verbatim: null,
}

/** What an account's backend decided where its contract shows nothing, as its answers have shown so far. */
export interface Manner {
  /** The status of its last answer that took a create. */
  createdStatus: number | null
  /** Its last refusal of a request, with both code and message; none of the key or the rate. */
  refusal: { status: number; code: string; message: string; body: Verbatim } | null
}

/** What one answer says about a job. Null: the answer did not say. */
export interface JobReport {
  jobId: string | null
  /** Null when the word is unknown: the video's status then stays as it is. `completed` may come without a link. */
  status: Exclude<Status, 'canceled'> | null
  backendStatus: string | null
  /** 0..1 */
  progress: number | null
  link: { url: string; expiresAtMs: number | null } | null
  /** An error object or message, whether or not the word is terminal. */
  failure: { message: string; retryable: boolean; code: string | null } | null
  thumbnailUrl: string | null
  durationSeconds: number | null
  durationEstimateSeconds: number | null
  /** When to poll again at the earliest, as the backend asks: at most an hour from now. */
  nextPollAtMs: number | null
  /** What the job was made from, as far as the answer says. */
  made: JobTraits
  /** The whole answer, as it came. */
  verbatim: Verbatim | null
}

/** What a job was made from, to match it with a create in doubt. `createdAtMs`: by the backend's own clock. */
export interface JobTraits {
  puppetId: string | null
  voiceId: string | null
  resolution: string | null
  createdAtMs: number | null
}

/** One line of the backend's own list: no link, no error; absence from it means nothing. */
export interface ListedJob {
  jobId: string
  status: JobReport['status']
  puppetId: string | null
  createdAtMs: number | null
}

export interface JobPage {
  /** `report`: all that the line says. */
  items: (ListedJob & { report: JobReport })[]
  total: number | null
  totalPages: number | null
  /** The answer's `Date`: what `createdAtMs` is compared with. */
  dateMs: number | null
}

export type CreateOutcome =
  | {
      kind: 'accepted'
      jobId: string
      report: JobReport
      credits: { charged: number | null; remaining: number | null } | null
      rate: RateHeaders | null
    }
  /** A definite no. `waits`: it is about the moment (slot, window, check), not about the request. */
  | { kind: 'refused'; problem: BackendProblem; waits: 'slot' | 'budget' | 'check' | null; rate: RateHeaders | null }
  /** Nothing was written: safe to repeat. */
  | { kind: 'unreachable'; problem: BackendProblem; rate: null }
  /** Writing began, and neither a job id nor a definite refusal came back. */
  | { kind: 'doubt'; problem: BackendProblem; rate: RateHeaders | null }

export type ReadOutcome<T> =
  | { ok: true; value: T; rate: RateHeaders | null }
  /** `lost`: the backend said, in its contract's shape, that it knows no such job. */
  | { ok: false; problem: BackendProblem; lost: boolean; rate: RateHeaders | null }

export interface Voice {
  id: string
  name: string | null
  /** Null where the backend does not tell: the catalogue then says the backend's name. */
  provider: string | null
  language: string | null
  languageCode: string | null
  gender: string | null
  previewUrl: string | null
}

export interface Puppet {
  id: string
  name: string | null
  type: 'stock' | 'custom'
  imageUrl: string | null
  thumbnailUrl: string | null
  createdAtMs: number | null
  verbatim: Verbatim | null
}

/** A good answer as it came, without the account's key: for clients that speak the backend's own contract. */
export interface RawAnswer {
  status: number
  contentType: string
  text: string
}

/** A list, read, and the answer that it was read from. */
export interface Listed<T> {
  items: T[]
  raw: RawAnswer
}

export interface Page<T> extends Listed<T> {
  /** Null on the last page. */
  nextCursor: string | null
}

/** The puppets of all pages that were read. */
export interface PuppetList {
  items: Puppet[]
  pages: RawAnswer[]
  /** False: there are more than the gateway reads. */
  isWhole: boolean
}

/** A place to put audio, and where it can be read afterwards: both links are signed and short-lived. */
export interface HostedUpload {
  uploadUrl: string
  method: string
  /** What the PUT must carry. */
  headers: Record<string, string>
  audioUrl: string
  expiresAtMs: number | null
  verbatim: Verbatim | null
}

export interface SpeechClip {
  audioUrl: string
  expiresAtMs: number | null
  durationSeconds: number | null
  contentType: string | null
  verbatim: Verbatim | null
}

/** What an account has left, null where the backend does not tell. */
export interface AccountUsage {
  creditsRemaining: number | null
  creditsUsedMonth: number | null
  creditsIncluded: number | null
  creditsPurchased: number | null
  checkoutAvailable: boolean | null
  /** Opaque: as the backend reports them. */
  creditPacks: unknown[] | null
  canCreate: boolean | null
  blockedReason: string | null
  retryAtMs: number | null
  activeJobs: number | null
  freeSlots: number | null
  verbatim: Verbatim | null
}

/** What came of a write other than a video's create. */
export type WriteOutcome<T> =
  | { kind: 'done'; value: T; rate: RateHeaders | null }
  /** A definite no. Also to an idempotency key that another request used, or that a running one holds. */
  | { kind: 'refused'; problem: BackendProblem; rate: RateHeaders | null }
  /** Nothing was written: safe to repeat. */
  | { kind: 'unreachable'; problem: BackendProblem; rate: null }
  /** Writing began, and no readable answer came: repeated only under the same idempotency key. */
  | { kind: 'doubt'; problem: BackendProblem; rate: RateHeaders | null }

/** An operation that is handed through: its answer's body goes to the one that asked, unread. */
export type HandedThrough = 'createSpeech'

/** What is known of an exchange of which only the head is read; header names in lower case. */
export type HeadReply =
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>> }
  /** No head came. `began`: a byte of the request may have gone out. `message`: the system's code only. */
  | { kind: 'failed'; began: boolean; fault: 'timeout' | 'connection'; message: string }

/** What a head means; null: a success. `spoke`: the backend itself answered, be it with a refusal. */
export interface HeadMeaning {
  rate: RateHeaders | null
  problem: BackendProblem | null
  spoke: boolean
}

/** How one interface would be sent an order; nothing is sent. */
export type Translation =
  | { ok: true; warnings: Warning[] }
  | { ok: false; problem: { code: 'capability_not_supported' | 'invalid_request'; param: string; message: string } }

export interface CreateContext {
  /** `<video id>.<n>`: sent where the interface has idempotency keys. */
  idempotencyKey: string
  /** Where the backend may call back, or null. */
  callbackUrl: string | null
}

/**
 * Speaks one interface for one account. Everything before the I/O is pure. No answer of a backend makes these methods
 * reject: a fault is an outcome. Every call is bounded in time and size.
 */
export interface Adapter {
  readonly manner: Readonly<Manner>
  /** The headers that carry a key, in lower case. */
  credential(key: string): Readonly<Record<string, string>>
  readonly capabilities: Capabilities
  /** The longest text that it takes, in code points; null: its contract names no limit. */
  readonly maxTextCharacters: number | null
  /** The longest body of a create that it takes, in bytes; null: its contract names no limit. */
  readonly maxCreateBytes: number | null
  /** Pure. `unsupported: 'warn'` turns options without an equivalent into warnings; a portrait or a source never. */
  translate(order: Order, unsupported: 'reject' | 'warn'): Translation
  /** Pure: the exact request that creates `order`, options that the interface lacks left out. */
  createRequest(order: Order, context: CreateContext): WireRequest
  /** Sends the bytes once, over a fresh connection, with no retries. */
  create(wire: WireRequest): Promise<CreateOutcome>
  status(jobId: string): Promise<ReadOutcome<JobReport>>
  download(jobId: string): Promise<ReadOutcome<{ url: string; expiresAtMs: number | null }>>
  /** The backend's own list, newest first, 100 a page from page 1; only where `native_list`. */
  list(page: number): Promise<ReadOutcome<JobPage>>
  /** The job id that a callback's body names, or null: a claim, not a fact. Pure. */
  callbackJobId(body: unknown): string | null
  voices(): Promise<ReadOutcome<Listed<Voice>>>
  puppets(cursor: string | null): Promise<ReadOutcome<Page<Puppet>>>
  /** Only where `puppet_by_id`; if not, the list is searched. `puppet_not_found` where there is none. */
  puppet(id: string): Promise<ReadOutcome<Puppet>>
  /** Only where `puppets_write`; the same key and request give the same puppet. */
  createPuppet(
    request: { imageUrl: string; name: string | null },
    idempotencyKey: string,
  ): Promise<WriteOutcome<Puppet>>
  /** Only where `puppets_write`. A 404 is success: a repeated delete looks like a first one. */
  deletePuppet(id: string): Promise<WriteOutcome<null>>
  /** Only where `uploads`; the same key and request give the same upload, freshly signed. */
  createUpload(
    request: { contentType: string; sizeBytes: number; requireVideoReadiness: boolean | null },
    idempotencyKey: string,
  ): Promise<WriteOutcome<HostedUpload>>
  /** Only where `speech`. Each character costs: a request that began is never sent again. */
  createSpeech(request: { text: string; voiceId: string; speed: number | null }): Promise<WriteOutcome<SpeechClip>>
  /** Only where `usage`. */
  usage(): Promise<ReadOutcome<AccountUsage>>
  /** What became of a request that was handed through under this account's key, as far as its head says. */
  handedThrough(operation: HandedThrough | null, reply: HeadReply): HeadMeaning
}

/** What becomes of a create that is surely not taken, for no fault of the request. */
export interface Otherwise {
  /** Refused for one of these, it is tried elsewhere: nothing is left here, or what waited waits on as never sent. */
  movesOn: readonly FailoverReason[]
  /** It waits for a backend that is down. */
  waitsWhenDown: boolean
}

/** A refusal is the client's to receive. */
export const NOWHERE_ELSE: Otherwise = { movesOn: [], waitsWhenDown: false }

/** What a definite refusal says about the backend; null: it is about the request. */
export const reasonOf = ({ code }: { code: string }): FailoverReason | null => {
  switch (code) {
    case 'backend_unavailable':
    case 'backend_credentials_rejected':
      return 'down'
    case 'concurrency_limit_reached':
      return 'no_slot'
    case 'rate_limited':
      return 'no_budget'
    case 'insufficient_credits':
    case 'quota_exceeded':
      return 'no_credits'
    default:
      return null
  }
}

const MAX_LEVELS = 32

/**
 * Whether a stranger's JSON is no deeper than anybody means: further down, anyone who walks through it runs out of
 * stack.
 */
export const isShallow = (value: unknown, levels = MAX_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)))
