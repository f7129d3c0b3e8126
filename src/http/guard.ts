import { CANCELLED, Resolver, TIMEOUT } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { type LookupFunction, isIP, isIPv6 } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { Dispatcher, Pool, buildConnector, errors } from 'undici'
import { type Clock, sleepUntil } from '../core/time/clock.ts'

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

interface Resolved {
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
const vetAddresses = (
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
const NAME_REFUSED = 'the address of the host is not allowed: ask the operator to allow it in webhooks.allow'

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
const checkOrigin = (origin: URL, policy: GuardPolicy): { service: Service; fault: string | null } => {
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

interface ResolveOptions {
  /** `address:port` of name servers; default: those of the system. */
  servers?: readonly string[]
  hostsFile?: string
}

/** The second try waits twice as long: one server that does not answer within 4.5 s, and some jitter, is an error. */
const FIRST_TRY_MS = 1_500
const TRIES = 2
/** Each of several servers is tried as often, one after the other: three would take 13 s. */
const AT_MOST_MS = 5_000

const LOOPBACK: readonly Resolved[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The addresses of a name in the text of a hosts file: `address name alias… # comment`. */
const inHosts = (text: string, hostname: string): Resolved[] =>
  text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((name) => name.toLowerCase() === hostname) ? [{ address, family }] : []
  })

/**
 * Resolves names that strangers gave us: from the hosts file, then by DNS, exactly as they are written (no search
 * domains). It is not `getaddrinfo`, which the backends' names go through: each call of that holds one of the few
 * threads of the process until the system gives up, so that a stranger's slow name servers would hold up every backend.
 * This holds a socket for five seconds at most. A resolver for each name: one that never answers slows down no other.
 */
export const createResolve = ({ servers, hostsFile = '/etc/hosts' }: ResolveOptions = {}): Lookup => {
  const fromHosts = async (hostname: string): Promise<Resolved[]> => {
    const text = await readFile(hostsFile, 'utf8').catch(() => '')
    // Some of these files are long.
    return text.toLowerCase().includes(hostname) ? inHosts(text, hostname) : []
  }

  const fromDns = async (hostname: string): Promise<Resolved[]> => {
    const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const late = setTimeout(() => resolver.cancel(), AT_MOST_MS)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    clearTimeout(late)
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ]
    if (found.length === 0 && v4.status === 'rejected') throw unresolved(v4.reason)
    return found
  }

  return async (given) => {
    const hostname = given.toLowerCase()
    const listed = await fromHosts(hostname)
    if (listed.length > 0) return listed
    return hostname === 'localhost' ? LOOPBACK : fromDns(hostname)
  }
}

/** Shown to clients: they know the name, and the name servers are nobody's business. */
const unresolved = (cause: unknown): Error => {
  const told = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  const code = told === CANCELLED ? TIMEOUT : told
  return Object.assign(new Error(`the host does not resolve (${code})`, { cause }), { code })
}

/** Total for DNS, TCP and TLS. */
export const CONNECT_TIMEOUT_MS = 5_000

/** The next address of a name is tried after this long; Node's own 500 ms gives up on distant ones too early. */
const NEXT_ADDRESS_AFTER_MS = 1_500

/** An idle connection is kept this briefly, and any for no longer than this: a receiver that moves is followed. */
const IDLE_MS = 4_000
const CONNECTION_TTL_MS = 60_000

/** Why no connection was tried. The message is shown to the client: it never names an address. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'
}

export interface GuardedAgent {
  /** What the URL says by itself, by the policy of this agent. */
  check(url: string): UrlVerdict
  /** Connects only to vetted addresses; follows no redirect, speaks HTTP/1.1 only, repeats nothing. */
  dispatcher: Dispatcher
  close(): Promise<void>
}

interface GuardedAgentOptions {
  policy: GuardPolicy
  /** Default: the hosts file and DNS. */
  lookup?: Lookup
  /** Milliseconds; default 5 s. undici's timer may add up to half a second. */
  connectTimeoutMs?: number
  /** PEM of roots to trust instead of Node's. */
  ca?: string
  /** Called for each connection that was not tried, because of its address. */
  onRefused?: () => void
}

