import type { DisabledReason } from './endpoints.ts'
import type { ProblemCode } from './errors.ts'
import type { BudgetClass } from './limits/budget.ts'
import type { Target } from './store/webhooks.ts'
import type { RoutingNote, VideoFailure } from './video.ts'

/** What the gateway asks of a backend. `hand_through`: a drop-in request that goes through as it is. */
export const UPSTREAM_OPERATIONS = [
  'create',
  'status',
  'download',
  'list',
  'voices',
  'puppets',
  'puppet',
  'create_puppet',
  'delete_puppet',
  'create_upload',
  'create_speech',
  'usage',
  'hand_through',
] as const
export type UpstreamOperation = (typeof UPSTREAM_OPERATIONS)[number]

type Nothing = Record<string, never>

/**
 * What is counted, with its labels. Labels are closed sets, or names of the configuration: ids, hosts and clients would
 * grow without end. `src/metrics/definitions.ts` says what each is called outside.
 */
export interface CountedBy {
  /** `source`: who refused, the gateway itself or the backend that it asked. */
  problem: { code: ProblemCode; source: 'gateway' | 'backend' }
  /** Nothing that HTTP knows: refused before it was a request. */
  unreadable_request: { status: string }
  upstream_request: { backend: string; operation: UpstreamOperation; outcome: 'ok' | ProblemCode }
  /** Not sent: the window is spent, or the backend is left as it is. */
  upstream_held_back: { backend: string; class: BudgetClass; reason: 'no_budget' | 'circuit_open' }
  video_created: { backend: string; chosen_by: RoutingNote['chosen_by'] }
  /** `code`: why it failed; empty if it did not. */
  video_ended: { backend: string; status: 'completed' | 'failed' | 'canceled'; code: VideoFailure | '' }
  /** A request that asked how jobs are. `list`: one for many jobs. `over`: it found the job over. */
  poll: { backend: string; result: 'running' | 'over' | 'failed' | 'list' }
  duplicate_job: { backend: string }
  canary_stopped: Nothing
  delivery_attempt: { target: Target['kind']; outcome: '2xx' | '3xx' | '4xx' | '5xx' | 'timeout' | 'failed' }
  /**
   * How the last attempt of a delivery left it; `failed`: exhausted, or the receiver said that nobody is there any
   * more.
   */
  delivery_ended: { status: 'delivered' | 'failed'; target: Target['kind'] }
  endpoint_disabled: { reason: DisabledReason }
  /** The guard let no connection be made to a URL that a client gave. */
  address_refused: { purpose: 'webhook' | 'audio' }
  store_write_failed: Nothing
  /** Redis was there, or should have been, and is not. */
  redis_lost: Nothing
  /** Redis was there, and a command failed or took too long. */
  redis_failed: Nothing
  /** What listens to Redis received nothing any more, and was made anew. */
  wake_renewed: { part: 'worker' | 'subscriber' }
  config_reload: { result: 'ok' | 'refused' }
}
export type Counted = keyof CountedBy

/** What is timed, with its labels: closed sets, as above. */
export interface TimedBy {
  /** In OpenTelemetry's words. The route is the path's template; no status: the caller left before an answer began. */
  http_request: { http_request_method: string; http_route: string; http_response_status_code: string }
  upstream_request: { backend: string; operation: UpstreamOperation }
  /** From the stored video to the backend's job. */
  dispatch_wait: { backend: string }
  /** Time from the stored video to its end. */
  video: { backend: string }
  /** From the last poll of a running job to the one that found its end, which lies between. */
  detection_uncertainty: { backend: string }
  /** From an event to its first attempt. Deliveries that were asked for later are left out. */
  webhook_first_attempt: { target: Target['kind'] }
  webhook_delivered: { target: Target['kind'] }
  /** From the wish to write to the commit's answer. */
  store_write: Nothing
}
export type Timed = keyof TimedBy

/** What is at some height now. */
export type Levelled = 'store_writes_waiting' | 'redis_up' | 'config_reload_ok' | 'config_reload_time_seconds'

/** What operators should see, since the process began. Never throws, and costs next to nothing. */
export interface Tally {
  count<K extends Counted>(what: K, labels: CountedBy[K]): void
  observe<K extends Timed>(what: K, ms: number, labels: TimedBy[K]): void
  set(what: Levelled, value: number): void
}

/** Where nobody looks. */
export const SILENT: Tally = { count: () => undefined, observe: () => undefined, set: () => undefined }
