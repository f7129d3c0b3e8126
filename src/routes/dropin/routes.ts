import type { Router, Request, RequestHandler, Response } from 'express'
import type { Deps } from '../../deps.ts'
import type { Backend, Backends } from '../../engine/index.ts'
import { type Client, demand, type Caller, type Clients } from '../clients.ts'
import { admitAs, chain, contractHeaders, counted, limitRate } from '../middleware/request.ts'
import { createRouter } from '../middleware/problems.ts'
import { alternateRoutes } from './alternate/routes.ts'
import { createPassthrough, type PassthroughTarget, type Passthrough } from './passthrough.ts'
import { primaryRoutes } from './primary/routes.ts'
import { behind, DROPINS, placeOf, SAMPLES_PATH } from './surface.ts'
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Catalog } from '../../catalog/index.ts'
import { ANYBODY } from '../../core/limits/rates.ts'

/** The surfaces that speak the backends' own contracts. Mounted behind every route of the gateway's own. */
export const dropinRoutes = (deps: Deps): Router => {
  const { config, resources, handThrough, tracing } = deps
  const targets = (name: string): PassthroughTarget => {
    const backend = config.backends[name]
    if (!backend) throw new Error(`there is no backend ${name}`)
    return { baseUrl: backend.base_url, apiKey: backend.api_key }
  }
  const passthrough = createPassthrough({ through: resources.through, handThrough, targets, tracing })
  const backendsOf = (client: Client | null): Backend[] =>
    DROPINS.flatMap((surface) => [
      ...behind(surface, client ?? { visible: deps.backends }, config.routing).only.values(),
    ])
  const admit = chain(counted(resources.requests), limitRate(deps, contractHeaders))

  const router = createRouter()
  router.use('/api/v1', primaryRoutes(deps, passthrough))
  router.use('/v1', alternateRoutes(deps))
  router.use(previewRoutes({ ...deps, passthrough, targets, backendsOf, admit }))
  return router
}

interface PreviewsDeps {
  passthrough: Passthrough
  catalog: Pick<Catalog, 'samples'>
  clients: Pick<Clients, 'authenticate'>
  targets: (backend: string) => PassthroughTarget
  backends: Backends
  /** Which backends a caller's samples may be of, the likeliest first; null: it has no key. */
  backendsOf: (client: Client | null) => readonly Backend[]
  /** What every request of a client passes that has been authenticated: its count, and its rate. */
  admit: RequestHandler
}

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

