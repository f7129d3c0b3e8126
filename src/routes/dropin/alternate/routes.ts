import { firstRead } from '../../../catalog/index.ts'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { Problem } from '../../../core/errors.ts'
import { RESOLUTIONS } from '../../../core/vocabulary.ts'
import { parseOr400, parseQuery, jsonBodyOf, idempotencyKey } from '../../parse.ts'
import { Spoken, WebhookUrl } from '../../unified/input.ts'
import type { Unsupported } from '../translation.ts'
import { missingNote, warn } from '../../unified/operation.ts'
import type { Deps } from '../../../deps.ts'
import { callerOf } from '../../middleware/request.ts'
import { itemsField, sendRaw, createFrame, type Frame, type Handlers } from '../surface.ts'
import { ALTERNATE_SURFACE } from './spec.ts'
import { puppetBody, voiceBody, createdBody, detailBody, itemBody, statusesOf } from './views.ts'
import { iso } from '../../../core/time/clock.ts'
import type { VideoRecord } from '../../../core/video.ts'
import type { Puppet, RawAnswer } from '../../../core/adapter.ts'

/** "Create body": `script` is "at most 5000 characters". The schema counts code points, as the adapter does. */
const MAX_SCRIPT_CHARACTERS = 5_000

/** However long: what nothing is called is 404, and the body has a limit of its own. */
const NotEmpty = z.string().min(1)

/** Not given is left out. A null that is given is a wrong type. */
const CreateVideo = z.object({
  script: Spoken.max(MAX_SCRIPT_CHARACTERS),
  puppet_id: NotEmpty,
  voice_id: NotEmpty.optional(),
  resolution: z.enum(RESOLUTIONS).optional(),
  webhook_url: WebhookUrl.optional(),
})

/** The body of a create, and the fields that nobody knows. Throws `invalid_request` with every fault. */
const readCreate = (body: unknown): z.output<typeof CreateVideo> & { unknown: Unsupported[] } => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid_request', 'the body must be a JSON object')
  }
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(CreateVideo.shape, name))
  return {
    ...parseOr400(CreateVideo, body),
    unknown: unknown.map((param) => ({ code: 'unknown_field', param })),
  }
}

const whole = (max: number, message: string) =>
  z.string().regex(/^\d+$/, message).transform(Number).pipe(z.int(message).min(1, message).max(max, message))

/** "List query". What else a query has means nothing here. */
const ListQuery = z.object({
  page: whole(Number.MAX_SAFE_INTEGER, 'must be a whole number from 1').default(1),
  limit: whole(100, 'must be a whole number from 1 to 100').default(20),
  status: z.enum(['processing', 'completed', 'failed']).optional(),
})

/** Throws `invalid_request`. */
const readList = (req: Pick<Request, 'query'>): z.output<typeof ListQuery> => parseQuery(ListQuery, req)

/** An image that an alias of the configuration gives the name of a puppet. */
const portrait = (id: string, name: string, imageUrl: string): Puppet => ({
  id,
  name,
  type: 'custom',
  imageUrl,
  thumbnailUrl: null,
  createdAtMs: null,
  verbatim: null,
})

/** The page behind the last one: a client may read pages until one is empty. */
const emptied = (last: RawAnswer): RawAnswer => {
  const body: unknown = JSON.parse(last.text)
  const said = z.record(z.string(), z.unknown()).safeParse(body).data ?? {}
  return { ...last, text: JSON.stringify(Array.isArray(body) ? [] : { ...said, [itemsField(said) ?? 'data']: [] }) }
}

