import { hash, timingSafeEqual } from 'node:crypto'
import type { Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { createRouter } from '../router.ts'

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
