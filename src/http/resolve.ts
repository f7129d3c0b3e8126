import { readFile } from 'node:fs/promises'
import { CANCELLED, Resolver, TIMEOUT } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Lookup, Resolved } from './guard.ts'

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
