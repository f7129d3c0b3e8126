import type { RequestHandler, Router } from 'express'
import type { Catalog } from '../../../catalog/index.ts'
import type { Videos } from '../../../engine/index.ts'
import { callerOf } from '../../middleware/caller.ts'
import { onlyMethods, createRouter } from '../../middleware/problems.ts'
import { notStored } from '../../middleware/request.ts'
import { voicesOf, type Passthrough } from '../passthrough.ts'
import { createFrame, type FrameDeps } from '../frame.ts'
import { alternateVideos } from './videos.ts'
import { puppetBody, voiceBody } from './views.ts'

export interface AlternateDeps extends FrameDeps {
  videos: Videos
  catalog: Catalog
  passthrough: Passthrough
}

/** `/v1`: the alternate contract, whichever backend is behind. */
export const alternateRoutes = (deps: AlternateDeps): Router => {
  const { catalog, passthrough } = deps
  const frame = createFrame('alternate', deps)

  // Handed through where what is behind speaks this contract.
  const listVoices: RequestHandler = async (req, res, next) => {
    const { backend, isSame } = frame.behind(res)
    if (isSame) return passthrough.forward(req, res, next, voicesOf(backend, '/v1/voices', callerOf(res)))
    const voices = await catalog.of.voices(backend.name)
    res.json({ data: voices.map(voiceBody) })
  }
  const listPuppets: RequestHandler = async (req, res, next) => {
    const { backend, isSame } = frame.behind(res)
    if (isSame) return passthrough.forward(req, res, next, voicesOf(backend, '/v1/puppets', callerOf(res)))
    const puppets = await catalog.of.puppets(backend.name)
    res.json({ data: puppets.map(puppetBody) })
  }

  const router = createRouter()
  router.use(notStored)
  router.route('/voices').get(frame.guarded('voices:read'), listVoices).all(onlyMethods('GET', 'HEAD'))
  router.route('/puppets').get(frame.guarded('videos:read'), listPuppets).all(onlyMethods('GET', 'HEAD'))
  alternateVideos(router, frame, deps)
  return router
}
