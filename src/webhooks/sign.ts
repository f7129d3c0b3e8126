import { createHmac, timingSafeEqual } from 'node:crypto'

const PREFIX = 'whsec_'
const NEW_SECRET_BYTES = 32

/** Standard Webhooks 1.0.0, "Signature scheme": 192 to 512 bits. */
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

/** Random bytes that are fit for keys: `crypto.randomBytes`, or a seeded source in tests. */
export type RandomBytes = (sizeBytes: number) => Buffer

/** `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (randomBytes: RandomBytes): string =>
  PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64')

/**
 * The key inside a secret: `whsec_` + padded base64 of 24 to 64 bytes. Throws an Error that does not show the secret,
 * since it may come from a configuration file.
 */
export const parseWebhookSecret = (secret: string): Buffer => {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const key = Buffer.from(encoded, 'base64')
  // Node skips characters that are not base64. Only a text that decodes without loss is the same for every receiver.
  if (key.toString('base64') !== encoded || key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES)
    throw new Error(
      `a webhook secret is "${PREFIX}" followed by the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`,
    )
  return key
}

export interface Message {
  /** All live secrets, newest first: one signature each, so that a receiver may verify with any of them. */
  secrets: readonly string[]
  /** The event's id: the same for every attempt and replay. */
  id: string
  /** Of the attempt, in seconds since the epoch. */
  timestampS: number
  /** The stored bytes, sent as they are. */
  body: string
}

/** The three headers of Standard Webhooks 1.0.0. Throws on a malformed secret. */
export const sign = ({ secrets, id, timestampS, body }: Message): Record<`webhook-${string}`, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampS),
  'webhook-signature': secrets
    .map((secret) => createHmac('sha256', parseWebhookSecret(secret)).update(`${id}.${timestampS}.${body}`))
    .map((hmac) => `v1,${hmac.digest('base64')}`)
    .join(' '),
})

/** One request as it arrived; names of headers in lower case. */
interface Captured {
  headers: ReadonlyMap<string, string>
  body: Buffer
}

interface Rules {
  /** A signature by any of them is valid. */
  secrets: readonly string[]
  nowMs: number
  /** Into the past and into the future; Infinity: whenever it was. */
  toleranceMs: number
}

type FaultCode =
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_malformed'
  | 'no_match'

interface SignatureFault {
  code: FaultCode
  message: string
  /** What usually causes it, the likeliest first. */
  hints: string[]
}

export interface Diagnosis {
  ok: boolean
  faults: SignatureFault[]
  id: string | null
  timestampS: number | null
  /** Which of `secrets` signed it, by index; null: none. */
  matched: number | null
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
const SIGNATURE_BYTES = 32
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/

const fault = (code: FaultCode, message: string, ...hints: string[]): SignatureFault => ({ code, message, hints })

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

/** `3 minutes 20 seconds`; whole seconds, two units at most. */
export const spelled = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  const [unit, size] = UNITS.find(([, size]) => seconds >= size * 2) ?? ['seconds', 1]
  const rest = unit === 'minutes' && seconds % 60 > 0 ? ` ${seconds % 60} seconds` : ''
  return `${Math.floor(seconds / size)} ${unit}${rest}`
}

const missing = (name: string, headers: ReadonlyMap<string, string>): SignatureFault => {
  const alias = headers.has(name.replace('webhook-', 'svix-')) ? [`there is ${name.replace('webhook-', 'svix-')}`] : []
  const all = NAMES.every((one) => !headers.has(one))
  const hints = all
    ? ['all three headers are missing: a proxy removed them, or this is not a webhook of the gateway']
    : []
  return fault('header_missing', `the header ${name} is missing`, ...alias, ...hints)
}

