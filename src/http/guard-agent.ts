import { readFile } from 'node:fs/promises'
import { CANCELLED, Resolver, TIMEOUT } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import {
  type Lookup,
  type Resolved,
  checkOrigin,
  checkUrl,
  createLookup,
  NAME_REFUSED,
  vetAddresses,
  type GuardPolicy,
  type Service,
  type UrlVerdict,
} from './guard.ts'
import { callbackify } from 'node:util'
import { Agent, Pool, buildConnector, type Dispatcher } from 'undici'

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
 * The only way to a URL that somebody gave us. A kept-alive connection is reused without asking the resolver again: it
 * is open to an address that this policy allowed.
 */
export const createGuardedAgent = (options: GuardedAgentOptions): GuardedAgent => {
  const { policy, lookup = createLookup(createResolve()), connectTimeoutMs = CONNECT_TIMEOUT_MS, ca } = options
  const { onRefused = () => undefined } = options
  const agent = new Agent({
    allowH2: false,
    factory: (origin) =>
      new Pool(origin, {
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: IDLE_MS,
        keepAliveMaxTimeout: IDLE_MS,
        clientTtl: CONNECTION_TTL_MS,
        connect: connectorOf(new URL(origin), { policy, lookup, connectTimeoutMs, onRefused }, ca),
      }),
  })
  return {
    check: (url) => checkUrl(url, policy),
    dispatcher: agent,
    close: () => agent.destroy(),
  }
}
