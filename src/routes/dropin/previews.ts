import type { Request, RequestHandler, Response } from 'express'
import type { Catalog } from '../../catalog/index.ts'
import type { Backend } from '../../engine/index.ts'
import { demand, type Caller, type Client, type Clients } from '../clients.ts'
import { admitAs } from '../middleware/locals.ts'
import type { Passthrough, PassthroughTarget } from './passthrough.ts'

export interface PreviewsDeps {
  passthrough: Passthrough
  catalog: Pick<Catalog, 'isPreview'>
  clients: Pick<Clients, 'authenticate'>
  targets: (backend: string) => PassthroughTarget
  /** Which backends a caller's samples may be of, the likeliest first; null: it has no key. */
  backendsOf: (client: Client | null) => readonly Backend[]
  /** What every request of a client passes that has been authenticated: its count, and its rate. */
  admit: RequestHandler
}

/** In whose share of a backend's window the samples of callers without a key count, all together. */
const ANYBODY = 'anybody'

/** Paths of the gateway's own, below which nothing is anybody's sample. */
const OURS = ['/unified/', '/hooks/']

/** The caller, if its key may see voices. Whatever else it sends is as good as nothing: a browser may send any. */
const callerOf = ({ clients }: PreviewsDeps, req: Request): Caller | null => {
  if (req.headers.authorization === undefined) return null
  try {
    const caller = clients.authenticate(req.headers.authorization)
    demand(caller.client, 'voices:read')
    return caller
  } catch {
    return null
  }
}

const admitted = (admit: RequestHandler, req: Request, res: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    Promise.resolve(admit(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)))).catch(
      reject,
    )
  })

/**
 * GET and HEAD of what a backend's voices name as their samples, below its base URL, at the same path here: a client that
 * joins `preview_url` with the URL that it knows finds them. The backend's key goes up only for a caller with a gateway
 * key. Mounted behind every other route: what is no sample goes on to `next`.
 */
export const previewRoutes = (deps: PreviewsDeps): RequestHandler => {
  const { passthrough, catalog, targets, backendsOf, admit } = deps

  const find = async (client: Client | null, url: string): Promise<Backend | null> => {
    for (const backend of backendsOf(client)) {
      const { origin, pathname } = new URL(targets(backend.name).baseUrl)
      if (await catalog.isPreview(backend.name, origin + pathname.replace(/\/+$/, '') + url)) return backend
    }
    return null
  }

  return async (req, res, next) => {
    if ((req.method !== 'GET' && req.method !== 'HEAD') || OURS.some((path) => req.originalUrl.startsWith(path)))
      return next()
    const caller = callerOf(deps, req)
    const client = caller?.client ?? null
    const backend = await find(client, req.originalUrl)
    if (backend === null) return next()
    if (caller !== null) {
      admitAs(res, caller)
      await admitted(admit, req, res)
    }
    await passthrough.forward(req, res, next, {
      backend,
      path: req.path,
      budget: 'read',
      reader: client?.id ?? ANYBODY,
      operation: null,
      credentials: client !== null,
      maxBodyBytes: 0,
    })
  }
}
