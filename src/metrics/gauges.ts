import type { Definition } from './definitions.ts'

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
    help: '1 while the circuit breaker is open, because the backend did not answer.',
    labels: ['backend'],
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
