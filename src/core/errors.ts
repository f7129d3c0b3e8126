/** Edits (insert, delete, replace, swap two neighbours) that lead from `a` to `b`. */
const distance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** `baseUrl`, `base-url` and `BASE_URL` are all `base_url` to a person. */
const folded = (word: string): string => word.toLowerCase().replace(/[-_]/g, '')

/** The candidate that `word` most likely meant, or null if none is within a third of its length. */
export const nearest = (word: string, candidates: readonly string[]): string | null => {
  const wanted = folded(word.slice(0, 64))
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(wanted, folded(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best && best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : null
}

export const didYouMean = (suggestion: string | null): string =>
  suggestion === null ? '' : `; did you mean \`${suggestion}\`?`

/** `ENOENT`, an SQLSTATE and the like; empty: it has none. Of several errors that of the first. */
export const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : ''
}

/** The other end's certificate is not trusted, or is of another name. */
export const isUntrusted = (error: unknown): boolean =>
  /^(ERR_TLS_CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_)/.test(codeOf(error))

/** The one table of problem codes: status, whether the same request may succeed later, title. */
export const PROBLEMS = {
  invalid_request: { status: 400, retryable: false, title: 'Invalid request' },
  invalid_json: { status: 400, retryable: false, title: 'Body is not valid JSON' },
  invalid_cursor: { status: 400, retryable: false, title: 'Invalid cursor' },
  invalid_image: { status: 400, retryable: false, title: 'Unsupported image' },
  upload_not_found: { status: 400, retryable: false, title: 'Upload not found' },
  upload_not_finished: { status: 400, retryable: true, title: 'Upload not finished' },
  idempotency_key_invalid: { status: 400, retryable: false, title: 'Invalid Idempotency-Key' },
  unauthenticated: { status: 401, retryable: false, title: 'Missing or unknown key' },
  insufficient_credits: { status: 402, retryable: false, title: 'Not enough credits' },
  insufficient_scope: { status: 403, retryable: false, title: 'The key lacks the scope' },
  not_owner: { status: 403, retryable: false, title: 'You are not the owner' },
  not_found: { status: 404, retryable: false, title: 'Not found' },
  video_not_found: { status: 404, retryable: false, title: 'Video not found' },
  voice_not_found: { status: 404, retryable: false, title: 'Voice not found' },
  puppet_not_found: { status: 404, retryable: false, title: 'Puppet not found' },
  backend_not_found: { status: 404, retryable: false, title: 'Backend not found' },
  rule_not_found: { status: 404, retryable: false, title: 'Split not found' },
  endpoint_not_found: { status: 404, retryable: false, title: 'Webhook endpoint not found' },
  event_not_found: { status: 404, retryable: false, title: 'Event not found' },
  delivery_not_found: { status: 404, retryable: false, title: 'Delivery not found' },
  key_not_found: { status: 404, retryable: false, title: 'Key not found' },
  client_not_found: { status: 404, retryable: false, title: 'Client not found' },
  method_not_allowed: { status: 405, retryable: false, title: 'Method not allowed' },
  not_acceptable: { status: 406, retryable: false, title: 'Not acceptable' },
  idempotency_key_conflict: { status: 409, retryable: false, title: 'Idempotency-Key used with another request' },
  idempotency_key_in_progress: {
    status: 409,
    retryable: true,
    title: 'The first request with this key is still running',
  },
  video_not_cancelable: { status: 409, retryable: false, title: 'Video cannot be canceled' },
  video_not_deletable: { status: 409, retryable: false, title: 'Video has not ended' },
  video_not_completed: { status: 409, retryable: true, title: 'Video not completed' },
  video_replaced: { status: 409, retryable: false, title: 'Another video replaces this one' },
  import_in_doubt: { status: 409, retryable: true, title: 'A create in doubt may have made this job' },
  endpoint_disabled_by_operator: { status: 409, retryable: false, title: 'An operator disabled the endpoint' },
  ramp_refused: { status: 409, retryable: false, title: 'The split stays as it is' },
  key_not_active: { status: 409, retryable: false, title: 'The key is not active' },
  client_exists: { status: 409, retryable: false, title: 'This client id is taken' },
  client_configured: { status: 409, retryable: false, title: 'The client is in the configuration' },
  payload_too_large: { status: 413, retryable: false, title: 'Body too large' },
  file_too_large: { status: 413, retryable: false, title: 'File too large' },
  unsupported_media_type: { status: 415, retryable: false, title: 'Unsupported media type' },
  capability_not_supported: { status: 422, retryable: false, title: 'The backend cannot do this' },
  webhook_url_not_allowed: { status: 422, retryable: false, title: 'Webhook URL not allowed' },
  audio_url_not_allowed: { status: 422, retryable: false, title: 'Audio URL not allowed' },
  audio_unreachable: { status: 422, retryable: true, title: 'Audio cannot be fetched' },
  rate_limited: { status: 429, retryable: true, title: 'Rate limited' },
  concurrency_limit_reached: { status: 429, retryable: true, title: 'Too many waiting videos' },
  quota_exceeded: { status: 429, retryable: true, title: 'Quota exceeded' },
  internal_error: { status: 500, retryable: true, title: 'Internal error' },
  backend_error: { status: 502, retryable: true, title: 'Backend error' },
  backend_credentials_rejected: { status: 502, retryable: false, title: 'The backend refused the gateway' },
  backend_unavailable: { status: 503, retryable: true, title: 'Backend unavailable' },
  upload_check_unavailable: { status: 503, retryable: true, title: 'Upload check unavailable' },
  queue_full: { status: 503, retryable: true, title: 'Queue full' },
  store_unavailable: { status: 503, retryable: true, title: 'Store unavailable' },
  shutting_down: { status: 503, retryable: true, title: 'Shutting down' },
  backend_timeout: { status: 504, retryable: true, title: 'Backend timeout' },
} as const satisfies Record<string, { status: number; retryable: boolean; title: string }>

export type ProblemCode = keyof typeof PROBLEMS
export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)
export const PROBLEM_CODES = Object.keys(PROBLEMS).filter(isProblemCode)

