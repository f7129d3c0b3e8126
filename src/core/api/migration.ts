import { z } from 'zod'
import { SURFACES } from '../vocabulary.ts'

/** What operators see of splits and of how videos end on each backend: one schema each. */

const time = z.iso.datetime()
const percent = z.number().min(0).max(100)
const share = z.number().min(0).max(1)

export const OutcomeView = z.strictObject({
  videos: z.int().describe('All that ended'),
  completed: z.int(),
  failed: z.int(),
  canceled: z.int(),
  success: z
    .strictObject({ rate: share, low: share, high: share })
    .nullable()
    .describe('Of completed and failed ones; `low` to `high` is the 95 % interval (Wilson). Null: there are none'),
  seconds: z
    .strictObject({ p50: z.number(), p95: z.number() })
    .nullable()
    .describe('From the create to the end, of completed ones; null: there are none'),
  credits: z
    .strictObject({ total: z.number(), each: z.number().nullable() })
    .describe('Of videos whose backend told their price; `each` is null where there are none'),
  warned: share.nullable().describe('The part of completed and failed ones that lost an option'),
})
export type OutcomeView = z.infer<typeof OutcomeView>

const SideCountView = z.strictObject({ videos: z.int(), failed: z.int() })
const CountsView = z.strictObject({ old: SideCountView, new: SideCountView })

export const GATES = ['least_videos', 'failure_rate', 'p95', 'credits', 'warnings'] as const

export const GateView = z.strictObject({
  name: z.enum(GATES).describe('As in `routing.gates` of the configuration'),
  held: z.boolean(),
  new: z.number().nullable().describe('As measured on the new side; null: nothing was there to measure'),
  old: z.number().nullable(),
  limit: z.number().nullable().describe('What the new side may have at most; of `least_videos`, at least'),
  why: z.string(),
})

export const AuditView = z.strictObject({
  id: z.string().describe('`aud_…`'),
  at: time,
  actor: z.string().describe('The id of a client, or `gateway`'),
  action: z.enum(['split.step', 'split.rollback', 'split.resume', 'split.stop']),
  detail: z.record(z.string(), z.unknown()),
})

export const SplitView = z.strictObject({
  object: z.literal('split'),
  rule: z.string().describe('Names its rule, as in `routing.rule` of a video'),
  path: z.string().describe('Where the rule stands in the configuration'),
  when: z.strictObject({
    client: z.string().nullable(),
    surface: z.enum(SURFACES).nullable(),
    source: z.enum(['text', 'audio']).nullable(),
    metadata: z.record(z.string(), z.string()),
  }),
  by: z.string().describe('Who keeps a side: `client`, or `metadata.<key>`'),
  old: z.string().describe('A backend'),
  new: z.string().describe('A backend'),
  file_weight: percent.describe('Per cent of the new side in the configuration: where the ramp began'),
  ramp_weight: percent.describe('Per cent of the new side where the ramp stands'),
  weight: percent.describe('Per cent of the new side in force: as `ramp_weight`, or 0 while it is stopped'),
  stepped_at: time.nullable().describe('When the weight was last set; null: never, so the file’s counts'),
  stepped_by: z.string().nullable(),
  resumed_at: time.nullable(),
  stop_if: z.strictObject({ failure_rate: share, of: z.int(), window_seconds: z.number() }).nullable(),
  stopped: z
    .strictObject({ at: time, outcomes_since: time, outcomes: CountsView })
    .nullable()
    .describe('Its canary stopped itself: nothing goes to the new side until it is resumed'),
  next_weight: percent.nullable().describe('What the next step makes of it; null: it is all'),
  ready: z.boolean().describe('The next step would be taken, without `force`'),
  gates: z.array(GateView).describe('As they stand now; at 0 % none has to hold'),
  gates_since: time
    .nullable()
    .describe('They measure what ended after it: the last step or resume; null: all that is kept'),
  audit: z.array(AuditView).describe('What was done to it, newest first; the last 20'),
})
export type SplitView = z.infer<typeof SplitView>

const OutcomesView = z.strictObject({
  backends: z.array(OutcomeView.extend({ backend: z.string() })),
  rules: z.array(
    OutcomeView.extend({
      rule: z.string().nullable().describe('Null: no rule decided'),
      path: z.string().nullable().describe('Where it stands in the configuration; null: no rule decided'),
    }),
  ),
  splits: z.array(
    z.strictObject({ rule: z.string(), old: OutcomeView, new: OutcomeView }).describe('Both sides of one split'),
  ),
})

export const MigrationView = z.strictObject({
  object: z.literal('migration'),
  since: time.describe('Videos count that ended after it'),
  until: time,
  counted: z
    .strictObject({
      videos: z.int(),
      limit: z.int().describe('Videos that are counted at most: the latest'),
      complete: z.boolean().describe('False: there were more since then'),
    })
    .describe('How many videos the outcomes are of'),
  outcomes: OutcomesView,
  splits: z.array(SplitView),
})
export type MigrationView = z.infer<typeof MigrationView>

export const RoutingStoppedView = z.strictObject({
  type: z.literal('routing.stopped'),
  timestamp: time,
  data: z.strictObject({
    rule: z.string(),
    old: z.string().describe('The backend that gets all new videos now'),
    new: z.string().describe('The backend that gets no more'),
    weight: percent.describe('Per cent of the new side until now'),
    outcomes_since: time.describe('Videos were counted that ended after it'),
    outcomes: CountsView,
    stopped_at: time,
  }),
})
export type RoutingStoppedView = z.infer<typeof RoutingStoppedView>
