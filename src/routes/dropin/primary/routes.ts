import type { Request, Response, RequestHandler } from 'express'
import { isDeepStrictEqual } from 'node:util'
import { callerOf } from '../../middleware/request.ts'
import type { Passthrough } from '../passthrough.ts'
import { itemsField, sendRaw, samplePath, createFrame, type Frame, type Handlers } from '../surface.ts'
import { PRIMARY_SURFACE } from './spec.ts'
import { isoOrNull, onTheWall } from '../../../core/time/clock.ts'
import { fieldProblem, Problem } from '../../../core/errors.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { jsonBodyOf } from '../../parse.ts'
import {
  type JobContext,
  collapse,
  keyOf,
  readAudioVideo,
  readTextVideo,
  jobAnswer,
  readPage,
  readPuppet,
  readSpeech,
  readUpload,
} from './job.ts'
import { z } from 'zod'
import type { Puppet, RawAnswer, Voice } from '../../../core/adapter.ts'
import type { Deps } from '../../../deps.ts'
import { firstRead, sampleNames } from '../../../catalog/index.ts'
import { pictured } from '../../../engine/index.ts'
import type { Backend } from '../../../engine/index.ts'
import type { Caller } from '../../../resources/index.ts'
import { missingNote, warn as warnOf } from '../../unified/operation.ts'
import { hintHeaders, unreadJob } from './errors.ts'
import type { Used } from '../../../resources/usage.ts'

/** `/api/v1`: the primary contract, whichever backend is behind. */
export const primaryRoutes = (deps: Deps, passthrough: Passthrough): RequestHandler => {
  const frame = createFrame('primary', deps)
  return frame.routes('/api/v1', PRIMARY_SURFACE.operations, {
    ...primaryVoices(frame, deps, passthrough),
    ...primaryResources(frame, deps),
    ...primaryVideos(frame, deps),
  })
}

/** "Video create request body" ("Limits"). */
const VIDEO_BODY_BYTES = 65_536
const JOB_ID = /^api_video_[A-Za-z0-9_-]+$/

