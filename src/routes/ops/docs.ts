import { fileURLToPath } from 'node:url'
import type { Request, RequestHandler, Response, Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { readFolder, send, servedFrom, type Served } from '../served.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { readFileSync } from 'node:fs'
import { SURFACES, type Surface } from '../../core/vocabulary.ts'
import { parseQuery } from '../parse.ts'
import { DocumentQuery } from './gateway.ts'
import { documentOf } from '../openapi/document.ts'

/** Where a build puts the rendered guide: in a checkout `dist/guide`, in a package beside the compiled code. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/guide' : '../../guide', import.meta.url),
)
/** As the API document spells paths. */
export const GUIDE_PATHS = ['/docs/guide', '/docs/guide/{page}', '/docs/guide/{folder}/{page}']

/** The guide as pages, from memory, by exact names: nothing of a path ever names a file of the machine. */
const guideRoutes = (router: Router, withHeaders: RequestHandler): void => {
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

/** Nothing from elsewhere, and no script and no style but our own files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ours = (name: string): string => fileURLToPath(new URL(`./page/${name}`, import.meta.url))

const withHeaders =
  (headers: Readonly<Record<string, string>>): RequestHandler =>
  (_req, res, next) => {
    res.set(headers)
    next()
  }

/** As the API document spells paths. */
export const ASSET_PATH = '/docs/assets/{file}'
const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, no-cache',
}
const FILES = [
  { path: '/docs', name: 'index.html', type: 'text/html' },
  { path: '/docs/assets/page.css', name: 'page.css', type: 'text/css' },
  { path: '/docs/assets/guide.css', name: 'guide.css', type: 'text/css' },
  { path: '/docs/assets/page.js', name: 'page.js', type: 'text/javascript' },
]

/**
 * The API's own description: for programs at `/openapi.json`, for people at `/docs`, which loads nothing from
 * elsewhere.
 */
export const docsRoutes = ({ interfaces }: { interfaces: readonly string[] }): Router => {
  const documentFor = (name: Surface | 'all') =>
    servedFrom('application/json; charset=utf-8', () => Buffer.from(JSON.stringify(documentOf(name, interfaces))))
  const ofAll = documentFor('all')
  const ofOne = new Map(SURFACES.map((name) => [name, documentFor(name)]))
  const asked = (req: Request): Served => {
    const { surface } = parseQuery(DocumentQuery, req)
    return (surface && ofOne.get(surface)) ?? ofAll
  }
  const router = createRouter()
  const get = (path: string, headers: Readonly<Record<string, string>>, handler: RequestHandler): void =>
    void router.route(path).get(withHeaders(headers), handler).all(onlyMethods('GET', 'HEAD'))
  get('/openapi.json', { 'cache-control': 'public, max-age=300' }, (req, res) => send(req, res, asked(req)))
  for (const { path, name, type } of FILES) {
    const file = servedFrom(`${type}; charset=utf-8`, () => readFileSync(ours(name)))
    get(path, PAGE_HEADERS, (req, res) => send(req, res, file))
  }
  guideRoutes(router, withHeaders(PAGE_HEADERS))
  return router
}
