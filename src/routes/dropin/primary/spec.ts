import { z } from 'zod'
import { Limit } from '../../parse.ts'
import {
  specsOf,
  type Operation,
  type SurfaceDocs,
  BODY_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
} from '../../openapi/operation.ts'
import { EXAMPLE_IDS } from '../../../core/ids.ts'
import type { ProblemCode } from '../../../core/errors.ts'
import { BACKEND_ERRORS, CREATE_ERRORS, createRefusals, RATE_HEADER_NAMES } from '../spec.ts'
import { PRIMARY_BODIES } from './bodies.ts'
import { primaryError } from './errors.ts'
import { EXTRAS, FINISHED, JOB, PUPPET, TIMED_OUT, VOICES } from './examples.ts'
import {
  HINTED,
  MAYBE_CREDITS,
  MAYBE_HINTED,
  MAYBE_OF_JOB,
  OF_JOB,
  PRIMARY_HEADERS,
  type PrimaryHeader,
} from './headers.ts'
import { INTRODUCTION, TAGS, VERSION, type PrimaryTag } from './prose.ts'
import { PRIMARY_VIEWS } from './schemas.ts'

interface Names {
  view: keyof typeof PRIMARY_VIEWS
  body: keyof typeof PRIMARY_BODIES
  header: PrimaryHeader
  tag: PrimaryTag
  problem: ProblemCode
}
const { operations, json } = specsOf<Names>()

const WARNED = { 'Talkbridge-Warning': 'sometimes' } as const
const IMAGE = 'https://example.com/anna.png'

/** What both creates answer (primary contract, "POST /api/v1/videos/text"). */
const JOB_ANSWERS = {
  200: json(
    'You repeated the `Idempotency-Key` of a job that has ended. Nothing is charged.',
    'PrimaryVideoJob',
    FINISHED,
    {
      ...OF_JOB,
      ...MAYBE_CREDITS,
      ...MAYBE_HINTED,
      ...WARNED,
    },
  ),
  202: json(
    'The job is queued. Or you repeated the `Idempotency-Key` of a job that has not ended.',
    'PrimaryVideoJob',
    JOB,
    {
      ...OF_JOB,
      ...HINTED,
      ...MAYBE_CREDITS,
      ...WARNED,
    },
  ),
}
const VIDEOS = operations('Primary videos', {
  createVideoFromText: {
    at: ['post', '/api/v1/videos/text'],
    summary: 'A talking-head video from a portrait, a text and a voice',
    description:
      'The body may have 65,536 bytes. The gateway adds the field `webhook_url`. It sends the signed events of the video there, in the form of the unified API.',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'PrimaryTextVideo',
      examples: {
        text: { summary: 'A picture speaks a text', value: { image_url: IMAGE, text: 'Hello from Talkbridge.' } },
        aliases: {
          summary: 'The same request with the alias names',
          value: { portrait: IMAGE, script: 'Hello from Talkbridge.' },
        },
      },
    },
    answers: JOB_ANSWERS,
    problems: [...CREATE_ERRORS, ...IDEMPOTENCY_PROBLEMS, 'invalid_image', 'voice_not_found'],
  },
  createVideoFromAudio: {
    at: ['post', '/api/v1/videos/audio'],
    summary: 'A talking-head video from a portrait and hosted audio',
    description:
      'Works like createVideoFromText. You uploaded the audio through createHostedAudioUploadUrl with the same key.',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'PrimaryAudioVideo',
      examples: {
        audio: {
          summary: 'A picture speaks an audio file, here one of the sandbox',
          value: { image_url: IMAGE, audio_url: 'http://127.0.0.1:4010/previews/sandbox-en-us-ava.wav' },
        },
      },
    },
    answers: JOB_ANSWERS,
    problems: [
      ...CREATE_ERRORS,
      ...IDEMPOTENCY_PROBLEMS,
      'invalid_image',
      'upload_not_found',
      'upload_not_finished',
      'upload_check_unavailable',
    ],
  },
  getVideoJob: {
    at: ['get', '/api/v1/videos/{jobId}'],
    summary: 'The status of a job',
    description:
      'The answer comes from the gateway’s records. It costs the backend nothing, and the 504 of the contract does not occur.',
    scope: 'videos:read',
    answers: {
      200: json('As it is now.', 'PrimaryVideoJob', JOB, { ...OF_JOB, ...MAYBE_CREDITS, ...MAYBE_HINTED }),
      504: json('The contract has this answer. The gateway never gives it.', 'PrimaryError', TIMED_OUT, {
        ...OF_JOB,
        ...HINTED,
      }),
    },
    problems: ['video_not_found', 'backend_error', 'backend_unavailable'],
  },
})

