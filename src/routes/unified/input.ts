import { z } from 'zod'
import { type Backends, UNIFIED_CREATE, type CreateRequest } from '../../engine/index.ts'
import { ownKindOf } from '../../core/ids.ts'
import {
  DEFAULT_EVENT_TYPES,
  PRIORITIES,
  RESOLUTIONS,
  VIDEO_EVENT_TYPES,
  ENDPOINT_EVENT_TYPES,
  STATUSES,
  EVENT_TYPES,
  SCOPES,
} from '../../core/vocabulary.ts'
import { AgeOrOff, BackendName, parseOr400, unknownBackend, type Fault, DocumentedAs, Instant, PAGE } from '../parse.ts'
import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../../core/api/videos.ts'
import { DOUBTS } from '../../core/video.ts'
import { AUDIT_ACTIONS, DEFAULT_LIMITS } from '../../core/access.ts'
import { durationMs, UNIT_MS } from '../../core/time/clock.ts'

export const Id = z.string().min(1).max(200)
/** Of what a backend has: one of the gateway's own would be asked for there in vain. */
const NativeId = Id.refine((id) => ownKindOf(id) === null, {
  error: ({ input }) => `is the gateway's id of ${ownKindOf(String(input)) ?? 'something else'}`,
})
const Url = z.string().min(1).max(2_048)
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

const METADATA = { pairs: 50, key: 40, value: 500, bytes: 8_192 } as const
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
  priority: z
    .enum(PRIORITIES)
    .nullish()
    .describe('`low`: sent while none of your `normal` videos waits. Default: that of your client'),
  reuse: AgeOrOff(
    'Such as `7d`: you get the file of a younger video of exactly the same, at no cost. `off`: never. Default: that of your client',
  ).nullish(),
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

/** As the filter of a list: one pair. */
export const CancelVideosBody = z.strictObject({
  metadata: z
    .record(z.string().min(1).max(METADATA.key), z.string().max(METADATA.value))
    .refine((pairs) => Object.keys(pairs).length === 1, 'must have exactly one pair, such as {"batch": "june"}')
    .describe('Only videos whose metadata has this pair: exactly one'),
  cursor: z.string().min(1).max(1_000).nullish().describe('The `next_cursor` of the previous answer'),
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
export const across = (body: unknown): Fault[] => {
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

/** What a body of createVideo asks of the engine. */
export const createRequest = (given: z.output<typeof CreateVideoBody>): CreateRequest => {
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
    priority: given.priority ?? null,
    reuseMs: given.reuse ?? null,
    webhookUrl: given.webhook_url ?? null,
    // One order, each once: two bodies that ask for the same are the same to an idempotency key.
    webhookEvents: VIDEO_EVENT_TYPES.filter((type) => (given.webhook_events ?? DEFAULT_EVENT_TYPES).includes(type)),
    metadata: given.metadata ?? {},
  }
}

/** Throws `invalid_request` with every fault. */
export const readCreateVideo = (body: unknown, visible: Backends): CreateRequest =>
  createRequest(parseOr400(CreateVideoBody, body, across, unknownBackend(visible)))

const NAME = /^metadata(?:\[(.*)\])?$/s

/** A query in which `metadata=…` and `metadata[key]=…` are one field, for `MetadataFilter`. */
export const withMetadata = ({ query }: { query: object }): { query: object } => {
  const given: [string, unknown][] = Object.entries(query)
  const asked = given.filter(([name]) => NAME.test(name))
  if (asked.length === 0) return { query }
  return { query: { ...Object.fromEntries(given.filter(([name]) => !NAME.test(name))), metadata: asked } }
}

interface MetadataWish {
  key: string | null
  value: string
}

/** What is asked for, or what is wrong with it. */
const wishOf = (asked: readonly [string, unknown][]): MetadataWish | string => {
  const [[name, value] = ['', ''], ...more] = asked
  if (more.length > 0) return 'give only one: metadata=1001, or metadata[order]=1001'
  if (typeof value !== 'string') return 'must be given once'
  const key = NAME.exec(name)?.[1] ?? null
  if (key !== null && (key === '' || key.length > METADATA.key)) {
    return `must have a key of 1 to ${METADATA.key} characters: metadata[order]=1001`
  }
  if (value.length > METADATA.value || (value === '' && key === null)) {
    return `must be 1 to ${METADATA.value} characters`
  }
  return { key, value }
}

/** A value of the metadata: of any key, or of this one. */
const MetadataFilter = DocumentedAs(
  z
    .array(z.tuple([z.string(), z.unknown()]))
    .transform((asked, context): MetadataWish => {
      const wish = wishOf(asked)
      if (typeof wish !== 'string') return wish
      context.addIssue({ code: 'custom', message: wish })
      return z.NEVER
    })
    .optional(),
  {
    description:
      'Only videos whose metadata has exactly this value: `metadata=1001` under any key, `metadata[order]=1001` under the key `order`. Give one of them. With other filters, a page may be short while `has_more` is true.',
    anyOf: [
      { type: 'string', minLength: 1, maxLength: METADATA.value },
      {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: { type: 'string', maxLength: METADATA.value },
      },
    ],
    style: 'deepObject',
    explode: true,
  },
)

/** What each operation reads from its query: the schemas that parse it, and that the OpenAPI document shows. */

const VIDEO_FILTERS = {
  status: z.enum(STATUSES).optional().describe('Only videos with this status'),
  backend: BackendName.optional().describe('Only videos of this backend, or of the members of this pool'),
  created_after: Instant('Only videos created after this time').optional(),
  created_before: Instant('Only videos created before this time').optional(),
}

export const ListVideosQuery = z.strictObject({
  ...PAGE,
  ...VIDEO_FILTERS,
  metadata: MetadataFilter,
  origin: z
    .literal('backend')
    .optional()
    .describe('Lists what the backend itself knows. Needs `backend`, and the scope `backends:read_all`'),
})

export const GetVideoQuery = z.strictObject({
  expand: z.literal('timeline').optional().describe('Adds `timeline`: what happened to the video, step by step'),
})

const sigOf = (link: 'content_url' | 'events_url') =>
  z.string().max(200).optional().describe(`The signature in place of a key. It is part of every \`${link}\``)

export const ContentQuery = z.strictObject({ sig: sigOf('content_url') })

export const StreamVideoQuery = z.strictObject({ sig: sigOf('events_url') })

export const StreamEventsQuery = z.strictObject({
  types: DocumentedAs(
    z
      .string()
      .max(200)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(ENDPOINT_EVENT_TYPES)))
      .optional(),
    {
      type: 'string',
      maxLength: 200,
      description: 'Only events of these types, separated by commas',
      example: 'video.completed,video.failed',
    },
  ),
})

