import type { Request, RequestHandler, Response, Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { onlyMethods, createRouter, notFound } from '../middleware/problems.ts'
import { CONSOLE, fromOwnPage, sessionRoutes, withSession } from './session.ts'
import { send, type Served, readFolder, BUILT } from '../served.ts'
import type { Deps } from '../../deps.ts'
import { notStored } from '../middleware/request.ts'
import { unifiedRoutes, type Entrance } from '../unified/routes.ts'
import { mediaRoutes } from './media.ts'

/** Nothing from elsewhere, no script and no style but our own files, nobody frames it, no form goes anywhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
/** Its name changes with what is in it. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_EACH_TIME = 'public, no-cache'

const NOT_BUILT = Buffer.from(`<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Talkbridge console</title>
  <h1>The console is not built</h1>
  <p>In this checkout run <code>npm run build:console</code>, then load this page again. A package has it built.</p>
  <p>The API is at <a href="/docs">/docs</a>.</p>
</html>
`)

/**
 * The page, from memory, by exact names: nothing of a path ever names a file of the machine. Any other path below is
 * one of the page's own, and gets the page.
 */
const pageRoutes = (folder: string): Router => {
  let files: ReadonlyMap<string, Served> | null = null
  /** Looked for at each request until it is there: it may be built meanwhile. */
  const known = (): ReadonlyMap<string, Served> | null => (files ??= readFolder(folder))

  const page: RequestHandler = (req, res) => {
    const built = known()
    const index = built?.get('index.html')
    if (!built || !index) {
      res.status(503).set({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      res.set('content-length', String(NOT_BUILT.length))
      return void res.end(NOT_BUILT)
    }
    const name = req.path.replace(/^\/(console\/)?/, '')
    send(req, res.set('cache-control', ASK_EACH_TIME), built.get(name) ?? index)
  }
  const asset = (req: Request, res: Response): void => {
    const found = known()?.get(req.path.replace(/^\/console\//, ''))
    if (!found) throw new Problem('not_found', 'the console has no such file; load its page again')
    send(req, res.set('cache-control', FOR_EVER), found)
  }
  const withHeaders: RequestHandler = (_req, res, next) => {
    res.set(HEADERS)
    next()
  }

  const router = createRouter()
  const only = onlyMethods('GET', 'HEAD')
  router.use(CONSOLE, withHeaders)
  router.route(['/console/assets', '/console/assets/{*name}']).get(asset).all(only)
  router.route(['/console', '/console/', '/console/*path']).get(page).all(only)
  return router
}

/**
 * The console: its files, who is signed in, and the operations of the unified API for the person who is. It shows what
 * the key of the session may read, and nothing else. Off: every path of it is 404.
 */
export const consoleRoutes = (deps: Deps, entrance: Omit<Entrance, 'authenticate'>): Router => {
  const router = createRouter()
  if (!deps.config.console.enabled) {
    router.use(CONSOLE, notFound)
    return router
  }
  const toConsole: RequestHandler = (_req, res) => res.redirect(302, CONSOLE)
  router.route('/').get(toConsole)
  router.use(CONSOLE, fromOwnPage)
  const own = createRouter()
  own.use(['/session', '/api', '/media'], notStored)
  own.use(sessionRoutes(deps, entrance.limited))
  // Before all of them: some take a link that is signed in place of a key, and here there is no such way in.
  own.use('/api', withSession(deps))
  own.use('/api/unified/v1', unifiedRoutes(deps, { ...entrance, authenticate: entrance.limited }))
  own.use('/media', withSession(deps), entrance.limited, mediaRoutes(deps, entrance.ending))
  own.use(['/api', '/media'], notFound)
  router.use(CONSOLE, own)
  router.use(pageRoutes(deps.console.folder ?? BUILT))
  return router
}
