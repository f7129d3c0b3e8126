import { listOfOne, PUPPET, SPEECH, UPLOAD, VOICE } from '../../openapi/examples.ts'
import {
  BACKEND_PROBLEMS,
  BODY_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  type Answer,
  type Operation,
} from '../../openapi/operation.ts'
import { ListPuppetsQuery, ListVoicesQuery, NoQuery } from '../queries.ts'

const cached = { 'X-Cache': 'always' } as const
const listed = { ...cached, 'Talkbridge-Warning': 'sometimes' } as const
const created = { 'Idempotency-Replayed': 'sometimes' } as const
const voices: Answer = { description: 'A page.', body: 'VoiceList', example: listOfOne(VOICE), headers: listed }
const puppets: Answer = { description: 'A page.', body: 'PuppetList', example: listOfOne(PUPPET), headers: listed }

export const CATALOG_OPERATIONS: readonly Operation[] = [
  {
    id: 'listVoices',
    method: 'get',
    path: '/unified/v1/voices',
    tag: 'Voices and portraits',
    summary: 'List voices',
    description:
      'Of all your backends. Pages go through what the catalogue said when the first one was asked for. Backends whose list cannot be had are named by `Talkbridge-Warning`; if none can be had, that is the answer.',
    scope: 'voices:read',
    query: ListVoicesQuery,
    answers: { 200: voices },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor'],
  },
  {
    id: 'listPuppets',
    method: 'get',
    path: '/unified/v1/puppets',
    tag: 'Voices and portraits',
    summary: 'List saved portraits',
    description:
      "They belong to the backend's workspace: all its clients see them. Lists of several backends are as those of listVoices.",
    scope: 'videos:read',
    query: ListPuppetsQuery,
    answers: { 200: puppets },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor'],
  },
  {
    id: 'createPuppet',
    method: 'post',
    path: '/unified/v1/puppets',
    tag: 'Voices and portraits',
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
      200: {
        description: 'The key was used before: this is what it made.',
        body: 'Puppet',
        example: PUPPET,
        headers: { ...created, Location: 'always' },
      },
      201: { description: 'It is saved.', body: 'Puppet', example: PUPPET, headers: { Location: 'always' } },
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
  {
    id: 'getPuppet',
    method: 'get',
    path: '/unified/v1/puppets/{id}',
    tag: 'Voices and portraits',
    summary: 'Read a saved portrait',
    scope: 'videos:read',
    query: NoQuery,
    answers: {
      200: {
        description: 'As the catalogue knows it.',
        body: 'Puppet',
        example: PUPPET,
        headers: { 'X-Cache': 'sometimes' },
      },
    },
    problems: [...BACKEND_PROBLEMS, 'puppet_not_found'],
  },
  {
    id: 'deletePuppet',
    method: 'delete',
    path: '/unified/v1/puppets/{id}',
    tag: 'Voices and portraits',
    summary: 'Delete a saved portrait',
    description: 'Only one that you saved through this gateway; another one is 403 `not_owner`.',
    scope: 'videos:create',
    query: NoQuery,
    answers: { 204: { description: 'It is gone.' } },
    problems: [...BACKEND_PROBLEMS, 'puppet_not_found', 'not_owner', 'capability_not_supported'],
  },
]

export const AUDIO_OPERATIONS: readonly Operation[] = [
  {
    id: 'createSpeech',
    method: 'post',
    path: '/unified/v1/speech',
    tag: 'Audio',
    summary: 'Say a text, without a picture',
    scope: 'tts:create',
    body: {
      name: 'CreateSpeech',
      examples: { hello: { summary: 'A greeting', value: { text: 'Hello.', voice_id: 'main:sandbox-en-us-ava' } } },
    },
    answers: { 200: { description: 'Where to hear it.', body: 'Speech', example: SPEECH } },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'voice_not_found', 'capability_not_supported'],
  },
  {
    id: 'createUpload',
    method: 'post',
    path: '/unified/v1/uploads',
    tag: 'Audio',
    summary: 'Reserve a place for an audio file',
    description:
      'Then `PUT` the file to `upload_url` with `headers`, straight to storage, and name the upload in createVideo as `upload_id`.',
    scope: 'uploads:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'CreateUpload',
      examples: { mp3: { summary: 'An MP3', value: { content_type: 'audio/mpeg', size_bytes: 48_213 } } },
    },
    answers: {
      200: { description: 'The same upload, freshly signed.', body: 'Upload', example: UPLOAD, headers: created },
      201: { description: 'A place for it.', body: 'Upload', example: UPLOAD },
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
]