const backend = BackendName.optional().describe('Only items of this backend or pool')

export const ListVoicesQuery = z.strictObject({
  ...PAGE,
  backend,
  language: z
    .string()
    .min(1)
    .max(35)
    .optional()
    .describe('The beginning of a language tag (BCP 47): `en` finds `en-GB`'),
  gender: z.string().min(1).max(35).optional(),
})

export const ListPuppetsQuery = z.strictObject({ ...PAGE, backend })

const note = z.string().trim().min(1).max(500).optional().describe('Why. The audit log keeps it')

export const ResolveBody = z.union(
  [
    z.strictObject({ job_id: z.string().min(1).max(200).describe('The job that the create made'), note }),
    z.strictObject({
      absent: z.literal(true).describe('The create made no job. The gateway sends a create in doubt again'),
      attempt: z.int().min(1).describe('The attempt that you checked: `doubt.attempt` of the video'),
      note,
    }),
  ],
  'give only job_id, or only absent: true with its attempt',
)

/** Bodies of what is made beside videos. */

export const CreateSpeechBody = z.strictObject({
  text: Spoken.describe('The text to speak'),
  voice_id: NativeId.describe('The voice. Its id also names the backend'),
  speed: z.number().positive().nullish().describe('The speed of the speech; 1 is normal'),
})

export const CreateUploadBody = z.strictObject({
  content_type: z.enum(AUDIO_TYPES),
  size_bytes: z.int().min(1).describe(`The size of the file, at most ${MAX_AUDIO_BYTES}. A larger one gets 413`),
  require_video_readiness: z
    .boolean()
    .nullish()
    .describe('True: refuse the upload if no video could be made with it now'),
})

export const CreatePuppetBody = z.strictObject({
  image_url: HttpsUrl.describe('An https URL'),
  name: Spoken.max(200).nullish(),
  backend: CreateVideoBody.shape.backend,
})

export const ImportVideoBody = z.strictObject({
  backend: BackendName.describe('The backend that made the job'),
  backend_job_id: Id.describe("The backend's own id of the job"),
  webhook_url: CreateVideoBody.shape.webhook_url,
  metadata: CreateVideoBody.shape.metadata,
})

/** What the operations on webhooks read. */

const EndpointUrl = CreateVideoBody.shape.webhook_url
  .unwrap()
  .unwrap()
  .describe('The https URL that receives the events')
