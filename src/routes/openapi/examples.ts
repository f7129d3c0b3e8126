import type {
  VideoEventView,
  DeliveryView,
  DeliveryWithAttemptsView,
  EndpointView,
  EndpointWithSecretView,
  EventView,
} from '../../core/api/webhooks.ts'
import type {
  AdminVideoView,
  BackendView,
  PuppetView,
  VideoView,
  VoiceView,
  CheckView,
  DriftView,
  SpeechView,
  UploadView,
  UsageView,
} from '../../core/api/videos.ts'
import { EXAMPLE_IDS } from '../../core/ids.ts'
import {
  CAPABILITIES,
  isTerminal,
  type Status,
  type VideoEventType,
  DEFAULT_EVENT_TYPES,
} from '../../core/vocabulary.ts'
import type { MigrationView, OutcomeView, RoutingStoppedView, SplitView } from '../../core/api/migration.ts'

/** One coherent story in every example: Anna says hello on the backend `main`. */

const { video: ID, job: JOB } = EXAMPLE_IDS
const AT = '2026-11-20T12:00:00.000Z'
const LATER = '2026-11-20T12:00:41.000Z'

export const QUEUED: VideoView = {
  id: ID,
  object: 'video',
  status: 'queued',
  progress: null,
  backend: 'main',
  interface: 'primary',
  backend_job_id: JOB,
  source: 'text',
  input: {
    image_url: 'https://example.com/anna.png',
    puppet_id: null,
    text: 'Hello from Talkbridge.',
    audio_url: null,
    upload_id: null,
    voice_id: 'main:sandbox-en-us-ava',
    language: null,
    expressiveness: null,
    resolution: null,
  },
  video_url: null,
  video_url_expires_at: null,
  thumbnail_url: null,
  duration_seconds: null,
  duration_estimate_seconds: 4,
  content_url: `https://gateway.example/unified/v1/videos/${ID}/content?sig=EP7odcGDjRmGeZPum7cnPb02`,
  events_url: `https://gateway.example/unified/v1/videos/${ID}/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z`,
  error: null,
  credits: { charged: 1, remaining: 9 },
  warnings: [],
  metadata: { order: '1001' },
  webhook_url: 'https://app.example/hooks/videos',
  backend_status: 'queued',
  routing: {
    chosen_by: 'default',
    rule: null,
    pool: null,
    considered: [{ backend: 'main', verdict: 'chosen', reason: null }],
  },
  priority: 'normal',
  reused_from: null,
  replaces: null,
  replaced_by: null,
  queue: null,
  created_at: AT,
  dispatched_at: '2026-11-20T12:00:00.120Z',
  completed_at: null,
  deleted_at: null,
  next_poll_at: '2026-11-20T12:00:15.000Z',
}

export const IN_DOUBT: AdminVideoView = {
  ...QUEUED,
  backend_job_id: null,
  credits: null,
  backend_status: null,
  next_poll_at: null,
  client: 'acme',
  doubt: {
    open: true,
    attempt: 1,
    since: '2026-11-20T12:00:30.120Z',
    candidates: ['clip_7Hq2'],
    evidence: { walks: [{ at: '2026-11-20T12:01:00.120Z', jobs: 41 }], named: [], resends: 0 },
    resolved_at: null,
  },
}

export const COMPLETED: VideoView = {
  ...QUEUED,
  status: 'completed',
  progress: 1,
  video_url: 'https://cdn.example/7Hq2.mp4?signature=abc',
  video_url_expires_at: '2026-11-20T13:00:41.000Z',
  duration_seconds: 4.2,
  backend_status: 'completed',
  completed_at: LATER,
  next_poll_at: null,
}

const STATUS: Readonly<Record<VideoEventType, Status>> = {
  'video.queued': 'queued',
  'video.processing': 'processing',
  'video.progress': 'processing',
  'video.completed': 'completed',
  'video.failed': 'failed',
  'video.canceled': 'canceled',
}

export const exampleEvent = (type: VideoEventType): VideoEventView => {
  const status = STATUS[type]
  const ended = isTerminal(status)
  const { input: _input, ...view } = status === 'completed' ? COMPLETED : QUEUED
  const failed = { code: 'backend_failed', message: 'the backend could not make it', retryable: false }
  return {
    type,
    timestamp: ended ? LATER : AT,
    data: {
      ...view,
      status,
      progress: type === 'video.progress' ? 0.42 : view.progress,
      backend_status: status,
      error: status === 'failed' ? { ...failed, backend_error: null } : null,
      completed_at: ended ? LATER : null,
      next_poll_at: ended ? null : view.next_poll_at,
      video_url: null,
      video_url_expires_at: null,
      sequence: ended ? 4 : 1,
      ...(ended && { timing: { accepted_at: AT, detected_at: LATER, uncertainty_ms: 1_000 } }),
    },
  }
}

