import type { Chance } from './chance.ts'
import {
  ALTERNATE_VOICES,
  IMAGES,
  LIMIT_BYTES,
  MAX_FILE_BYTES,
  MIME_TYPES,
  PRIMARY_VOICES,
  PUPPETS,
  STRANGE_IMAGE,
} from './inputs.ts'
import type { Surface } from './vocabulary.ts'

/** One value of a body, under any of its names. */
export interface Group {
  readonly aliases: readonly string[]
  readonly isRequired: boolean
  readonly good: (chance: Chance) => unknown
  /** Beyond those that no field takes. */
  readonly bad: readonly unknown[]
}

/** A create, or a read. */
export interface Operation {
  readonly name: string
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Of a request that is understood. */
  readonly path: (chance: Chance) => string
  readonly weight: number
  readonly groups?: readonly Group[]
  readonly limitBytes?: number
  /** Takes an Idempotency-Key: in the header, or also in the body. */
  readonly keyIn?: 'header' | 'both'
  /** Values of a query; the first is fine. */
  readonly query?: Readonly<Record<string, readonly string[]>>
  /** Passed through where the same interface is behind: the answer to the byte. */
  readonly byBytes?: boolean
}

const one =
  <T>(...items: readonly T[]) =>
  (chance: Chance): T =>
    chance.pick(items)

const group = (
  aliases: readonly string[],
  good: Group['good'],
  { bad = [], isRequired = false }: Partial<Pick<Group, 'bad' | 'isRequired'>> = {},
): Group => ({ aliases, good, bad, isRequired })

const text = (length: number, letter = 'a'): string => letter.repeat(length)
const sentence = one(
  'Hello there',
  'Grüße aus Köln',
  '日本語のテキスト',
  'One. Two. Three. Four. Five.',
  text(300, 'la '),
)

const WORDS = [
  'image_url imageUrl image portrait portrait_url portraitUrl avatar avatarUrl avatar_url photo photoUrl photo_url',
  'text script prompt',
  'voice_id voiceId voice',
  'audio_url audioUrl audio',
  'mime_type mimeType contentType',
  'content_length contentLength sizeBytes file_size fileSize',
  'require_video_readiness requireVideoReadiness video_readiness_required videoReadinessRequired',
] as const
const [IMAGE = [], SCRIPT = [], VOICE = [], AUDIO = [], MIME = [], SIZE = [], READINESS = []] = WORDS.map((words) =>
  words.split(' '),
)

const BAD_IMAGES = [
  'not a url',
  'http://example.com/face.png',
  'ftp://example.com/face.png',
  'data:image/png;base64,AAAA',
  '//example.com/face.png',
  'https://',
  'https://example.com/face.txt',
  'https://example.com/face.PDF',
  'https://example.com/[[invalid-image]].png',
  STRANGE_IMAGE,
]
const image = group(IMAGE, one(...IMAGES), { isRequired: true, bad: BAD_IMAGES })
const expressiveness = group(['expressiveness'], one<number>(0, 0.5, 1, 1.25, 2), {
  bad: [-0.01, 2.01, 1e308, '1', '0.5'],
})

const createText: Operation = {
  name: 'createVideoFromText',
  surface: 'primary',
  method: 'POST',
  path: () => '/api/v1/videos/text',
  weight: 30,
  limitBytes: LIMIT_BYTES.video,
  keyIn: 'both',
  groups: [
    image,
    group(SCRIPT, sentence, { isRequired: true }),
    group(VOICE, one(...PRIMARY_VOICES), { bad: ['sandbox-xx', text(201), 'sandbox-ko-kr-minji'] }),
    group(['language'], one('en', 'en-US', 'German', text(35)), { bad: [text(36), 49] }),
    expressiveness,
  ],
}

const createAudio: Operation = {
  name: 'createVideoFromAudio',
  surface: 'primary',
  method: 'POST',
  path: () => '/api/v1/videos/audio',
  weight: 12,
  limitBytes: LIMIT_BYTES.video,
  keyIn: 'both',
  groups: [
    image,
    group(AUDIO, one('https://example.com/a.wav', 'https://example.com/media/audio/aud_1'), {
      isRequired: true,
      bad: ['not a url', 'ftp://example.com/a.wav', 'https://example.com/a%20b.wav'],
    }),
    expressiveness,
  ],
}

const createUpload: Operation = {
  name: 'createHostedAudioUploadUrl',
  surface: 'primary',
  method: 'POST',
  path: () => '/api/v1/uploads/audio-url',
  weight: 14,
  limitBytes: LIMIT_BYTES.upload,
  keyIn: 'both',
  groups: [
    group(MIME, one(...MIME_TYPES), {
      isRequired: true,
      bad: ['audio/ogg', 'AUDIO/WAV', 'audio/wav; codecs=1', 'wav'],
    }),
    group(SIZE, one(1, 2, 32_044, MAX_FILE_BYTES - 1, MAX_FILE_BYTES), {
      isRequired: true,
      bad: [MAX_FILE_BYTES + 1, 1e15, 1e300, '100', 0.5],
    }),
    group(READINESS, one(true, false), { bad: ['true', 1] }),
  ],
}

