import type { Listing, Page } from './raw.ts'
import type { components, operations, webhooks } from './schema.d.ts'

/** The objects of the API by name, such as `Schema<'Voice'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type Video = Schema<'Video'>
/** As it is after its end. */
export type EndedVideo = Video & { status: 'completed' | 'failed' | 'canceled' }
export type NewVideo = Schema<'CreateVideo'>
/** With `timeline` where that was asked for. */
export type VideoInFull = Schema<'VideoWithTimeline'>
export type Upload = Schema<'Upload'>

export type VideoPage = Page<Video>

export type VideoListing = Listing<Video>

/** What `events_url` says: what you sent stays between you and the gateway. */
export type PublicVideo = Omit<Video, 'input' | 'metadata' | 'webhook_url'>

/** What a list may be asked for, such as `QueryOf<'listVoices'>`. */
export type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>
export type VideoQuery = Omit<QueryOf<'listVideos'>, 'origin'>

type Body<Type extends keyof webhooks> = webhooks[Type]['post']['requestBody']['content']['application/json']

/**
 * What a webhook says, and the stream of all your events. `type` says what `data` is. `id` is the same in every
 * attempt, redelivery and replay: do nothing for one that you know.
 */
export type WebhookEvent = {
  [Type in keyof webhooks]: Body<Type> extends { type: string; timestamp: string; data: object }
    ? { id: string; type: Type; timestamp: string; data: Body<Type>['data'] }
    : never
}[keyof webhooks]
export type WebhookEventType = WebhookEvent['type']

/** Events after the one that you came back with are no longer kept. The next is the oldest that is. */
export interface GapEvent {
  id: null
  type: 'stream.gap'
  timestamp: string
  data: Record<string, never>
}

/** A test of an endpoint is sent to that endpoint only. */
export type StreamEventType = Exclude<WebhookEventType, 'webhook.test'>
/** `lastEventId` is what a later stream continues behind. */
export type StreamEvent = (Extract<WebhookEvent, { type: StreamEventType }> | GapEvent) & { lastEventId: string | null }
