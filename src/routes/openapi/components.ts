import { z } from 'zod'
import { VideoEventView } from '../../core/api/events.ts'
import {
  AdminVideoView,
  BackendErrorView,
  BackendView,
  DownloadView,
  listOf,
  ProblemView,
  PuppetView,
  VideoView,
  VoiceView,
  WebhookSecretView,
} from '../../core/api/videos.ts'
import {
  BackendVideoView,
  CheckView,
  DriftView,
  SpeechView,
  TimelineEntryView,
  UploadView,
  UsageView,
} from '../../core/api/resources.ts'
import {
  DeliveryView,
  DeliveryWithAttemptsView,
  EndpointDisabledView,
  EndpointTestView,
  EndpointView,
  EndpointWithSecretView,
  EventView,
  RedeliveryView,
  ReplayView,
  WebhookTestView,
} from '../../core/api/webhooks.ts'
import { CreateEndpointBody, PatchEndpointBody, ReplayBody, RotateSecretBody } from '../unified/webhooks/input.ts'
import { CreateVideoBody } from '../unified/videos/input.ts'
import { CreatePuppetBody, CreateSpeechBody, CreateUploadBody, ImportVideoBody } from '../unified/resources/input.ts'
import { ResolveBody } from '../unified/queries.ts'
import { closed, type JsonSchema } from './json-schema.ts'

const VideoList = listOf(VideoView)
const BackendVideoList = listOf(BackendVideoView)

/** What is answered. */
export const VIEWS = {
  Video: VideoView,
  VideoWithTimeline: VideoView.extend({
    timeline: z.array(TimelineEntryView).optional().describe('Only with `expand=timeline`'),
  }),
  VideoList,
  AdminVideo: AdminVideoView,
  BackendVideo: BackendVideoView,
  BackendVideoList,
  VideoListOfOrigin: z.union([VideoList, BackendVideoList]).describe('The latter only with `origin=backend`'),
  Download: DownloadView,
  Check: CheckView,
  Voice: VoiceView,
  VoiceList: listOf(VoiceView),
  Puppet: PuppetView,
  PuppetList: listOf(PuppetView),
  Speech: SpeechView,
  Upload: UploadView,
  Usage: UsageView,
  Backend: BackendView,
  BackendList: listOf(BackendView),
  Drift: DriftView,
  DriftList: listOf(DriftView),
  WebhookSecret: WebhookSecretView,
  WebhookEndpoint: EndpointView,
  WebhookEndpointWithSecret: EndpointWithSecretView,
  WebhookEndpointList: listOf(EndpointView),
  WebhookTest: EndpointTestView,
  Event: EventView,
  EventList: listOf(EventView),
  Delivery: DeliveryView,
  DeliveryWithAttempts: DeliveryWithAttemptsView,
  DeliveryList: listOf(DeliveryView),
  Redelivery: RedeliveryView,
  Replay: ReplayView,
  VideoEvent: VideoEventView,
  EndpointDisabledEvent: EndpointDisabledView,
  WebhookTestEvent: WebhookTestView,
  Problem: ProblemView,
  BackendError: BackendErrorView,
  OpenApi: z.looseObject({ openapi: z.string() }).describe('Opaque here: it is described by the OpenAPI specification'),
  Health: z.strictObject({ status: z.enum(['ok', 'ready']) }),
} as const satisfies Record<string, z.ZodType>
export type ViewName = keyof typeof VIEWS

/** What is sent. */
export const BODIES = {
  CreateVideo: CreateVideoBody,
  ImportVideo: ImportVideoBody,
  CreatePuppet: CreatePuppetBody,
  CreateSpeech: CreateSpeechBody,
  CreateUpload: CreateUploadBody,
  ResolveVideo: ResolveBody,
  CreateWebhookEndpoint: CreateEndpointBody,
  UpdateWebhookEndpoint: PatchEndpointBody,
  RotateSecret: RotateSecretBody,
  ReplayEvents: ReplayBody,
} as const satisfies Record<string, z.ZodType>
export type BodyName = keyof typeof BODIES

export const refTo = (name: ViewName | BodyName): string => `#/components/schemas/${name}`

const of = (schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, JsonSchema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` }).schemas
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, closed(schema)]))
}

export const componentSchemas = (): Record<string, JsonSchema> => ({ ...of(VIEWS, 'output'), ...of(BODIES, 'input') })
