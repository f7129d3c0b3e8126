import type { Contract } from '../../packages/sandbox/test/contract/parse.ts'
import type { Lane } from './contract/setup.ts'

/** Rows of a contract that the gateway answers otherwise than the service. */
export interface Declared {
  /** Of the difference, as src/routes/dropin/differences.ts tells it on this contract's surface. */
  readonly id: string
  readonly contract: Contract
  /** Section and name of the rows, and how many those are. */
  readonly rows: RegExp
  readonly count: number
  /** What their tests say of the gateway's answer. */
  readonly as: RegExp
}

const primary = (id: string, rows: RegExp, count: number, as: RegExp): Declared => {
  return { id, contract: 'primary', rows, count, as }
}
const alternate = (id: string, rows: RegExp, count: number, as: RegExp): Declared => {
  return { id, contract: 'alternate', rows, count, as }
}

/** Whatever is behind. */
const ANY: readonly Declared[] = [
  primary('keys', /^Authentication › A key is a live|^Errors › Status code meanings › 401|› Active API keys/, 3, /200/),
  primary('webhook-url', /^Events › None/, 1, /expected \[ 202, …\(1\) \] to deeply equal \[ 202, \[\] \]/),
  primary('document', /^Versioning › (The contract version|All paths carry)/, 2, /info: \{ version|\/unified\/v1/),
  primary('from-record', /\{jobId\} › status 50[24]$|^Errors › Status code meanings › 504/, 3, /200/),
]

/** The interface of the surface itself is behind. */
const SAME: readonly Declared[] = [
  ...ANY,
  primary('from-record', /^Endpoints › GET \/api\/v1\/puppets\/\{puppetId\} › status 503/, 1, /expected 200 to be 503/),
  primary(
    'queue',
    /^Errors › Error body fields .* › (error|message|retryable|retry_?after|next_?poll|details|`video)/i,
    10,
    /202/,
  ),
  primary('queue', /^Errors › Error codes seen › (400 hosted_audio_upload_unavailable|429 concurrent)/, 2, /202/),
  primary('queue', /^Limits › (Concurrent API video jobs|When a limit is exceeded)/, 2, /202/),
  primary(
    'queue',
    /\/videos\/(text|audio) › (Each create debits|status 502)|^Errors › Status code meanings › 502/,
    4,
    /202/,
  ),
  alternate('rate-window', /bearer authentication|^Authentication/, 2, /401 lacks the header X-RateLimit-Limit/),
  alternate('from-record', /^Endpoints › GET \/v1\/videos\/:id$/, 1, /thumbnail_url must be string/),
]

/** What the alternate cannot do is 400 where the client sees no other backend: that of an account of its own. */
const CANNOT = /400|CAPABILITY_NOT_SUPPORTED|HOSTED_AUDIO_UPLOAD_PENDING|parse URL from undefined/

const WITHOUT_AUDIO: readonly Declared[] = [
  primary(
    'cannot',
    /^Endpoints › POST \/api\/v1\/videos\/audio › ((Image|Audio|expressiveness|Idempotency key): |Audio rules)/,
    19,
    CANNOT,
  ),
  primary('cannot', /^Endpoints › POST \/api\/v1\/videos\/audio › status (?!50)/, 10, CANNOT),
  primary(
    'cannot',
    /^Endpoints › POST \/api\/v1\/uploads\/audio-url › (?!status (400|401|403|413|415|429|50\d))/,
    19,
    CANNOT,
  ),
  primary('cannot', /^Endpoints › POST \/api\/v1\/tts\/service › (voice_id|speed|status (200|404))/, 4, CANNOT),
  primary(
    'cannot',
    /^What the service does › (It creates|create(ServiceSpeech|HostedAudioUploadUrl|VideoFromAudio)$)/,
    4,
    CANNOT,
  ),
  primary(
    'cannot',
    /^Resources and their fields › (Speech result|Hosted audio upload) |^States .* › Hosted audio/,
    3,
    CANNOT,
  ),
  primary(
    'cannot',
    /^Errors › Error codes seen › (400 \w+: (audio_url|hosted|upload)|409 idempotency_key_conflict)/,
    4,
    CANNOT,
  ),
  primary('cannot', /^Limits › (Voice characters|Hosted audio|Audio uploads|Maximum audio|Upload-URL)/, 5, CANNOT),
]

/** The primary's clients, and an alternate account behind. */
const PRIMARY_OTHER: readonly Declared[] = [
  ...WITHOUT_AUDIO,
  primary(
    'own-catalogue',
    /^What the service does › (It lists|Everything)|^Resources .* › Voice list › data/,
    3,
    /45|pup_ada/,
  ),
  primary(
    'own-catalogue',
    /^Resources .* › Voice › id|^Endpoints › GET .*\/puppets › limit/,
    2,
    /voice|\[ 20, 1, 28 \]/,
  ),
  primary('no-alias', /^Errors › Error codes seen › 400 invalid_image/, 1, /CAPABILITY_NOT_SUPPORTED/),
  primary('usage', /^Resources and their fields › Usage/, 1, /balance: null/),
  primary('usage', /^Endpoints › GET \/api\/v1\/usage › status 503/, 1, /expected 200 to be 503/),
  primary('from-record', /^Endpoints › GET \/api\/v1\/puppets\/\{puppetId\} › status 503/, 1, /expected 200 to be 503/),
  primary('never-queued', /^States and transitions › processing|› Known body fields/, 2, /processing|progress|than 0/),
  primary('told-by-service', /› X-Service-Credits-|› Each create debits/, 3, /null|object/),
  primary('other-limits', /^Limits › (Concurrent|API video credits|When a limit)/, 3, /202/),
  primary('other-limits', /^Errors › (Error codes seen › 429 conc|Status code meanings › (429|502))/, 3, /202/),
  primary('other-limits', /\/videos\/text › (status (402|502)|Body limit)/, 3, /202/),
  primary(
    'other-limits',
    /^Errors › Error body fields .* › (error|message|retryable|retry_?after|next_?poll|details|`video)/i,
    10,
    /undefined|false|\{\}/,
  ),
  primary('other-limits', /^Versioning › The interface is labeled/, 1, /undefined/),
  primary('queue', /\/videos\/text › status 503|^Errors › Status code meanings › 503/, 2, /202|'1' to be '10'/),
  primary('queue', /\/videos\/audio › status 502|^Errors › Every JSON error/, 2, /202|undefined/),
  primary('other-limits', /^Endpoints › Idempotency-Key/, 1, /\+0 to be 2/),
  primary('own-catalogue', /^Endpoints › GET \/api\/v1\/puppets › cursor/, 1, /400 to be 204/),
]

/** The alternate's clients, and a primary account behind. */
const ALTERNATE_OTHER: readonly Declared[] = [
  alternate('credits', /^Endpoints › List query/, 1, /total: 10/),
  alternate('own-link', /^Limits › Script/, 1, /expected 200 to be 403/),
  alternate('told-by-service', /› Video \((create response|detail)\): voice_id/, 2, /object/),
  alternate('told-by-service', /› Video \(.*\): duration_sec/, 2, /false|object/),
  alternate('own-catalogue', /^Endpoints › (GET \/v1\/puppets|voice_id)$/, 2, /custom|null/),
]

/** The other interface is behind. */
const OTHER: readonly Declared[] = [...ANY, ...PRIMARY_OTHER, ...ALTERNATE_OTHER]

export const DECLARED: Readonly<Record<Lane, readonly Declared[]>> = { same: SAME, other: OTHER }
