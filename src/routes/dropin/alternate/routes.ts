import type { RequestHandler, Router } from 'express'
import type { Catalog } from '../../../catalog/index.ts'
import type { Videos } from '../../../engine/index.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { notStored } from '../../middleware/request.ts'
import { createRouter } from '../../router.ts'
import { createFrame, type FrameDeps } from '../frame.ts'
import { alternateVideos } from './videos.ts'
import { puppetBody, voiceBody } from './views.ts'

export interface AlternateDeps extends FrameDeps {
  videos: Videos
  catalog: Catalog
  refuseWhileStopping: RequestHandler
}

/** `/v1`: the alternate contract, whichever backend is behind. */
export const alternateRoutes = (deps: AlternateDeps): Router => {
  const { catalog, refuseWhileStopping } = deps
  const frame = createFrame('alternate', deps)

  const listVoices: RequestHandler = async (_req, res) => {
    const voices = await catalog.of.voices(frame.behind(res).backend.name)
    res.json({ data: voices.map(voiceBody) })
  }
  const listPuppets: RequestHandler = async (_req, res) => {
    const behind = frame.behind(res)
    const puppets = await catalog.of.puppets(behind.backend.name)
    res.json({ data: puppets.map((puppet) => puppetBody(puppet, behind)) })
  }

  const router = createRouter()
  router.use(notStored, refuseWhileStopping)
  router.route('/voices').get(frame.guarded('voices:read'), listVoices).all(onlyMethods('GET', 'HEAD'))
  router.route('/puppets').get(frame.guarded('videos:read'), listPuppets).all(onlyMethods('GET', 'HEAD'))
  alternateVideos(router, frame, deps)
  return router
}
