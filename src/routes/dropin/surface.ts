import { type AccountId, type Capability, DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { Problem } from '../../core/errors.ts'
import type { Aliases, Backend, Backends, CreateRequest } from '../../engine/index.ts'
import type { RawAnswer } from '../../core/adapter.ts'
import { type Client, creatorOf } from '../clients.ts'
import type { Request, RequestHandler, Response } from 'express'
import type { Deps } from '../../deps.ts'
import { fitsInPath } from '../../core/ids.ts'
import { NO_INPUT, type VideoRecord } from '../../core/video.ts'
import type { VideoView } from '../../core/api/videos.ts'
import { backendsBehind, type Dropin, type Routing } from './behind.ts'
import {
  authenticate,
  callerOf,
  chain,
  contractHeaders,
  counted,
  limitRate,
  mount,
  needs,
  notStored,
} from '../middleware/request.ts'
import type { Operation } from '../openapi/operation.ts'
import { originOf } from '../middleware/view.ts'
import { refuse, warn, type Unsupported } from './translation.ts'

export const DROPINS = ['primary', 'alternate'] as const satisfies readonly Dropin[]

/** What is behind a drop-in surface for one client. */
interface Behind {
  /** Of a pool, its first member. */
  backend: Backend
  /** Its name, or that of the pool. */
  name: string
  /** It speaks the surface's own contract: what it says can be carried over. */
  isSame: boolean
  /** That backend only, or the pool's members: what is asked for with it goes nowhere else. */
  only: Backends
}

/** Throws `insufficient_scope` without any. Pure. */
export const behind = (surface: Dropin, client: Pick<Client, 'visible'>, routing: Routing): Behind => {
  const { name, backends } = backendsBehind(surface, client, routing)
  const [backend] = backends
  if (!backend) throw new Problem('insufficient_scope', 'this client may use no backend of the configuration')
  const only = new Map(backends.map((one) => [one.name, one]))
  return { backend, name, isSame: backend.interface === surface, only }
}

/** A create as a surface read it. */
interface DropinCreate {
  /** Method and path: the scope of its key. */
  operation: string
  input: Partial<CreateRequest['input']>
  webhookUrl: string | null
  key: string | null
  /** What the body has beside it, which nobody knows. */
  unknown: readonly Unsupported[]
}

/** What answers each operation, by its id in the document, and what reads its body before. */
export type Handlers = Readonly<Record<string, RequestHandler | readonly RequestHandler[]>>

/** How long a link is thought to live if nobody said it. */
const UNKNOWN_LIFE_MS = 2 * 60_000

/** Where a backend is, its path without a slash at the end. */
export const placeOf = (baseUrl: string): string => {
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname.replace(/\/+$/, '')
}

/** Of samples that are elsewhere than their backend: below it, a path is a name for the URL that the backend lists. */
export const SAMPLES_PATH = '/previews/of/'

/** "`preview_url`: relative path". A sample below its backend's base URL is at the same path here. */
export const samplePath = (url: string, baseUrl: string, names: ReadonlyMap<string, string>): string => {
  const place = placeOf(baseUrl)
  return url.startsWith(`${place}/`) ? url.slice(place.length) : `${SAMPLES_PATH}${names.get(url)}`
}

/** The field of a list's body that has its items. */
export const itemsField = (body: Readonly<Record<string, unknown>>): string | undefined =>
  ['data', 'puppets', 'items', 'results'].find((name) => Array.isArray(body[name]))

/** What the backend answered last, as it came. */
export const sendRaw = (res: Response, { status, contentType, text }: RawAnswer): void => {
  res.status(status).setHeader('content-type', contentType)
  // Bytes: to a text, Express would add a charset.
  res.send(Buffer.from(text))
}

/**
 * What both drop-in surfaces do alike: who asks, what is behind, and creates and reads of videos through the engine.
 */
export const createFrame = (surface: Dropin, deps: Deps) => {
  const { config, clients, clock, rates, videos, resources, backends, aliases, catalog } = deps
  const own: Backends = new Map([...backends].filter(([, one]) => one.interface === surface))
  const entry: RequestHandler[] = [
    authenticate(clients),
    counted(resources.requests),
    limitRate({ rates, clock }, contractHeaders),
  ]

  /** Jobs of before the gateway have ids of this surface's own interface, whatever is behind it by now. */
  const adoptive = (client: Client, { name, isSame }: Behind): string | null =>
    isSame ? name : ([...client.visible.values()].find((one) => one.interface === surface)?.name ?? null)

  /** Whose older jobs are this client's. */
  const older = (client: Client) => videos.history.of(client).filter(({ backend }) => backend.interface === surface)

  const adopted = async (client: Client, at: Behind, jobId: string): Promise<VideoRecord | null> => {
    const backend = config.dropin.adopt_existing && fitsInPath(jobId) ? adoptive(client, at) : null
    if (backend === null) return null
    try {
      const request = { backend, jobId, webhookUrl: null, metadata: {} }
      return (await videos.import(creatorOf(client), request)).video
    } catch (error) {
      if (error instanceof Problem && error.code === 'video_not_found') return null
      throw error
    }
  }

  return {
    /**
     * The routes of the surface's operations, below `prefix`. Before each handler: who asks, whether one more may come, and
     * whether it may do this. Throws if an operation has no handler.
     */
    routes(prefix: string, operations: readonly Operation[], handlers: Handlers): RequestHandler {
      return chain(
        notStored,
        mount(operations, prefix, ({ id, scope }) => {
          const own = handlers[id]
          if (!own || scope === null) throw new Error(`nothing serves ${id}`)
          return [...entry, needs(scope), ...[own].flat()]
        }),
      )
    },
    behind: (res: Response): Behind => behind(surface, callerOf(res), config.routing),

    /** Where the client may have this done: at the backend behind, or, where that cannot, at all that it sees. */
    having(res: Response, capability: Capability): Backends {
      const client = callerOf(res)
      const { backend, only } = behind(surface, client, config.routing)
      return backend.account.adapter.capabilities[capability] ? only : client.visible
    },

    /**
     * The saved portraits of what is behind: of a pool those of all members that can be read, each id once. Throws if none
     * can be read.
     */
    async puppetsOf({ only }: Behind) {
      const { value, missing } = await catalog.of.allPuppets([...only.keys()])
      return { puppets: [...new Map(value.map((one) => [one.id, one])).values()], missing }
    },

    /** A list of the backend behind, and again what clients of the surface know under another name by an alias. */
    withOldNames<T extends { id: string }>(
      kind: keyof Aliases,
      { backend, isSame }: Behind,
      items: readonly T[],
      made: (id: string, name: string, imageUrl: string) => T | null = () => null,
    ): readonly T[] {
      if (isSame) return items
      const known = new Map(items.map((one) => [one.id, one]))
      const old = aliases[kind].otherNames(backend, own).flatMap(({ name: id, alias, entry }) => {
        const one = typeof entry === 'string' ? known.get(entry) : made(id, alias, entry.image_url)
        return one && !known.has(id) ? [{ ...one, id }] : []
      })
      return [...items, ...old]
    },

    /**
     * The client's own video under any of its names; a job that nobody here saw is adopted where the operator allows.
     */
    async find(res: Response, id: string): Promise<VideoRecord | null> {
      const client = callerOf(res)
      return (
        (await videos.find(client, id)) ??
        (await videos.history.find(older(client), id)) ??
        adopted(client, behind(surface, client, config.routing), id)
      )
    },

    /** Of the accounts whose older jobs are in the client's list. */
    olderOf: (res: Response): AccountId[] => older(callerOf(res)).map(({ backend }) => backend.account.id),

    /** Fields that nobody knows: warned of, or refused where the operator wants that. */
    noteUnknown(res: Response, unknown: readonly Unsupported[]): void {
      if (config.dropin.unsupported === 'reject') refuse(unknown)
      warn(res, unknown)
    },

    /** Creates a video, or finds the one that the key made. Says what was not carried over. */
    async create(res: Response, asked: DropinCreate): Promise<{ video: VideoRecord; replayed: boolean }> {
      const client = callerOf(res)
      const { unsupported } = config.dropin
      if (unsupported === 'reject') refuse(asked.unknown)
      const request: CreateRequest = {
        surface,
        operation: asked.operation,
        transferAudio: false,
        defaultBackend: behind(surface, client, config.routing).name,
        input: { ...NO_INPUT, ...asked.input },
        backend: null,
        unsupported,
        priority: null,
        reuseMs: 0,
        webhookUrl: asked.webhookUrl,
        webhookEvents: [...DEFAULT_EVENT_TYPES],
        metadata: {},
      }
      const { video, replayed } = await videos.create(creatorOf(client), request, asked.key)
      catalog.named(video.backend, video.order)
      warn(res, [...asked.unknown, ...video.warnings])
      return { video, replayed }
    },

    /**
     * The backend's own link while it lives for `leastMs`, usually as long as it has lived already: so a client has time to
     * follow it. Then the gateway's, which redirects to a fresh one. Null: not completed.
     */
    linkOf({ status, link }: VideoRecord, { content_url }: VideoView, leastMs?: number): string | null {
      if (status !== 'completed') return null
      if (link === null) return content_url
      const ageMs = clock.now() - link.learnedAtMs
      const leftMs = link.expiresAtMs === null ? UNKNOWN_LIFE_MS - ageMs : link.expiresAtMs - clock.wall()
      return leftMs > (leastMs ?? ageMs) ? link.url : content_url
    },

    originOf: (req: Request): string => originOf(req, deps),
  }
}
export type Frame = ReturnType<typeof createFrame>
