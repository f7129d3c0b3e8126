import { z } from 'zod'
import type { Adapter } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Tracing } from '../../core/tracing.ts'
import type { Capabilities, Capability } from '../../core/vocabulary.ts'
import type { Agents } from '../../http/agents.ts'
import type { JsonReply } from '../../http/call-json.ts'

/** The operations of the port that ask a backend, by the names of the unified API. */
export type Operation =
  | 'createVideo'
  | 'getVideo'
  | 'getVideoDownload'
  | 'listVideos'
  | 'listVoices'
  | 'listPuppets'
  | 'getPuppet'
  | 'createPuppet'
  | 'deletePuppet'
  | 'createSpeech'
  | 'createUpload'
  | 'getUsage'

/** What a key that may not do an operation cannot be used for. */
export const CAPABILITIES_OF = {
  createVideo: ['text_source', 'audio_source'],
  getVideo: [],
  getVideoDownload: [],
  listVideos: ['native_list'],
  listVoices: [],
  listPuppets: [],
  getPuppet: [],
  createPuppet: ['puppets_write'],
  deletePuppet: ['puppets_write'],
  createSpeech: ['speech'],
  createUpload: ['uploads'],
  getUsage: ['usage'],
} as const satisfies Record<Operation, readonly Capability[]>

/** Something a backend sent that the adapter has never been told of. */
export interface Drift {
  kind: 'status' | 'error_code' | 'field'
  operation: Operation
  /** The word or the field's name. */
  value: string
  /** A word as it came, redacted; of a field only its kind and size. */
  sample: string
}

/** One account on one interface, and what an adapter needs to speak for it. */
export interface AdapterAccount {
  /** May carry a path prefix; its query is ignored. */
  baseUrl: URL | string
  apiKey: string
  /** Of one exchange, from the call to the last byte, in milliseconds. */
  timeoutMs: number
  agents: Agents
  clock: Pick<Clock, 'now'>
  drift: (drift: Drift) => void
  /** The backend did an operation for this key, or answered it with a 403. */
  permitted: (operation: Operation, allowed: boolean) => void
  /** Its name in the configuration; of several, the first. */
  name: string
  tracing: Tracing
}

/** What an interface is to the rest of the gateway: a line in the table of adapters. */
export interface Interface {
  readonly create: (account: AdapterAccount) => Adapter
  /** Of every adapter that `create` makes. */
  readonly capabilities: Capabilities
  /** What holds where a configuration says nothing. */
  readonly defaults: {
    /** Running jobs that an account allows; null: the contract names no limit. */
    readonly slots: number | null
    /** Until the backend's headers tell. */
    readonly requestsPerMinute: number
  }
}

/** The least that any JSON answer of either contract is: an object, or a bare list. */
export const AnswerBody = z.union([z.looseObject({}), z.array(z.unknown())])
export type AnswerBody = z.infer<typeof AnswerBody>

export type Reply = JsonReply<AnswerBody>
export type Answered = Exclude<Reply, { kind: 'failed' }>