export const VOICE: VoiceView = {
  id: 'main:sandbox-en-us-ava',
  object: 'voice',
  backend: 'main',
  name: 'Ava',
  provider: 'sandbox',
  language: 'English (United States)',
  language_code: 'en-US',
  gender: 'female',
  preview_url: 'https://backend.example/voices/sandbox-en-us-ava.wav',
}

export const PUPPET: PuppetView = {
  id: 'main:puppet_ada',
  object: 'puppet',
  backend: 'main',
  name: 'Ada',
  type: 'custom',
  image_url: 'https://example.com/ada.png',
  thumbnail_url: null,
  created_at: AT,
}

export const BACKEND: BackendView = {
  object: 'backend',
  name: 'main',
  interface: 'primary',
  health: { status: 'up', since: AT, reason: null },
  capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
  limits: { text_characters: null, concurrent_creates_per_puppet: null },
  budget: { limit: 10, remaining: 7, resets_at: '2026-11-20T12:01:00.000Z' },
  slots: { limit: 2, used: 1 },
  queue_depth: 0,
  paused: null,
  held_by: 'gateway-1-12-k3x9',
}

export const SPEECH: SpeechView = {
  object: 'speech',
  audio_url: 'https://storage.example/speech.mp3?signature=abc',
  expires_at: '2026-11-20T13:00:00.000Z',
  duration_seconds: 2.4,
  content_type: 'audio/mpeg',
}

export const UPLOAD: UploadView = {
  id: 'upl_01M7WA9S7VF4P8S27TV0W2QQJ9',
  object: 'upload',
  backend: 'main',
  upload_url: 'https://storage.example/put/hello.mp3?signature=abc',
  method: 'PUT',
  headers: { 'content-type': 'audio/mpeg' },
  audio_url: 'https://storage.example/hello.mp3?signature=def',
  expires_at: '2026-11-20T12:15:00.000Z',
}

export const USAGE: UsageView = {
  object: 'usage',
  backends: [
    {
      backend: 'main',
      credits_remaining: 9,
      credits_used_month: 91,
      credits_included: 100,
      credits_purchased: 0,
      checkout_available: true,
      credit_packs: [],
      can_create: true,
      blocked_reason: null,
      retry_at: null,
      active_jobs: 1,
      free_slots: 1,
      requests: { limit: 10, remaining: 7, resets_at: '2026-11-20T12:01:00.000Z' },
    },
  ],
  client: {
    month: '2026-11',
    videos: { queued: 0, processing: 1, completed: 90, failed: 1, canceled: 0 },
    credits_charged: 91,
    requests: 1_204,
    limits: { videos_per_month: 100, credits_per_month: null },
  },
}

export const DRIFT: DriftView = {
  kind: 'status',
  operation: 'getVideo',
  value: 'rendering_preview',
  count: 3,
  first_seen: AT,
  last_seen: LATER,
  sample: null,
}

export const CHECK: CheckView = {
  object: 'check',
  chosen: 'main',
  routing: {
    chosen_by: 'default',
    rule: null,
    pool: null,
    considered: [{ backend: 'main', verdict: 'chosen', reason: null }],
  },
  reused_from: null,
  backends: [
    {
      backend: 'main',
      verdict: 'ok',
      warnings: [],
      problem: null,
      request: {
        method: 'POST',
        path: '/api/v1/videos/text',
        headers: { authorization: 'Bearer ***', 'content-type': 'application/json' },
        body: { image_url: 'https://example.com/anna.png', text: 'Hello from Talkbridge.' },
      },
    },
    {
      backend: 'alt',
      verdict: 'unsupported',
      warnings: [],
      problem: { code: 'capability_not_supported', param: 'image_url', message: 'it takes saved portraits only' },
      request: null,
    },
  ],
}

export const listOfOne = (item: unknown) => ({ object: 'list', data: [item], has_more: false, next_cursor: null })

export const ENDPOINT: EndpointView = {
  id: EXAMPLE_IDS.endpoint,
  object: 'webhook_endpoint',
  url: 'https://app.example/hooks/talkbridge',
  events: [...DEFAULT_EVENT_TYPES],
  description: null,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failures: 0,
  failing_since: null,
  held: 0,
  last_delivered_at: '2026-11-20T12:00:00.000Z',
  last_failed_at: null,
  old_secret_expires_at: null,
  replay: null,
  created_at: '2026-11-20T11:00:00.000Z',
  updated_at: '2026-11-20T11:00:00.000Z',
}

