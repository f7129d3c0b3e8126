import { listOfOne, PUPPET, SPEECH, UPLOAD, VOICE } from '../../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, json, operations } from '../../openapi/operation.ts'
import { ListPuppetsQuery, ListVoicesQuery } from '../queries.ts'

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
