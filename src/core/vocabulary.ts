/** Of the whole package. A test holds it to package.json. */
export const VERSION = '0.1.0'

/** How the gateway calls itself to backends and receivers. */
export const USER_AGENT = `talkbridge/${VERSION}`

/** The words that every room uses; docs/glossary.md explains them. */
export const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

export const TERMINAL = ['completed', 'failed', 'canceled'] as const satisfies readonly Status[]
export type TerminalStatus = (typeof TERMINAL)[number]
export const isTerminal = (status: Status): status is TerminalStatus =>
  status === 'completed' || status === 'failed' || status === 'canceled'

export const VIDEO_EVENT_TYPES = [
  'video.queued',
  'video.processing',
  'video.progress',
  'video.completed',
  'video.failed',
  'video.canceled',
] as const
export type VideoEventType = (typeof VIDEO_EVENT_TYPES)[number]
/** What an endpoint may be sent if it asks for it. */
export const ENDPOINT_EVENT_TYPES = [...VIDEO_EVENT_TYPES, 'quota.warning'] as const
export type EndpointEventType = (typeof ENDPOINT_EVENT_TYPES)[number]
/** Types of all events that are kept; `webhook.test` is not kept. */
export const EVENT_TYPES = [...ENDPOINT_EVENT_TYPES, 'endpoint.disabled', 'routing.stopped'] as const
export type EventType = (typeof EVENT_TYPES)[number]
export const DEFAULT_EVENT_TYPES: readonly VideoEventType[] = ['video.completed', 'video.failed', 'video.canceled']

/** Whether these types tell how videos end. */
export const tellsOfEnds = (types: readonly EventType[]): boolean =>
  DEFAULT_EVENT_TYPES.some((type) => types.includes(type))

/** The APIs that clients speak to the gateway: its own, and each backend interface's contract. */
export const SURFACES = ['unified', 'primary', 'alternate'] as const
export type Surface = (typeof SURFACES)[number]

/** `low`: sent while no `normal` video of the same client could go. */
export const PRIORITIES = ['normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export const RESOLUTIONS = ['720p', '1080p'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/**
 * What an interface can do, as this gateway uses it today. The words mean: `voice_required`, a
 * video from text needs a voice; `progress`, running jobs tell theirs; `puppet_by_id`, one puppet can be asked for.
 */
export const CAPABILITIES = [
  'text_source',
  'audio_source',
  'image_url',
  'puppet_id',
  'resolution',
  'expressiveness',
  'language',
  'speech',
  'uploads',
  'puppets_write',
  'usage',
  'native_webhook',
  'native_list',
  'native_idempotency',
  'voice_required',
  'progress',
  'puppet_by_id',
] as const
export type Capability = (typeof CAPABILITIES)[number]
export type Capabilities = Readonly<Record<Capability, boolean>>

/** One account on one interface: (interface, origin, hash of the key). Backends of the same account share budget and slots. */
export type AccountId = string & { readonly account: unique symbol }
/** Reads an account id that was stored. */
export const accountIdOf = (id: string): AccountId => id as AccountId

/** What an app needs. The other scopes reach what is not its own, so nobody has them by default. */
export const APP_SCOPES = [
  'voices:read',
  'videos:read',
  'videos:create',
  'tts:create',
  'uploads:create',
  'webhooks:read',
  'webhooks:write',
] as const
/** What a key may do; `*` is all of it. */
export const SCOPES = [...APP_SCOPES, 'backends:import', 'backends:read_all', 'admin', '*'] as const
export type Scope = (typeof SCOPES)[number]

/** Why another backend may make a video in the place of the one that was chosen (docs/routing.md). */
export const FAILOVER_REASONS = ['down', 'no_slot', 'no_budget', 'no_credits'] as const
export type FailoverReason = (typeof FAILOVER_REASONS)[number]
