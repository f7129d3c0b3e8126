import type { HeadersOf, HeaderTable } from '../../openapi/components.ts'
import { COMMON_HEADERS, BACKEND_ERRORS, CREATE_ERRORS, createRefusals, RATE_HEADER_NAMES } from '../spec.ts'
import { EXAMPLE_IDS } from '../../../core/ids.ts'
import type { ProblemCode, ProblemExtras } from '../../../core/errors.ts'
import { publicIdOf, primaryError } from './errors.ts'
import { z } from 'zod'
import { Limit } from '../../parse.ts'
import {
  specsOf,
  type Operation,
  type SurfaceDocs,
  BODY_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
} from '../../openapi/operation.ts'
import { PRIMARY_BODIES, PRIMARY_VIEWS } from './schemas.ts'

const TAGS = [
  { name: 'Primary videos', description: 'Make a video job, and poll it.' },
  { name: 'Primary portraits', description: 'Save, list and delete portraits (puppets) of the workspace.' },
  {
    name: 'Primary voices and audio',
    description: 'List voices, turn text into speech, and upload audio to make videos from.',
  },
  { name: 'Primary usage', description: 'See credits, and whether you can make a video now.' },
] as const
type PrimaryTag = (typeof TAGS)[number]['name']

const INTRODUCTION = `
The gateway serves the primary interface under \`/api/v1\`. Operations, field names, status codes, headers, error bodies and limits
are those of its contract. Your client changes only its base URL, and its key, unless the gateway knows the old key.

The backend may be of either kind. If it cannot do something, the gateway refuses the request, or says so in
\`Talkbridge-Warning\`.

**One field is new**: both creates accept \`webhook_url\`. The gateway sends signed events there, in the form of the unified API.

**Videos are visible on every surface**: \`api_video_X\` here is \`vid_X\` on the unified API and on \`/v1\`.

**Samples of voices**: you fetch \`preview_url\` through the gateway, at the path in the list.

The [guide](/docs/guide/dropin.html) lists every difference from the service itself.
`.trim()

const COUNT = { type: 'integer', minimum: 0 }
const STATUS_URL = {
  description: 'The absolute URL where you read the status of the job.',
  schema: { type: 'string', format: 'uri' },
}
/** The job of a missing one is whatever was asked for. */
const JOB_ID = { description: 'The public id of the job.', schema: { type: 'string' } }

/** Primary contract, "Shared response headers". */
const HEADERS = {
  ...COMMON_HEADERS,
  'Retry-After': { description: 'Seconds to wait before you retry or poll again.', schema: COUNT },
  'X-Service-Next-Poll-At': {
    description: 'The same as a time. It equals `next_poll_at` of the body.',
    schema: { type: 'string', format: 'date-time' },
  },
  Location: STATUS_URL,
  'Content-Location': STATUS_URL,
  'Service-Operation-Id': JOB_ID,
  'X-Service-Operation-Id': JOB_ID,
  'Service-Request-Id': JOB_ID,
  'X-Service-Request-Id': JOB_ID,
  'X-Service-Credits-Required': { description: 'The credits that this video cost.', schema: COUNT },
  'X-Service-Credits-Remaining': { description: 'The credits that are left after it.', schema: COUNT },
} as const
type PrimaryHeader = keyof typeof HEADERS
const PRIMARY_HEADERS: HeaderTable = { prefix: 'Primary-', headers: HEADERS }

const all = (when: 'always' | 'sometimes', names: readonly PrimaryHeader[]): HeadersOf<PrimaryHeader> =>
  Object.fromEntries(names.map((name) => [name, when]))