const createPuppet: Operation = {
  name: 'createPuppet',
  surface: 'primary',
  method: 'POST',
  path: () => '/api/v1/puppets',
  weight: 10,
  limitBytes: LIMIT_BYTES.small,
  keyIn: 'header',
  groups: [
    group(['imageUrl'], one(...IMAGES), { isRequired: true, bad: BAD_IMAGES }),
    group(['name'], one('Me', 'Zoë', text(200)), { bad: [text(201)] }),
  ],
}

const createSpeech: Operation = {
  name: 'createServiceSpeech',
  surface: 'primary',
  method: 'POST',
  path: () => '/api/v1/tts/service',
  weight: 6,
  limitBytes: LIMIT_BYTES.small,
  byBytes: true,
  groups: [
    group(['voice_id'], one(...PRIMARY_VOICES), { isRequired: true, bad: ['sandbox-xx', text(201)] }),
    group(['text'], one('Hi', 'Hello there', 'Grüße'), {
      isRequired: true,
      bad: [text(5_001)],
    }),
    group(['speed'], one(0.5, 1, 1.5, 2), { bad: [0.49, 2.01, '1'] }),
  ],
}

const ODD_IDS = [
  'api_video_01JD0000000000000000000000',
  'api_video_unknown',
  'api_video_-_-',
  'api_video_',
  'API_VIDEO_1',
  'vid_01JD0000000000000000000000',
  'clip_01JD0000000000000000000000',
  'puppet_ada',
  'puppet_unknown',
  'pup_ada',
  'api_video_a%2Fb',
  'api_video_a%20b',
  'api_video_%C3%A9',
  'api_video_a.b',
  'api_video_%00',
  'null',
  '..%2F..',
  '0',
  `api_video_${'x'.repeat(90)}`,
  `api_video_${'x'.repeat(200)}`,
  `api_video_${'x'.repeat(600)}`,
  'x'.repeat(100),
  'x'.repeat(101),
]

const INTEGERS = [
  '1',
  '2',
  '20',
  '100',
  '0',
  '101',
  '-1',
  '1.0',
  '1e1',
  '01',
  '',
  '%201',
  'abc',
  '99999999999999999999',
]

const read = (
  name: string,
  surface: Surface,
  path: string,
  weight: number,
  more: Partial<Operation> = {},
): Operation => ({ name, surface, method: 'GET', path: () => path, weight, ...more })

const withId = (prefix: string, suffix = ''): Pick<Operation, 'path'> => ({
  path: (chance) => `${prefix}/${chance.pick(ODD_IDS)}${suffix}`,
})

export const OPERATIONS: readonly Operation[] = [
  createText,
  createAudio,
  createUpload,
  createPuppet,
  createSpeech,
  read('listServiceVoices', 'primary', '/api/v1/voices/service', 4, { byBytes: true }),
  read('preview', 'primary', '', 3, {
    byBytes: true,
    path: (chance) => `/previews/${chance.pick([...PRIMARY_VOICES, 'sandbox-xx'])}.wav`,
  }),
  read('listPuppets', 'primary', '/api/v1/puppets', 6, {
    query: { limit: INTEGERS, cursor: ['puppet_ada', 'puppet_dov', 'puppet_unknown', '', '%zz', 'a%20b'] },
  }),
  read('getPuppet', 'primary', '', 5, withId('/api/v1/puppets')),
  read('deletePuppet', 'primary', '', 4, {
    method: 'DELETE',
    path: (chance) => `/api/v1/puppets/${chance.pick(ODD_IDS.filter((id) => id !== 'puppet_ada'))}`,
  }),
  read('getDeveloperApiUsage', 'primary', '/api/v1/usage', 4),
  read('getVideoJob', 'primary', '', 12, withId('/api/v1/videos')),
  {
    name: 'createVideo',
    surface: 'alternate',
    method: 'POST',
    path: () => '/v1/videos',
    weight: 50,
    limitBytes: LIMIT_BYTES.alternate,
    groups: [
      group(['script'], one('Hello there', 'Grüße', text(4_999), text(5_000), text(5_000, 'é')), {
        isRequired: true,
        bad: [text(5_001), text(2_501, '😀')],
      }),
      group(['puppet_id'], one(...PUPPETS), { isRequired: true, bad: ['pup_unknown', 'puppet_ada', text(201)] }),
      group(['voice_id'], one(...ALTERNATE_VOICES), { bad: ['voice_unknown', text(201)] }),
      group(['resolution'], one('720p', '1080p'), { bad: ['4k', '1080P', 1080] }),
    ],
  },
  read('listVideos', 'alternate', '/v1/videos', 16, {
    query: { page: INTEGERS, limit: INTEGERS, status: ['processing', 'completed', 'failed', 'queued', 'canceled', ''] },
  }),
  read('getVideo', 'alternate', '', 14, withId('/v1/videos')),
  read('getVideoDownload', 'alternate', '', 10, withId('/v1/videos', '/download')),
  read('listVoices', 'alternate', '/v1/voices', 5, { byBytes: true }),
  read('listPuppets', 'alternate', '/v1/puppets', 5),
]