/** A sample that came whole. */
interface Sample {
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** A sample is short and does not change (primary contract, "Voice"). */
const SAMPLES = { max: 256, maxSize: 33_554_432, maxEntrySize: 2_097_152, ttl: 86_400_000 }
const SAMPLE_HEADERS = [
  'content-type',
  'content-language',
  'content-security-policy',
  'cache-control',
  'expires',
  'accept-ranges',
]
const VERSION_HEADERS = ['etag', 'last-modified']

/** Whether all of the file is in this answer; a player often requests it as one part. */
const isWhole = ({ statusCode, headers }: IncomingMessage): boolean => {
  if (headers['content-encoding'] !== undefined) return false
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return statusCode === 200 || (statusCode === 206 && last !== undefined && Number(last) + 1 === Number(size))
}

/** Hands the sample to `keep` when all of it is there, unless it is too large or has `secret` in it. */
const collect = (answer: IncomingMessage, res: Response, secret: string, keep: (sample: Sample) => void): void => {
  const headers = Object.fromEntries(
    [...SAMPLE_HEADERS, ...VERSION_HEADERS].flatMap((name) => {
      const value = res.getHeader(name)
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
  const chunks: Buffer[] = []
  let sizeBytes = 0
  answer.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes > SAMPLES.maxEntrySize) chunks.length = 0
    // A copy: the key is covered in the same bytes.
    else chunks.push(Buffer.from(chunk))
  })
  answer.on('end', () => {
    const body = Buffer.concat(chunks)
    if (answer.complete && sizeBytes > 0 && sizeBytes === body.length && !body.includes(secret)) keep({ headers, body })
  })
}

/** The part that is requested, if it is one and of this version of the file. */
const partOf = (req: Request, { headers, body }: Sample): { start: number; end: number } | 'none' | null => {
  const ifRange = req.get('if-range')
  if (ifRange !== undefined && !VERSION_HEADERS.some((name) => headers[name] === ifRange)) return null
  const ranges = req.range(body.length)
  if (ranges === -1) return 'none'
  const [first, ...more] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : []
  return more.length === 0 ? (first ?? null) : null
}

const answerWith = (req: Request, res: Response, sample: Sample): void => {
  const { headers, body } = sample
  res.set(headers)
  const { etag } = headers
  if (etag !== undefined && req.get('if-none-match') === etag) return void res.status(304).end()
  const part = partOf(req, sample)
  if (part === null) return void res.send(body)
  if (part === 'none') return void res.status(416).set('content-range', `bytes */${body.length}`).end()
  res.status(206).set('content-range', `bytes ${part.start}-${part.end}/${body.length}`)
  res.send(body.subarray(part.start, part.end + 1))
}

/**
 * GET and HEAD of what a backend's voices name as their samples, below its base URL, at the same path here: a client
 * that joins `preview_url` with the URL that it knows finds them. The backend's key goes up only for a caller with a
 * gateway key. A sample is fetched once: it stays in memory. Mounted behind every other route: what is no sample
 * continues to `next`.
 */
export const previewRoutes = (deps: PreviewsDeps): RequestHandler => {
  const { passthrough, catalog, targets, backends, backendsOf, admit } = deps
  const samples = new LRUCache<string, Sample>({ ...SAMPLES, sizeCalculation: ({ body }) => body.length })

  const find = async (client: Client | null, url: string): Promise<Backend | null> => {
    for (const backend of backendsOf(client)) {
      const { urls } = await catalog.samples(backend.name)
      if (urls.has(placeOf(targets(backend.name).baseUrl) + url)) return backend
    }
    return null
  }

  /** The URL of a sample that is elsewhere than its backend; null: none has this name. */
  const elsewhere = async (client: Client | null, path: string): Promise<string | null> => {
    // A player sends no key: the name is enough for it.
    for (const name of (client?.visible ?? backends).keys()) {
      const found = (await catalog.samples(name)).byName.get(path.slice(SAMPLES_PATH.length))
      if (found !== undefined) return found
    }
    return null
  }

  return async (req, res, next) => {
    if ((req.method !== 'GET' && req.method !== 'HEAD') || OURS.some((path) => req.originalUrl.startsWith(path)))
      return next()
    const caller = callerOf(deps, req)
    const client = caller?.client ?? null
    const backend = await find(client, req.originalUrl)
    if (backend === null && !req.path.startsWith(SAMPLES_PATH)) return next()
    if (caller !== null) {
      admitAs(res, caller)
      await admitted(admit, req, res)
    }
    if (backend === null) {
      const url = await elsewhere(client, req.path)
      return url === null ? next() : res.redirect(url)
    }
    const keyOf = (isKeyed: boolean): string => `${backend.name} ${isKeyed} ${req.originalUrl}`
    // What came for the backend's key is for callers with a key only.
    const sample = samples.get(keyOf(false)) ?? (client === null ? undefined : samples.get(keyOf(true)))
    if (sample) return answerWith(req, res, sample)
    // Of a compressed one nobody could answer a part.
    req.headers['accept-encoding'] = 'identity'
    const { apiKey } = targets(backend.name)
    await passthrough.forward(req, res, next, {
      backend,
      path: req.path,
      budget: 'read',
      reader: client?.id ?? ANYBODY,
      operation: null,
      credentials: client !== null,
      maxBodyBytes: 0,
      onAnswer(answer) {
        if (req.method !== 'GET' || !isWhole(answer)) return
        collect(answer, res, apiKey, (found) => samples.set(keyOf(client !== null), found))
      },
    })
  }
}
