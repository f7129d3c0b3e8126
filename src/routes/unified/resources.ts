import type { Response } from 'express'
import { puppetView, type Gathered } from '../../catalog/index.ts'
import { MAX_AUDIO_BYTES, type SpeechView, type UploadView } from '../../core/api/videos.ts'
import type { VoiceView } from '../../core/api/videos.ts'
import { noBackend, Problem } from '../../core/errors.ts'
import { isoOrNull } from '../../core/time/clock.ts'
import { allNames, namedBy } from '../../engine/index.ts'
import type { Caller } from '../../resources/index.ts'
import type { Client } from '../clients.ts'
import { callerOf } from '../middleware/request.ts'
import { listOfOne, PUPPET, SPEECH, UPLOAD, VOICE } from '../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, json } from '../openapi/operation.ts'
import { unknownBackend } from '../parse.ts'
import { ListPuppetsQuery, ListVoicesQuery } from './input.ts'
import { type Ports, behind, listPage, missingNote, openPlace, operation, warn } from './operation.ts'

export const asCaller = (res: Response): Caller => {
  const { id, visible } = callerOf(res)
  return { client: id, visible }
}

const namesOf = ({ visible }: Client, backend: string | undefined): string[] => {
  if (backend === undefined) return [...visible.keys()]
  const names = namedBy(backend, visible).map(({ name }) => name)
  if (names.length > 0) return names
  throw new Problem('invalid_request', noBackend(backend, allNames(visible)), { param: 'backend' })
}

