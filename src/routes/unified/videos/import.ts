import type { Request, Response, Router } from 'express'
import type { Clock } from '../../../core/time/clock.ts'
import type { Videos } from '../../../engine/index.ts'
import { jsonBody } from '../../middleware/body.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { postBesideIds } from '../../middleware/problems.ts'
import { parseOr400, noQuery, unknownBackend } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { ImportVideoBody } from '../resources/input.ts'
import { metadataFaults } from './input.ts'
import { pace } from './pace.ts'

interface ImportRoutesDeps {
  videos: Pick<Videos, 'import' | 'render'>
  clock: Clock
}

/** Adopts a job that was made elsewhere: its id is the key, so that no other is needed. */
export const importRoutes = ({ videos, clock }: ImportRoutesDeps): Router => {
  const adopt = async (req: Request, res: Response): Promise<void> => {
    const { id: client, visible, limits } = callerOf(res)
    const body = parseOr400(ImportVideoBody, req.body, metadataFaults, unknownBackend(visible))
    const request = {
      backend: body.backend,
      jobId: body.backend_job_id,
      webhookUrl: body.webhook_url ?? null,
      metadata: body.metadata ?? {},
    }
    const { video, isNew } = await videos.import({ client, visible, limits }, request)
    const view = await videos.render(video)
    pace(res, view, clock.wall())
    res
      .status(isNew ? 201 : 200)
      .location(`/unified/v1/videos/${view.id}`)
      .json(view)
  }

  const router = createRouter()
  router.route('/videos/import').post(needs('backends:import'), jsonBody, noQuery, adopt).all(postBesideIds)
  return router
}
