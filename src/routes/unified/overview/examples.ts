import type { BackendDetailView, OverviewView } from '../../../core/api/admin.ts'
import { BACKEND, DRIFT, QUEUED } from '../../openapi/examples.ts'

const HOUR_MS = 3_600_000
const SINCE = Date.parse('2026-11-19T13:00:00.000Z')
const QUIET = { completed: 0, failed: 0, canceled: 0 }

/** A day with one failure, in its last hour. */
export const OVERVIEW: OverviewView = {
  object: 'overview',
  at: '2026-11-20T12:00:41.000Z',
  client: 'acme',
  videos: { waiting: 3, queued: 1, processing: 1, doubtful: null, complete: true },
  ended: {
    since: '2026-11-19T13:00:00.000Z',
    completed: 41,
    failed: 1,
    canceled: 0,
    hours: Array.from({ length: 24 }, (_, n) => ({
      from: new Date(SINCE + n * HOUR_MS).toISOString(),
      ...(n === 23 ? { completed: 41, failed: 1, canceled: 0 } : QUIET),
    })),
    complete: true,
  },
  detection: { videos: 42, seconds: { p50: 0.9, p95: 3.1 } },
  deliveries: { delivered: 83, failed: 0, pending: 1, held: 0, complete: true },
  troubles: [
    {
      type: 'video_failed',
      at: '2026-11-20T12:00:12.000Z',
      standing: false,
      client: null,
      backend: 'main',
      video_id: QUEUED.id,
      delivery_id: null,
      endpoint_id: null,
      rule: null,
      code: 'backend_failed',
      message: 'the backend could not make it',
    },
  ],
}

export const BACKEND_DETAIL: BackendDetailView = {
  ...BACKEND,
  queue_depth: 1,
  window: { seconds: 61, next_request_at: null, next_create_at: null },
  breaker: { open: false, retry_at: null },
  queue: [
    {
      position: 1,
      video_id: QUEUED.id,
      client: null,
      backend: 'main',
      reason: 'no_free_slot',
      created_at: QUEUED.created_at,
    },
  ],
  learned: [
    {
      source: 'text',
      videos: 3,
      seconds: { p50: 38.2, p95: 41, longest: 41 },
      histogram: [
        { from: 38, to: 39, videos: 2 },
        { from: 39, to: 40, videos: 0 },
        { from: 40, to: 41, videos: 0 },
        { from: 41, to: 42, videos: 1 },
      ],
      polls: [
        { after: 38.4, running: 0.48 },
        { after: 39.6, running: 0.46 },
        { after: 41.1, running: 0.14 },
      ],
      lateness: 0.04,
    },
    {
      source: 'audio',
      videos: 0,
      seconds: null,
      histogram: [],
      polls: [{ after: 2.2, running: 0.96 }],
      lateness: 0.04,
    },
  ],
  learned_here: true,
  drift: { kinds: 1, latest: [DRIFT] },
}
