import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * The kinds of value that a configuration holds. `title` completes the sentence "expected …" in a fault and shows in
 * editors; `writeOnly` marks a secret, which `redactConfig` and the JSON Schema both read.
 */

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/

const toMs = (text: string): number => {
  const [, count, unit] = DURATION.exec(text) ?? []
  return unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h' || unit === 'd'
    ? Number(count) * UNIT_MS[unit]
    : Number.NaN
}

/** A duration as text (`500ms`, `30s`, `5m`, `24h`, `7d`) from `min` to `max`; comes out as **milliseconds**. */
export const duration = (min: string, max: string) =>
  z
    .string()
    .regex(DURATION)
    .meta({ title: `a duration from ${min} to ${max}, such as 500ms, 30s, 5m or 24h` })
    .transform((text, context) => {
      const ms = toMs(text)
      if (ms >= toMs(min) && ms <= toMs(max)) return ms
      context.addIssue({ code: 'custom', message: `expected a duration from ${min} to ${max}` })
      return z.NEVER
    })

/** Milliseconds as the shortest text that `duration` reads back. */
export const durationText = (ms: number): string => {
  const [unit, unitMs] = Object.entries(UNIT_MS).findLast(([, unitMs]) => ms % unitMs === 0) ?? ['ms', 1]
  return `${ms / unitMs}${unit}`
}

export const whole = (min: number, max: number) =>
  z
    .int()
    .min(min)
    .max(max)
    .meta({ title: `a whole number from ${min} to ${max}` })

export const text = (title: string, pattern: RegExp) => z.string().regex(pattern).meta({ title })

/** Names of backends and clients: they appear in paths, ids (`main:voice_1`), variables and metrics. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/
export const NAME_TITLE = 'a name of 1 to 63 characters a-z, 0-9, _ and -, starting with a letter or digit'

/** A credential: visible ASCII without spaces, because it travels in an HTTP header. */
export const secret = (minLength: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{${minLength},512}$`))
    .meta({ title: `${minLength} to 512 visible ASCII characters without spaces`, writeOnly: true })

const WEBHOOK_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** A Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. */
export const webhookSecret = () =>
  z
    .string()
    .regex(WEBHOOK_SECRET)
    .refine((value) => {
      const sizeBytes = Buffer.from(value.slice('whsec_'.length), 'base64').length
      return sizeBytes >= 24 && sizeBytes <= 64
    }, 'expected whsec_ and the base64 of 24 to 64 bytes')
    .meta({ title: 'whsec_ and the base64 of 24 to 64 bytes', writeOnly: true })

const isLoopback = (hostname: string): boolean => {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) && ipaddr.parse(bare).range() === 'loopback'
}

const urlFault = (url: URL): string | null => {
  // The parts are named, not quoted: userinfo and query may hold credentials.
  if (url.username || url.password) return 'must not contain a user name or password'
  if (url.search || url.href.includes('?')) return 'must not contain a query'
  if (url.hash || url.href.includes('#')) return 'must not contain a fragment'
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'must be https (http only for a loopback host)'
  return null
}

/** An absolute http(s) URL; comes out as origin and path prefix without trailing slash. http only to a loopback host. */
export const baseUrl = () =>
  z
    .string()
    .regex(/^https?:\/\/[^\s\\]+$/)
    .meta({ title: 'an absolute https URL (http only for a loopback host)' })
    .transform((value, context) => {
      const url = URL.parse(value)
      const message = url ? urlFault(url) : 'expected an absolute https URL (http only for a loopback host)'
      if (url && message === null) return url.origin + url.pathname.replace(/\/+$/, '')
      context.addIssue({ code: 'custom', message: message ?? '' })
      return z.NEVER
    })

/** A portrait's image as a create may name it: what a parser would quietly repair another one may read differently. */
export const imageUrl = () =>
  z
    .string()
    .max(2_048)
    .regex(/^https:\/\/[^\s\p{Cc}\\/?#][^\s\p{Cc}\\]*$/iu)
    .refine((value) => URL.canParse(value), 'expected an https URL')
    .meta({ title: 'an https URL' })

/** An address range such as `127.0.0.0/8` or `::1/128`. */
export const cidr = () =>
  z
    .string()
    .refine((value) => ipaddr.isValidCIDR(value), 'expected an address range such as 127.0.0.0/8 or ::1/128')
    .meta({ title: 'an address range such as 127.0.0.0/8 or ::1/128' })
