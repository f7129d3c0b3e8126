import type { Counted, CountedBy, Levelled, Timed, TimedBy } from '../core/tally.ts'

/**
 * The one table of what is called how outside; `docs/metrics.md` has it, too. `talkbridge_store_…` is about the store
 * that all processes share: every one of them shows the same, so take `max` of it, never `sum`.
 */

export interface Definition<L extends string = string> {
  name: string
  help: string
  labels: readonly L[]
}

type LabelsOf<T> = T extends Record<string, never> ? never : keyof T & string

export const COUNTERS: { readonly [K in Counted]: Definition<LabelsOf<CountedBy[K]>> } = {
  problem: {
    name: 'talkbridge_problems_total',
    help: 'Requests that got an error, by code and by who refused them: the gateway or the backend.',
    labels: ['code', 'source'],
  },
  unreadable_request: {
    name: 'talkbridge_unreadable_requests_total',
    help: 'Bytes on a connection that were no valid HTTP request, by the status of the answer.',
    labels: ['status'],
  },
  upstream_request: {
    name: 'talkbridge_upstream_requests_total',
    help: 'Requests to backends, by operation and outcome: ok, or the code of the problem.',
    labels: ['backend', 'operation', 'outcome'],
  },
  upstream_held_back: {
    name: 'talkbridge_upstream_held_back_total',
    help: 'Requests to backends that the gateway did not send: the rate limit was used up, or the circuit breaker was open.',
    labels: ['backend', 'class', 'reason'],
  },
  video_created: {
    name: 'talkbridge_videos_created_total',
    help: 'Videos stored for a backend, by who chose the backend. It counts videos that the backend then refuses.',
    labels: ['backend', 'chosen_by'],
  },
  video_ended: {
    name: 'talkbridge_videos_ended_total',
    help: 'Videos that ended, by status, and by error code if they failed.',
    labels: ['backend', 'status', 'code'],
  },
  poll: {
    name: 'talkbridge_polls_total',
    help: 'Polls, by result: the job runs, the job ended, no usable answer, or a list of many jobs.',
    labels: ['backend', 'result'],
  },
  duplicate_job: {
    name: 'talkbridge_duplicate_jobs_total',
    help: 'Videos that have a second job. You may have paid for it.',
    labels: ['backend'],
  },
  canary_stopped: {
    name: 'talkbridge_canary_stops_total',
    help: 'Splits that this process stopped, because the new side failed too often.',
    labels: [],
  },
  delivery_attempt: {
    name: 'talkbridge_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by the receiver’s answer.',
    labels: ['target', 'outcome'],
  },
  delivery_ended: {
    name: 'talkbridge_webhook_deliveries_total',
    help: 'Deliveries that ended: delivered, or failed after all attempts.',
    labels: ['target', 'status'],
  },
  endpoint_disabled: {
    name: 'talkbridge_webhook_endpoints_disabled_total',
    help: 'Disabled webhook endpoints, by reason.',
    labels: ['reason'],
  },
  address_refused: {
    name: 'talkbridge_addresses_refused_total',
    help: 'Connections to clients’ URLs that the address check refused.',
    labels: ['purpose'],
  },
  store_write_failed: {
    name: 'talkbridge_store_writes_failed_total',
    help: 'Writes of this process that failed in the store.',
    labels: [],
  },
  redis_lost: {
    name: 'talkbridge_redis_lost_total',
    help: 'How often Redis was lost: its connection ended, or its answers took too long.',
    labels: [],
  },
  redis_failed: {
    name: 'talkbridge_redis_failed_commands_total',
    help: 'Commands that failed or took too long, although Redis answered.',
    labels: [],
  },
  wake_renewed: {
    name: 'talkbridge_redis_renewed_total',
    help: 'Dead connections to Redis that the gateway replaced.',
    labels: ['part'],
  },
  config_reload: {
    name: 'talkbridge_config_reloads_total',
    help: 'Reloads of the configuration, by result.',
    labels: ['result'],
  },
}

