import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Socket } from 'node:net'

/** The proxy for an origin; null: none. May hold a user name and a password. */
export type ProxyOf = (origin: string) => string | null

export const NO_PROXY: ProxyOf = () => null

/** DNS, TCP and TLS of one connection, and the proxy's answer. */
export const CONNECT_TIMEOUT_MS = 5_000

/** The proxy made no connection, so nothing was sent. `code` is what people see: it names no address. */
class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

const AUTHENTICATION_REQUIRED = 407

const refused = (status: number): ProxyFailed =>
  status === AUTHENTICATION_REQUIRED
    ? new ProxyFailed('PROXY_AUTHENTICATION_REQUIRED', 'the proxy refuses the user name or password')
    : new ProxyFailed(`PROXY_ANSWERED_${status}`, 'the proxy made no connection')

const unreachable = (error: Error): ProxyFailed =>
  new ProxyFailed(`PROXY_${'code' in error ? String(error.code) : 'FAILED'}`, 'the proxy cannot be reached')

/** As `Proxy-Authorization`, RFC 7617. */
const authorization = ({ username, password }: URL): Record<string, string> => {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/**
 * Has a proxy connect to an origin (CONNECT, RFC 9110, 9.3.6). What is sent over the socket reaches the origin; before
 * the promise resolves nothing does. Rejects if there is no connection, whose fault it ever is.
 */
export const openTunnel = (proxy: string, origin: URL, timeoutMs: number): Promise<Socket> => {
  const url = new URL(proxy)
  const isSecure = url.protocol === 'https:'
  const host = `${origin.hostname}:${origin.port || (origin.protocol === 'https:' ? 443 : 80)}`
  return new Promise((resolve, reject) => {
    const asked = (isSecure ? overHttps : overHttp)({
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isSecure ? 443 : 80),
      method: 'CONNECT',
      path: host,
      headers: { host, ...authorization(url) },
      agent: false,
      rejectUnauthorized: true,
    })
    const timer = setTimeout(
      () => asked.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    asked.once('error', (error) => {
      clearTimeout(timer)
      reject(unreachable(error))
    })
    asked.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      clearTimeout(timer)
      if (statusCode < 200 || statusCode >= 300) {
        socket.on('error', () => undefined).destroy()
        return reject(refused(statusCode))
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.end()
  })
}
