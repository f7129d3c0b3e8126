import { systemRuntime, type TalkbridgeOptions } from './send.ts'
import { talkbridgeIn, type Talkbridge } from './talkbridge.ts'

export { TalkbridgeError, type ClientCode, type Problem, type TalkbridgeErrorCode } from './error.ts'
export type { Answer, ApiPromise, Call, KeyedOptions, Listing, Page, Raw } from './raw.ts'
export type { Events, Puppets, SendOptions, Uploads, Voices, WebhookEndpoints } from './resources.ts'
export type { CallOptions, LoggedAttempt, TalkbridgeOptions } from './send.ts'
export type { Talkbridge } from './talkbridge.ts'
export type * from './types.ts'
export type { StreamFilter, Videos } from './videos.ts'
export * as webhooks from './webhooks.ts'

/** A client of one gateway. It holds no connection of its own: make one, and use it everywhere. */
export const createTalkbridge = (options: TalkbridgeOptions): Talkbridge => talkbridgeIn(systemRuntime, options)