const timestampFault = (text: string, { nowMs, toleranceMs }: Rules): SignatureFault | null => {
  if (!/^\d{1,12}$/.test(text)) {
    return fault('timestamp_malformed', `webhook-timestamp is "${text.slice(0, 40)}", but must be whole Unix seconds`)
  }
  const ageMs = nowMs - Number(text) * 1000
  if (Math.abs(ageMs) <= toleranceMs) return null
  const how = `is ${spelled(Math.abs(ageMs))} ${ageMs > 0 ? 'old' : 'ahead of this clock'}`
  const message = `webhook-timestamp ${how}, but only ${spelled(toleranceMs)} are allowed`
  return ageMs > 0
    ? fault('timestamp_too_old', message, 'if this is an old capture, give a longer --tolerance')
    : fault(
        'timestamp_too_new',
        message,
        'the clock of this machine may be slow',
        'did you use milliseconds instead of seconds?',
      )
}

type Text = string | Buffer
const macOf = (secret: string, id: string, timestamp: string, body: Text): Buffer =>
  createHmac('sha256', parseWebhookSecret(secret)).update(`${id}.${timestamp}.`).update(body).digest()

const compact = (text: string): string | null => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null
  }
}

/** What the body may have been before something changed it, each with the cause. */
const originalsOf = (body: Buffer): { was: Text; because: string }[] => {
  const text = body.toString()
  const small = compact(text.replace(/^\uFEFF/, ''))
  const all: [was: Text | null, because: string][] = [
    [text.trimEnd(), 'the body has extra whitespace at its end, often a line break from an editor or echo'],
    [text.trim().replace(/^\uFEFF/, ''), 'the body has an extra byte order mark or whitespace around it'],
    [Buffer.from(text, 'latin1'), 'the body was read as Latin-1 and written as UTF-8'],
    [small, 'the body was parsed and serialised again: verify the raw bytes, before any JSON parser'],
  ]
  return all.flatMap(([was, because]) => (was === null || Buffer.from(was).equals(body) ? [] : [{ was, because }]))
}

const guesses = (body: Buffer, listed: string): string[] => {
  const text = body.toString()
  const hints: string[] = []
  if (body.length === 0) hints.push('the body is empty: something read it before you captured it')
  if (text.includes('\uFFFD')) hints.push('the body was decoded with a wrong charset: use the raw bytes')
  const small = compact(text)
  if (body.length > 0 && small === null)
    hints.push('the body is not complete JSON: it was cut off, or it is another body')
  if (small !== null && small !== text) {
    hints.push('the gateway writes other whitespace and escapes: the body was serialised again, and more was changed')
  }
  if (/,\s*v1,/.test(listed)) hints.push('commas separate the signatures, but spaces must: a proxy joined the headers')
  return [
    ...hints,
    'the secret may be wrong: use that of the endpoint (shown when you made it) or of the client (GET /webhook_secret), or the newest after a rotation',
    'webhook-id or webhook-timestamp may belong to another request, or the data in the body was changed',
  ]
}

const matchOf = (given: readonly Buffer[], mac: Buffer): boolean => given.some((one) => timingSafeEqual(one, mac))

const malformedOf = (listed: string): SignatureFault => {
  const hints = /\bv1a,/.test(listed) ? ['v1a is an asymmetric signature, but the gateway sends v1'] : []
  if (/^[A-Za-z0-9+/]{43}=$/.test(listed)) hints.push('the prefix "v1," is missing')
  return fault('signature_malformed', 'webhook-signature has no "v1," followed by the base64 of 32 bytes', ...hints)
}

type Whole = Record<(typeof NAMES)[number], string>

