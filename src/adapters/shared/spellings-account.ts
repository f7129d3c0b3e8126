import { HINTS, spelled, type Spellings } from './spellings.ts'

/** A reservation for audio: its file goes to `upload` and is read at `read`. */
export const UPLOAD = {
  upload: ['upload_url', 'uploadUrl', 'put_url', 'putUrl', 'signed_url', 'signedUrl', 'upload.url', 'put.url'],
  read: ['read_url', 'readUrl', 'audio_url', 'audioUrl', 'url', 'read.url', 'audio.url'],
  headers: ['upload_headers', 'uploadHeaders', 'headers', 'upload.headers', 'put.headers'],
  expires: ['upload_expires_at', 'uploadExpiresAt', 'expires_at', 'expiresAt', 'upload.expires_at', 'put.expires_at'],
  expiresIn: ['upload_expires_in', 'uploadExpiresIn', 'expires_in', 'expiresIn'],
  hints: HINTS,
  also: [
    ...spelled('object', 'data', 'id', 'status', 'method', 'upload_id', 'upload_method', 'mime_type', 'content_type'),
    ...spelled('content_length', 'size_bytes', 'read_expires_at', 'created_at', 'video_generation'),
  ],
} as const satisfies Spellings

export const SPEECH = {
  link: ['audio_url', 'audioUrl', 'url', 'result.audio_url', 'audio.url'],
  expires: ['expires_at', 'expiresAt', 'audio.expires_at'],
  expiresIn: ['expires_in', 'expiresIn'],
  duration: ['duration_seconds', 'durationSeconds', 'duration_sec', 'durationSec', 'duration'],
  type: ['content_type', 'contentType', 'mime_type', 'mimeType'],
  also: [
    ...spelled('object', 'data', 'speech', 'id', 'status', 'voice_id', 'text', 'speed', 'characters'),
    ...spelled('size_bytes', 'created_at'),
  ],
} as const satisfies Spellings

/** What an account has left (primary contract, "Usage": what it reports is shown, under which names is not). */
export const USAGE = {
  remaining: [
    ...spelled('credits_remaining', 'remaining_credits', 'credit_balance', 'video_credits_remaining'),
    ...spelled('credits.balance', 'credits.remaining', 'credits.available', 'credits.current'),
    ...['video_credits', 'videoCredits'].flatMap((credits) => [`${credits}.balance`, `${credits}.remaining`]),
    ...spelled('balance', 'remaining', 'credits', 'video_credits'),
  ],
  used: [
    ...spelled('credits_used_month', 'credits_used', 'used_this_month', 'monthly_usage', 'monthly_credit_usage'),
    ...spelled('credits.used_this_month'),
    'credits.used_month',
    ...spelled('credits.monthly_usage', 'credits.used', 'video_credits.used', 'monthly.used'),
    ...spelled('monthly_usage.credits', 'used'),
  ],
  included: [
    ...spelled('credits_included', 'included_credits', 'included_balance', 'credits.included'),
    ...spelled('credits.included_balance', 'video_credits.included', 'monthly.included', 'included'),
  ],
  purchased: [
    ...spelled('credits_purchased', 'purchased_credits', 'purchased_balance', 'credits.purchased'),
    ...spelled('credits.purchased_balance', 'video_credits.purchased', 'purchased'),
  ],
  checkout: [
    ...spelled('checkout_available', 'hosted_checkout_available', 'credit_checkout_available'),
    'checkout.available',
    'checkout.enabled',
    'credits.checkout_available',
    'checkout',
  ],
  packs: ['credit_packs', 'creditPacks', 'packs', 'credits.packs', 'credits.credit_packs', 'checkout.packs'],
  /** Where it says whether a video can be created now; else at the top. */
  readiness: ['video_generation', 'videoGeneration', 'video_readiness', 'videoReadiness', 'readiness'],
  hints: HINTS,
  also: [
    ...spelled('object', 'data', 'usage', 'can_create', 'reason', 'active_jobs', 'available_slots', 'month', 'period'),
    'limits',
  ],
} as const satisfies Spellings