/** What a backend said, for people who debug; never a URL, a key or a raw body. `status` is null when it said nothing. */
export interface BackendError {
  status: number | null
  code: string | null
  block_code: string | null
  message: string | null
}

export interface ProblemExtras {
  /** Overrides the table where the backend or the moment knows better. */
  retryable?: boolean
  /** Milliseconds since the epoch before which trying again is pointless. */
  retryAtMs?: number | null
  param?: string
  errors?: { path: string; message: string }[]
  details?: Record<string, unknown> | null
  backend?: string
  backendError?: BackendError
  /** The body of the backend's refusal, for clients that speak its contract. */
  verbatim?: Readonly<Record<string, unknown>> | null
  videoId?: string
  /** Only logged, never shown. */
  cause?: unknown
}

/** The one error that may reach a client. `message` is public; `cause` is only logged. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, message: string, extras: ProblemExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.code = code
    this.extras = extras
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }

  get retryable(): boolean {
    return this.extras.retryable ?? PROBLEMS[this.code].retryable
  }

  /** Null where it is not retryable: a time would say the opposite. */
  get retryAtMs(): number | null {
    return this.retryable ? (this.extras.retryAtMs ?? null) : null
  }
}

/** A problem with one field of the request. */
export const fieldProblem = (code: ProblemCode, param: string, message: string, extras: ProblemExtras = {}): Problem =>
  new Problem(code, message, { ...extras, param, errors: [{ path: param, message }] })

/** Of a name that none of the caller's backends has. */
export const noBackend = (name: string, visible: Iterable<string>): string =>
  `there is no backend ${name}: yours are ${[...visible].join(', ')}`

/** A body of more bytes than its operation takes. */
export const bodyTooLarge = (maxBytes: number): Problem =>
  new Problem('payload_too_large', `the body is larger than ${maxBytes} bytes`, {
    details: { max_body_bytes: maxBytes },
  })
