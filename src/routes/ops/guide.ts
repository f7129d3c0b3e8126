import { fileURLToPath } from 'node:url'
import type { Request, RequestHandler, Response, Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { readFolder } from '../console/folder.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { send, servedFrom, type Served } from '../served.ts'

/** Where a build puts the rendered guide: in a checkout `dist/guide`, in a package beside the compiled code. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/guide' : '../../guide', import.meta.url),
)
/** As the API document spells paths. */
export const GUIDE_PATHS = ['/docs/guide', '/docs/guide/{page}', '/docs/guide/{folder}/{page}']

/** The guide as pages, from memory, by exact names: nothing of a path ever names a file of the machine. */
export const guideRoutes = (router: Router, withHeaders: RequestHandler): void => {
  let files: ReadonlyMap<string, Served> | null = null
  const packed = ({ type, forms }: Served): Served =>
    servedFrom(type, () => forms.get('identity')?.().body ?? Buffer.alloc(0))
  const page = (req: Request, res: Response): void => {
    const built = files ?? readFolder(BUILT)
    if (!built) throw new Problem('not_found', 'the guide is not built: run npm run build:guide in this checkout')
    files ??= new Map([...built].map(([name, served]) => [name, packed(served)]))
    const name = req.path.replace(/^\/docs\/guide\/?/, '')
    const served = files.get(name === '' ? 'index.html' : name)
    if (!served) throw new Problem('not_found', 'the guide has no such page: see /docs/guide/')
    send(req, res, served)
  }
  router
    .route(['/docs/guide', '/docs/guide/', '/docs/guide/*path'])
    .get(withHeaders, page)
    .all(onlyMethods('GET', 'HEAD'))
}