/** Voices are the same for all members of a pool: those of the first one that can be read, under the name of the pool. */
const poolsOf = ({ visible }: Client, names: readonly string[], backend: string | undefined) => {
  const pooled = new Map<string, string>()
  for (const name of backend !== undefined && visible.has(backend) ? [] : names) {
    const pool = visible.get(name)?.pool
    if (pool && ![...pooled.values()].includes(pool.name)) pooled.set(name, pool.name)
  }
  const inPool = (name: string): boolean => [...pooled.values()].includes(visible.get(name)?.pool?.name ?? '')
  const others = (name: string): string[] =>
    namedBy(pooled.get(name) ?? '', visible).flatMap((one) => (one.name === name ? [] : [one.name]))
  return { pooled, others, names: names.filter((name) => pooled.has(name) || !inPool(name)) }
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

/** A page of what several backends have. */
const pageOfAll = async (
  { cursors }: Ports,
  res: Response,
  { limit, cursor, ...filters }: { limit: number; cursor?: string | undefined; [filter: string]: unknown },
  [kind, load]: [kind: string, load: () => Promise<Gathered<{ id: string }[]>>],
) => {
  const scope = JSON.stringify([kind, callerOf(res).id, filters])
  const place = openPlace(cursors, scope, cursor)
  const { value, state, missing } = await load()
  // The page before ended in a list that cannot be had now.
  if (missing[0] && place && behind(value, place, keyOf) === null) throw goesOnLater(missing[0].backend)
  warn(res, missingNote(missing))
  res.set('x-cache', state)
  return listPage(value, place, { cursors, scope, limit, keyOf })
}

const refuseTooLarge = (sizeBytes: number): void => {
  if (sizeBytes <= MAX_AUDIO_BYTES) return
  throw new Problem('file_too_large', `audio may have at most ${MAX_AUDIO_BYTES} bytes`, {
    param: 'size_bytes',
    details: { max_file_bytes: MAX_AUDIO_BYTES },
  })
}

const listed = { 'X-Cache': 'always', 'Talkbridge-Warning': 'sometimes' } as const
const created = { 'Idempotency-Replayed': 'sometimes' } as const

export const CATALOG_OPERATIONS = [
  operation('Voices and portraits', {
    id: 'listVoices',
    at: ['get', '/unified/v1/voices'],
    summary: 'List voices',
    description:
      'Lists the voices of all your backends. Each page continues after the last item of the page before, in the list as it is now. If the gateway cannot read the list of a backend, `Talkbridge-Warning` names it. If it can read none, the answer is the error.',
    scope: 'voices:read',
    query: ListVoicesQuery,
    answers: { 200: json('A page.', 'VoiceList', listOfOne(VOICE), listed) },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor'],
    handle: (ports, { res, client, query }) => {
      const { language, gender } = query
      const { names, pooled, others } = poolsOf(client, namesOf(client, query.backend), query.backend)
      const load = async () => {
        const found = await ports.catalog.voices(names, others)
        const all = found.value.map((voice) => {
          const pool = pooled.get(voice.backend)
          return pool === undefined
            ? voice
            : { ...voice, id: `${pool}${voice.id.slice(voice.backend.length)}`, backend: pool }
        })
        const value = all.filter(
          (voice) =>
            (language === undefined || speaks(voice, language)) &&
            (gender === undefined || voice.gender === gender.toLowerCase()),
        )
        return { ...found, value }
      }
      return pageOfAll(ports, res, query, ['voices', load])
    },
  }),
  operation('Voices and portraits', {
    id: 'listPuppets',
    at: ['get', '/unified/v1/puppets'],
    summary: 'List saved portraits',
    description:
      'Portraits belong to the workspace of the backend: all its clients see them. Lists of several backends work as in listVoices.',
    scope: 'videos:read',
    query: ListPuppetsQuery,
    answers: { 200: json('A page.', 'PuppetList', listOfOne(PUPPET), listed) },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor'],
    handle: (ports, { res, client, query }) => {
      const names = namesOf(client, query.backend)
      return pageOfAll(ports, res, query, ['puppets', () => ports.catalog.puppets(names)])
    },
  }),
  operation('Voices and portraits', {
    id: 'createPuppet',
    at: ['post', '/unified/v1/puppets'],
    summary: 'Save a portrait',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'CreatePuppet',
      later: ({ visible }) => unknownBackend(visible),
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
    handle: async ({ resources: { puppets } }, { res, key, body: { image_url: imageUrl, name, backend } }) => {
      const request = { operation: 'POST /puppets', imageUrl, name: name ?? null, backend: backend ?? null }
      const created = await puppets.create(asCaller(res), request, key)
      if (created.replayed) res.set('idempotency-replayed', 'true')
      const view = puppetView(created.backend, created.puppet)
      res
        .status(created.replayed ? 200 : 201)
        .location(`/unified/v1/puppets/${encodeURIComponent(view.id).replace('%3A', ':')}`)
      return view
    },
  }),
  operation('Voices and portraits', {
    id: 'getPuppet',
    at: ['get', '/unified/v1/puppets/{id}'],
    summary: 'Read a saved portrait',
    scope: 'videos:read',
    answers: { 200: json('The portrait, as it is in the catalogue.', 'Puppet', PUPPET, { 'X-Cache': 'sometimes' }) },
    problems: [...BACKEND_PROBLEMS, 'puppet_not_found'],
    handle: async ({ resources: { puppets } }, { res, id }) => {
      const { backend, puppet, state } = await puppets.get(asCaller(res), id)
      res.set('x-cache', state)
      return puppetView(backend, puppet)
    },
  }),
  operation('Voices and portraits', {
    id: 'deletePuppet',
    at: ['delete', '/unified/v1/puppets/{id}'],
    summary: 'Delete a saved portrait',
    description:
      'You can delete only a portrait that you saved through this gateway. For another one you get 403 `not_owner`.',
    scope: 'videos:create',
    answers: { 204: { description: 'It is deleted.' } },
    problems: [...BACKEND_PROBLEMS, 'puppet_not_found', 'not_owner', 'capability_not_supported'],
    handle: ({ resources: { puppets } }, { res, id }) => puppets.delete(asCaller(res), id),
  }),
]

export const AUDIO_OPERATIONS = [
  operation('Audio', {
    id: 'createSpeech',
    at: ['post', '/unified/v1/speech'],
    summary: 'Turn a text into speech',
    scope: 'tts:create',
    body: {
      name: 'CreateSpeech',
      examples: { hello: { summary: 'A greeting', value: { text: 'Hello.', voice_id: 'main:sandbox-en-us-ava' } } },
    },
    answers: { 200: json('The URL of the speech.', 'Speech', SPEECH) },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'voice_not_found', 'capability_not_supported'],
    handle: async ({ resources }, { res, body: { text, voice_id: voiceId, speed } }): Promise<SpeechView> => {
      const clip = await resources.createSpeech(asCaller(res), { text, voiceId, speed: speed ?? null })
      return {
        object: 'speech',
        audio_url: clip.audioUrl,
        expires_at: isoOrNull(clip.expiresAtMs),
        duration_seconds: clip.durationSeconds,
        content_type: clip.contentType,
      }
    },
  }),
  operation('Audio', {
    id: 'createUpload',
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
    handle: async ({ resources: { uploads } }, { res, key, body }): Promise<UploadView> => {
      refuseTooLarge(body.size_bytes)
      const request = {
        operation: 'POST /uploads',
        contentType: body.content_type,
        sizeBytes: body.size_bytes,
        requireVideoReadiness: body.require_video_readiness ?? false,
      }
      const { upload, hosted, replayed } = await uploads.create(asCaller(res), request, key)
      if (replayed) res.set('idempotency-replayed', 'true')
      res.status(replayed ? 200 : 201)
      return {
        id: upload.id,
        object: 'upload',
        backend: upload.backend,
        upload_url: hosted.uploadUrl,
        method: 'PUT',
        headers: hosted.headers,
        audio_url: hosted.audioUrl,
        expires_at: isoOrNull(hosted.expiresAtMs),
      }
    },
  }),
]
