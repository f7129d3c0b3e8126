import { createServer, type Server } from 'node:http'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { controlRoutes } from './control.ts'
import type { Service, Services } from './services.ts'
import { invalid, Refusal } from './http/answer.ts'
import { declined, mount, recorded } from './http/operation.ts'
import { mediaRoutes, noted } from './media/routes.ts'
import type { World } from './world.ts'

/** One contract as an Express app: control routes, then ledger, media, operations, and a 404 in the contract's words. */
export const serviceApp = (
  world: World,
  { dialect, operations, isVoice, routes, openapi }: Service,
  all: Services,
): Express => {
  const app = express().disable('x-powered-by').disable('etag')
  app.use('/sandbox', controlRoutes(world, dialect.interface, all))
  app.use(recorded(world, dialect))
  app.use(mediaRoutes(world, dialect.interface, isVoice))
  app.use(routes)
  // "The machine-readable contract is served at {base_url}/openapi.json" (primary, "Versioning"); to anybody.
  if (dialect.interface === 'primary')
    app.get('/openapi.json', noted('getOpenapi'), (_req, res) => void res.json(openapi))
  mount(app, world, dialect, operations)
  app.use((req, res) =>
    declined(world, dialect, req, res, new Refusal(404, 'not_found', 'The interface has no such path.')),
  )
  const unreadable: ErrorRequestHandler = (cause: unknown, req, res, next) => {
    if (res.headersSent) return next(cause)
    // Express marks what it could not decode (a path like /%zz) with a 4xx status; anything else is our own mistake.
    const bad = cause instanceof URIError || (cause instanceof Error && 'status' in cause && cause.status === 400)
    const refusal = bad ? invalid('The path is not valid.') : new Refusal(500, 'internal', 'The sandbox itself failed.')
    return declined(world, dialect, req, res, refusal)
  }
  return app.use(unreadable)
}

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Rejects when the port is taken. */
export const listen = (app: Express, host: string, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer(app)
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({ url: urlOf(server, host), close: () => closed(server) })
    })
  })

const urlOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
