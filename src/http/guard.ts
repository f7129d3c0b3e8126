import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { sleepUntil, type Clock } from '../core/time/clock.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** How the target is reached: what an exception and the list of ports are about. */
export interface Service {
  /** https; plain http reaches only an exception that says so. */
  secure: boolean
  port: number
}

/** `webhooks.ports` and `webhooks.allow` as configured (docs/webhooks.md, "Where they may go"). */
export interface GuardRules {
  /** Ports of public addresses. */
  ports: readonly number[]
  /** Exceptions only ever add: `ports` absent means all ports, `http` absent means https only. */
  allow: readonly { cidr: string; ports?: readonly number[] | undefined; http?: boolean | undefined }[]
}

interface Exception {
  range: Range
  ports: ReadonlySet<number> | null
  http: boolean
}

/** The rules, read once. */
export interface GuardPolicy {
  ports: ReadonlySet<number>
  exceptions: readonly Exception[]
}

/** One address as an address, or null. Only canonical spellings: `net.isIP` knows no octal, hex or short forms. */
const parseAddress = (text: string): Address | null => {
  // A zone names an interface of this host: no public address has one.
  if (isIP(text) === 0 || text.includes('%')) return null
  return isIPv6(text) ? ipaddr.IPv6.parse(text) : ipaddr.IPv4.parse(text)
}

/** `10.0.0.0/8` or `fc00::/7`; null for anything else. */
const parseCidr = (text: string): Range | null => {
  const [, base = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseAddress(base)
  return address && bits !== '' && Number(bits) <= (address.kind() === 'ipv4' ? 32 : 128)
    ? [address, Number(bits)]
    : null
}

export const isCidr = (text: string): boolean => parseCidr(text) !== null

const rangeOf = (cidr: string): Range => {
  const range = parseCidr(cidr)
  if (!range) throw new Error(`not an address range: ${JSON.stringify(cidr)} (like 10.0.0.0/8 or fd00::/8)`)
  return range
}

const contains = ([base, bits]: Range, address: Address): boolean =>
  base.kind() === address.kind() && address.match(base, bits)

/**
 * IPv4 that is not the public internet: the IANA special-purpose registry, multicast, and a cloud's metadata address.
 */
const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
].map(rangeOf)

/** Allow-listed, unlike IPv4: what is not global unicast (mapped, compatible, NAT64, local, multicast) never passes. */
const GLOBAL_V6 = rangeOf('2000::/3')

/** Special parts of 2000::/3, those that embed an IPv4 address (Teredo in 2001::/23, 6to4) among them. */
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(rangeOf)

/**
 * RFC 5214: an interface identifier that embeds an IPv4 address may leave through an ISATAP tunnel under any prefix.
 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe

const isPublic = (address: Address): boolean =>
  address instanceof ipaddr.IPv4
    ? !REFUSED_V4.some((range) => contains(range, address))
    : contains(GLOBAL_V6, address) && !REFUSED_V6.some((range) => contains(range, address)) && !isIsatap(address)

/** Reads the rules; throws an Error that names the range which is none. */
export const compilePolicy = (rules: GuardRules): GuardPolicy => ({
  ports: new Set(rules.ports),
  exceptions: rules.allow.map(({ cidr, ports, http }) => ({
    range: rangeOf(cidr),
    ports: ports ? new Set(ports) : null,
    http: http ?? false,
  })),
})

const serves = ({ ports, http }: Exception, service: Service): boolean =>
  (service.secure || http) && (ports?.has(service.port) ?? true)

/** Whether public addresses may be reached like this. */
const servesInPublic = (policy: GuardPolicy, service: Service): boolean =>
  service.secure && policy.ports.has(service.port)

/** Whether some exception is about this service, for whatever addresses. */
const hasException = (service: Service, policy: GuardPolicy): boolean =>
  policy.exceptions.some((exception) => serves(exception, service))

/** Whether any address at all could be reached like this: what can be said of a URL before its name is resolved. */
const isReachable = (service: Service, policy: GuardPolicy): boolean =>
  servesInPublic(policy, service) || hasException(service, policy)

/** Whether an exception of the configuration covers this address for this service. */
const isExcepted = (address: string, service: Service, policy: GuardPolicy): boolean => {
  const parsed = parseAddress(address)
  return parsed !== null && policy.exceptions.some((e) => serves(e, service) && contains(e.range, parsed))
}

/**
 * Whether a connection to `address` is allowed for `service`: a public address on a configured port over https, or an
 * exception. Total: what is not an address in canonical spelling is refused.
 */
export const checkAddress = (address: string, service: Service, policy: GuardPolicy): boolean => {
  const parsed = parseAddress(address)
  if (!parsed) return false
  return (servesInPublic(policy, service) && isPublic(parsed)) || isExcepted(address, service, policy)
}

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

/**
 * An address by itself may be right, and only wrong with this scheme and port: then it is covered by an exception for
 * others.
 */
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

/** For a name with an address that no rule allows. It names no address: that would show the operator's network. */
export const NAME_REFUSED = 'the address of the host is not allowed: ask the operator to allow it in webhooks.allow'

/**
 * The check at create time: the URL, and every address that its name has now. A name that does not resolve is
 * accepted, since it may later; the message never reports what a name resolved to. Never rejects.
 */
export const vetTarget = async (text: string, policy: GuardPolicy, lookup: Lookup): Promise<UrlVerdict> => {
  const verdict = checkUrl(text, policy)
  if (!verdict.ok) return verdict
  const hostname = bareHost(verdict.url.hostname)
  if (isIP(hostname) !== 0) return verdict
  const addresses = await lookup(hostname).catch(() => [])
  if (addresses.length === 0) return verdict
  return vetAddresses(hostname, addresses, serviceOf(verdict.url), policy) ? verdict : notAllowed(NAME_REFUSED)
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
