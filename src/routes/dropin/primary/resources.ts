import type { Request, RequestHandler, Response, Router } from 'express'
import type { Catalog } from '../../../catalog/index.ts'
import { isoOrNull, onTheWall, type Clock } from '../../../core/time/clock.ts'
import type { Deps } from '../../../deps.ts'
import type { Puppet } from '../../../core/adapter.ts'
import { fieldProblem, Problem } from '../../../core/errors.ts'
import type { Caller, Resources } from '../../../resources/index.ts'
import { jsonBodyOf } from '../../parse.ts'
import { callerOf } from '../../middleware/caller.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import type { Frame } from '../frame.ts'
import { refuse, warn, type Unsupported } from '../warnings.ts'
import { collapse, keyOf, readPage, readPuppet, readUpload } from './fields.ts'
import { hintHeaders } from './names.ts'
import { ownUsage } from './usage.ts'

export interface ResourceDeps {
  config: Deps['config']
  clock: Clock
  catalog: Catalog
  resources: Resources
}

/** "Upload-URL request body" ("Limits"). */
const UPLOAD_BODY_BYTES = 8_192
/** The contract names none for puppets. */
const PUPPET_BODY_BYTES = 65_536

/** "Puppet record fields: not shown beyond the identifier": those of the backend, else plain ones. */
const puppetBody = ({ id, name, imageUrl, createdAtMs, verbatim }: Puppet, isSame: boolean): object =>
  isSame && verbatim ? verbatim : { id, object: 'puppet', name, imageUrl, createdAt: isoOrNull(createdAtMs) }

const noCursor = (): Problem =>
  fieldProblem('invalid_request', 'cursor', 'cursor is not the nextCursor of a previous page')

/** Where the page behind `cursor` begins, which is the id of the last puppet of the one before; null: not in this list. */
const startOf = (puppets: readonly Puppet[], cursor: string): number | null => {
  const at = puppets.findIndex(({ id }) => id === cursor)
  return at < 0 ? null : at + 1
}

/** "Path `puppetId` string": what no backend and no alias can have is malformed, as the contract's 400 says. */
const PUPPET_ID = /^[\x21-\x7e]{1,200}$/
const puppetIdOf = ({ params: { puppetId } }: Request<{ puppetId: string }>): string => {
  if (PUPPET_ID.test(puppetId)) return puppetId
  throw fieldProblem('invalid_request', 'puppetId', 'puppetId must be 1 to 200 visible ASCII characters')
}

