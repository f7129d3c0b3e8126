import { z } from 'zod'
import { SURFACES } from '../../core/vocabulary.ts'
import { json, operations } from '../openapi/operation.ts'
import type { Router } from 'express'
import type { Store } from '../../core/store/index.ts'
import { Problem } from '../../core/errors.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { hash, timingSafeEqual } from 'node:crypto'

export const DocumentQuery = z.strictObject({
  surface: z.enum(SURFACES).optional().describe('Describes only this surface'),
})

export const GATEWAY_OPERATIONS = operations('Operations', {
  getHealth: {
    at: ['get', '/healthz'],
    summary: 'Check that the gateway is alive',
    scope: null,
    answers: { 200: json('The process is running.', 'Health', { status: 'ok' }) },
    problems: ['invalid_request', 'internal_error'],
  },
  getReadiness: {
    at: ['get', '/readyz'],
    summary: 'Check that the gateway is ready',
    description: 'The gateway is ready when it can write to its store. It stays ready when a backend is down.',
    scope: null,
    answers: { 200: json('The gateway is ready.', 'Health', { status: 'ready' }) },
    problems: ['invalid_request', 'internal_error', 'store_unavailable', 'shutting_down'],
  },
  getMetrics: {
    at: ['get', '/metrics'],
    summary: 'Read metrics for Prometheus',
    description:
      'Answers in the text format of Prometheus. You need no key. If the configuration sets `metrics.token`, send it as a bearer token. With `metrics.enabled: false` you get 404.',
    scope: null,
    answers: {
      200: {
        description: 'What this process counted since it started, and what it reads from the store.',
        raw: {
          mediaType: 'text/plain',
          example:
            '# HELP talkbridge_store_up 1 if the store could be read at this scrape.\n# TYPE talkbridge_store_up gauge\ntalkbridge_store_up 1\n',
        },
      },
    },
    problems: ['invalid_request', 'unauthenticated', 'not_found', 'internal_error'],
  },
  getOpenApi: {
    at: ['get', '/openapi.json'],
    summary: 'Read this document',
    description:
      'Describes all surfaces of the gateway. With `surface` you get one surface, for its clients and generators.',
    scope: null,
    query: DocumentQuery,
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'OpenAPI 3.1.', body: 'OpenApi', headers: { ETag: 'always' } },
      304: { description: 'Nothing changed.', headers: { ETag: 'always' } },
    },
    problems: ['invalid_request', 'internal_error'],
  },
  getDocs: {
    at: ['get', '/docs'],
    summary: 'Read this document as a page',
    description:
      'The page works offline: the gateway serves everything that it needs. `/docs?surface=primary` shows one surface, `all` shows all. The guide is at `/docs/guide/`.',
    scope: null,
    requestHeaders: ['If-None-Match'],
    answers: {
      200: {
        description: 'A page.',
        raw: { mediaType: 'text/html', example: '<!doctype html>' },
        headers: { ETag: 'always' },
      },
      304: { description: 'Nothing changed.', headers: { ETag: 'always' } },
    },
    problems: ['invalid_request', 'internal_error'],
  },
})

interface HealthRoutesDeps {
  store: Pick<Store, 'ping'>
  /** True from the moment that the process was asked to stop. */
  isLeaving: () => boolean
}

/** `/healthz`: the process answers. `/readyz`: it can take work; a dead backend does not make it unready. */
export const healthRoutes = ({ store, isLeaving }: HealthRoutesDeps): Router => {
  const router = createRouter()
  router
    .route('/healthz')
    .get((_req, res) => void res.json({ status: 'ok' }))
    .all(onlyMethods('GET', 'HEAD'))
  router
    .route('/readyz')
    .get(async (_req, res) => {
      if (isLeaving()) throw new Problem('shutting_down', 'the gateway is stopping')
      await store.ping()
      res.json({ status: 'ready' })
    })
    .all(onlyMethods('GET', 'HEAD'))
  return router
}

interface MetricsRoutesDeps {
  config: { readonly metrics: { readonly enabled: boolean; readonly token: string | null } }
  /** Everything, in Prometheus' text format. */
  scrape: () => Promise<string>
}

/** Prometheus' text format, 0.0.4. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Throws `unauthenticated` unless the token is presented; how long that takes says nothing about it. */
const demandToken = (authorization: string | undefined, token: string): void => {
  const given = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1] ?? ''
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new Problem('unauthenticated', 'send the header `Authorization: Bearer <metrics.token>`')
}

/** `/metrics`, for Prometheus. There is none where `metrics.enabled` is false. */
export const metricsRoutes = ({ config: { metrics }, scrape }: MetricsRoutesDeps): Router => {
  const router = createRouter()
  if (!metrics.enabled) return router
  router
    .route('/metrics')
    .get(async (req, res) => {
      if (metrics.token !== null) demandToken(req.get('authorization'), metrics.token)
      const text = await scrape()
      res.setHeader('cache-control', 'no-store')
      res.setHeader('content-type', CONTENT_TYPE)
      res.end(text)
    })
    .all(onlyMethods('GET', 'HEAD'))
  return router
}
