import type { MigrationView, OutcomeView, RoutingStoppedView, SplitView } from '../../../core/api/migration.ts'

/** A tenth of the clients went to `alt`, until it failed too often. */

const AT = '2026-11-20T12:00:00.000Z'
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
  next_weight: 25,
  ready: true,
  gates: [
    {
      name: 'least_videos',
      held: true,
      new: 44,
      old: null,
      limit: 20,
      why: 'the new side finished 44 videos since the last step, of 20 that are needed',
    },
  ],
  gates_since: BEFORE,
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

export const STOPPED_SPLIT: SplitView = {
  ...RAMP_SPLIT,
  weight: 0,
  ready: false,
  stopped: { at: AT, outcomes_since: HOUR_AGO, outcomes: COUNTS },
}

export const MIGRATION: MigrationView = {
  object: 'migration',
  since: BEFORE,
  until: AT,
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
  timestamp: AT,
  data: {
    rule: RAMP_SPLIT.rule,
    old: 'main',
    new: 'alt',
    weight: 10,
    outcomes_since: HOUR_AGO,
    outcomes: COUNTS,
    stopped_at: AT,
  },
}
