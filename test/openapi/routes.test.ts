import type { Express } from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRoutes } from '../../src/app.ts'
import { documentOf, OPERATIONS } from '../../src/routes/openapi/document.ts'
import { createDocumentCheck, type Seen } from '../fakes/documented.ts'
import { INTERFACES } from '../../src/adapters/index.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'

/** The document and the routes are of the same operations; the check of every answer does check. */

let app: TestApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

/** Not for clients: the alternate backend's callbacks, the files of the page, and the console, to which `/` leads. */
const NOT_FOR_CLIENTS = [/^\/hooks\//, /^\/docs\/(assets|guide)\b/, /^\/console\b/, /^\/$/]

interface Layer {
  route?: { path: unknown; stack: { method?: string }[] }
  handle?: unknown
  /** Where no path was given to `use`. */
  slash?: boolean
  match?: (path: string) => boolean
}
const MOUNTS = ['/unified/v1', '/api/v1', '/v1', '/console']

const layersOf = (router: unknown): Layer[] => {
  const stack: unknown =
    typeof router === 'function' || typeof router === 'object' ? Reflect.get(router ?? {}, 'stack') : []
  return Array.isArray(stack) ? (stack as Layer[]) : []
}
const mountOf = (layer: Layer): string => (layer.slash ? '' : (MOUNTS.find((path) => layer.match?.(path)) ?? '/?'))

const routesIn = (router: unknown, under = ''): string[] =>
  layersOf(router).flatMap((layer) => {
    const { route, handle } = layer
    if (!route) return routesIn(handle, `${under}${mountOf(layer)}`)
    return route.stack.flatMap(({ method }) => (method ? [`${method} ${under}${String(route.path)}`] : []))
  })
const routedIn = (express: Express): Set<string> => new Set(routesIn(express.router))

const routeOf = (method: string, path: string): string => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

// What is served from a table is served from the document's own operations.
test('every route of the router is in the document', () => {
  const documented = new Set(OPERATIONS.map(({ method, path }) => routeOf(method, path)))
  const routed = [...routedIn(buildRoutes(app.deps))]
  expect(routed.length).toBeGreaterThan(10)
  const strays = routed.filter(
    (route) => !documented.has(route) && !NOT_FOR_CLIENTS.some((other) => other.test(route.split(' ')[1] ?? '')),
  )
  expect(strays).toEqual([])
})

test('every operation is served: another method is told so', async () => {
  for (const { id, method, path } of OPERATIONS) {
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    const { status, headers } = await app.raw.put(url).set(bearer(KEYS.anna))
    expect([id, status]).toEqual([id, 405])
    expect([id, String(headers['allow']).split(', ')]).toEqual([id, expect.arrayContaining([method.toUpperCase()])])
  }
})

test('no operation that needs a key is answered without one', async () => {
  for (const { id, method, path, scope } of OPERATIONS) {
    if (scope === null) continue
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    const { status } = await app.raw[method](url)
    expect([id, status]).toEqual([id, 401])
  }
})

describe('an answer that is not as documented is noticed', () => {
  const check = createDocumentCheck(documentOf('all', INTERFACES))
  const real = async (): Promise<Seen> => {
    const { status, headers, text } = await app.raw.get('/unified/v1/backends').set(bearer(KEYS.anna))
    return { method: 'GET', url: '/unified/v1/backends', status, headers, text }
  }
  const changed = (seen: Seen, change: (body: Record<string, unknown>) => void): Seen => {
    const body = JSON.parse(seen.text) as Record<string, unknown>
    change(body)
    return { ...seen, text: JSON.stringify(body) }
  }
  const without = (seen: Seen, name: string): Seen => {
    const { [name]: _gone, ...headers } = seen.headers
    return { ...seen, headers }
  }

  const FAULTS: [string, (seen: Seen) => Seen, RegExp][] = [
    ['another status', (seen) => ({ ...seen, status: 418 }), /undeclared status/],
    ['one field more', (seen) => changed(seen, (body) => (body['surprise'] = 1)), /additional properties/],
    ['one field less', (seen) => changed(seen, (body) => delete body['has_more']), /required property 'has_more'/],
    [
      'another type',
      (seen) => ({ ...seen, headers: { ...seen.headers, 'content-type': 'text/html' } }),
      /content type/,
    ],
    ['a header less', (seen) => without(seen, 'x-request-id'), /no header X-Request-Id/],
    [
      'a header more',
      (seen) => ({ ...seen, headers: { ...seen.headers, 'x-cache': 'hit' } }),
      /undeclared header X-Cache/,
    ],
    ['another path', (seen) => ({ ...seen, url: '/unified/v1/secrets' }), /no operation/],
    ['another method', (seen) => ({ ...seen, method: 'DELETE' }), /no operation/],
    ['another code', (seen) => problemOf(seen, 'video_not_found'), /undeclared status/],
    ['a code of another operation', (seen) => problemOf(seen, 'upload_not_found'), /allowed values/],
  ]
  const problemOf = (seen: Seen, code: string): Seen => {
    const status = code === 'video_not_found' ? 404 : 400
    const body = { ...PROBLEM, code, status }
    const headers = { ...seen.headers, 'content-type': 'application/problem+json' }
    return { ...seen, status, headers, text: JSON.stringify(body) }
  }
  const PROBLEM = {
    type: 'urn:talkbridge:problem:x',
    title: 'x',
    detail: 'x',
    retryable: false,
    retry_after_seconds: null,
    retry_at: null,
    param: null,
    errors: [],
    details: null,
    backend: null,
    backend_error: null,
    video_id: null,
    request_id: 'x',
  }

  test('while the real one is fine', async () => expect(check(await real())).toEqual([]))
  test.each(FAULTS)('%s', async (_name, spoil, message) => {
    expect(check(spoil(await real())).join('\n')).toMatch(message)
  })

  test('whoever asks: the test fails when its gateway is closed', async () => {
    const bad = await openApp()
    Object.assign(bad.deps.videos, { describe: () => Promise.resolve({ object: 'backend', surprise: 1 }) })
    await fetch(`${bad.url}/unified/v1/backends`, { headers: bearer(KEYS.anna) })
    await expect(bad.close()).rejects.toThrow(/GET \/unified\/v1\/backends 200: .*additional properties/)
  })
})
