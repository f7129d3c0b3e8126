/** What the decisions of undecided.ts are given, to put it in words of their own. */
type Fields = Record<string, unknown>

interface ShownPuppet {
  readonly id: string
  readonly name: string
  readonly imageUrl: string
  readonly createdAt: string
}

interface ShownSpeech {
  readonly id: string
  readonly audioUrl: string
  readonly voiceId: string
  readonly characters: number
  readonly durationSeconds: number
  readonly sizeBytes: number
  readonly expiresAt: string
}

interface ShownUpload {
  readonly id: string
  readonly uploaded: boolean
  readonly mimeType: string
  readonly sizeBytes: number
  readonly uploadUrl: string
  readonly uploadExpiresAt: string
  readonly readUrl: string
  readonly readExpiresAt: string
}

interface ShownUsage {
  readonly balance: number
  readonly included: number
  readonly purchased: number
  readonly usedThisMonth: number
  readonly month: string
  readonly checkoutAvailable: boolean
  readonly packs: readonly { readonly id: string; readonly credits: number; readonly priceCents: number }[]
  /** `video_generation` and its twin, as in the error bodies. */
  readonly readiness: Fields
}

interface ShownCallback {
  readonly id: string
  readonly completed: boolean
  readonly puppetId: string
  readonly downloadUrl: string | null
  readonly endedAt: string
}

/**
 * Everything that the two contracts do not show, decided once for the sandbox. A client that depends on any value
 * of this file depends on a guess: that is why it is one plain record, passed in, of which variants are made
 * (below) to prove that a client does not.
 */
const primary = {
  // "Exact string of the failed status: not shown." The plainest word.
  failedStatus: 'failed',
  // Fields of a failed job beyond its status: not shown. The names that the error bodies use.
  failedFields: (retryable: boolean) => ({
    error: 'video_generation_failed',
    message: 'The video could not be generated (sandbox: asked for by a magic input).',
    retryable,
  }),
  // "Body fields of queued, replay and status responses beyond these: not shown." One more, harmless.
  jobExtras: (createdAt: string) => ({ created_at: createdAt }),
  // "Error codes for 401, 402, 403, 502, 503 and 504: not shown." "Other 400 error codes: not shown." A monthly quota's
  // 429 has a code that is none of the two shown: it is neither the rate nor the slots.
  codes: {
    unauthorized: 'unauthorized',
    forbidden: 'insufficient_scope',
    insufficientCredits: 'insufficient_credits',
    invalid_request: 'invalid_request',
    idempotencyMismatch: 'idempotency_key_mismatch',
    not_found: 'not_found',
    puppetNotFound: 'puppet_not_found',
    method_not_allowed: 'method_not_allowed',
    internal: 'internal_error',
    quotaExceeded: 'monthly_quota_exceeded',
    assetFailed: 'asset_creation_failed',
    unavailable: 'temporarily_unavailable',
    statusUnavailable: 'job_status_unavailable',
    statusTimeout: 'job_status_timeout',
  },
  // Idempotency keys in flight on a video create: only shown for uploads; the same code, retryable, after this.
  inProgressRetryMs: 5_000,
  // How long a poll hint is. 15 s: two running jobs polled as the hint says cost 8 of the 10 requests a minute.
  pollEveryMs: 15_000,
  // When to come back after `concurrent_job_limit_reached`: not shown. A constant: the service knows no job's end.
  slotRetryMs: 20_000,
  // When a retryable failure may be retried, and when something temporarily unavailable: not shown.
  failedRetryMs: 30_000,
  transientRetryMs: 10_000,
  // "Service default voice": which one is not shown.
  defaultVoiceId: 'sandbox-en-us-ava',
  // "Allowed range and default of expressiveness / of speed: not shown." Around a natural 1.
  expressiveness: { min: 0, max: 2 },
  speed: { min: 0.5, max: 2 },
  // "Accepted values of language: not shown." Anything that looks like a language tag or name, so: a length only.
  languageMaxChars: 35,
  // "Maximum length of text for speech and video: not shown." As the other interface's scripts; a video's text is
  // bounded by its body only.
  speechMaxChars: 5_000,
  // "Each create debits video credits": how many is not shown. One, as "credits per month" are as few as 10.
  creditsPerVideo: 1,
  // Longest display name of a puppet, and the name of one that has none: not shown.
  puppetNameMaxChars: 200,
  puppetDefaultName: 'Untitled',
  // "Identified by a puppet ID that is a string": its form is not shown, and neither is that of a hosted file's id. A path's
  // `puppetId` beyond the pattern is a 400.
  puppetIdPrefix: 'puppet',
  puppetIdPattern: '^[A-Za-z0-9_-]{1,100}$',
  audioIdPrefix: 'aud',
  // Body limit of createPuppet and createServiceSpeech: not shown, and neither lists 413 or 415: it is a 400.
  smallBodyBytes: 65_536,
  // Lifetime of `video_url`: not shown. A day; every read of the job signs a fresh one.
  videoLinkMs: 24 * 3_600_000,
  // "Lifetime of signed upload and read URLs: not shown beyond being short-lived."
  uploadLinkMs: 15 * 60_000,
  readLinkMs: 3_600_000,
  // How long hosted audio is kept and counts as storage: not shown. Nothing else frees storage.
  audioKeptMs: 30 * 86_400_000,
  // Resolution of the video: the contract has no such option.
  resolution: '720p' as const,
  // "The credit-pack catalog": fields not shown. Nothing can be bought here.
  creditPacks: [
    { id: 'pack_10', credits: 10, priceCents: 1_000 },
    { id: 'pack_50', credits: 50, priceCents: 4_500 },
  ],
  // "Puppet record fields: not shown beyond the identifier." camelCase, as in the create body.
  puppet: (puppet: ShownPuppet) => ({ object: 'puppet', ...puppet }),
  // "Other fields of the list response: not shown." Like the voice list; `nextCursor` is null on the last page.
  puppetPage: (data: unknown[], nextCursor: string | null) => ({ object: 'list', data, nextCursor }),
  // "Body fields of the speech response: not shown."
  speech: (speech: ShownSpeech) => ({
    object: 'speech',
    id: speech.id,
    audio_url: speech.audioUrl,
    content_type: 'audio/wav',
    voice_id: speech.voiceId,
    characters: speech.characters,
    duration_seconds: speech.durationSeconds,
    size_bytes: speech.sizeBytes,
    expires_at: speech.expiresAt,
  }),
  // "Names of the response fields: not shown" (hosted audio upload). A replay of a finished upload has them all too.
  upload: (upload: ShownUpload) => ({
    object: 'audio_upload',
    id: upload.id,
    status: upload.uploaded ? 'uploaded' : 'pending',
    mime_type: upload.mimeType,
    size_bytes: upload.sizeBytes,
    upload_url: upload.uploadUrl,
    upload_method: 'PUT',
    upload_headers: { 'Content-Type': upload.mimeType },
    upload_expires_at: upload.uploadExpiresAt,
    read_url: upload.readUrl,
    read_expires_at: upload.readExpiresAt,
  }),
  // "Names of the usage response fields: not shown"; what it reports is.
  usage: (usage: ShownUsage) => ({
    object: 'usage',
    credits: {
      balance: usage.balance,
      included: usage.included,
      purchased: usage.purchased,
      used_this_month: usage.usedThisMonth,
      month: usage.month,
    },
    checkout_available: usage.checkoutAvailable,
    credit_packs: usage.packs.map(({ id, credits, priceCents }) => ({ id, credits, price_cents: priceCents })),
    ...usage.readiness,
  }),
}

