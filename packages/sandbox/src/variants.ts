import { STANDARD, type Decisions } from './undecided.ts'

const { primary, alternate } = STANDARD

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
    primary: { ...primary, ...other.primary },
    alternate: { ...alternate, ...other.alternate },
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
          ...primary.codes,
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
        upload: (upload) => ({ data: primary.upload(upload) }),
        speech: (speech) => ({ data: primary.speech(speech) }),
        usage: (usage) => ({ data: primary.usage(usage) }),
      },
      alternate: { callback: (video) => ({ event: 'video.done', data: alternate.callback(video) }) },
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