const Types = z
  .array(z.enum(ENDPOINT_EVENT_TYPES))
  .min(1, 'must not be empty')
  .max(ENDPOINT_EVENT_TYPES.length)
  .describe('The events to send. Default: completed, failed and canceled')
const DAY_S = 86_400

export const CreateEndpointBody = z.strictObject({
  url: EndpointUrl,
  events: Types.optional(),
  description: z.string().max(500).nullable().optional(),
  enabled: z.boolean().optional().describe('Default: true'),
})

export const PatchEndpointBody = CreateEndpointBody.extend({
  url: EndpointUrl.optional(),
  enabled: z.boolean().optional().describe('True: the gateway sends what it holds, ten a second'),
})

export const RotateSecretBody = z.strictObject({
  expire_old_in_seconds: z
    .int()
    .min(0)
    .max(30 * DAY_S)
    .optional()
    .describe(`How long the gateway also signs events with the old secrets. Default: ${DAY_S}`),
})
export const rotationMs = ({ expire_old_in_seconds: s = DAY_S }: z.infer<typeof RotateSecretBody>): number => s * 1000

export const ReplayBody = z.strictObject({
  since: Instant('Events from this time on'),
  until: Instant('Events before this time'),
  only_failed: z
    .boolean()
    .optional()
    .describe(
      'True: only events whose delivery the gateway gave up. Default: all events that the endpoint subscribes to',
    ),
})

export const NoteBody = z.strictObject({ note })
export const ReplayFailedBody = z.strictObject({ since: Instant('Events from this time on'), note })

export const RecordId = z.string().min(1).max(100)
export const ListEventsQuery = z.strictObject({
  ...PAGE,
  type: z.enum(EVENT_TYPES).optional().describe('Only events of this type'),
  video: RecordId.optional().describe('Only events of this video'),
  since: Instant('Only events from this time on').optional(),
  until: Instant('Only events before this time').optional(),
})
/** What operators ask for. A client or backend that is gone may still have a history, so any name is taken. */

const client = RecordId.optional().describe('Only what belongs to this client. Default: all clients')

export const AdminVideosQuery = z.strictObject({
  ...PAGE,
  client,
  ...VIDEO_FILTERS,
  doubt: z
    .enum(DOUBTS)
    .optional()
    .describe(
      'Only creates in doubt: `open` ones, or those that the gateway has `given_up` and no operator has answered. You cannot combine it with other filters',
    ),
  metadata: MetadataFilter,
})

export const AdminEventsQuery = ListEventsQuery.extend({ client })

export const AdminEndpointsQuery = z.strictObject({ ...PAGE, client })

const Month = DocumentedAs(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11'), {
  type: 'string',
  pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
  description: 'The calendar month in UTC. Default: this month',
  example: '2026-11',
})

export const AdminUsageQuery = z.strictObject({
  ...PAGE,
  month: Month.optional(),
  client,
  backend: BackendName.optional().describe(
    'Only rows of this backend, or of the members of this pool. Default: all rows, also those without a backend',
  ),
  format: z
    .enum(['json', 'csv'])
    .default('json')
    .describe('`csv`: the whole month as one file. `limit` and `cursor` work only with JSON'),
})

/** What the operations on keys, clients and the audit log read. */

/** As `clients[].id` of a configuration. */
const ClientId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be 1 to 63 characters a-z, 0-9, _ and -, starting with a letter or digit')
const expiresAt = Instant('The gateway refuses the key from this time on').nullable().optional()

export const CreateKeyBody = z.strictObject({
  client: ClientId.describe('The client that gets the key'),
  name: z.string().min(1).max(100).nullable().optional().describe('A name that shows people what the key is for'),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1, 'must not be empty')
    .max(SCOPES.length)
    .describe('What the key may do. You can give only scopes that your own key has'),
  expires_at: expiresAt,
})

const MAX_OVERLAP_MS = 30 * UNIT_MS.d
const NO_OVERLAP = 'must be 0 or a duration up to 30d, such as 90m, 24h or 7d'

const UNITS = ['s', 'm', 'h', 'd'] as const
const overlapMs = (text: string): number => (text === '0' ? 0 : durationMs(text, UNITS))

export const RotateKeyBody = z.strictObject({
  overlap: DocumentedAs(
    z
      .string()
      .max(10)
      .default('24h')
      .transform((text, context) => {
        const ms = overlapMs(text)
        if (ms <= MAX_OVERLAP_MS) return ms
        context.addIssue({ code: 'custom', message: NO_OVERLAP })
        return z.NEVER
      }),
    {
      type: 'string',
      maxLength: 10,
      default: '24h',
      description: 'How long the old key still works beside the new one: `0`, or a duration up to `30d`',
    },
  ),
  expires_at: Instant('When the new key ends; null: never. Default: it lives as long as the old key was made for')
    .nullable()
    .optional(),
})

