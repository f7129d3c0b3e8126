/**
 * Everything that the two contracts do not show, decided once for the sandbox. A client that depends on any value
 * of this file depends on a guess: that is why it is one plain record, passed in, of which variants can be made
 * (`{ ...STANDARD, … }`) to prove that a client does not.
 */
export interface Decisions {
  readonly primary: PrimaryDecisions
  readonly alternate: AlternateDecisions
  readonly timing: TimingDecisions
}

interface PrimaryDecisions {
  /** "Exact string of the failed status: not shown." The plainest word. */
  readonly failedStatus: string
  /** Fields of a failed job beyond its status: not shown. The names that the error bodies use. */
  readonly failedFields: (retryable: boolean) => Record<string, unknown>
  /** "Body fields of queued, replay and status responses beyond these: not shown." One more, harmless. */
  readonly jobExtras: (createdAt: string) => Record<string, unknown>
  /** "Error codes for 401, 402, 403, 502, 503 and 504: not shown." "Other 400 error codes: not shown." */
  readonly codes: Readonly<
    Record<
      | 'unauthorized'
      | 'forbidden'
      | 'insufficientCredits'
      | 'invalidRequest'
      | 'idempotencyMismatch'
      | 'notFound'
      | 'puppetNotFound'
      | 'methodNotAllowed'
      | 'internal',
      string
    >
  >
  /** Idempotency keys in flight on a video create: only shown for uploads; the same code, retryable, after this. */
  readonly inProgressRetryMs: number
  /** How long a poll hint is. 15 s: two running jobs polled as told cost 8 of the 10 requests a minute. */
  readonly pollEveryMs: number
  /** When to come back after `concurrent_job_limit_reached`: not shown. A constant: the service knows no job's end. */
  readonly slotRetryMs: number
  /** When a retryable failure may be retried: not shown. */
  readonly failedRetryMs: number
  /** "Service default voice": which one is not shown. */
  readonly defaultVoiceId: string
  /** "Allowed range of expressiveness: not shown." Around a natural 1. */
  readonly expressiveness: { readonly min: number; readonly max: number }
  /** "Accepted values of language: not shown." Anything that looks like a language tag or name, so: a length only. */
  readonly languageMaxChars: number
  /** Lifetime of `video_url`: not shown. A day; every read of the job signs a fresh one. */
  readonly videoLinkMs: number
  /** Resolution of the video: the contract has no such option. */
  readonly resolution: '720p' | '1080p'
  /** "Puppet record fields: not shown beyond the identifier." camelCase, as in the create body. */
  readonly puppet: (puppet: {
    id: string
    name: string
    imageUrl: string
    createdAt: string
  }) => Record<string, unknown>
  /** "Other fields of the list response: not shown." Like the voice list; `nextCursor` is null on the last page. */
  readonly puppetPage: (items: unknown[], nextCursor: string | null) => Record<string, unknown>
}

interface AlternateDecisions {
  /** "The numeric per-minute request limit: not shown." */
  readonly requestsPerMinute: number
  /** Form of a video's id: not shown. */
  readonly idPrefix: string
  /** "Success status codes of all operations: not shown." 201 for a create, 200 for reads. */
  readonly createdStatus: number
  /** "Error body shape and error codes: not shown." Nested, unlike the primary's flat one. */
  readonly error: (code: string, message: string) => Record<string, unknown>
  /** "A failed video has an `error` field with details; its shape: not shown." */
  readonly videoError: (retryable: boolean) => Record<string, unknown>
  /** "Payload and signature of that POST: not shown." On purpose unlike the gateway's own events, and unsigned. */
  readonly callback: (video: {
    id: string
    completed: boolean
    puppetId: string
    downloadUrl: string | null
    endedAt: string
  }) => Record<string, unknown>
  /** Is a failed video called back ("when the video is ready")? Yes: a client that waits wants to know. */
  readonly callbackOnFailure: boolean
  /** A callback that is not answered 2xx within this time (a real one) is tried once more, after `callbackRetryMs`. */
  readonly callbackTimeoutMs: number
  readonly callbackRetryMs: number
  readonly callbackTries: number
  /** "Signed download URL expires after 1 hour" (Limits). The detail's `download_url` is signed for as long. */
  readonly downloadLinkMs: number
  /** Longest webhook_url: not shown. */
  readonly webhookUrlMaxChars: number
}