/**
 * `connect.lookup` for one origin. Node asks with `all: true` when it may choose among families, else for one address;
 * either way it connects to what is answered here and never asks again: the connection is pinned to the vetted set.
 */
const vettedLookup =
  (lookup: Lookup, service: Service, policy: GuardPolicy): LookupFunction =>
  (hostname, options, callback) => {
    const find = async (): Promise<readonly Resolved[]> => {
      const found = await lookup(hostname)
      if (found.length === 0) throw new Error('the host has no address')
      const vetted = vetAddresses(hostname, found, service, policy)
      if (vetted) return vetted
      throw new AddressRefused(NAME_REFUSED)
    }
    callbackify(find)((error, vetted) => {
      const [first] = vetted ?? []
      if (error || !first) callback(error, '')
      else if (options.all) callback(null, [...vetted])
      else callback(null, first.address, first.family)
    })
  }

/** Opens connections of one origin. Literals are checked here, because Node resolves, and so vets, names only. */
const connectorOf = (origin: URL, options: Required<Omit<GuardedAgentOptions, 'ca'>>, ca: string | undefined) => {
  const { policy, lookup, connectTimeoutMs, onRefused } = options
  const { service, fault } = checkOrigin(origin, policy)
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    // Whatever the environment says.
    rejectUnauthorized: true,
    lookup: vettedLookup(lookup, service, policy),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    ...(ca === undefined ? {} : { ca }),
  })
  return (...[target, callback]: Parameters<typeof connect>): void => {
    const told: typeof callback = (...result) => {
      if (result[0] instanceof AddressRefused) onRefused()
      callback(...result)
    }
    // undici does not expect its callback before `connect` returns.
    if (fault !== null) queueMicrotask(() => told(new AddressRefused(fault), null))
    else connect(target, told)
  }
}

/**
 * A pool for each origin, for as long as it has a connection or a request. undici's `Agent` would keep it for ever after
 * a request that was aborted: that one is still in the queue when the agent looks.
 */
const createPools = (poolOf: (origin: string) => Pool) => {
  const pools = new Map<string, Pool>()
  let closed = false

  const open = (origin: string): Pool => {
    const pool = poolOf(origin)
    const leave = (): void => {
      const { connected, size } = pool.stats
      if (connected > 0 || size > 0 || pool.closed || pool.destroyed) return
      pools.delete(origin)
      void pool.close()
    }
    // The pool learns of it first, and what was aborted leaves the queue right after it.
    const lookSoon = (): void => void setImmediate(leave)
    pools.set(origin, pool.on('disconnect', lookSoon).on('connectionError', lookSoon))
    return pool
  }

  return {
    dispatcher: Object.assign(new Dispatcher(), {
      dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        if (closed) throw new errors.ClientDestroyedError()
        const origin = String(options.origin)
        return (pools.get(origin) ?? open(origin)).dispatch(options, handler)
      },
    }),
    async close(): Promise<void> {
      closed = true
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/**
 * The only way to a URL that somebody gave us. A kept-alive connection is reused without asking the resolver again: it
 * is open to an address that this policy allowed.
 */
export const createGuardedAgent = (options: GuardedAgentOptions): GuardedAgent => {
  const { policy, lookup = createLookup(createResolve()), connectTimeoutMs = CONNECT_TIMEOUT_MS, ca } = options
  const { onRefused = () => undefined } = options
  const { dispatcher, close } = createPools(
    (origin) =>
      new Pool(origin, {
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: IDLE_MS,
        keepAliveMaxTimeout: IDLE_MS,
        clientTtl: CONNECTION_TTL_MS,
        connect: connectorOf(new URL(origin), { policy, lookup, connectTimeoutMs, onRefused }, ca),
      }),
  )
  return { check: (url) => checkUrl(url, policy), dispatcher, close }
}
