import {
  type EventRecord,
  newVideo,
  NO_ORDER,
  type TimelineEntry,
  type VideoInput,
  type VideoRecord,
  type WireRequest,
} from '../../src/core/video.ts'
import { type AccountId, DEFAULT_EVENT_TYPES } from '../../src/core/vocabulary.ts'
import type {
  BackendProblem,
  CreateOutcome,
  JobReport,
  Puppet,
  RateHeaders,
  RawAnswer,
} from '../../src/core/adapter.ts'
import type { PuppetRecord, IdemKey, ListQuery, NewVideo } from '../../src/core/store/videos.ts'
import type { UploadRecord } from '../../src/core/media.ts'
import type { EndedDeliveriesQuery } from '../../src/core/store/admin.ts'
import type { VideoTarget, DeliveriesQuery, NewEndpoint, PastEventsQuery } from '../../src/core/store/webhooks.ts'

/** Builders of the engine's records for tests: complete, plain, and with one thing changed by each test. */

export const T0 = Date.parse('2026-11-20T10:00:00Z')
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** The only places that make account ids are the adapters and this one. */
export const accountId = (name: string): AccountId => `acct_${name}` as AccountId
export const ACCOUNT = accountId('main')
export const TARGET: VideoTarget = { kind: 'video', url: 'https://hooks.example/a' }

export const INPUT: VideoInput = {
  image_url: 'https://img.example/p.png',
  puppet_id: null,
  text: 'Hello there',
  audio_url: null,
  upload_id: null,
  voice_id: 'v1',
  language: null,
  expressiveness: null,
  resolution: null,
}

export const WIRE: WireRequest = {
  method: 'POST',
  path: '/videos/text',
  headers: { 'idempotency-key': 'vid_1.1' },
  body: '{"text":"Hello there"}',
}

/** A video that waits since `T0`. */
export const video = (given: Partial<VideoRecord> = {}): VideoRecord => ({
  ...newVideo({
    id: 'vid_1',
    client: 'acme',
    account: ACCOUNT,
    backend: 'main',
    interface: 'primary',
    input: INPUT,
    order: { ...NO_ORDER, imageUrl: INPUT.image_url, text: 'Hello there', voiceId: 'v1' },
    webhookEvents: [...DEFAULT_EVENT_TYPES],
    routing: {
      chosen_by: 'default',
      rule: null,
      pool: null,
      considered: [{ backend: 'main', verdict: 'chosen', reason: null }],
    },
    createdAtMs: T0,
  }),
  ...given,
})

/** One that its backend accepted at `T0`. */
export const accepted = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({
    phase: 'accepted',
    told: true,
    backendJobId: given.id === undefined ? 'job_1' : `job_of_${given.id}`,
    attempt: 1,
    waitReason: null,
    dispatchedAtMs: T0,
    acceptedAtMs: T0,
    ...given,
  })

/** One that was completed at `T0`. */
export const ended = (given: Partial<VideoRecord> = {}): VideoRecord =>
  accepted({ phase: 'ended', status: 'completed', dueAtMs: null, endedAtMs: T0, ...given })

export const event = (videoId: string, sequence: number, given: Partial<EventRecord> = {}): EventRecord => ({
  id: `evt_${videoId}_${sequence}`,
  type: 'video.progress',
  client: 'acme',
  videoId,
  sequence,
  atMs: T0,
  body: `{"type":"video.progress","data":{"sequence":${sequence}}}`,
  ...given,
})

export const note = (type: string, at = T0): TimelineEntry => ({ at, type, detail: null })

export const newEndpoint = (given: Partial<NewEndpoint> = {}): NewEndpoint => ({
  id: 'we_1',
  client: 'acme',
  url: 'https://hooks.example/we',
  events: ['video.completed', 'video.failed', 'video.canceled'],
  description: null,
  enabled: true,
  secret: 'sealed',
  ...given,
})

export const pastQuery = (given: Partial<PastEventsQuery> = {}): PastEventsQuery => ({
  limit: 20,
  before: null,
  type: null,
  videoId: null,
  sinceMs: null,
  untilMs: null,
  ...given,
})

export const deliveriesQuery = (given: Partial<DeliveriesQuery> = {}): DeliveriesQuery => ({
  limit: 20,
  before: null,
  endpointId: null,
  videoId: null,
  eventId: null,
  status: null,
  ...given,
})

