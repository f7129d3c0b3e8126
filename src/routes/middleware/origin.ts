import type { Request } from 'express'
import type { Deps } from '../../deps.ts'

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * What absolute links begin with, no trailing slash: `public_url`, else where the gateway listens. What `Host` says counts
 * only behind a proxy that is trusted.
 */
export const originOf = (
  req: Request,
  { config: { server }, origin }: { config: Pick<Deps['config'], 'server'>; origin: { url: string } },
): string => {
  if (server.public_url !== null) return server.public_url
  if (server.trust_proxy === false) return origin.url
  return req.host && HOST.test(req.host) ? `${req.protocol}://${req.host}` : origin.url
}
