import { z } from 'zod'
import * as admin from '../../core/api/admin.ts'
import * as access from '../../core/api/admin.ts'
import * as overview from '../../core/api/admin.ts'
import * as webhooks from '../../core/api/webhooks.ts'
import { VideoEventView } from '../../core/api/webhooks.ts'
import * as videos from '../../core/api/videos.ts'
import * as resources from '../../core/api/videos.ts'
import * as migration from '../../core/api/migration.ts'
import { MigrationReportView } from '../../core/api/migration.ts'
import { CreateClientBody, CreateKeyBody, PatchClientBody, RotateKeyBody } from '../unified/admin/access-input.ts'
import { CreateEndpointBody, PatchEndpointBody, ReplayBody, RotateSecretBody } from '../unified/webhooks/input.ts'
import { CreateVideoBody } from '../unified/videos/input.ts'
import { CreatePuppetBody, CreateSpeechBody, CreateUploadBody, ImportVideoBody } from '../unified/resources/input.ts'
import { SplitBody, StepBody } from '../unified/migration/input.ts'
import { ResolveBody } from '../unified/queries.ts'
import { closed, type JsonSchema } from './json-schema.ts'
import { PROBLEM_TABLE } from './problems.ts'

const VideoList = videos.listOf(videos.VideoView)
const BackendVideoList = videos.listOf(resources.BackendVideoView)

const Timeline = z.array(resources.TimelineEntryView).optional().describe('Present only with `expand=timeline`')

/** What is answered. */
export const VIEWS = {
  Video: videos.VideoView,
  VideoWithTimeline: videos.VideoView.extend({ timeline: Timeline }),
  VideoList,
  AdminVideo: videos.AdminVideoView,
  AdminVideoWithTimeline: videos.AdminVideoView.extend({ timeline: Timeline }),
  AdminVideoList: videos.listOf(videos.AdminVideoView),
  AdminEventList: videos.listOf(admin.AdminEventView),
  AdminDeliveryList: videos.listOf(admin.AdminDeliveryView),
  AdminDeliveryWithAttempts: admin.AdminDeliveryWithAttemptsView,
  AdminEndpointDetail: admin.AdminEndpointDetailView,
  AdminEndpointList: videos.listOf(admin.AdminEndpointView),
  ClientUsageList: videos.listOf(admin.ClientUsageView),
  BackendVideo: resources.BackendVideoView,
  BackendVideoList,
  VideoListOfOrigin: z.union([VideoList, BackendVideoList]).describe('Jobs of the backend only with `origin=backend`'),
  Download: videos.DownloadView,
  Check: resources.CheckView,
  Voice: videos.VoiceView,
  VoiceList: videos.listOf(videos.VoiceView),
  Puppet: videos.PuppetView,
  PuppetList: videos.listOf(videos.PuppetView),
  Speech: resources.SpeechView,
  Upload: resources.UploadView,
  Usage: resources.UsageView,
  Backend: videos.BackendView,
  BackendList: videos.listOf(videos.BackendView),
  BackendDetail: overview.BackendDetailView,
  Overview: overview.OverviewView,
  Drift: resources.DriftView,
  DriftList: videos.listOf(resources.DriftView),
  MigrationReport: MigrationReportView,
  WebhookSecret: videos.WebhookSecretView,
  WebhookEndpoint: webhooks.EndpointView,
  WebhookEndpointDetail: webhooks.EndpointDetailView,
  WebhookEndpointWithSecret: webhooks.EndpointWithSecretView,
  WebhookEndpointList: videos.listOf(webhooks.EndpointView),
  WebhookTest: webhooks.EndpointTestView,
  Event: webhooks.EventView,
  EventList: videos.listOf(webhooks.EventView),
  Delivery: webhooks.ListedDeliveryView,
  DeliveryWithAttempts: webhooks.DeliveryWithAttemptsView,
  DeliveryList: videos.listOf(webhooks.ListedDeliveryView),
  Redelivery: webhooks.RedeliveryView,
  Replay: webhooks.ReplayView,
  VideoEvent: VideoEventView,
  EndpointDisabledEvent: webhooks.EndpointDisabledView,
  RoutingStoppedEvent: migration.RoutingStoppedView,
  QuotaWarningEvent: webhooks.QuotaWarningView,
  WebhookTestEvent: webhooks.WebhookTestView,
  Migration: migration.MigrationView,
  Split: migration.SplitView,
  Key: access.KeyView,
  KeyWithSecret: access.KeyWithSecretView,
  KeyList: videos.listOf(access.KeyView),
  Client: access.ClientView,
  ClientList: videos.listOf(access.ClientView),
  AuditEntry: access.AuditEntryView,
  AuditEntryList: videos.listOf(access.AuditEntryView),
  Problem: videos.ProblemView.describe(
    `Every error has this form (RFC 9457). \`code\` is for programs:\n\n${PROBLEM_TABLE}`,
  ),
  BackendError: videos.BackendErrorView,
  OpenApi: z.looseObject({ openapi: z.string() }).describe('Opaque here: the OpenAPI specification describes it'),
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
  StepSplit: StepBody,
  ChangeSplit: SplitBody,
  CreateKey: CreateKeyBody,
  RotateKey: RotateKeyBody,
  CreateClient: CreateClientBody,
  UpdateClient: PatchClientBody,
} as const satisfies Record<string, z.ZodType>
export type BodyName = keyof typeof BODIES

export const refTo = (name: string): string => `#/components/schemas/${name}`

const schemasOf = (
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
  interfaces: readonly string[],
): Record<string, JsonSchema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const { schemas: made } = z.toJSONSchema(registry, {
    io,
    uri: refTo,
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === videos.InterfaceField) jsonSchema.examples = [...interfaces]
    },
  })
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, closed(schema)]))
}

export const componentSchemas = (
  { views, bodies }: Readonly<Record<'views' | 'bodies', Readonly<Record<string, z.ZodType>>>>,
  interfaces: readonly string[],
): Record<string, JsonSchema> => ({
  ...schemasOf(views, 'output', interfaces),
  ...schemasOf(bodies, 'input', interfaces),
})