/** Seconds. Of OpenTelemetry's semantic conventions for `http.server.request.duration`. */
const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const UPSTREAM_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const WAIT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 600, 1_800, 3_600, 14_400, 86_400]
const STORE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

export interface HistogramDefinition<L extends string = string> extends Definition<L> {
  buckets: readonly number[]
}

export const HISTOGRAMS: { readonly [K in Timed]: HistogramDefinition<LabelsOf<TimedBy[K]>> } = {
  http_request: {
    name: 'http_server_request_duration_seconds',
    help: 'Answered requests, by method, route and status. The status is empty if the client left before the answer began.',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: HTTP_BUCKETS,
  },
  upstream_request: {
    name: 'talkbridge_upstream_request_duration_seconds',
    help: 'How long requests to backends took, without requests that a drop-in surface passes through.',
    labels: ['backend', 'operation'],
    buckets: UPSTREAM_BUCKETS,
  },
  dispatch_wait: {
    name: 'talkbridge_dispatch_wait_seconds',
    help: 'Time from the stored video to the backend’s job.',
    labels: ['backend'],
    buckets: WAIT_BUCKETS,
  },
  video: {
    name: 'talkbridge_video_duration_seconds',
    help: 'Time from the stored video to its end.',
    labels: ['backend'],
    buckets: WAIT_BUCKETS,
  },
  detection_uncertainty: {
    name: 'talkbridge_detection_uncertainty_seconds',
    help: 'How late the gateway may have noticed the end of a job: the time between the last poll that found it running and the poll that found it ended.',
    labels: ['backend'],
    buckets: WAIT_BUCKETS,
  },
  webhook_first_attempt: {
    name: 'talkbridge_webhook_first_attempt_seconds',
    help: 'Time from an event to the first attempt to deliver it.',
    labels: ['target'],
    buckets: WAIT_BUCKETS,
  },
  webhook_delivered: {
    name: 'talkbridge_webhook_delivery_seconds',
    help: 'Time from an event to its delivery, with retries.',
    labels: ['target'],
    buckets: WAIT_BUCKETS,
  },
  store_write: {
    name: 'talkbridge_store_write_duration_seconds',
    help: 'How long a write of this process took, from its request to the commit.',
    labels: [],
    buckets: STORE_BUCKETS,
  },
}

/** Gauges that the gateway sets when something changes. */
export const LEVELS: { readonly [K in Levelled]: Definition<never> } = {
  store_writes_waiting: {
    name: 'talkbridge_store_writes_waiting',
    help: 'Writes of this process that the store has not answered yet.',
    labels: [],
  },
  redis_up: {
    name: 'talkbridge_redis_up',
    help: '1 while Redis answers. Absent if the configuration names no Redis.',
    labels: [],
  },
  config_reload_ok: {
    name: 'talkbridge_config_last_reload_successful',
    help: '1 if the last reload succeeded, or there was none. 0 if it was refused.',
    labels: [],
  },
  config_reload_time_seconds: {
    name: 'talkbridge_config_last_reload_success_timestamp_seconds',
    help: 'When the current configuration was read.',
    labels: [],
  },
}

