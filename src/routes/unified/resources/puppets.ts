import type { Request, Response } from 'express'
import { puppetView } from '../../../catalog/index.ts'
import type { Caller, Resources } from '../../../resources/index.ts'
import { callerOf } from '../../middleware/locals.ts'
import { idempotencyKey, parseOr400, NoQuery, parseQuery, unknownBackend } from '../../parse.ts'
import { CreatePuppetBody } from './input.ts'

export interface PuppetHandlersDeps {
  resources: Pick<Resources, 'puppets'>
}

export const asCaller = (res: Response): Caller => {
  const { id, visible } = callerOf(res)
  return { client: id, visible }
}

/** What is done with one puppet; the list of them is the catalogue's. */
export const puppetHandlers = ({ resources: { puppets } }: PuppetHandlersDeps) => ({
  create: async (req: Request, res: Response): Promise<void> => {
    const key = idempotencyKey(req)
    parseQuery(NoQuery, req)
    const { visible } = callerOf(res)
    const {
      image_url: imageUrl,
      name,
      backend,
    } = parseOr400(CreatePuppetBody, req.body, () => [], unknownBackend(visible))
    const request = { operation: 'POST /puppets', imageUrl, name: name ?? null, backend: backend ?? null }
    const created = await puppets.create(asCaller(res), request, key)
    if (created.replayed) res.set('idempotency-replayed', 'true')
    const view = puppetView(created.backend, created.puppet)
    res
      .status(created.replayed ? 200 : 201)
      .location(`/unified/v1/puppets/${encodeURIComponent(view.id).replace('%3A', ':')}`)
      .json(view)
  },

  get: async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { backend, puppet, state } = await puppets.get(asCaller(res), req.params.id)
    res.set('x-cache', state).json(puppetView(backend, puppet))
  },

  remove: async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    await puppets.delete(asCaller(res), req.params.id)
    res.status(204).end()
  },
})
