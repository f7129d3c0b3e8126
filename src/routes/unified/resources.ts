import type { Request, Response, Router } from 'express'
import { puppetView, type Catalog, type Gathered } from '../../catalog/index.ts'
import type { Caller, Resources } from '../../resources/index.ts'
import { callerOf, needs } from '../middleware/caller.ts'
import { idempotencyKey, parseOr400, NoQuery, parseQuery, unknownBackend, jsonBody, noQuery } from '../parse.ts'
import { CreatePuppetBody, ListPuppetsQuery, ListVoicesQuery, CreateSpeechBody, CreateUploadBody } from './input.ts'
import type { Cursors } from '../../core/api/signed.ts'
import { noBackend, Problem } from '../../core/errors.ts'
import { type VoiceView, MAX_AUDIO_BYTES, type SpeechView, type UploadView } from '../../core/api/videos.ts'
import type { Client } from '../clients.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { missingNote, warn, behind, listPage, openPlace } from './paging.ts'
import { isoOrNull } from '../../core/time/clock.ts'
import { listOfOne, PUPPET, SPEECH, UPLOAD, VOICE } from '../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, json, operations } from '../openapi/operation.ts'

interface PuppetHandlersDeps {
  resources: Pick<Resources, 'puppets'>
}

export const asCaller = (res: Response): Caller => {
  const { id, visible } = callerOf(res)
  return { client: id, visible }
}

