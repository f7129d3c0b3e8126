import { Router, type Request, type Response } from 'express'
import type { Cached, Catalog } from '../../catalog/index.ts'
import type { Snapshots } from '../../catalog/snapshots.ts'
import { Problem } from '../../core/errors.ts'
import type { VoiceView } from '../../core/public.ts'
import type { Client } from '../clients.ts'
import { jsonBody } from '../middleware/body.ts'
import { callerOf, needs } from '../middleware/locals.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { parseOr400 } from '../parse.ts'
import { puppetHandlers, type PuppetHandlersDeps } from './puppets.ts'
import { ListPuppetsQuery, ListVoicesQuery } from './queries.ts'

export interface CatalogRoutesDeps extends PuppetHandlersDeps {
  catalog: Catalog
  snapshots: Snapshots
}

const namesOf = (client: Client, backend: string | undefined): string[] => {
  if (backend === undefined) return [...client.visible.keys()]
  if (client.visible.has(backend)) return [backend]
  throw new Problem('invalid_request', `there is no backend ${backend}`, { param: 'backend' })
}

/** `en` finds `en` and `en-GB`, not `eng`. */
const speaks = (voice: VoiceView, language: string): boolean => {
  const code = voice.language_code?.toLowerCase() ?? ''
  const wanted = language.toLowerCase()
  return code === wanted || code.startsWith(`${wanted}-`)
}

export const catalogRoutes = ({ catalog, snapshots, resources }: CatalogRoutesDeps): Router => {
  const puppet = puppetHandlers({ resources })
  /** The first page asks the catalogue; the rest page through what it said then. */
  const answer = async (
    res: Response,
    query: { limit: number; cursor?: string | undefined; [filter: string]: unknown },
    kind: string,
    load: () => Promise<Cached<object[]>>,
  ): Promise<void> => {
    const { limit, cursor, ...filters } = query
    const scope = JSON.stringify([kind, callerOf(res).id, filters])
    if (cursor !== undefined) {
      const page = snapshots.next(scope, cursor, limit)
      res.set('x-cache', 'hit').json(page)
      return
    }
    const { value, state } = await load()
    res.set('x-cache', state).json(snapshots.first(scope, value, limit))
  }

  const voices = async (req: Request, res: Response): Promise<void> => {
    const query = parseOr400(ListVoicesQuery, req.query)
    const { language, gender } = query
    const names = namesOf(callerOf(res), query.backend)
    await answer(res, query, 'voices', async () => {
      const { value, state } = await catalog.voices(names)
      const wanted = value.filter(
        (voice) =>
          (language === undefined || speaks(voice, language)) &&
          (gender === undefined || voice.gender === gender.toLowerCase()),
      )
      return { value: wanted, state }
    })
  }

  const puppets = async (req: Request, res: Response): Promise<void> => {
    const query = parseOr400(ListPuppetsQuery, req.query)
    const names = namesOf(callerOf(res), query.backend)
    await answer(res, query, 'puppets', () => catalog.puppets(names))
  }

  const router = Router()
  router.route('/voices').get(needs('voices:read'), voices).all(onlyMethods('GET', 'HEAD'))
  router
    .route('/puppets')
    .get(needs('videos:read'), puppets)
    .post(needs('videos:create'), jsonBody, puppet.create)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router
    .route('/puppets/:id')
    .get(needs('videos:read'), puppet.get)
    .delete(needs('videos:create'), puppet.remove)
    .all(onlyMethods('GET', 'HEAD', 'DELETE'))
  return router
}