const judge = (whole: Whole, body: Buffer, secrets: readonly string[]) => {
  const listed = whole['webhook-signature']
  const given = listed
    .split(/\s+/)
    .map((one) => Buffer.from(SIGNATURE.exec(one)?.[1] ?? '', 'base64'))
    .filter((one) => one.length === SIGNATURE_BYTES)
  if (given.length === 0) return { matched: null, fault: malformedOf(listed) }
  const mac = (secret: string, text: Text) => macOf(secret, whole['webhook-id'], whole['webhook-timestamp'], text)
  const matched = secrets.findIndex((secret) => matchOf(given, mac(secret, body)))
  if (matched >= 0) return { matched, fault: null }
  const cause = originalsOf(body).find(({ was }) => secrets.some((secret) => matchOf(given, mac(secret, was))))
  const most = given.length === 1 ? 'the signature is' : `all ${given.length} signatures are`
  return cause
    ? { matched: null, fault: fault('no_match', 'the body is not the one that was signed', cause.because) }
    : {
        matched: null,
        fault: fault('no_match', `${most} not made from this body with this secret`, ...guesses(body, listed)),
      }
}

/**
 * Finds what is wrong with a captured request (Standard Webhooks 1.0.0, "Verifying webhook authenticity"): all faults,
 * each with its usual causes, which are tried out where possible. Pure. Throws on a malformed secret.
 */
export const diagnose = ({ headers, body }: Captured, rules: Rules): Diagnosis => {
  for (const secret of rules.secrets) parseWebhookSecret(secret)
  const value = (name: (typeof NAMES)[number]): string => headers.get(name)?.trim() ?? ''
  const whole: Whole = {
    'webhook-id': value('webhook-id'),
    'webhook-timestamp': value('webhook-timestamp'),
    'webhook-signature': value('webhook-signature'),
  }
  const absent = NAMES.filter((name) => whole[name] === '')
  const faults = absent.map((name) => missing(name, headers))
  const timestamp = whole['webhook-timestamp']
  const late = timestamp === '' ? null : timestampFault(timestamp, rules)
  if (late) faults.push(late)
  const judged = absent.length === 0 ? judge(whole, body, rules.secrets) : { matched: null, fault: null }
  if (judged.fault) faults.push(judged.fault)
  return {
    ok: faults.length === 0,
    faults,
    id: whole['webhook-id'] || null,
    timestampS: /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null,
    matched: judged.matched,
  }
}

/** What a callback of the alternate backend is about: one create attempt of one video. */
interface CallbackSubject {
  videoId: string
  attempt: number
}

const MAX_TOKEN_LENGTH = 160
const TOKEN = /^([A-Za-z0-9_-]{1,96})\.(0|[1-9]\d{0,8})\.[A-Za-z0-9_-]{43}$/

/**
 * Tokens of `/hooks/{backend}/{token}`: `<video>.<attempt>.<HMAC-SHA-256>`, URL-safe. Verified without a store read, so
 * that a forged callback costs one hash.
 */
export const createCallbackTokens = (key: Buffer) => {
  const make = (backend: string, videoId: string, attempt: number): string => {
    const mac = createHmac('sha256', key).update(`callback\0${backend}\0${videoId}\0${attempt}`).digest('base64url')
    return `${videoId}.${attempt}.${mac}`
  }
  return {
    /** Makes the token for callbacks below this backend's path. */
    make(backend: string, videoId: string, attempt: number): string {
      const token = make(backend, videoId, attempt)
      if (!TOKEN.test(token)) throw new RangeError(`no callback token can name ${videoId}, attempt ${attempt}`)
      return token
    },
    /** Null for anything that `make` did not make for this backend. Bounded work, whatever the text. */
    verify(backend: string, token: string): CallbackSubject | null {
      if (token.length > MAX_TOKEN_LENGTH) return null
      const [, videoId, attempt] = TOKEN.exec(token) ?? []
      if (videoId === undefined || attempt === undefined) return null
      // Compares the whole text: several base64url texts decode to the same bytes, but we made only one of them.
      const expected = Buffer.from(make(backend, videoId, Number(attempt)))
      const given = Buffer.from(token)
      return given.length === expected.length && timingSafeEqual(given, expected)
        ? { videoId, attempt: Number(attempt) }
        : null
    },
  }
}
export type CallbackTokens = ReturnType<typeof createCallbackTokens>
