import type { RequestHandler, Router } from 'express'
import type { Deps } from '../../deps.ts'
import { notFound } from '../middleware/problems.ts'
import { notStored } from '../middleware/request.ts'
import { createRouter } from '../router.ts'
import { unifiedRoutes, type Entrance } from '../unified/routes.ts'
import { BUILT } from './folder.ts'
import { fromOwnPage } from './gate.ts'
import { pageRoutes } from './page.ts'
import { mediaRoutes } from './media.ts'
import { CONSOLE } from './paths.ts'
import { sessionRoutes, withSession } from './session.ts'

/**
 * The console: its files, who is signed in, and the operations of the unified API for whoever is. It shows what the key
 * of the session may read, and nothing else. Off: every path of it is 404.
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
