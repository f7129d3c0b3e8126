import { isShallow } from '../../core/adapter.ts'
import type { Verbatim } from '../../core/video.ts'

/**
 * Tolerant reading of what a backend sent. Pure and total: a value that is missing or of the wrong kind is null, never
 * a throw.
 */
export type JsonObject = Readonly<Record<string, unknown>>

export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

const own = (value: unknown, name: string): unknown => {
  const object = asObject(value)
  return object !== null && Object.hasOwn(object, name) ? object[name] : null
}

/** The value at a dotted path of own properties. Each answer is asked for a hundred names, most of them without a dot. */
const at = (body: unknown, path: string): unknown =>
  path.includes('.') ? path.split('.').reduce(own, body) : own(body, path)

/** The first of `spellings` under which `accept` finds something it can read. */
export const find = <T>(
  body: unknown,
  spellings: readonly string[],
  accept: (value: unknown) => T | null,
): T | null => {
  for (const spelling of spellings) {
    const found = accept(at(body, spelling))
    if (found !== null) return found
  }
  return null
}

/** `body` itself, or the first object under `wrappers` in which `accept` finds what matters; otherwise `body`. */
export const unwrapBy = (
  body: unknown,
  wrappers: readonly string[],
  spellings: readonly string[],
  accept: (value: unknown) => unknown,
): unknown =>
  [body, ...wrappers.map((name) => find(body, [name], asObject))].find(
    (layer) => find(layer, spellings, accept) !== null,
  ) ?? body

const MAX_TEXT_LENGTH = 8_192

/** Text that says something, well-formed, at most 8,192 characters. */
export const text = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) return null
  const trimmed = value.toWellFormed().trim()
  return trimmed === '' ? null : trimmed
}

const CODE = /^[A-Za-z0-9_.:-]{1,100}$/

/** A code is one word; a sentence in its place is a message. */
export const codeWord = (value: unknown): string | null => {
  const word = text(value)
  return word !== null && CODE.test(word) ? word : null
}

/** An id: text, or a whole number written as a number. */
export const idText = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : text(value))

/** A finite number, also when it came as text. */
export const number = (value: unknown): number | null => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

/** A whole number of at least 0. */
export const count = (value: unknown): number | null => {
  const read = number(value)
  return read !== null && Number.isSafeInteger(read) && read >= 0 ? read : null
}

/** A duration of at least 0, in seconds. */
export const duration =
  (unit: 'seconds' | 'milliseconds') =>
  (value: unknown): number | null => {
    const read = number(value)
    if (read === null || read < 0) return null
    return unit === 'seconds' ? read : read / 1000
  }

export const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

/** What a number for progress counts: only a `fraction` differs from a percentage by its size. */
export type ProgressUnit = 'fraction' | 'percent'

/** 0..1, clamped. */
export const progress =
  (unit: ProgressUnit) =>
  (value: unknown): number | null => {
    const read = number(value)
    return read === null ? null : Math.min(1, Math.max(0, unit === 'percent' || read > 1 ? read / 100 : read))
  }

const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i
const ZONED = /(Z|[+-]\d\d:?\d\d)$/i
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .* GMT$/
/** Unix seconds of the year 5138, or milliseconds of 1973: anything above was written in milliseconds. */
const SECONDS_END = 100_000_000_000
/** The latest moment that is read: later ones are no times that anybody means, and soon none that a `Date` can hold. */
const LATEST_MS = SECONDS_END * 1000

/** A moment in whole milliseconds since the epoch: ISO 8601 (UTC unless it says otherwise) or Unix time. */
export const time = (value: unknown): number | null => {
  const written = text(value)
  if (written !== null && ISO.test(written)) {
    const dateOnly = written.length === 10
    const parsed = Date.parse(dateOnly || ZONED.test(written.slice(10)) ? written : `${written}Z`)
    return Number.isNaN(parsed) ? null : parsed
  }
  const unix = number(value)
  if (unix === null || unix <= 0 || unix > LATEST_MS) return null
  return Math.round(unix < SECONDS_END ? unix * 1000 : unix)
}

/** `seconds` after `nowMs`, in whole milliseconds since the epoch; null where that is no moment. */
export const secondsFrom = (nowMs: number, seconds: number): number | null => {
  const atMs = Math.round(nowMs + seconds * 1000)
  return atMs <= LATEST_MS ? atMs : null
}

/** A date as HTTP headers write it, in milliseconds since the epoch. */
export const httpDate = (value: string | undefined): number | null => {
  const parsed = value !== undefined && HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(parsed) ? null : parsed
}

/**
 * An absolute http(s) URL. A path is taken to be below `base`, as all paths of the contracts are, unless it already
 * repeats the base's own prefix.
 */
export const absoluteUrl =
  (base: URL) =>
  (value: unknown): string | null => {
    const written = text(value)
    if (written === null) return null
    const prefix = base.pathname.replace(/\/+$/, '')
    const rooted = written.startsWith('/') && !written.startsWith('//')
    const target = rooted && prefix !== '' && !written.startsWith(`${prefix}/`) ? prefix + written : written
    const url = URL.parse(target, `${base.origin}${prefix}/`)
    return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
  }

/** BCP 47 in canonical form; verbatim if it is no locale. */
export const locale = (value: unknown): string | null => {
  const written = text(value)
  if (written === null) return null
  try {
    return Intl.getCanonicalLocales(written.replaceAll('_', '-'))[0] ?? written
  } catch {
    return written
  }
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard', fallback: 'none' })

/** The English name of a locale, such as "English (United Kingdom)"; the locale itself if it has none. */
export const languageName = (code: string): string => {
  try {
    return LANGUAGES.of(code) ?? code
  } catch {
    return code
  }
}

const MAX_VERBATIM_LENGTH = 8_192

/** An object as it came; null if it is none, too deep, or over 8,192 characters of JSON. */
export const verbatim = (value: unknown): Verbatim | null => {
  const object = asObject(value)
  if (object === null || !isShallow(object)) return null
  const json = JSON.stringify(object)
  // Read again: a number beyond what JSON can write is none once it is stored.
  return json.length > MAX_VERBATIM_LENGTH ? null : asObject(JSON.parse(json))
}

const MAX_REDACTED_LENGTH = 300
/** Looked at before the patterns run, whose cost grows faster than the text. */
const MAX_READ_LENGTH = 1_000

/** A backend's words made fit to be shown: no URL, no query, no bearer, no control characters, at most 300 characters. */
export const redact = (words: string): string =>
  words
    .slice(0, MAX_READ_LENGTH)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/\S*:\/\/\S*/g, '[url]')
    .replaceAll(/\bbearer\s+\S+/gi, 'Bearer [key]')
    .replaceAll(/\?\S*=\S*/g, '?[…]')
    .slice(0, MAX_REDACTED_LENGTH)
    .toWellFormed()

type Plain = string | number | boolean

/** The fields that have a value, in the order given. */
export const stated = (fields: Record<string, Plain | null>): Record<string, Plain> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, Plain] => field[1] !== null))
