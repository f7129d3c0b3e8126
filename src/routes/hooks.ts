import express, { Router } from 'express'
import { Problem } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Videos } from '../videos/index.ts'
import { onlyMethods } from './middleware/problems.ts'

export interface HookRoutesDeps {
  videos: Pick<Videos, 'hinted'>
  /** Verifies without reading the store. */
  callbackTokens: { verify(token: string): { videoId: string; attempt: number } | null }
  log: Log
}

const MAX_CALLBACK_BYTES = 65_536

/**
 * Callbacks of the alternate backend (design 5, "Inbound"): unsigned and of unknown shape, so they are believed in
 * nothing but that it may be worth looking. Answered at once; the look happens behind, within the budget.
 */
export const hookRoutes = ({ videos, callbackTokens, log }: HookRoutesDeps): Router => {
  const router = Router()
  router
    .route('/hooks/:backend/:token')
    .post(express.raw({ limit: MAX_CALLBACK_BYTES, type: () => true, inflate: false }), (req, res) => {
      const token = callbackTokens.verify(req.params.token)
      if (!token) throw new Problem('not_found', 'there is nothing here')
      res.status(204).end()
      videos
        .hinted(token.videoId)
        .catch((error: unknown) =>
          log.error({ video_id: token.videoId, err: error }, 'a callback was lost; the backstop look stays'),
        )
    })
    .all(onlyMethods('POST'))
  return router
}