const ListPuppetsQuery = z.strictObject({
  limit: Limit,
  cursor: z.string().optional().describe('The `nextCursor` of the previous page'),
})

const PUPPETS = operations('Primary portraits', {
  listPuppets: {
    at: ['get', '/api/v1/puppets'],
    summary: 'List saved portraits',
    scope: 'videos:read',
    query: ListPuppetsQuery,
    answers: {
      200: json('A page.', 'PrimaryPuppetList', { object: 'list', data: [PUPPET], nextCursor: null }),
    },
    problems: BACKEND_ERRORS,
  },
  createPuppet: {
    at: ['post', '/api/v1/puppets'],
    summary: 'Save a portrait',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'PrimaryNewPuppet',
      examples: { ada: { summary: 'A picture', value: { imageUrl: 'https://example.com/ada.png', name: 'Ada' } } },
    },
    answers: {
      200: json('You repeated its `Idempotency-Key`. Nothing new is saved.', 'PrimaryPuppet', PUPPET, WARNED),
      201: json('The portrait is saved.', 'PrimaryPuppet', PUPPET, WARNED),
    },
    problems: [
      ...BODY_PROBLEMS,
      ...IDEMPOTENCY_PROBLEMS,
      ...BACKEND_ERRORS,
      'invalid_image',
      'capability_not_supported',
    ],
  },
  getPuppet: {
    at: ['get', '/api/v1/puppets/{puppetId}'],
    summary: 'Read a saved portrait',
    scope: 'videos:read',
    answers: { 200: json('As it is now.', 'PrimaryPuppet', PUPPET) },
    problems: [...BACKEND_ERRORS, 'puppet_not_found'],
  },
  deletePuppet: {
    at: ['delete', '/api/v1/puppets/{puppetId}'],
    summary: 'Delete a saved portrait',
    scope: 'videos:create',
    answers: { 204: { description: 'It is deleted.' } },
    problems: [...BACKEND_ERRORS, 'puppet_not_found'],
  },
})

const AUDIO = operations('Primary voices and audio', {
  listServiceVoices: {
    at: ['get', '/api/v1/voices/service'],
    summary: 'List voices',
    description:
      'With a primary backend, the answer has the backend’s own bytes. You also get the samples through the gateway: `GET` the path in `preview_url`.',
    scope: 'voices:read',
    answers: { 200: json('All voices.', 'PrimaryVoiceList', VOICES) },
    problems: BACKEND_ERRORS,
  },
  createServiceSpeech: {
    at: ['post', '/api/v1/tts/service'],
    summary: 'Turn a text into speech',
    scope: 'tts:create',
    body: {
      name: 'PrimarySpeechText',
      examples: { hello: { summary: 'A greeting', value: { voice_id: 'sandbox-en-us-ava', text: 'Hello.' } } },
    },
    answers: {
      200: json('A hosted WAV file.', 'PrimarySpeech', { audio_url: 'https://storage.example/hello.wav' }),
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_ERRORS, 'voice_not_found', 'capability_not_supported'],
  },
  createHostedAudioUploadUrl: {
    at: ['post', '/api/v1/uploads/audio-url'],
    summary: 'Reserve an upload for an audio file',
    description: 'The body may have 8,192 bytes, the file 52,428,800. Next, `PUT` the file to the signed URL.',
    scope: 'uploads:create',
    requestHeaders: ['Idempotency-Key'],
    body: {
      name: 'PrimaryAudioUpload',
      examples: { mp3: { summary: 'An MP3', value: { mime_type: 'audio/mpeg', content_length: 48_213 } } },
    },
    answers: {
      200: json('Signed URLs to upload to and to read from.', 'PrimaryUpload', {
        upload_url: 'https://storage.example/put/hello.mp3?signature=abc',
        read_url: 'https://storage.example/hello.mp3?signature=def',
      }),
    },
    problems: [
      ...BODY_PROBLEMS,
      ...IDEMPOTENCY_PROBLEMS,
      ...BACKEND_ERRORS,
      'insufficient_credits',
      'file_too_large',
      'concurrency_limit_reached',
      'capability_not_supported',
    ],
  },
})

