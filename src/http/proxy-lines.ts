import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as secureConnect } from 'node:tls'
import { createMasks, type Mask } from './masked.ts'
import { CONNECT_TIMEOUT_MS, NO_PROXY, openTunnel, type ProxyOf } from './tunnel.ts'

/** What requests that are handed through under one configuration share. */
export interface Lines {
  /** `isFresh`: nothing goes over the connection before or after. */
  agent(origin: URL, isFresh: boolean): HttpAgent
  /** Its agent hands over no connection before it is whole: what has one has begun. */
  isTunnelled(origin: URL): boolean
  /**
   * For one answer, so that the secret is not in it; null: the secret is too short to be distinguished from other text.
   */
  mask(secret: string): Mask
  close(): void
}

/** Connections to one backend, in use and idle. */
const BOUNDS = { maxSockets: 256, maxFreeSockets: 64 }

/** Certificates are always verified. HTTP/1.1 only: over HTTP/2 a request might be sent again. */
const VERIFIED = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }
type Roots = { ca?: string }

/** TLS within a tunnel. */
const secured = (socket: Socket, { hostname }: URL, ca: Roots): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const servername = isIP(host) ? '' : host
    const within = secureConnect({ ...VERIFIED, ...ca, host, servername, socket })
    const timer = setTimeout(() => within.destroy(new Error('no handshake in time')), CONNECT_TIMEOUT_MS)
    within.once('close', () => clearTimeout(timer))
    within.once('error', reject)
    within.once('secureConnect', () => {
      clearTimeout(timer)
      within.removeListener('error', reject)
      resolve(within)
    })
  })

/** Every connection of the agent goes to `origin`, through the proxy. */
const tunnelling = (agent: HttpAgent, proxy: string, origin: URL, ca: Roots): HttpAgent => {
  const open = async (): Promise<Socket> => {
    const socket = await openTunnel(proxy, origin, CONNECT_TIMEOUT_MS)
    return origin.protocol === 'https:' ? secured(socket, origin, ca) : socket
  }
  agent.createConnection = (_options, callback) => {
    open().then(
      (socket) => callback?.(null, socket),
      // Its types ask for a stream beside the error, which nobody looks at.
      (error: Error) => callback?.(error, new Duplex()),
    )
    return undefined
  }
  return agent
}

interface LinesOptions extends Partial<typeof BOUNDS> {
  proxyOf?: ProxyOf
  /** PEM of roots to trust instead of Node's. */
  ca?: string
}

export const createLines = ({ proxyOf = NO_PROXY, ca, ...bounds }: LinesOptions = {}): Lines => {
  const options = { ...BOUNDS, ...bounds }
  const roots: Roots = ca === undefined ? {} : { ca }
  const ofProtocol = (keepAlive: boolean) => ({
    http: new HttpAgent({ ...options, keepAlive }),
    https: new HttpsAgent({ ...options, ...VERIFIED, ...roots, keepAlive }),
  })
  const kept = ofProtocol(true)
  const fresh = ofProtocol(false)
  const tunnels = new Map<string, HttpAgent>()
  const masks = new Map<string, ReturnType<typeof createMasks>>()

  const tunnelTo = (origin: URL, proxy: string, isFresh: boolean): HttpAgent => {
    const key = `${isFresh} ${origin.origin}`
    const known = tunnels.get(key)
    if (known) return known
    const own = { ...options, keepAlive: !isFresh }
    const agent = origin.protocol === 'https:' ? new HttpsAgent(own) : new HttpAgent(own)
    const made = tunnelling(agent, proxy, origin, roots)
    tunnels.set(key, made)
    return made
  }

  return {
    agent(origin, isFresh) {
      const proxy = proxyOf(origin.origin)
      if (proxy !== null) return tunnelTo(origin, proxy, isFresh)
      const { http, https } = isFresh ? fresh : kept
      return origin.protocol === 'https:' ? https : http
    },
    isTunnelled: (origin) => proxyOf(origin.origin) !== null,
    mask(secret) {
      const known = masks.get(secret) ?? createMasks(secret)
      masks.set(secret, known)
      return known()
    },
    close: () =>
      [kept.http, kept.https, fresh.http, fresh.https, ...tunnels.values()].forEach((agent) => agent.destroy()),
  }
}