/** `/v1`: the alternate contract, whichever backend is behind. */
export const alternateRoutes = (deps: Deps): RequestHandler => {
  const { catalog } = deps
  const frame = createFrame('alternate', deps)

  const listVoices: RequestHandler = async (_req, res) => {
    const at = frame.behind(res)
    const names = [...at.only.keys()]
    if (at.isSame) return sendRaw(res, await firstRead(names, catalog.raw.voices))
    const voices = await firstRead(names, catalog.of.voices)
    res.json({ data: frame.withOldNames('voices', at, voices).map(voiceBody) })
  }
  /** The contract shows no pages here; a service that has them names them by `page`, as in its list of videos. */
  const listPuppets: RequestHandler = async (req, res) => {
    const at = frame.behind(res)
    const { backend, isSame, only } = at
    const pages = isSame && only.size === 1 ? await catalog.raw.puppets(backend.name) : []
    const number = Number(req.query['page'])
    const last = pages.at(-1)
    if (last && pages.length > 1 && number > pages.length) return sendRaw(res, emptied(last))
    const page = pages[number - 1] ?? pages[0]
    if (page) return sendRaw(res, page)
    const { puppets: listed, missing } = await frame.puppetsOf(at)
    const puppets = frame.withOldNames('puppets', at, listed, portrait)
    warn(res, missingNote(missing))
    res.json({ data: puppets.map((one) => (isSame && one.verbatim ? one.verbatim : puppetBody(one))) })
  }

  return frame.routes('/v1', ALTERNATE_SURFACE.operations, {
    listVoices,
    listPuppets,
    ...alternateVideos(frame, deps),
  })
}

/** The contract names no limit: room for the longest script, however it is escaped. */
const CREATE_BODY_BYTES = 262_144

/** "Signed download URL expires after 1 hour". */
const LINK_LIFE_MS = 3_600_000

/** POST /v1/videos, GET /v1/videos, GET /v1/videos/:id and its download ("Endpoints"). */
const alternateVideos = (frame: Frame, { backends, videos, clock, catalog }: Deps): Handlers => {
  /** The contract has no idempotency keys: a client that sends the usual header is understood even so. */
  const create = async (req: Request, res: Response): Promise<void> => {
    const { script, puppet_id, voice_id, resolution, webhook_url, unknown } = readCreate(req.body)
    const { video } = await frame.create(res, {
      operation: 'POST /v1/videos',
      input: { text: script, puppet_id, voice_id: voice_id ?? null, resolution: resolution ?? null },
      webhookUrl: webhook_url ?? null,
      key: idempotencyKey(req),
      unknown,
    })
    const { manner } = backends.get(video.backend)?.account.adapter ?? {}
    const status = video.interface === 'alternate' ? manner?.createdStatus : null
    res.status(status ?? 201).json(createdBody(video))
  }

  const found = async (req: Request, res: Response): Promise<VideoRecord> => {
    const id = String(req.params['id'])
    const video = await frame.find(res, id)
    if (video) return video
    throw new Problem('video_not_found', 'there is no such video of yours', { videoId: id })
  }

  const portraitOf = ({ backend, order }: VideoRecord): string | null =>
    catalog.fresh.puppets(backend)?.find(({ id }) => id === order.puppetId)?.thumbnailUrl ?? null

  const get = async (req: Request, res: Response): Promise<void> => {
    const video = await videos.history.detail(await found(req, res))
    const downloadUrl = frame.linkOf(video, await videos.render(video))
    res.json(detailBody(video, downloadUrl, portraitOf(video)))
  }

  const download = async (req: Request, res: Response): Promise<void> => {
    const video = await found(req, res)
    if (video.status === 'completed' && video.interface !== 'alternate') {
      const downloadUrl = frame.linkOf(video, await videos.render(video), LINK_LIFE_MS)
      return void res.json({ download_url: downloadUrl, expires_at: iso(clock.wall() + LINK_LIFE_MS) })
    }
    // A backend of this contract reports when a link expires only here.
    const { url, goodUntilMs } = await videos.download(video, { wantsExpiry: true })
    res.json({ download_url: url, expires_at: iso(goodUntilMs) })
  }

  const list = async (req: Request, res: Response): Promise<void> => {
    const { page, limit, status } = readList(req)
    const statuses = status === undefined ? null : statusesOf(status)
    const query = { statuses, offset: (page - 1) * limit, limit, history: frame.olderOf(res) }
    const { videos: data, total } = await videos.page(callerOf(res).id, query)
    const pagination = { page, limit, total, total_pages: Math.ceil(total / limit) }
    res.json({ data: data.map(itemBody), pagination })
  }

  return {
    createVideo: [jsonBodyOf(CREATE_BODY_BYTES, ['application/json']), create],
    listVideos: list,
    getVideo: get,
    getVideoDownload: download,
  }
}