/** createVideoFromText, createVideoFromAudio and getVideoJob. */
const primaryVideos = (frame: Frame, { videos, clock, catalog }: Deps): Handlers => {
  /** "HTTPS image URL". The image of a listed puppet represents the puppet: nobody fetches it. */
  const checkImage = async (res: Response, imageUrl: string): Promise<void> => {
    if (/^https:/i.test(imageUrl)) return
    const { backend, isSame } = frame.behind(res)
    if (isSame || (await pictured(catalog.lookUp, backend, imageUrl)) === null)
      throw fieldProblem('invalid_request', 'image_url', 'image_url: must be an https URL')
  }

  const answer = async (
    req: Request,
    res: Response,
    video: VideoRecord,
    of: Pick<JobContext, 'isCreate' | 'isNew'>,
  ) => {
    const view = await videos.render(video)
    const job = jobAnswer(video, view, {
      videoUrl: frame.linkOf(video, view),
      origin: frame.originOf(req),
      nowMs: clock.wall(),
      usualProgress: video.status === 'processing' && view.progress === null ? await videos.usualProgress(video) : 0,
      ...of,
    })
    res.status(job.status).set(job.headers).json(job.body)
  }

  /** `plain`: the fields without aliases. */
  const createFrom =
    (kind: 'text' | 'audio', groups: Parameters<typeof collapse>[1], plain: readonly string[]): RequestHandler =>
    async (req, res) => {
      const { given, key, unknown } = collapse(req.body, groups, plain)
      const idempotencyKey = keyOf(req, key)
      const { webhook_url: webhookUrl, ...input } = kind === 'text' ? readTextVideo(given) : readAudioVideo(given)
      if (kind === 'text') await checkImage(res, input.image_url)
      const asked = { operation: `POST /api/v1/videos/${kind}`, input, webhookUrl, key: idempotencyKey, unknown }
      const { video, replayed } = await frame.create(res, asked)
      await answer(req, res, video, { isCreate: true, isNew: !replayed })
    }
  const fromText = createFrom(
    'text',
    ['image_url', 'text', 'voice_id', 'idempotency_key'],
    ['language', 'expressiveness', 'webhook_url'],
  )
  const fromAudio = createFrom(
    'audio',
    ['image_url', 'audio_url', 'idempotency_key'],
    ['expressiveness', 'webhook_url'],
  )

  const get = async (req: Request, res: Response): Promise<void> => {
    const jobId = String(req.params['jobId'])
    const video = await frame.find(res, jobId).catch((error: unknown) => {
      throw error instanceof Problem && JOB_ID.test(jobId) ? unreadJob(error, jobId, clock.now()) : error
    })
    if (video) return answer(req, res, video, { isCreate: false, isNew: false })
    if (!JOB_ID.test(jobId))
      throw fieldProblem('invalid_request', 'jobId', 'jobId must match ^api_video_[A-Za-z0-9_-]+$')
    throw new Problem('video_not_found', 'there is no such video job of yours', { videoId: jobId })
  }

  const body = jsonBodyOf(VIDEO_BODY_BYTES, ['application/json'])
  return { createVideoFromText: [body, fromText], createVideoFromAudio: [body, fromAudio], getVideoJob: get }
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** A voice of another interface ("Voice"): its id is the native one. */
const voiceBody = (backend: string, baseUrl: string, names: ReadonlyMap<string, string>, voice: Voice): object => ({
  id: voice.id,
  object: 'voice',
  name: voice.name ?? voice.id,
  provider: voice.provider ?? backend,
  language: voice.language,
  language_code: voice.languageCode,
  gender: voice.gender && capitalized(voice.gender),
  preview_url: voice.previewUrl && samplePath(voice.previewUrl, baseUrl, names),
})

/** The contract names no limit of a speech's body. */
const SPEECH_BODY_BYTES = 65_536

/**
 * listServiceVoices and createServiceSpeech, which is handed through where what is behind speaks this contract. If it
 * does not, another backend of the client makes the speech.
 */
const primaryVoices = (
  frame: Frame,
  { catalog, config, resources: { createSpeech, ranked } }: Deps,
  passthrough: Passthrough,
): Handlers => {
  const list: RequestHandler = async (_req, res) => {
    const at = frame.behind(res)
    const members = [...at.only.keys()]
    if (at.isSame) return sendRaw(res, await firstRead(members, catalog.raw.voices))
    const read = async (name: string) => ({ name, listed: await catalog.of.voices(name) })
    const { name, listed } = await firstRead(members, read)
    const baseUrl = config.backends[name]?.base_url ?? ''
    const voices = frame.withOldNames('voices', at, listed)
    const names = sampleNames(voices)
    res.json({ object: 'list', data: voices.map((voice) => voiceBody(name, baseUrl, names, voice)) })
  }

  const speak: RequestHandler = async (req, res, next) => {
    const { only, isSame } = frame.behind(res)
    const [backend] = (await ranked(only)).values()
    if (!isSame || !backend) return next()
    await passthrough.forward(req, res, next, {
      backend,
      path: '/api/v1/tts/service',
      budget: 'create',
      reader: null,
      operation: 'createSpeech',
      credentials: true,
      maxBodyBytes: SPEECH_BODY_BYTES,
    })
  }

  const speakElsewhere: RequestHandler = async (req, res) => {
    const { given, unknown } = collapse(req.body, [], ['voice_id', 'text', 'speed'])
    const { voice_id: voiceId, text, speed } = readSpeech(given)
    frame.noteUnknown(res, unknown)
    const caller = { client: callerOf(res).id, visible: frame.having(res, 'speech') }
    const clip = await createSpeech(caller, { voiceId, text, speed })
    res.json(clip.verbatim ?? { object: 'speech', audio_url: clip.audioUrl, content_type: clip.contentType })
  }

  const body = jsonBodyOf(SPEECH_BODY_BYTES, ['application/json'])
  return { createServiceSpeech: [speak, body, speakElsewhere], listServiceVoices: list }
}

/** "Upload-URL request body" ("Limits"). */
const UPLOAD_BODY_BYTES = 8_192
/** The contract names none for puppets. */
const PUPPET_BODY_BYTES = 65_536

/** "Puppet record fields: not shown beyond the identifier": those of a backend of this interface, else plain ones. */
const puppetBody = ({ id, name, imageUrl, createdAtMs, verbatim }: Puppet, { interface: of }: Backend): object =>
  of === 'primary' && verbatim ? verbatim : { id, object: 'puppet', name, imageUrl, createdAt: isoOrNull(createdAtMs) }

/** A list that cannot be read now does not hide the other one. */
const orNone = (error: unknown): Puppet[] => {
  if (error instanceof Problem) return []
  throw error
}

const Page = z.record(z.string(), z.unknown())

/** "Other fields of the list response: not shown": those that all pages of the backend have alike. */
const pageBody = (pages: readonly RawAnswer[], data: object[], nextCursor: string | null): object => {
  const read = pages.map(({ text }) => Page.safeParse(JSON.parse(text)).data ?? {})
  const last = read.at(-1) ?? {}
  const items = itemsField(last)
  if (items === undefined) return { object: 'list', data, nextCursor }
  const same = Object.entries(last).flatMap(([name, value]) => {
    if (/^has_?more$/i.test(name)) return [[name, nextCursor !== null] as const]
    return name === items || read.every((page) => isDeepStrictEqual(page[name], value)) ? [[name, value] as const] : []
  })
  const isNamed = nextCursor !== null || 'nextCursor' in last
  return { ...Object.fromEntries(same), [items]: data, ...(isNamed && { nextCursor }) }
}

const noCursor = (): Problem =>
  fieldProblem('invalid_request', 'cursor', 'cursor is not the nextCursor of a previous page')

/**
 * Where the page behind `cursor` begins, which is the id of the last puppet of the one before; null: not in this list.
 */
const startOf = (puppets: readonly Puppet[], cursor: string): number | null => {
  const at = puppets.findIndex(({ id }) => id === cursor)
  return at < 0 ? null : at + 1
}

const unreadNow = (backend: string): Problem =>
  new Problem('backend_unavailable', `the portraits of ${backend} cannot be read now: retry this page`, { backend })

/** "Path `puppetId` string": what no backend and no alias can have is malformed, as the contract's 400 says. */
const PUPPET_ID = /^[\x21-\x7e]{1,200}$/
const puppetIdOf = ({ params }: Request): string => {
  const puppetId = String(params['puppetId'])
  if (PUPPET_ID.test(puppetId)) return puppetId
  throw fieldProblem('invalid_request', 'puppetId', 'puppetId must be 1 to 200 visible ASCII characters')
}

/** Puppets, uploads and usage, through the engine. */
const primaryResources = (frame: Frame, deps: Deps): Handlers => {
  const { config, clock, catalog } = deps
  const { puppets, uploads, usage } = deps.resources
  const { adopt_existing: orUnowned } = config.dropin
  const callerAt = (res: Response, visible = frame.behind(res).only): Caller => ({ client: callerOf(res).id, visible })
  /** The backend that keeps saved puppets, where the one behind does not; null: none does. */
  const keeper = (res: Response): Backend | null => {
    const kept = puppets.keeper(frame.having(res, 'puppets_write'))
    return kept && frame.behind(res).only.has(kept.name) ? null : kept
  }
  const named = (res: Response, backend: string): Backend =>
    callerOf(res).visible.get(backend) ?? frame.behind(res).backend
  /** Where a puppet may be: at the backend behind, and at the one that keeps saved puppets. */
  const places = (res: Response): Caller[] => {
    const kept = keeper(res)
    return [callerAt(res), ...(kept ? [callerAt(res, new Map([[kept.name, kept]]))] : [])]
  }
  /** At the first of them that has the puppet. Throws what the last one says. */
  const firstOf = async <T>([place, ...rest]: readonly Caller[], use: (caller: Caller) => Promise<T>): Promise<T> => {
    if (!place) throw new Error('there is a backend behind')
    return use(place).catch((error: unknown) => {
      const isElsewhere = rest.length > 0 && error instanceof Problem && error.code === 'puppet_not_found'
      if (isElsewhere) return firstOf(rest, use)
      throw error
    })
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
    const at = frame.behind(res)
    const kept = keeper(res)
    const { puppets: listed, missing } = await frame.puppetsOf(at)
    const own = frame.withOldNames('puppets', at, listed)
    const keptThere = kept ? await catalog.of.puppets(kept.name).catch(orNone) : []
    // What it keeps under a name that is listed already is read at the backend behind.
    const ownIds = new Set(own.map(({ id }) => id))
    const list = [...own, ...keptThere.filter(({ id }) => !ownIds.has(id))]
    const known = cursor === undefined ? 0 : startOf(list, cursor)
    // The page before may have ended in a list that cannot be read now.
    if (known === null && missing[0]) throw unreadNow(missing[0].backend)
    const start = known ?? (await startAtBackend(res, list, cursor ?? ''))
    const page = list.slice(start, start + limit)
    const nextCursor = list.length > start + limit ? (page.at(-1)?.id ?? null) : null
    const read = [...at.only.keys()].find((name) => missing.every(({ backend }) => backend !== name))
    const pages = at.isSame && read !== undefined ? await catalog.raw.puppets(read) : []
    const data = page.map((puppet, i) => puppetBody(puppet, start + i < own.length ? at.backend : (kept ?? at.backend)))
    warnOf(res, missingNote(missing))
    res.json(pageBody(pages, data, nextCursor))
  }

  const createPuppet = async (req: Request, res: Response): Promise<void> => {
    const { given, unknown } = collapse(req.body, [], ['imageUrl', 'name'])
    // The header only: this operation lists no aliases in the body.
    const key = keyOf(req, undefined)
    const { imageUrl, name } = readPuppet(given)
    frame.noteUnknown(res, unknown)
    const request = { operation: 'POST /api/v1/puppets', imageUrl, name, backend: null }
    const caller = callerAt(res, frame.having(res, 'puppets_write'))
    const { puppet, backend, replayed } = await puppets.create(caller, request, key)
    res.status(replayed ? 200 : 201).json(puppetBody(puppet, named(res, backend)))
  }

  const getPuppet = async (req: Request, res: Response): Promise<void> => {
    const id = puppetIdOf(req)
    const { puppet, backend } = await firstOf(places(res), (caller) => puppets.get(caller, id))
    // By another name, as the list shows it.
    const isOther = !id.startsWith(`${backend}:`) && !frame.behind(res).isSame
    res.json(puppetBody(isOther ? { ...puppet, id } : puppet, named(res, backend)))
  }

  const deletePuppet = async (req: Request, res: Response): Promise<void> => {
    const id = puppetIdOf(req)
    // The one that keeps them is the one that can delete them.
    await firstOf(places(res).toReversed(), (caller) => puppets.delete(caller, id, { orUnowned }))
    res.status(204).end()
  }

  const createUpload = async (req: Request, res: Response): Promise<void> => {
    const groups = ['mime_type', 'content_length', 'require_video_readiness', 'idempotency_key'] as const
    const { given, key: inBody, unknown } = collapse(req.body, groups, [])
    const key = keyOf(req, inBody)
    const { mime_type, content_length, require_video_readiness } = readUpload(given)
    frame.noteUnknown(res, unknown)
    const request = {
      operation: 'POST /api/v1/uploads/audio-url',
      contentType: mime_type,
      sizeBytes: content_length,
      requireVideoReadiness: require_video_readiness,
    }
    const { hosted, upload } = await uploads.create(callerAt(res, frame.having(res, 'uploads')), request, key)
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
    const { backend, isSame, only } = frame.behind(res)
    // Of a pool no member speaks for all.
    const told = isSame && only.size === 1 ? await usage.told(backend) : null
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

  return {
    listPuppets,
    createPuppet: [jsonBodyOf(PUPPET_BODY_BYTES, ['application/json']), createPuppet],
    getPuppet,
    deletePuppet,
    createHostedAudioUploadUrl: [jsonBodyOf(UPLOAD_BODY_BYTES, ['application/json']), createUpload],
    getDeveloperApiUsage: getUsage,
  }
}

/**
 * Usage where the backend behind reports none ("Names of the usage response fields: not shown"), or where a pool is
 * behind: what the gateway knows itself, of all members together; null for the rest. Pure.
 */
const ownUsage = ({ backends, client }: Used): Record<string, unknown> => {
  const [backend] = backends
  const sum = (of: (one: Used['backends'][number]) => number | null): number | null => {
    const known = backends.flatMap((one) => of(one) ?? [])
    return known.length === 0 ? null : known.reduce((before, n) => before + n, 0)
  }
  const activeJobs = sum((one) => one.active_jobs)
  const freeSlots = sum((one) => one.free_slots)
  const canCreate = backends.some((one) => one.can_create) || (backend?.can_create ?? null)
  const readiness = {
    can_create: canCreate,
    canCreate,
    reason: canCreate === true ? null : (backend?.blocked_reason ?? null),
    active_jobs: activeJobs,
    activeJobs,
    available_slots: freeSlots,
    availableSlots: freeSlots,
  }
  return {
    object: 'usage',
    credits: {
      balance: sum((one) => one.credits_remaining),
      included: sum((one) => one.credits_included),
      purchased: sum((one) => one.credits_purchased),
      used_this_month: client.credits_charged,
      month: client.month,
    },
    checkout_available: backend?.checkout_available ?? null,
    credit_packs: backend?.credit_packs ?? null,
    video_generation: readiness,
    videoGeneration: readiness,
  }
}
