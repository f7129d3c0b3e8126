import { isIP } from 'node:net'
import { sleepUntil } from '../core/time/clock.ts'
import type { Clock } from '../core/time/clock.ts'
import { checkAddress, hasException, isExcepted, isReachable, servesInPublic } from './guard-ranges.ts'
import type { GuardPolicy, Service } from './guard-ranges.ts'

export { checkAddress, compilePolicy, isCidr } from './guard-ranges.ts'
export type { GuardPolicy, GuardRules, Service } from './guard-ranges.ts'

export interface Resolved {
  address: string
  family: number
}

/** Every address of a name; rejects when it does not resolve. */
export type Lookup = (hostname: string) => Promise<readonly Resolved[]>

/** `invalid`: not a URL, 400 by the caller. `not_allowed`: a URL that points where it may not, 422. */
export type UrlVerdict = { ok: true; url: URL } | { ok: false; code: 'invalid' | 'not_allowed'; message: string }

const MAX_URL_LENGTH = 2048

const invalid = (message: string): UrlVerdict => ({ ok: false, code: 'invalid', message })
const notAllowed = (message: string): UrlVerdict => ({ ok: false, code: 'not_allowed', message })

/** What the WHATWG parser would quietly repair, so that others read the same string as another URL. */
const isSloppy = (text: string): boolean =>
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0020\u007f\\]/.test(text) || !/^https?:\/\/[^/]/i.test(text)

/** Between `//` and the path; an empty userinfo (`https://@host`) is one too, though the parser drops it. */
const hasUserinfo = (text: string): boolean => /^[a-z]+:\/\/[^/?#]*@/i.test(text)

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

const isSingleLabel = (hostname: string): boolean => !hostname.includes('.') && isIP(hostname) === 0

/** A hostname of a parsed URL as the resolver wants it: no brackets. */
const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const serviceOf = (url: URL): Service => {
  const secure = url.protocol === 'https:'
  return { secure, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port) }
}

/** An address by itself may be right, and only wrong with this scheme and port: then it is covered by an exception for others. */
const addressFault = (address: string, service: Service, policy: GuardPolicy): string =>
  servesInPublic(policy, service)
    ? `${address} is not a public address: ask the operator to allow it in webhooks.allow`
    : 'this address, scheme and port are not allowed'

/** Why a host, still unresolved, may not be connected to; null if it may. */
const hostFault = (hostname: string, service: Service, policy: GuardPolicy): string | null => {
  if (isIP(hostname) !== 0 && checkAddress(hostname, service, policy)) return null
  if (!isReachable(service, policy)) return service.secure ? 'this port is not allowed' : 'the scheme must be https'
  if (isIP(hostname) !== 0) return addressFault(hostname, service, policy)
  if (hostname.length > 253 || !hostname.split('.').every((label) => LABEL.test(label))) return 'the host is not a name'
  if (isSingleLabel(hostname) && !hasException(service, policy)) return 'the host must be a fully qualified name'
  return null
}

/**
 * Checks what a URL says by itself: scheme, userinfo, port, host. Names are not resolved here: `vetTarget` does that at
 * create time, the guarded agent at every connection. The URL of an `ok` is normalized: without a fragment and without
 * the root's dot, which no TLS server name may have (RFC 6066).
 */
export const checkUrl = (text: string, policy: GuardPolicy): UrlVerdict => {
  if (text.length > MAX_URL_LENGTH) return invalid(`the URL is longer than ${MAX_URL_LENGTH} characters`)
  const url = URL.parse(text)
  if (!url) return invalid('not a URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return notAllowed('the scheme must be https')
  if (isSloppy(text)) return invalid('not an absolute URL in canonical form')
  if (hasUserinfo(text)) return notAllowed('the URL must not contain a user name or password')
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  const fault = hostFault(bareHost(url.hostname), serviceOf(url), policy)
  return fault === null ? { ok: true, url } : notAllowed(fault)
}

/**
 * The addresses that a connection to `hostname` may use, or null. One refused address refuses the name: a mixed answer
 * is what a rebinding attack looks like. Only of a single-label name (`localhost`) those addresses are kept that an
 * exception covers, since it may resolve into nothing else.
 */
export const vetAddresses = (
  hostname: string,
  addresses: readonly Resolved[],
  service: Service,
  policy: GuardPolicy,
): readonly Resolved[] | null => {
  const vetted = isSingleLabel(hostname)
    ? addresses.filter(({ address }) => isExcepted(address, service, policy))
    : addresses.every(({ address }) => checkAddress(address, service, policy))
      ? addresses
      : []
  return vetted.length > 0 ? vetted : null
}

/**
 * The check at create time: the URL, and every address that its name has now. A name that does not resolve is
 * accepted, since it may later; the message never tells what a name resolved to. Never rejects.
 */
export const vetTarget = async (text: string, policy: GuardPolicy, lookup: Lookup): Promise<UrlVerdict> => {
  const verdict = checkUrl(text, policy)
  if (!verdict.ok) return verdict
  const hostname = bareHost(verdict.url.hostname)
  if (isIP(hostname) !== 0) return verdict
  const addresses = await lookup(hostname).catch(() => [])
  if (addresses.length === 0) return verdict
  return vetAddresses(hostname, addresses, serviceOf(verdict.url), policy)
    ? verdict
    : notAllowed('the address of the host is not allowed')
}

/** The host of a parsed URL as a connection meets it, checked again: the last gate before a socket is opened. */
export const checkOrigin = (origin: URL, policy: GuardPolicy): { service: Service; fault: string | null } => {
  const service = serviceOf(origin)
  return { service, fault: hostFault(bareHost(origin.hostname), service, policy) }
}

/**
 * `resolve`, where callers of the same name at the same time share one question: many deliveries to one dead name are
 * one socket.
 */
export const createLookup = (resolve: Lookup): Lookup => {
  const asking = new Map<string, Promise<readonly Resolved[]>>()
  return (hostname) => {
    const known = asking.get(hostname)
    if (known) return known
    const answer = resolve(hostname).finally(() => asking.delete(hostname))
    asking.set(hostname, answer)
    return answer
  }
}

/** `lookup`, but rejecting after `timeoutMs`: at create time a client waits for the answer. */
export const boundedLookup =
  (lookup: Lookup, clock: Clock, timeoutMs: number): Lookup =>
  async (hostname) => {
    const answered = new AbortController()
    const late = sleepUntil(clock, clock.now() + timeoutMs, answered.signal).then(() => {
      throw new Error(`the resolver did not answer within ${timeoutMs} ms`)
    })
    try {
      return await Promise.race([lookup(hostname), late])
    } finally {
      answered.abort()
    }
  }