const alternate = {
  // "The numeric per-minute request limit: not shown."
  requestsPerMinute: 60,
  // Form of a video's id: not shown.
  idPrefix: 'clip',
  // "Success status codes of all operations: not shown." 201 for a create, 200 for reads.
  createdStatus: 201,
  // "Error body shape and error codes: not shown." Nested, unlike the primary's flat one.
  error: (code: string, message: string) => ({ error: { code, message } }),
  codes: {
    unauthorized: 'unauthorized',
    forbidden: 'forbidden',
    rate_limited: 'rate_limited',
    payload_too_large: 'payload_too_large',
    unsupported_media_type: 'unsupported_media_type',
    invalid_request: 'invalid_request',
    not_found: 'not_found',
    method_not_allowed: 'method_not_allowed',
    internal: 'internal',
    insufficientCredits: 'insufficient_credits',
    notReady: 'video_not_ready',
    puppetNotFound: 'puppet_not_found',
    unavailable: 'temporarily_unavailable',
    videoNotFound: 'video_not_found',
    voiceNotFound: 'voice_not_found',
  },
  // When something temporarily unavailable may be asked for again: not shown.
  transientRetryMs: 10_000,
  // Largest create body: not shown. Room for a script of 5,000 characters, however they are escaped.
  bodyBytes: 262_144,
  // "A failed video has an `error` field with details; its shape: not shown."
  videoError: (retryable: boolean) => ({
    code: 'generation_failed',
    message: 'The video could not be generated (sandbox: asked for by a magic input).',
    retryable,
  }),
  // "Payload and signature of that POST: not shown." On purpose unlike the gateway's own events, and unsigned.
  callback: ({ id, completed, puppetId, downloadUrl, endedAt }: ShownCallback) => ({
    event: completed ? 'video.completed' : 'video.failed',
    video: { video_id: id, puppet: puppetId, ...(completed && { link: downloadUrl, finished_at: endedAt }) },
  }),
  // Is a failed video called back ("when the video is ready")? Yes: a client that waits wants to know.
  callbackOnFailure: true,
  // A callback that is not answered 2xx within this time (a real one) is tried again, after `callbackRetryMs`.
  callbackTimeoutMs: 5_000,
  callbackRetryMs: 5_000,
  callbackTries: 2,
  // "Signed download URL expires after 1 hour" (Limits). The detail's `download_url` is signed for as long.
  downloadLinkMs: 3_600_000,
  // Longest webhook_url: not shown.
  webhookUrlMaxChars: 2_048,
}