export const endedDeliveriesQuery = (given: Partial<EndedDeliveriesQuery> = {}): EndedDeliveriesQuery => ({
  client: null,
  endpointId: null,
  statuses: ['delivered', 'failed'],
  answer: null,
  sinceMs: null,
  untilMs: null,
  before: null,
  limit: 20,
  ...given,
})

/** As the engine hands it to `open`. */
export const draft = (given: Partial<VideoRecord> = {}, more: Partial<Omit<NewVideo, 'video'>> = {}): NewVideo => ({
  video: video(given),
  events: [],
  notes: [],
  ...more,
})

export const idemKey = (given: Partial<IdemKey> = {}): IdemKey => ({
  client: 'acme',
  operation: 'POST /videos',
  key: 'order-1',
  fingerprint: 'f1',
  ...given,
})

export const listQuery = (given: Partial<ListQuery> = {}): ListQuery => ({
  limit: 20,
  before: null,
  status: null,
  backends: null,
  createdAfterMs: null,
  createdBeforeMs: null,
  ...given,
})

/** A report that says nothing but what is given. */
export const report = (given: Partial<JobReport> = {}): JobReport => ({
  jobId: null,
  status: null,
  backendStatus: null,
  progress: null,
  link: null,
  failure: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  nextPollAtMs: null,
  made: { puppetId: null, voiceId: null, resolution: null, createdAtMs: null },
  verbatim: null,
  ...given,
})

export const LINK = { url: 'https://cdn.example/v.mp4?sig=s', expiresAtMs: null }

export const problem = (given: Partial<BackendProblem> = {}): BackendProblem => ({
  code: 'backend_error',
  message: 'the backend broke',
  retryable: true,
  retryAtMs: null,
  backendError: { status: 500, code: 'oops', block_code: null, message: 'broken' },
  details: null,
  verbatim: null,
  ...given,
})

export const rate = (given: Partial<RateHeaders> = {}): RateHeaders => ({
  limit: null,
  remaining: null,
  resetAtMs: null,
  dateMs: null,
  ...given,
})

export const acceptedAs = (jobId: string, given: Partial<JobReport> = {}): CreateOutcome => ({
  kind: 'accepted',
  jobId,
  report: report({ jobId, status: 'queued', backendStatus: 'queued', ...given }),
  credits: { charged: 1, remaining: 9 },
  rate: null,
})
export const refused = (
  given: Partial<BackendProblem> = {},
  waits: 'slot' | 'budget' | 'check' | null = null,
): CreateOutcome => ({ kind: 'refused', problem: problem({ retryable: false, ...given }), waits, rate: null })
export const unreachable = (given: Partial<BackendProblem> = {}): CreateOutcome => ({
  kind: 'unreachable',
  problem: problem({ code: 'backend_unavailable', ...given }),
  rate: null,
})
export const doubt = (given: Partial<BackendProblem> = {}): CreateOutcome => ({
  kind: 'doubt',
  problem: problem(given),
  rate: null,
})

export const rawAnswer = (text: string): RawAnswer => {
  return { status: 200, contentType: 'application/json', text }
}

export const puppet = (id = 'pup_1', given: Partial<Puppet> = {}): Puppet => ({
  id,
  name: 'Anna',
  type: 'custom',
  imageUrl: `https://img.example/${id}.png`,
  thumbnailUrl: null,
  createdAtMs: T0,
  verbatim: null,
  ...given,
})
export const puppetRecord = (given: Partial<PuppetRecord> = {}): PuppetRecord => ({
  client: 'acme',
  account: ACCOUNT,
  puppet: puppet(),
  ...given,
})

export const uploadRecord = (given: Partial<UploadRecord> = {}): UploadRecord => ({
  id: 'upl_1',
  client: 'acme',
  account: ACCOUNT,
  backend: 'main',
  contentType: 'audio/wav',
  sizeBytes: 1_000,
  audioUrl: 'https://cdn.example/a.wav?sig=1',
  createdAtMs: T0,
  ...given,
})

/** Every way to give some of these and leave the others null. */
export const everySet = <T extends object>(given: T): { [K in keyof T]: T[K] | null }[] => {
  const entries = Object.entries(given)
  return Array.from({ length: 2 ** entries.length }, (_, set) => {
    const chosen = entries.map(([key, value]) => [key, value] as [string, unknown])
    for (const [bit, entry] of chosen.entries()) if ((set & (1 << bit)) === 0) entry[1] = null
    return Object.fromEntries(chosen) as { [K in keyof T]: T[K] | null }
  })
}