interface TimingDecisions {
  /** Time to generate: log-normal around `fixedMs + perSpeechSecondMs * seconds of speech`, spread `sigma`. */
  readonly fixedMs: number
  readonly perSpeechSecondMs: number
  readonly sigma: number
  /** The part of that time which a job is `queued`. */
  readonly queuedShare: number
  readonly charsPerSpeechSecond: number
  /** `[[slow]]` takes this many times as long. */
  readonly slowFactor: number
  /** `[[stuck]]` stays at this progress. */
  readonly stuckProgress: number
}

const primary: PrimaryDecisions = {
  failedStatus: 'failed',
  failedFields: (retryable) => ({
    error: 'video_generation_failed',
    message: 'The video could not be generated (sandbox: asked for by a magic input).',
    retryable,
  }),
  jobExtras: (createdAt) => ({ created_at: createdAt }),
  codes: {
    unauthorized: 'unauthorized',
    forbidden: 'insufficient_scope',
    insufficientCredits: 'insufficient_credits',
    invalidRequest: 'invalid_request',
    idempotencyMismatch: 'idempotency_key_mismatch',
    notFound: 'not_found',
    puppetNotFound: 'puppet_not_found',
    methodNotAllowed: 'method_not_allowed',
    internal: 'internal_error',
  },
  inProgressRetryMs: 5_000,
  pollEveryMs: 15_000,
  slotRetryMs: 20_000,
  failedRetryMs: 30_000,
  defaultVoiceId: 'sandbox-en-us-ava',
  expressiveness: { min: 0, max: 2 },
  languageMaxChars: 35,
  videoLinkMs: 24 * 3_600_000,
  resolution: '720p',
  puppet: (puppet) => ({ object: 'puppet', ...puppet }),
  puppetPage: (data, nextCursor) => ({ object: 'list', data, nextCursor }),
}

const alternate: AlternateDecisions = {
  requestsPerMinute: 60,
  idPrefix: 'clip',
  createdStatus: 201,
  error: (code, message) => ({ error: { code, message } }),
  videoError: (retryable) => ({
    code: 'generation_failed',
    message: 'The video could not be generated (sandbox: asked for by a magic input).',
    retryable,
  }),
  callback: ({ id, completed, puppetId, downloadUrl, endedAt }) => ({
    notification: 'video_finished',
    video: { video_id: id, outcome: completed ? 'success' : 'error', puppet: puppetId, link: downloadUrl },
    finished_at: endedAt,
    sandbox: true,
  }),
  callbackOnFailure: true,
  callbackTimeoutMs: 5_000,
  callbackRetryMs: 5_000,
  callbackTries: 2,
  downloadLinkMs: 3_600_000,
  webhookUrlMaxChars: 2_048,
}

/**
 * The default answers to "not shown". Decided here without a value of their own:
 * - **Rate windows** open with a key's first request and close on the first whole second after their (scaled) length,
 *   so that `X-RateLimit-Reset`, whole Unix seconds, says exactly when: a client that waits for that second is never
 *   early. At speed 10 a window is 6 to 7 s; above speed 60 it is the rest of the current second. `Date` is the
 *   sandbox's clock, so Reset − Date is never too short either. A refused (429) request does not count.
 * - **Unauthenticated** answers carry the headers of an untouched window and count nowhere: there is no key to count.
 * - **Order of checks**: key, rate, scope, content type, size, JSON, fields, replay, credits, slots.
 * - **Hints** are whole seconds, at least 1, and `next_poll_at` names the same moment as `Retry-After`.
 * - **Credits** are charged on acceptance, are not given back on failure, and come back with the UTC month (real time).
 * - **Idempotency**: compared after aliases and defaults are resolved; unknown fields are ignored; only accepted
 *   creates are remembered; a replay never starts a second job, also after a retryable failure.
 * - **Equal duplicates** in an alias group are accepted, different ones are 400; `null` is a wrong type, not an absence.
 * - **HTTPS images**: plain http is accepted for loopback addresses and the sandbox's own pictures, or nothing would
 *   work on a laptop. Only a loopback URL is ever fetched, to be shown in the video (media/sitters.ts); a path with a
 *   known non-picture ending is `invalid_image`.
 * - **Scope**: slots and credits belong to the account; rate windows to the key; an alternate video to the account.
 * - **Previews and portraits** need no key; videos need the signature of their URL, which ends with its time.
 */
export const STANDARD: Decisions = {
  primary,
  alternate,
  timing: {
    fixedMs: 20_000,
    perSpeechSecondMs: 2_000,
    sigma: 0.3,
    queuedShare: 0.15,
    charsPerSpeechSecond: 15,
    slowFactor: 10,
    stuckProgress: 0.42,
  },
}