const ACCOUNT = operations('Primary usage', {
  getDeveloperApiUsage: {
    at: ['get', '/api/v1/usage'],
    summary: 'Credits, and whether a video can be created now',
    scope: 'videos:read',
    answers: { 200: json('As it is now.', 'PrimaryUsage', { credits: { balance: 9 } }, MAYBE_HINTED) },
    problems: BACKEND_ERRORS,
  },
})

export const PRIMARY_OPERATIONS: readonly Operation<Names>[] = [...VIDEOS, ...PUPPETS, ...AUDIO, ...ACCOUNT]

const refusals = createRefusals({
  answerOf: primaryError,
  wordOf: (body) => String(Reflect.get(body, 'error')),
  body: 'PrimaryError',
  table: PRIMARY_HEADERS,
  // A 401 has those of a window that nobody has touched.
  rated: { headers: RATE_HEADER_NAMES, always: [401, 402, 403, 404, 409, 413, 415, 429, 502] },
  headersOf: (status, codes) => ({
    ...(status === 401 && { 'WWW-Authenticate': 'sometimes' }),
    ...([400, 402, 409, 429, 500, 502, 503].includes(status) && MAYBE_HINTED),
    ...([409, 502].includes(status) && MAYBE_OF_JOB),
    ...(codes.includes('video_not_found') && OF_JOB),
  }),
  extras: EXTRAS,
})

const ERROR_WORDS = `Every error has this form, with each field in both spellings. Not every error has all fields. The gateway keeps a primary backend's own codes. \`error\` is:\n\n`

const PATH_PARAMETERS: Readonly<Record<string, { schema: object; example: string }>> = {
  jobId: { schema: { type: 'string', pattern: '^api_video_[A-Za-z0-9_-]+$' }, example: JOB.id },
  puppetId: { schema: { type: 'string' }, example: EXAMPLE_IDS.dropinPuppet },
}

/** `/api/v1`, as the primary contract has it. */
export const PRIMARY_SURFACE: SurfaceDocs = {
  name: 'primary',
  info: {
    title: 'Talkbridge: the primary interface',
    version: VERSION,
    summary: 'The API of the primary service, with any backend behind it.',
    description: INTRODUCTION,
  },
  tags: TAGS,
  groups: [{ name: 'Primary interface, /api/v1', tags: TAGS.map(({ name }) => name) }],
  operations: PRIMARY_OPERATIONS,
  views: {
    ...PRIMARY_VIEWS,
    PrimaryError: PRIMARY_VIEWS.PrimaryError.describe(ERROR_WORDS + refusals.tableOf(PRIMARY_OPERATIONS)),
  },
  bodies: PRIMARY_BODIES,
  headers: PRIMARY_HEADERS,
  rateHeaders: RATE_HEADER_NAMES,
  pathParameter: (name) => ({ description: 'The id, as an earlier answer showed it.', ...PATH_PARAMETERS[name] }),
  refusals: refusals.responses,
  examples: () => ({}),
  webhooks: () => ({}),
}
