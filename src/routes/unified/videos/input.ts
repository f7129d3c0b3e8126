import { z } from 'zod'
import { UNIFIED_CREATE, type CreateRequest } from '../../../engine/index.ts'
import { ownKindOf } from '../../../core/ids.ts'
import { DEFAULT_EVENT_TYPES, RESOLUTIONS, VIDEO_EVENT_TYPES } from '../../../core/vocabulary.ts'
import { BackendName, parseOr400, unknownBackend, type Fault } from '../../parse.ts'

export const Id = z.string().min(1).max(200)
/** Of what a backend has: one of the gateway's own would be asked for there in vain. */
export const NativeId = Id.refine((id) => ownKindOf(id) === null, {
  error: ({ input }) => `is the gateway's id of ${ownKindOf(String(input)) ?? 'something else'}`,
})
export const Url = z.string().min(1).max(2_048)
/** Sent on as it is: what the parser would quietly repair (spaces, missing slashes) another one may read differently. */
const plainUrl = (value: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}\\/?#][^\s\p{Cc}\\]*$/iu.test(value) && URL.canParse(value)
const isHttps = (value: string): boolean => /^https:/i.test(value) && plainUrl(value)
/** It is stored, shown in reads and handed to others: no place for a credential. An empty one is one, too. */
const carriesNobody = (value: string): boolean => !/^[^/?#]*\/\/[^/?#]*@/.test(value)
const NOBODY = 'must not contain a user name or password'
/** http or https. */
export const PlainUrl = Url.refine(plainUrl, 'must be an https URL').refine(carriesNobody, NOBODY)
export const HttpsUrl = Url.refine(isHttps, 'must be an https URL').refine(carriesNobody, NOBODY)

/** Where it leads is vetted later. */
export const WebhookUrl = Url.refine((value) => URL.canParse(value), 'must be an absolute URL')

export const Spoken = z.string().regex(/\S/, 'must not be blank')

export const METADATA = { pairs: 50, key: 40, value: 500, bytes: 8_192 } as const
const Metadata = z
  .record(z.string().min(1).max(METADATA.key), z.string().max(METADATA.value))
  .refine((pairs) => Object.keys(pairs).length <= METADATA.pairs, `must have at most ${METADATA.pairs} pairs`)
  .refine(
    (pairs) => Buffer.byteLength(JSON.stringify(pairs)) <= METADATA.bytes,
    `must have at most ${METADATA.bytes} bytes, as JSON`,
  )

/** The body of createVideo. A null is a field that was not given, so that a Video's `input` can be sent again. */
export const CreateVideoBody = z.strictObject({
  image_url: HttpsUrl.nullish().describe('The portrait, an https URL. Or give `puppet_id`'),
  puppet_id: NativeId.nullish().describe('The id of a saved portrait. Or give `image_url`'),
  text: Spoken.nullish().describe('The text to speak. Or give `audio_url` or `upload_id`'),
  script: Spoken.nullish().describe('Another name for `text`'),
  // Whether it may be plain http is the engine's to say: uploads and exceptions of the configuration may.
  audio_url: PlainUrl.nullish().describe('The audio to use as speech, an https URL'),
  upload_id: Id.nullish().describe('The audio to use as speech, from createUpload'),
  voice_id: NativeId.nullish().describe("Only with `text`. Default: the backend's own voice"),
  language: z.string().min(1).max(35).nullish(),
  expressiveness: z.number().nullish(),
  resolution: z.enum(RESOLUTIONS).nullish(),
  backend: BackendName.nullish().describe(
    'The backend to use. Without it, your ids, the routing rules or the default decide',
  ),
  unsupported: z
    .enum(['reject', 'warn'])
    .nullish()
    .describe(
      'What happens if the backend does not have an option. `reject` (default): you get 422. `warn`: the video is made without it, and `warnings` lists it',
    ),
  webhook_url: WebhookUrl.nullish().describe('Where to send the signed events of this video'),
  webhook_events: z
    .array(z.enum(VIDEO_EVENT_TYPES))
    .min(1)
    .max(VIDEO_EVENT_TYPES.length)
    .nullish()
    .describe('Which events to send. Default: the terminal ones'),
  metadata: Metadata.nullish().describe(
    'Your own data: up to 50 pairs, together up to 8 KiB. Reads and events repeat them',
  ),
})

const SOURCES = ['text', 'script', 'audio_url', 'upload_id'] as const
const PORTRAITS = ['image_url', 'puppet_id'] as const

const exactlyOne = (given: ReadonlySet<string>, names: readonly string[], allowed: string): Fault[] => {
  const found = names.filter((name) => given.has(name))
  if (found.length === 1) return []
  const message = found.length === 0 ? `give exactly one of ${allowed}` : `give only one of ${allowed}`
  return [{ path: found[1] ?? names[0] ?? '', message }]
}

/** zod leaves this one key out of a record without a word. */
export const metadataFaults = (body: unknown): Fault[] => {
  const metadata: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'metadata') : null
  return typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, '__proto__')
    ? [{ path: 'metadata.__proto__', message: 'cannot be a key' }]
    : []
}

/** What only shows across fields; looks at which are given, not at their types. */
const across = (body: unknown): Fault[] => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const given = new Set(
    Object.entries(body).flatMap(([key, value]) => (value === null || value === undefined ? [] : [key])),
  )
  const faults = [
    ...exactlyOne(given, PORTRAITS, 'image_url, puppet_id'),
    ...exactlyOne(given, SOURCES, 'text (or script), audio_url, upload_id'),
  ]
  const spoken = given.has('text') || given.has('script')
  if (given.has('voice_id') && !spoken) faults.push({ path: 'voice_id', message: 'works only with text' })
  if (given.has('webhook_events') && !given.has('webhook_url')) {
    faults.push({ path: 'webhook_events', message: 'works only with webhook_url' })
  }
  return [...faults, ...metadataFaults(body)]
}

/** Throws `invalid_request` with every fault. */
export const readCreateVideo = (body: unknown, visible: ReadonlyMap<string, unknown>): CreateRequest => {
  const given = parseOr400(CreateVideoBody, body, across, unknownBackend(visible))
  return {
    ...UNIFIED_CREATE,
    input: {
      image_url: given.image_url ?? null,
      puppet_id: given.puppet_id ?? null,
      text: given.text ?? given.script ?? null,
      audio_url: given.audio_url ?? null,
      upload_id: given.upload_id ?? null,
      voice_id: given.voice_id ?? null,
      language: given.language ?? null,
      expressiveness: given.expressiveness ?? null,
      resolution: given.resolution ?? null,
    },
    backend: given.backend ?? null,
    unsupported: given.unsupported ?? 'reject',
    webhookUrl: given.webhook_url ?? null,
    // One order, each once: two bodies that ask for the same are the same to an idempotency key.
    webhookEvents: VIDEO_EVENT_TYPES.filter((type) => (given.webhook_events ?? DEFAULT_EVENT_TYPES).includes(type)),
    metadata: given.metadata ?? {},
  }
}
