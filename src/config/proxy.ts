import { dotted, isMapping, valueAt, type Fault } from './faults.ts'
import { isLoopback } from './fields.ts'
import type { Resolved } from './references.ts'

/** `backends.*.proxy`: what the environment says where the file says nothing, and that an origin has one way out. */

type Environment = Readonly<Record<string, string | undefined>>

/** As curl and others: the lower-case name first. */
const either = (env: Environment, name: string): string => env[name.toLowerCase()] || env[name] || ''

/** `host`, `.host`, `*.host` (the first two for the host and all below it) or `*`, each with `:port` or without. */
const ENTRY = /^(\*\.|\.)?(\*|\[[^\]]+\]|[^:]+|[^:]*:.*:.*?)(?::(\d+))?$/

const bare = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')

/** Whether `NO_PROXY` keeps this URL from a proxy. Pure. */
export const isExempt = (noProxy: string, url: URL): boolean => {
  const host = bare(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return noProxy.split(/[\s,]+/).some((entry) => {
    const [, prefix, name = '', only = port] = ENTRY.exec(entry) ?? []
    if (name === '' || only !== port) return false
    return name === '*' || host.endsWith(`.${bare(name)}`) || (prefix !== '*.' && host === bare(name))
  })
}

const proxyFor = (baseUrl: unknown, env: Environment): string | null => {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  const proxy = either(env, 'HTTPS_PROXY')
  // http is for a loopback host alone, and a proxy's loopback is another machine's.
  if (url?.protocol !== 'https:' || proxy === '' || isLoopback(url.hostname)) return null
  if (isExempt(either(env, 'NO_PROXY'), url)) return null
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

/** Fills in `HTTPS_PROXY` where a backend names no proxy. */
export const withProxies = ({ tree, faults, origins }: Resolved, env: Environment): Resolved => {
  const backends = valueAt(tree, ['backends'])
  if (!isMapping(tree) || !isMapping(backends)) return { tree, faults, origins }
  const known = new Map(origins)
  const filled = Object.entries(backends).map(([name, backend]): [string, unknown] => {
    if (!isMapping(backend) || (backend['proxy'] ?? null) !== null) return [name, backend]
    const proxy = proxyFor(backend['base_url'], env)
    if (proxy === null) return [name, backend]
    known.set(dotted(['backends', name, 'proxy']), 'HTTPS_PROXY')
    return [name, { ...backend, proxy }]
  })
  return { tree: { ...tree, backends: Object.fromEntries(filled) }, faults, origins: known }
}

/** Connections are kept by origin, so that all backends of one go the same way. */
export const proxyFaults = (tree: unknown): Fault[] => {
  const backends = valueAt(tree, ['backends'])
  const first = new Map<string, { name: string; proxy: unknown }>()
  return Object.entries(isMapping(backends) ? backends : {}).flatMap(([name, backend]) => {
    const baseUrl = valueAt(backend, ['base_url'])
    const origin = typeof baseUrl === 'string' ? URL.parse(baseUrl)?.origin : undefined
    if (origin === undefined) return []
    const proxy = valueAt(backend, ['proxy']) ?? null
    const before = first.get(origin)
    if (before === undefined) first.set(origin, { name, proxy })
    if (before === undefined || before.proxy === proxy) return []
    const message = `must be that of ${dotted(['backends', before.name])}: both have the same origin`
    return [{ path: dotted(['backends', name, 'proxy']), message }]
  })
}
