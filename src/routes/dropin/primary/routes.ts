import type { Router } from 'express'
import type { Videos } from '../../../engine/index.ts'
import { notStored } from '../../middleware/request.ts'
import { createRouter } from '../../middleware/problems.ts'
import type { Passthrough } from '../passthrough.ts'
import { createFrame, type FrameDeps } from '../frame.ts'
import { primaryResources, type ResourceDeps } from './resources.ts'
import { primaryVideos } from './videos.ts'
import { primaryVoices } from './voices.ts'

export interface DropinDeps extends FrameDeps, ResourceDeps {
  videos: Videos
  resources: ResourceDeps['resources']
  passthrough: Passthrough
}

/** `/api/v1`: the primary contract, whichever backend is behind. */
export const primaryRoutes = (deps: DropinDeps): Router => {
  const frame = createFrame('primary', deps)
  const router = createRouter()
  router.use(notStored)
  primaryVoices(router, frame, deps)
  primaryResources(router, frame, deps)
  primaryVideos(router, frame, deps)
  return router
}