/** Links, uploads and downloads: the contracts show that they are signed and short-lived, nothing of their answers. */
const files = {
  // Not in the alternate's words: a link is no operation of a contract.
  error: (code: string, message: string) => ({ error: code, message }),
  codes: {
    linkExpired: 'link_expired',
    linkInvalid: 'link_invalid',
    notFound: 'not_found',
    rangeNotSatisfiable: 'range_not_satisfiable',
    sizeMismatch: 'size_mismatch',
    tooLarge: 'file_too_large',
    wrongType: 'unsupported_media_type',
  },
  // What a PUT that was taken is answered.
  uploaded: (sizeBytes: number) => ({ uploaded: true, size_bytes: sizeBytes }),
}

/**
 * The default answers to "not shown". Decided here without a value of their own:
 * - **Rate windows** open with a key's first request and close on the first whole second after their (scaled) length,
 *   so that `X-RateLimit-Reset`, whole Unix seconds, says exactly when: a client that waits for that second is never
 *   early. At speed 10 a window is 6 to 7 s; above speed 60 it is the rest of the current second. `Date` is the
 *   sandbox's clock, so Reset − Date is never too short either. A refused (429) request does not count.
 * - **Unauthenticated** answers carry the headers of an untouched window and count nowhere: there is no key to count.
 * - **Order of checks**: key, rate, scope, content type, size, JSON, fields, replay, audio, credits, slots, quotas.
 * - **Hints** are whole seconds, at least 1, and `next_poll_at` names the same moment as `Retry-After`.
 * - **Credits** are charged on acceptance, are not given back on failure, and return with the UTC month (real time),
 *   as do voice characters and uploads. An exhausted monthly quota is not retryable: a month is no hint.
 * - **Idempotency**: compared after aliases and defaults are resolved; unknown fields are ignored; only accepted
 *   creates are remembered; a replay never starts a second job, also after a retryable failure. The key of a puppet
 *   that was deleted since makes a new one.
 * - **Equal duplicates** in an alias group are accepted, different ones are 400; `null` is a wrong type, not an absence.
 * - **HTTPS images**: plain http is accepted for loopback addresses and the sandbox's own pictures, or nothing would
 *   work on a laptop. No URL is ever fetched; a path with a known non-picture ending is `invalid_image`.
 * - **Statuses that an operation does not list** are not used for it: a wrong content type or a body that is too large is
 *   400 where 415 and 413 are not listed (puppets, speech); an unlisted MIME type of an upload is 400.
 * - **Uploads**: the PUT must have the reserved type and exactly the reserved size, and may be repeated until its URL
 *   expires; storage is reserved, not measured. A refused link is 403, another type 415, another size 413 or 400.
 * - **Speech** is hosted audio of the key: its URL may be an `audio_url`; it counts as storage, not as an upload. Only
 *   speech spends voice characters.
 * - **Statuses of the alternate's refusals** are HTTP's own: 400 a wrong body or query, 401, 402, 404 also for a puppet or
 *   voice that a create names, 405, 409 a download before its time, 413, 415, 429, 503.
 * - **Scope**: slots, credits and quotas belong to the account; rate windows and hosted audio to the key; an alternate
 *   video and a puppet to the account.
 * - **Previews and portraits** need no key; videos and audio need the signature of their URL, which ends with its time.
 */
export const STANDARD = {
  primary,
  alternate,
  files,
  timing: {
    // Time to generate: log-normal around `fixedMs + perSpeechSecondMs * seconds of speech`, spread `sigma`.
    fixedMs: 20_000,
    perSpeechSecondMs: 2_000,
    sigma: 0.3,
    // The part of that time which a job is `queued`.
    queuedShare: 0.15,
    charsPerSpeechSecond: 15,
    // Of audio that is not WAV: its length is guessed from its size.
    audioBytesPerSecond: 16_000,
    slowFactor: 10,
    stuckProgress: 0.42,
    // How many status reads of a `[[status-502]]` or `[[status-504]]` job fail.
    failingReads: 2,
  },
}

