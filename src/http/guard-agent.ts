import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, Pool, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import { checkOrigin, checkUrl, createLookup, vetAddresses } from './guard.ts'
import type { GuardPolicy, Lookup, Resolved, Service, UrlVerdict } from './guard.ts'
import { createResolve } from './resolve.ts'

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
      throw new AddressRefused('the address of the host is not allowed')
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