const whole = (most: number) => z.int().min(1).max(most)
const defaultText = (value: number | null): string => `Default: ${value ?? 'null, no limit'}`
/** As `clients[].limits` of a configuration. */
const Limits = z.strictObject({
  requests_per_minute: whole(1_000_000).optional().describe(defaultText(DEFAULT_LIMITS.requestsPerMinute)),
  videos_per_month: whole(1_000_000_000).nullable().optional().describe(defaultText(DEFAULT_LIMITS.videosPerMonth)),
  credits_per_month: whole(1_000_000_000).nullable().optional().describe(defaultText(DEFAULT_LIMITS.creditsPerMonth)),
  queued_videos: whole(1_000_000).optional().describe(defaultText(DEFAULT_LIMITS.queuedVideos)),
  streams: whole(10_000).optional().describe(defaultText(DEFAULT_LIMITS.streams)),
})

const shared = {
  description: z.string().max(500).nullable().optional(),
  backends: z
    .array(BackendName)
    .min(1, 'must not be empty')
    .max(100)
    .nullable()
    .optional()
    .describe('The names of the backends that it may use; null: all. A new client may use all by default'),
  limits: Limits.optional(),
}

export const CreateClientBody = z.strictObject({ id: ClientId, ...shared })
export const PatchClientBody = z.strictObject({
  ...shared,
  enabled: z.boolean().optional().describe('False: the gateway refuses its keys until you set true again'),
})

export const ListKeysQuery = z.strictObject({
  ...PAGE,
  client: RecordId.optional().describe('Only keys of this client'),
})
export const ListAuditQuery = z.strictObject({
  ...PAGE,
  actor: RecordId.optional().describe('Only changes by this client, or by the `gateway`'),
  action: z.enum(AUDIT_ACTIONS).optional(),
  subject: z.string().min(1).max(200).optional().describe('Only changes of this key, client, video or rule'),
  since: Instant('Only entries from this time on').optional(),
})

/** Six digits and a unit. */
const MAX_DURATION_LENGTH = 7
const NO_TIME = 'must be a duration such as 90m, 24h or 30d, or a time in ISO 8601'

/** A time, or how long before `nowMs`, as milliseconds of the epoch; null: neither. */
const sinceOf = (text: string): ((nowMs: number) => number) | null => {
  const agoMs = durationMs(text, UNITS)
  if (text.length <= MAX_DURATION_LENGTH && !Number.isNaN(agoMs)) return (nowMs) => Math.max(0, nowMs - agoMs)
  const atMs = z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? null : () => atMs
}

/** From when on something counts: a duration back from now, or ISO 8601. */
const sinceParam = (preset: string, what: string) =>
  DocumentedAs(
    z
      .string()
      .max(40)
      .default(preset)
      .transform((text, context) => {
        const since = sinceOf(text)
        if (since) return since
        context.addIssue({ code: 'custom', message: NO_TIME })
        return z.NEVER
      }),
    {
      type: 'string',
      maxLength: 40,
      default: preset,
      description: `${what}: a duration before now (\`90m\`, \`24h\`, \`30d\`), or a time in ISO 8601`,
      example: preset,
    },
  )

/** What the operations on the migration read. */

export const MigrationQuery = z.strictObject({ since: sinceParam('24h', 'Count videos that ended after this time') })

const rule = RecordId.optional().describe(
  'The rule of the split, `rule_…`. You can leave it out if there is only one split',
)

export const SplitBody = z.strictObject({ rule })
export const StepBody = z.strictObject({
  rule,
  force: z.boolean().optional().describe('True: step though gates do not hold. Resume a stopped split first'),
})

export const PauseBody = z.strictObject({
  creates: z.boolean().describe('True: send it no creates, and none again that is in doubt'),
  polls: z.boolean().describe('True: do not ask it how its jobs are'),
  until: Instant('When the pause ends by itself. Default: when somebody resumes it').nullish(),
  reason: z.string().trim().min(1).max(500).describe('Why. Clients see it'),
})

export const MigrationReportQuery = z.strictObject({
  from: BackendName.describe('The backend or pool whose recorded requests are checked').meta({ example: 'main' }),
  to: BackendName.describe('The backend or pool that they are checked against').meta({ example: 'alt' }),
  since: sinceParam('30d', 'Only videos created since this time'),
})