/** The same questions with any answers: a function may answer other fields. */
type Open<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer Given) => unknown
    ? (...given: Given) => Fields
    : T[K] extends object
      ? Open<T[K]>
      : T[K]
}
export type Decisions = Open<typeof STANDARD>

const { primary: standardPrimary, alternate: standardAlternate } = STANDARD

interface Variant {
  readonly effect: string
  readonly decisions: Decisions
}

/** The standard decisions but for some of them. */
const varied = (
  effect: string,
  other: { primary?: Partial<Decisions['primary']>; alternate?: Partial<Decisions['alternate']> },
): Variant => ({
  effect,
  decisions: {
    ...STANDARD,
    primary: { ...standardPrimary, ...other.primary },
    alternate: { ...standardAlternate, ...other.alternate },
  },
})

/** Other answers to what the contracts do not show: a client that depends on none of them passes under all. */
export const VARIANTS = {
  standard: { effect: 'The answers of packages/sandbox/src/undecided.ts.', decisions: STANDARD },
  'other-words': varied(
    'A failed job is `error`, with the reason in one string. Error codes are upper-case words of another service.',
    {
      primary: {
        failedStatus: 'error',
        failedFields: (retryable) => ({ error_message: 'Generation failed (sandbox).', retryable }),
        codes: {
          ...standardPrimary.codes,
          unauthorized: 'INVALID_API_KEY',
          forbidden: 'MISSING_SCOPE',
          insufficientCredits: 'PAYMENT_REQUIRED',
          idempotencyMismatch: 'IDEMPOTENCY_KEYS_DIFFER',
          puppetNotFound: 'NOT_FOUND',
          quotaExceeded: 'BETA_QUOTA_EXCEEDED',
          assetFailed: 'UPSTREAM_ERROR',
          unavailable: 'SERVICE_UNAVAILABLE',
          statusUnavailable: 'UPSTREAM_ERROR',
          statusTimeout: 'GATEWAY_TIMEOUT',
        },
      },
      alternate: {
        error: (code, message) => ({ code: code.toUpperCase(), detail: message }),
        videoError: () => ({ reason: 'Generation failed (sandbox).' }),
      },
    },
  ),
  'link-names': varied(
    'Other names for the links: speech, upload and read URLs in camelCase; `download_url` in the callback.',
    {
      primary: {
        speech: ({ audioUrl, expiresAt }) => ({ url: audioUrl, expiresAt }),
        upload: ({ id, uploadUrl, readUrl, uploadExpiresAt }) => ({
          uploadId: id,
          putUrl: uploadUrl,
          readUrl,
          expiresAt: uploadExpiresAt,
        }),
      },
      alternate: {
        callback: ({ id, completed, downloadUrl, endedAt }) => ({
          id,
          status: completed ? 'completed' : 'failed',
          download_url: downloadUrl,
          completed_at: endedAt,
        }),
      },
    },
  ),
  envelopes: varied(
    'The puppet list is `{puppets, nextCursor}`, without a cursor on the last page. Callbacks have their content in `data`.',
    {
      primary: {
        puppetPage: (puppets, nextCursor) => ({ puppets, ...(nextCursor !== null && { nextCursor }) }),
        upload: (upload) => ({ data: standardPrimary.upload(upload) }),
        speech: (speech) => ({ data: standardPrimary.speech(speech) }),
        usage: (usage) => ({ data: standardPrimary.usage(usage) }),
      },
      alternate: { callback: (video) => ({ event: 'video.done', data: standardAlternate.callback(video) }) },
    },
  ),
  'puppet-fields': varied('Puppets are snake_case records with `puppet_id` and `image_url`.', {
    primary: {
      puppet: ({ id, name, imageUrl, createdAt }) => ({
        id,
        puppet_id: id,
        display_name: name,
        image_url: imageUrl,
        created_at: createdAt,
      }),
    },
  }),
  'success-codes': varied(
    'The alternate interface accepts a video with 202, has a rate limit of 20 requests a minute, and names videos `v1_…`.',
    { alternate: { createdStatus: 202, requestsPerMinute: 20, idPrefix: 'v1' } },
  ),
  terse: varied('Only what the contracts show: no extra field; a failed job is only `failed`.', {
    primary: {
      failedFields: () => ({}),
      jobExtras: () => ({}),
      puppet: ({ id }) => ({ id }),
      puppetPage: (data, nextCursor) => ({ data, nextCursor }),
      speech: ({ audioUrl }) => ({ audio_url: audioUrl }),
      upload: ({ uploadUrl, readUrl }) => ({ upload_url: uploadUrl, read_url: readUrl }),
    },
    alternate: { videoError: () => ({}), callback: ({ id }) => ({ id }), callbackOnFailure: false },
  }),
}

export type VariantName = keyof typeof VARIANTS

export const isVariant = (name: string): name is VariantName => Object.hasOwn(VARIANTS, name)
