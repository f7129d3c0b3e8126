import type { Request, Response, Router } from 'express'
import type { Catalog, Gathered } from '../../../catalog/index.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { noBackend, Problem } from '../../../core/errors.ts'
import type { VoiceView } from '../../../core/api/videos.ts'
import type { Client } from '../../clients.ts'
import { jsonBody } from '../../middleware/body.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { missingNote, warn } from '../incomplete.ts'
import { behind, listPage, openPlace } from '../list-pages.ts'
import { puppetHandlers, type PuppetHandlersDeps } from './puppets.ts'
import { ListPuppetsQuery, ListVoicesQuery } from '../queries.ts'

interface CatalogRoutesDeps extends PuppetHandlersDeps {
  catalog: Catalog
  cursors: Cursors
}

const namesOf = (client: Client, backend: string | undefined): string[] => {
  if (backend === undefined) return [...client.visible.keys()]
  if (client.visible.has(backend)) return [backend]
  throw new Problem('invalid_request', noBackend(backend, client.visible.keys()), { param: 'backend' })
}

/** `en` finds `en` and `en-GB`, not `eng`. */
const speaks = (voice: VoiceView, language: string): boolean => {
  const code = voice.language_code?.toLowerCase() ?? ''
  const wanted = language.toLowerCase()
  return code === wanted || code.startsWith(`${wanted}-`)
}

const keyOf = ({ id }: { id: string }): string => id

const goesOnLater = (backend: string): Problem =>
  new Problem('backend_unavailable', `the gateway cannot read the catalogue of ${backend} now: retry this page`, {
    backend,
    retryable: true,
  })

export const catalogRoutes = ({ catalog, cursors, resources }: CatalogRoutesDeps): Router => {
  const puppet = puppetHandlers({ resources })
  const answer = async (
    res: Response,
    query: { limit: number; cursor?: string | undefined; [filter: string]: unknown },
    kind: string,
    load: () => Promise<Gathered<{ id: string }[]>>,
  ): Promise<void> => {
    const { limit, cursor, ...filters } = query
    const scope = JSON.stringify([kind, callerOf(res).id, filters])
    const place = openPlace(cursors, scope, cursor)
    const { value, state, missing } = await load()
    // The page before ended in a list that cannot be had now.
    if (missing[0] && place && behind(value, place, keyOf) === null) throw goesOnLater(missing[0].backend)
    warn(res, missingNote(missing))
    res.set('x-cache', state).json(listPage(value, place, { cursors, scope, limit, keyOf }))
  }

  const voices = async (req: Request, res: Response): Promise<void> => {
    const query = parseQuery(ListVoicesQuery, req)
    const { language, gender } = query
    const names = namesOf(callerOf(res), query.backend)
    await answer(res, query, 'voices', async () => {
      const found = await catalog.voices(names)
      const wanted = found.value.filter(
        (voice) =>
          (language === undefined || speaks(voice, language)) &&
          (gender === undefined || voice.gender === gender.toLowerCase()),
      )
      return { ...found, value: wanted }
    })
  }

  const puppets = async (req: Request, res: Response): Promise<void> => {
    const query = parseQuery(ListPuppetsQuery, req)
    const names = namesOf(callerOf(res), query.backend)
    await answer(res, query, 'puppets', () => catalog.puppets(names))
  }

  const router = createRouter()
  router.route('/voices').get(needs('voices:read'), voices).all(onlyMethods('GET', 'HEAD'))
  router
    .route('/puppets')
    .get(needs('videos:read'), puppets)
    .post(needs('videos:create'), jsonBody, puppet.create)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router
    .route('/puppets/:id')
    .get(needs('videos:read'), noQuery, puppet.get)
    .delete(needs('videos:create'), noQuery, puppet.remove)
    .all(onlyMethods('GET', 'HEAD', 'DELETE'))
  return router
}