const HINT = ['Retry-After', 'X-Service-Next-Poll-At'] as const
const JOB_NAMES = [
  'Location',
  'Content-Location',
  'Service-Operation-Id',
  'X-Service-Operation-Id',
  'Service-Request-Id',
  'X-Service-Request-Id',
] as const
const HINTED = all('always', HINT)
const MAYBE_HINTED = all('sometimes', HINT)
const OF_JOB = all('always', JOB_NAMES)
const MAYBE_OF_JOB = all('sometimes', JOB_NAMES)
const MAYBE_CREDITS = all('sometimes', ['X-Service-Credits-Required', 'X-Service-Credits-Remaining'])

/** One coherent story in every example of the document of `/api/v1`. */

const ID = publicIdOf(EXAMPLE_IDS.video)
const STATUS_PATH = `/api/v1/videos/${ID}`
const LATER = '2026-11-20T12:00:12.000Z'

const JOB = {
  id: ID,
  operation_id: ID,
  request_id: ID,
  status_url: STATUS_PATH,
  content_location: STATUS_PATH,
  status: 'queued',
  next_poll_at: LATER,
  nextPollAt: LATER,
}

const { next_poll_at: _at, nextPollAt: _nextAt, ...settled } = JOB
const FINISHED = { ...settled, status: 'completed', video_url: 'https://cdn.example/7Hq2.mp4?signature=abc' }

const VOICES = {
  object: 'list',
  data: [
    {
      id: 'sandbox-en-us-ava',
      object: 'voice',
      name: 'Ava',
      provider: 'sandbox',
      language: 'English (United States)',
      language_code: 'en-US',
      gender: 'Female',
      preview_url: '/previews/sandbox-en-us-ava.wav',
    },
  ],
}

const PUPPET = {
  id: 'puppet_ada',
  object: 'puppet',
  name: 'Ada',
  imageUrl: 'https://example.com/ada.png',
  createdAt: '2026-11-20T12:00:00.000Z',
}

/** What problems know beside their code, for the examples of errors. */
const EXTRAS: Partial<Record<ProblemCode, ProblemExtras>> = {
  video_not_found: { videoId: JOB.id },
  payload_too_large: { details: { max_body_bytes: 65_536 } },
  file_too_large: { details: { max_file_bytes: 52_428_800 } },
}

const TIMED_OUT = { error: 'job_status_timeout', message: 'The lookup took too long', retryable: true }

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
const WITH_JOB = { ...OF_JOB, ...MAYBE_CREDITS, ...MAYBE_HINTED }
const JOB_ANSWERS = {
  200: json(
    'You repeated the `Idempotency-Key` of a job that has ended. Nothing is charged.',
    'PrimaryVideoJob',
    FINISHED,
    { ...WITH_JOB, ...WARNED },
  ),
  202: json(
    'The job is queued. Or you repeated the `Idempotency-Key` of a job that has not ended.',
    'PrimaryVideoJob',
    JOB,
    { ...WITH_JOB, ...HINTED, ...WARNED },
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
      200: json('As it is now.', 'PrimaryVideoJob', JOB, WITH_JOB),
      504: json('The contract has this answer. The gateway never gives it.', 'PrimaryError', TIMED_OUT, {
        ...OF_JOB,
        ...HINTED,
      }),
    },
    problems: [...BACKEND_ERRORS, 'video_not_found'],
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
      200: json('A page.', 'PrimaryPuppetList', { object: 'list', data: [PUPPET], nextCursor: null }, WARNED),
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
      200: json('A hosted WAV file.', 'PrimarySpeech', { audio_url: 'https://storage.example/hello.wav' }, WARNED),
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
      200: json(
        'Signed URLs to upload to and to read from.',
        'PrimaryUpload',
        {
          upload_url: 'https://storage.example/put/hello.mp3?signature=abc',
          read_url: 'https://storage.example/hello.mp3?signature=def',
        },
        WARNED,
      ),
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

const PRIMARY_OPERATIONS: readonly Operation<Names>[] = [...VIDEOS, ...PUPPETS, ...AUDIO, ...ACCOUNT]

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
    // "Versioning".
    version: '2026-05-11',
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
