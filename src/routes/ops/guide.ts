import { fileURLToPath } from 'node:url'
import type { Request, RequestHandler, Response, Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { readFolder, type Served } from '../console/folder.ts'
import { onlyMethods } from '../middleware/problems.ts'

/** Where a build puts the rendered guide: in a checkout `dist/guide`, in a package beside the compiled code. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/guide' : '../../guide', import.meta.url),
)
/** As the API document spells paths. */
export const GUIDE_PATHS = ['/docs/guide', '/docs/guide/{page}', '/docs/guide/{folder}/{page}']

/** The guide as pages, from memory, by exact names: nothing of a path ever names a file of the machine. */
export const guideRoutes = (router: Router, withHeaders: RequestHandler): void => {
  let files: ReadonlyMap<string, Served> | null = null
  const page = (req: Request, res: Response): void => {
    files ??= readFolder(BUILT)
    if (!files) throw new Problem('not_found', 'the guide is not built: run npm run build:guide in this checkout')
    const name = req.path.replace(/^\/docs\/guide\/?/, '')
    const served = files.get(name === '' ? 'index.html' : name)
    const form = served?.forms.get('identity')
    if (!served || !form) throw new Problem('not_found', 'the guide has no such page: see /docs/guide/')
    res.set('etag', form.etag)
    if (req.fresh) return void res.status(304).end()
    // Told here: an answer to HEAD has no body to tell it by.
    res.set({ 'content-type': served.type, 'content-length': String(form.body.length) })
    res.end(form.body)
  }
  router
    .route(['/docs/guide', '/docs/guide/', '/docs/guide/*path'])
    .get(withHeaders, page)
    .all(onlyMethods('GET', 'HEAD'))
}