/** Puppets, uploads and usage, through the engine. */
export const primaryResources = (router: Router, frame: Frame, deps: ResourceDeps): void => {
  const { config, clock, catalog } = deps
  const { puppets, uploads, usage } = deps.resources
  const { unsupported, adopt_existing: orUnowned } = config.dropin
  const callerAt = (res: Response): Caller => ({ client: callerOf(res).id, visible: frame.behind(res).only })
  const noteUnknown = (res: Response, unknown: readonly Unsupported[]): void => {
    if (unsupported === 'reject') refuse(unknown)
    warn(res, unknown)
  }

  /** The cursor's puppet may be gone by now, and only its backend knows where it was. Throws `invalid_request`. */
  const startAtBackend = async (res: Response, list: readonly Puppet[], cursor: string): Promise<number> => {
    const { backend, isSame } = frame.behind(res)
    if (!isSame) throw noCursor()
    const next = new Set(await puppets.idsAfter(backend, cursor, callerOf(res).id))
    const at = list.findIndex(({ id }) => next.has(id))
    return at < 0 ? list.length : at
  }

  const listPuppets = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor } = readPage(req)
    const { backend, isSame } = frame.behind(res)
    const list = await catalog.of.puppets(backend.name)
    const start = cursor === undefined ? 0 : (startOf(list, cursor) ?? (await startAtBackend(res, list, cursor)))
    const page = list.slice(start, start + limit)
    const nextCursor = list.length > start + limit ? (page.at(-1)?.id ?? null) : null
    res.json({ object: 'list', data: page.map((puppet) => puppetBody(puppet, isSame)), nextCursor })
  }

  const createPuppet = async (req: Request, res: Response): Promise<void> => {
    const { given, unknown } = collapse(req.body, [], ['imageUrl', 'name'])
    // The header alone: this operation lists no aliases in the body.
    const key = keyOf(req, undefined)
    const { imageUrl, name } = readPuppet(given)
    noteUnknown(res, unknown)
    const request = { operation: 'POST /api/v1/puppets', imageUrl, name, backend: null }
    const { puppet, replayed } = await puppets.create(callerAt(res), request, key)
    res.status(replayed ? 200 : 201).json(puppetBody(puppet, frame.behind(res).isSame))
  }

  const getPuppet = async (req: Request<{ puppetId: string }>, res: Response): Promise<void> => {
    const { puppet } = await puppets.get(callerAt(res), puppetIdOf(req))
    res.json(puppetBody(puppet, frame.behind(res).isSame))
  }

  const deletePuppet = async (req: Request<{ puppetId: string }>, res: Response): Promise<void> => {
    await puppets.delete(callerAt(res), puppetIdOf(req), { orUnowned })
    res.status(204).end()
  }

  const createUpload = async (req: Request, res: Response): Promise<void> => {
    const groups = ['mime_type', 'content_length', 'require_video_readiness', 'idempotency_key'] as const
    const { given, key: inBody, unknown } = collapse(req.body, groups, [])
    const key = keyOf(req, inBody)
    const { mime_type, content_length, require_video_readiness } = readUpload(given)
    noteUnknown(res, unknown)
    const request = {
      operation: 'POST /api/v1/uploads/audio-url',
      contentType: mime_type,
      sizeBytes: content_length,
      requireVideoReadiness: require_video_readiness,
    }
    const { hosted, upload } = await uploads.create(callerAt(res), request, key)
    // Only a backend of this interface hosts audio.
    res.json(
      hosted.verbatim ?? {
        object: 'audio_upload',
        id: upload.id,
        upload_url: hosted.uploadUrl,
        upload_method: hosted.method,
        upload_headers: hosted.headers,
        read_url: hosted.audioUrl,
        upload_expires_at: isoOrNull(hosted.expiresAtMs),
      },
    )
  }

  const getUsage: RequestHandler = async (_req, res) => {
    const { backend, isSame } = frame.behind(res)
    const told = isSame ? await usage.told(backend) : null
    if (told instanceof Problem) throw told
    if (told?.verbatim) {
      // "When video generation is blocked by active slots": when to come back.
      if (told.retryAtMs !== null) {
        const seconds = Math.max(1, Math.ceil((told.retryAtMs - clock.now()) / 1000))
        res.set(hintHeaders({ seconds, atMs: onTheWall(clock, told.retryAtMs) }))
      }
      return void res.json(told.verbatim)
    }
    res.json(ownUsage(await usage.view(callerAt(res))))
  }

  const reads = frame.guarded('videos:read')
  const creates = frame.guarded('videos:create')
  router
    .route('/puppets')
    .get(reads, listPuppets)
    .post(creates, jsonBodyOf(PUPPET_BODY_BYTES, ['application/json']), createPuppet)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router
    .route('/puppets/:puppetId')
    .get(reads, getPuppet)
    .delete(creates, deletePuppet)
    .all(onlyMethods('GET', 'HEAD', 'DELETE'))
  router
    .route('/uploads/audio-url')
    .post(frame.guarded('uploads:create'), jsonBodyOf(UPLOAD_BODY_BYTES, ['application/json']), createUpload)
    .all(onlyMethods('POST'))
  router.route('/usage').get(reads, getUsage).all(onlyMethods('GET', 'HEAD'))
}