/** What is done with one puppet; the list of them is the catalogue's. */
const puppetHandlers = ({ resources: { puppets } }: PuppetHandlersDeps) => ({
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

interface AudioRoutesDeps {
  resources: Pick<Resources, 'createSpeech' | 'uploads'>
}

const refuseTooLarge = (sizeBytes: number): void => {
  if (sizeBytes <= MAX_AUDIO_BYTES) return
  throw new Problem('file_too_large', `audio may have at most ${MAX_AUDIO_BYTES} bytes`, {
    param: 'size_bytes',
    details: { max_file_bytes: MAX_AUDIO_BYTES },
  })
}

/** Speech from text, and places for a client's own audio. */
export const audioRoutes = ({ resources: { createSpeech, uploads } }: AudioRoutesDeps): Router => {
  const speech = async (req: Request, res: Response): Promise<void> => {
    const { text, voice_id: voiceId, speed } = parseOr400(CreateSpeechBody, req.body)
    const clip = await createSpeech(asCaller(res), { text, voiceId, speed: speed ?? null })
    const view: SpeechView = {
      object: 'speech',
      audio_url: clip.audioUrl,
      expires_at: isoOrNull(clip.expiresAtMs),
      duration_seconds: clip.durationSeconds,
      content_type: clip.contentType,
    }
    res.json(view)
  }

  const upload = async (req: Request, res: Response): Promise<void> => {
    const key = idempotencyKey(req)
    parseQuery(NoQuery, req)
    const { content_type: contentType, size_bytes: sizeBytes, ...rest } = parseOr400(CreateUploadBody, req.body)
    refuseTooLarge(sizeBytes)
    const request = {
      operation: 'POST /uploads',
      contentType,
      sizeBytes,
      requireVideoReadiness: rest.require_video_readiness ?? false,
    }
    const created = await uploads.create(asCaller(res), request, key)
    const { upload: record, hosted, replayed } = created
    if (replayed) res.set('idempotency-replayed', 'true')
    const view: UploadView = {
      id: record.id,
      object: 'upload',
      backend: record.backend,
      upload_url: hosted.uploadUrl,
      method: 'PUT',
      headers: hosted.headers,
      audio_url: hosted.audioUrl,
      expires_at: isoOrNull(hosted.expiresAtMs),
    }
    res.status(replayed ? 200 : 201).json(view)
  }

  const router = createRouter()
  router.route('/speech').post(needs('tts:create'), jsonBody, noQuery, speech).all(onlyMethods('POST'))
  router.route('/uploads').post(needs('uploads:create'), jsonBody, upload).all(onlyMethods('POST'))
  return router
}

const listed = { 'X-Cache': 'always', 'Talkbridge-Warning': 'sometimes' } as const
const created = { 'Idempotency-Replayed': 'sometimes' } as const

export const CATALOG_OPERATIONS = operations('Voices and portraits', {
  listVoices: {
    at: ['get', '/unified/v1/voices'],
    summary: 'List voices',
    description:
      'Lists the voices of all your backends. Each page continues after the last item of the page before, in the list as it is now. If the gateway cannot read the list of a backend, `Talkbridge-Warning` names it. If it can read none, the answer is the error.',
    scope: 'voices:read',
    query: ListVoicesQuery,
    answers: { 200: json('A page.', 'VoiceList', listOfOne(VOICE), listed) },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor'],
  },
  listPuppets: {
    at: ['get', '/unified/v1/puppets'],
    summary: 'List saved portraits',
    description:
      'Portraits belong to the workspace of the backend: all its clients see them. Lists of several backends work as in listVoices.',
    scope: 'videos:read',
    query: ListPuppetsQuery,
    answers: { 200: json('A page.', 'PuppetList', listOfOne(PUPPET), listed) },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor'],
  },
  createPuppet: {
    at: ['post', '/unified/v1/puppets'],
    summary: 'Save a portrait',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'CreatePuppet',
      examples: {
        picture: { summary: 'A picture', value: { image_url: 'https://example.com/ada.png', name: 'Ada' } },
      },
    },
    answers: {
      200: json('You used this `Idempotency-Key` before. This is the portrait that it made.', 'Puppet', PUPPET, {
        ...created,
        Location: 'always',
      }),
      201: json('The portrait is saved.', 'Puppet', PUPPET, { Location: 'always' }),
    },
    problems: [
      ...BODY_PROBLEMS,
      ...BACKEND_PROBLEMS,
      ...IDEMPOTENCY_PROBLEMS,
      'invalid_image',
      'puppet_not_found',
      'file_too_large',
      'capability_not_supported',
    ],
  },
  getPuppet: {
    at: ['get', '/unified/v1/puppets/{id}'],
    summary: 'Read a saved portrait',
    scope: 'videos:read',
    answers: { 200: json('The portrait, as it is in the catalogue.', 'Puppet', PUPPET, { 'X-Cache': 'sometimes' }) },
    problems: [...BACKEND_PROBLEMS, 'puppet_not_found'],
  },
  deletePuppet: {
    at: ['delete', '/unified/v1/puppets/{id}'],
    summary: 'Delete a saved portrait',
    description:
      'You can delete only a portrait that you saved through this gateway. For another one you get 403 `not_owner`.',
    scope: 'videos:create',
    answers: { 204: { description: 'It is deleted.' } },
    problems: [...BACKEND_PROBLEMS, 'puppet_not_found', 'not_owner', 'capability_not_supported'],
  },
})

export const AUDIO_OPERATIONS = operations('Audio', {
  createSpeech: {
    at: ['post', '/unified/v1/speech'],
    summary: 'Turn a text into speech',
    scope: 'tts:create',
    body: {
      name: 'CreateSpeech',
      examples: { hello: { summary: 'A greeting', value: { text: 'Hello.', voice_id: 'main:sandbox-en-us-ava' } } },
    },
    answers: { 200: json('The URL of the speech.', 'Speech', SPEECH) },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'voice_not_found', 'capability_not_supported'],
  },
  createUpload: {
    at: ['post', '/unified/v1/uploads'],
    summary: 'Reserve an upload for an audio file',
    description:
      'Next, `PUT` the file to `upload_url` with the `headers` of the answer. It goes directly to storage. Then give the id to createVideo as `upload_id`.',
    scope: 'uploads:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'CreateUpload',
      examples: { mp3: { summary: 'An MP3', value: { content_type: 'audio/mpeg', size_bytes: 48_213 } } },
    },
    answers: {
      200: json(
        'You used this `Idempotency-Key` before. This is the same upload with new signatures.',
        'Upload',
        UPLOAD,
        created,
      ),
      201: json('The upload is reserved.', 'Upload', UPLOAD),
    },
    problems: [
      ...BODY_PROBLEMS,
      ...BACKEND_PROBLEMS,
      ...IDEMPOTENCY_PROBLEMS,
      'file_too_large',
      'capability_not_supported',
      'upload_check_unavailable',
    ],
  },
})
