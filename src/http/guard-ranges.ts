import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

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

/** IPv4 that is not the public internet: the IANA special-purpose registry, multicast, and a cloud's metadata address. */
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

/** RFC 5214: an interface identifier that embeds an IPv4 address may leave through an ISATAP tunnel under any prefix. */
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
export const servesInPublic = (policy: GuardPolicy, service: Service): boolean =>
  service.secure && policy.ports.has(service.port)

/** Whether some exception is about this service, for whatever addresses. */
export const hasException = (service: Service, policy: GuardPolicy): boolean =>
  policy.exceptions.some((exception) => serves(exception, service))

/** Whether any address at all could be reached like this: what can be said of a URL before its name is resolved. */
export const isReachable = (service: Service, policy: GuardPolicy): boolean =>
  servesInPublic(policy, service) || hasException(service, policy)

/** Whether an exception of the configuration covers this address for this service. */
export const isExcepted = (address: string, service: Service, policy: GuardPolicy): boolean => {
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
