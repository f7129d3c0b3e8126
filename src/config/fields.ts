import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DURATION, durationMs } from '../core/time/clock.ts'
import { isDecodable, redisUrlFault } from '../core/urls.ts'

/**
 * The kinds of value that a configuration holds. `title` completes the sentence "expected …" in a fault and shows in
 * editors; `writeOnly` marks a secret, which no fault shows and the JSON Schema marks.
 */

/** A duration as text (`500ms`, `30s`, `5m`, `24h`, `7d`) from `min` to `max`; comes out as **milliseconds**. */
export const duration = (min: string, max: string) =>
  z
    .string()
    .regex(DURATION)
    .meta({ title: `a duration from ${min} to ${max}, such as 500ms, 30s, 5m or 24h` })
    .transform((text, context) => {
      const ms = durationMs(text)
      if (ms >= durationMs(min) && ms <= durationMs(max)) return ms
      context.addIssue({ code: 'custom', message: `expected a duration from ${min} to ${max}` })
      return z.NEVER
    })

export const whole = (min: number, max: number) =>
  z
    .int()
    .min(min)
    .max(max)
    .meta({ title: `a whole number from ${min} to ${max}` })

/** `min` 0: any free one, too. */
export const port = (min: 0 | 1) => whole(min, 65_535).meta({ title: `a port (${min} to 65535)` })

export const text = (title: string, pattern: RegExp) => z.string().regex(pattern).meta({ title })

export const filePath = () => z.string().min(1).meta({ title: 'a file path' })

/** Names of backends and clients: they appear in paths, ids (`main:voice_1`), variables and metrics. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/
export const NAME_TITLE = 'a name of 1 to 63 characters a-z, 0-9, _ and -, starting with a letter or digit'

/** `CHANGE-ME`, which the manifests have where a secret belongs; not a part of longer words (`exchange-metrics`). */
const PLACEHOLDER = /(?<![a-z])change[-_ ]?me(?![a-z])/i

/** Of every secret: text that is not a placeholder. */
const secretText = () =>
  z.string().refine((value) => !PLACEHOLDER.test(value), 'is still a placeholder: put your own value there')

/** A credential: visible ASCII without spaces, because it travels in an HTTP header. */
const secretLike = (pattern: (characters: string) => string, minLength: number) =>
  secretText()
    .regex(new RegExp(pattern(`[\\x21-\\x7e]{${minLength},512}`)))
    .meta({ title: `${minLength} to 512 visible ASCII characters without spaces`, writeOnly: true })

export const secret = (minLength: number) => secretLike((characters) => `^${characters}$`, minLength)

/** Empty where it is not given, as `${NAME:-}` is. */
export const secretOrEmpty = (minLength: number) => secretLike((characters) => `^(${characters})?$`, minLength)

const WEBHOOK_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** A Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. */
export const webhookSecret = () =>
  secretText()
    .regex(WEBHOOK_SECRET)
    .refine((value) => {
      const sizeBytes = Buffer.from(value.slice('whsec_'.length), 'base64').length
      return sizeBytes >= 24 && sizeBytes <= 64
    }, 'expected whsec_ and the base64 of 24 to 64 bytes')
    .meta({ title: 'whsec_ and the base64 of 24 to 64 bytes', writeOnly: true })

export const isLoopback = (hostname: string): boolean => {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) && ipaddr.parse(bare).range() === 'loopback'
}

const partsFault = (url: URL): string | null => {
  // The parts are named, not quoted: userinfo and query may hold credentials.
  if (url.username || url.password) return 'must not contain a user name or password'
  if (url.search || url.href.includes('?')) return 'must not contain a query'
  if (url.hash || url.href.includes('#')) return 'must not contain a fragment'
  return null
}
const schemeFault = (url: URL): string | null =>
  url.protocol === 'http:' && !isLoopback(url.hostname) ? 'must be https (http only for a loopback host)' : null

/** Comes out as origin and path prefix without trailing slash. */
const urlOf = (title: string, faultOf: (url: URL) => string | null) =>
  z
    .string()
    .regex(/^https?:\/\/[^\s\\]+$/)
    .meta({ title })
    .transform((value, context) => {
      const url = URL.parse(value)
      const message = url ? faultOf(url) : `expected ${title}`
      if (url && message === null) return url.origin + url.pathname.replace(/\/+$/, '')
      context.addIssue({ code: 'custom', message: message ?? '' })
      return value
    })

const ABSOLUTE = 'an absolute https URL (http only for a loopback host)'
/** An absolute http(s) URL that credentials go to: http only to a loopback host. */
export const baseUrl = () => urlOf(ABSOLUTE, (url) => partsFault(url) ?? schemeFault(url))

/** A `baseUrl` of a backend, whose paths all begin with their version. */
export const backendUrl = () => urlOf(ABSOLUTE, (url) => partsFault(url) ?? schemeFault(url) ?? versionFault(url))

const versionFault = ({ pathname }: URL): string | null =>
  /\/v1\/*$/i.test(pathname) ? 'must not end with /api/v1 or /v1: the gateway adds that to each path' : null

/** As `baseUrl`, and http to any host: what runs beside the gateway, and is sent no credential by it. */
export const plainUrl = () => urlOf('an absolute http or https URL', partsFault)

/** A URL that holds a password: never shown. */
export const secretUrl = (title: string, schemes: string) =>
  secretText()
    .regex(new RegExp(`^(${schemes})://[^\\s]{1,1000}$`))
    .meta({ title, writeOnly: true })

export const redisUrl = () =>
  secretUrl('null or a URL such as redis://:password@host:6379/0', 'redis|rediss').refine(
    (value) => redisUrlFault(value) === null,
    { error: ({ input }) => redisUrlFault(String(input)) ?? '' },
  )

const PROXY_TITLE = 'null or a URL such as http://user:password@proxy.example:3128'
/** An http(s) proxy: no path, whose user name and password a header can hold. */
export const proxyUrl = () =>
  secretUrl(PROXY_TITLE, 'https?').refine((value) => {
    const url = URL.parse(value)
    return url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && isDecodable(url)
  }, `expected ${PROXY_TITLE}`)

/** An origin as browsers send it; `*` for all of them. */
export const webOrigin = () => {
  const title = "an origin such as https://app.example, without a path, or '*'"
  return z
    .string()
    .refine((value) => value === '*' || isOrigin(value), `expected ${title}`)
    .meta({ title })
}

const isOrigin = (value: string): boolean => /^https?:/.test(value) && URL.parse(value)?.origin === value

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