/** Gauges that are read at a scrape; those of the store are absent while it is away. */
export const GAUGES = {
  build: {
    name: 'talkbridge_build_info',
    help: 'Always 1. The labels are the versions of Talkbridge and Node.',
    labels: ['version', 'node'],
  },
  store_up: { name: 'talkbridge_store_up', help: '1 if the store could be read at this scrape.', labels: [] },
  disk_free: {
    name: 'talkbridge_store_disk_free_bytes',
    help: 'Free space on the volume of store.path. Absent with PostgreSQL.',
    labels: [],
  },
  open_videos: {
    name: 'talkbridge_store_open_videos',
    help: 'Videos that have not ended, by phase. doubtful: the answer to the create was lost.',
    labels: ['backend', 'phase'],
  },
  oldest_waiting: {
    name: 'talkbridge_store_oldest_waiting_seconds',
    help: 'Age of the oldest video in the queue. 0 if the queue is empty.',
    labels: ['backend'],
  },
  budget_limit: {
    name: 'talkbridge_store_budget_limit',
    help: 'The backend’s rate limit, in requests for each window.',
    labels: ['backend'],
  },
  budget_remaining: {
    name: 'talkbridge_store_budget_remaining',
    help: 'Requests left in the backend’s current window.',
    labels: ['backend'],
  },
  slots_limit: {
    name: 'talkbridge_store_slots_limit',
    help: 'How many jobs the backend’s account may run at the same time. Absent without a limit.',
    labels: ['backend'],
  },
  slots_held: {
    name: 'talkbridge_store_slots_held',
    help: 'Slots in use: jobs that run on the backend’s account, or may run.',
    labels: ['backend'],
  },
  account_held: {
    name: 'talkbridge_store_account_held',
    help: '1 if any process sends and polls for the backend’s account, 0 if none does.',
    labels: ['backend'],
  },
  account_held_here: {
    name: 'talkbridge_account_held_here',
    help: '1 if this process sends and polls for the backend’s account.',
    labels: ['backend'],
  },
  health: {
    name: 'talkbridge_backend_health',
    help: '1 for the backend’s current health, 0 for the other two of up, degraded, down.',
    labels: ['backend', 'status'],
  },
  key_refused: {
    name: 'talkbridge_backend_key_refused',
    help: '1 while the backend refuses its key. Nothing works there.',
    labels: ['backend'],
  },
  permission_missing: {
    name: 'talkbridge_backend_permission_missing',
    help: '1 while the backend’s key lacks a permission.',
    labels: ['backend'],
  },
  circuit_open: {
    name: 'talkbridge_backend_circuit_open',
    help: '1 while the circuit breaker of this process is open, because the backend did not answer it.',
    labels: ['backend'],
  },
  paused: {
    name: 'talkbridge_backend_paused',
    help: '1 while an operator has paused this work (creates or polls) of the backend.',
    labels: ['backend', 'work'],
  },
  deliveries_pending: {
    name: 'talkbridge_store_deliveries_pending',
    help: 'Deliveries that are not done, with retries. Counted up to 10000.',
    labels: [],
  },
  delivery_overdue: {
    name: 'talkbridge_store_delivery_overdue_seconds',
    help: 'How long the oldest due delivery has been due. 0 if none is due.',
    labels: [],
  },
  splits_stopped: {
    name: 'talkbridge_store_splits_stopped',
    help: 'Splits that are stopped, by a canary or by an operator.',
    labels: [],
  },
} as const satisfies Record<string, Definition>
export type GaugeName = keyof typeof GAUGES

/** Of the process, under the names that every Node program has for them. */
export const PROCESS = {
  cpu: { name: 'process_cpu_seconds_total', help: 'CPU time of the process, user and system.', labels: [] },
  started: { name: 'process_start_time_seconds', help: 'When the process started.', labels: [] },
  memory: { name: 'process_resident_memory_bytes', help: 'Resident memory.', labels: [] },
  heap: { name: 'nodejs_heap_size_used_bytes', help: 'Used heap of the main thread.', labels: [] },
  files: {
    name: 'process_open_fds',
    help: 'Open file descriptors. Absent if the system does not report them.',
    labels: [],
  },
  lag_mean: {
    name: 'nodejs_eventloop_lag_mean_seconds',
    help: 'Event loop lag since the last scrape: mean.',
    labels: [],
  },
  lag_p99: {
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'Event loop lag since the last scrape: 99th percentile.',
    labels: [],
  },
  lag_max: {
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'Event loop lag since the last scrape: longest.',
    labels: [],
  },
  utilization: {
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of the time since the last scrape in which the event loop was busy.',
    labels: [],
  },
} as const satisfies Record<string, Definition>