export const ENDPOINT_WITH_SECRET: EndpointWithSecretView = {
  ...ENDPOINT,
  secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE=',
}

const { type, timestamp, data } = exampleEvent('video.completed')
export const EVENT: EventView = {
  id: EXAMPLE_IDS.event,
  object: 'event',
  type,
  timestamp,
  video_id: COMPLETED.id,
  data,
}

export const DELIVERY: DeliveryView = {
  id: EXAMPLE_IDS.delivery,
  object: 'delivery',
  event_id: EVENT.id,
  event_type: type,
  event_at: timestamp,
  video_id: COMPLETED.id,
  target: { kind: 'endpoint', endpoint_id: ENDPOINT.id, url: ENDPOINT.url },
  status: 'delivered',
  attempt_count: 1,
  next_attempt_at: null,
}

export const ATTEMPT: DeliveryWithAttemptsView['attempts'][number] = {
  at: '2026-11-20T12:00:41.120Z',
  duration_ms: 38,
  status: 204,
  error: null,
  response_body: '',
  next_attempt_at: null,
}

export const SENT_REQUEST: DeliveryWithAttemptsView['request'] = {
  method: 'POST',
  url: ENDPOINT.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'talkbridge/1.0.0',
    'webhook-id': EVENT.id,
    'webhook-timestamp': '1795176041',
    'webhook-signature': 'v1,…',
  },
  body: '{"type":"video.completed","timestamp":"2026-11-20T12:00:41.000Z","data":{"id":"vid_…"}}',
}

/** A tenth of the clients went to `alt`, until it failed too often. */

const SPLIT_AT = '2026-11-20T12:00:00.000Z'
const BEFORE = '2026-11-19T12:00:00.000Z'

const OLD: OutcomeView = {
  videos: 412,
  completed: 408,
  failed: 3,
  canceled: 1,
  success: { rate: 0.993, low: 0.979, high: 0.998 },
  seconds: { p50: 38.2, p95: 61 },
  credits: { total: 411, each: 1 },
  warned: 0,
}
const NEW: OutcomeView = {
  videos: 44,
  completed: 44,
  failed: 0,
  canceled: 0,
  success: { rate: 1, low: 0.92, high: 1 },
  seconds: { p50: 31.5, p95: 48.9 },
  credits: { total: 0, each: null },
  warned: 0.02,
}

export const RAMP_SPLIT: SplitView = {
  object: 'split',
  rule: 'rule_5b1f0c2a9d3e',
  path: 'routing.rules[0]',
  when: { client: null, surface: 'unified', source: null, metadata: {} },
  by: 'client',
  old: 'main',
  new: 'alt',
  file_weight: 0,
  ramp_weight: 10,
  weight: 10,
  stepped_at: BEFORE,
  stepped_by: 'acme',
  resumed_at: null,
  stop_if: { failure_rate: 0.2, of: 20, window_seconds: 3_600 },
  stopped: null,
  rolled_back_from: null,
  next_weight: 25,
  ready: true,
  gates: [
    {
      name: 'least_videos',
      held: true,
      new: 44,
      old: null,
      limit: 20,
      why: 'the new side finished 44 videos since the last step; 20 are needed',
    },
  ],
  gates_since: BEFORE,
  curve: [{ from: BEFORE, old: { videos: 410, failed: 4 }, new: { videos: 46, failed: 1 } }],
  not_moved: {},
  audit: [
    {
      id: 'aud_01M7WA9S7VF4P8S27TV0W2QQJ9',
      at: BEFORE,
      actor: 'acme',
      action: 'split.step',
      detail: { from: 5, to: 10, forced: false },
    },
  ],
}

const COUNTS = { old: { videos: 87, failed: 1 }, new: { videos: 20, failed: 6 } }
const HOUR_AGO = '2026-11-20T11:00:00.000Z'

export const MIGRATION: MigrationView = {
  object: 'migration',
  since: BEFORE,
  until: SPLIT_AT,
  counted: { videos: 456, limit: 100_000, complete: true },
  outcomes: {
    backends: [
      { backend: 'main', ...OLD },
      { backend: 'alt', ...NEW },
    ],
    rules: [],
    splits: [{ rule: RAMP_SPLIT.rule, old: OLD, new: NEW }],
  },
  splits: [RAMP_SPLIT],
}

export const ROUTING_STOPPED: RoutingStoppedView = {
  type: 'routing.stopped',
  timestamp: SPLIT_AT,
  data: {
    rule: RAMP_SPLIT.rule,
    old: 'main',
    new: 'alt',
    weight: 10,
    outcomes_since: HOUR_AGO,
    outcomes: COUNTS,
    stopped_at: SPLIT_AT,
  },
}
