import { z } from 'zod'
import { SURFACES } from '../vocabulary.ts'
import { VERDICTS } from '../store/accounts.ts'

/** What operators see of splits and of how videos end on each backend: one schema each. */

const time = z.iso.datetime()
const percent = z.number().min(0).max(100)
const share = z.number().min(0).max(1)

export const OutcomeView = z.strictObject({
  videos: z.int().describe('All videos that ended'),
  completed: z.int(),
  failed: z.int(),
  canceled: z.int(),
  success: z
    .strictObject({ rate: share, low: share, high: share })
    .nullable()
    .describe(
      'The share of completed videos among completed and failed ones. `low` to `high` is the 95 % interval (Wilson). Null: there are none',
    ),
  seconds: z
    .strictObject({ p50: z.number(), p95: z.number() })
    .nullable()
    .describe('Seconds from the create to the end, of completed videos; null: there are none'),
  credits: z
    .strictObject({ total: z.number(), each: z.number().nullable() })
    .describe('The credits of videos whose price the backend reported; a null `each` means there are none'),
  warned: share.nullable().describe('The share of completed and failed videos that lost an option'),
})
export type OutcomeView = z.infer<typeof OutcomeView>

const SideCountView = z.strictObject({ videos: z.int(), failed: z.int() })
const CountsView = z.strictObject({ old: SideCountView, new: SideCountView })

export const GATES = ['least_videos', 'failure_rate', 'p95', 'credits', 'warnings', 'not_moved'] as const

const GateView = z.strictObject({
  name: z.enum(GATES).describe('The name in `routing.gates`'),
  held: z.boolean(),
  new: z.number().nullable().describe('The value of the new side; null: there was nothing to measure'),
  old: z.number().nullable(),
  limit: z.number().nullable().describe('The highest allowed value of the new side; for `least_videos`, the lowest'),
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
  rule: z.string().describe('The id of the rule, as in `routing.rule` of a video'),
  path: z.string().describe('The place of the rule in the configuration'),
  when: z.strictObject({
    client: z.string().nullable(),
    surface: z.enum(SURFACES).nullable(),
    source: z.enum(['text', 'audio']).nullable(),
    metadata: z.record(z.string(), z.string()),
  }),
  by: z.string().describe('What stays on one side: `client`, or `metadata.<key>`'),
  old: z.string().describe('A backend'),
  new: z.string().describe('A backend'),
  file_weight: percent.describe('Percent in the configuration, where the ramp began'),
  ramp_weight: percent.describe('Percent after the last step'),
  weight: percent.describe('Percent now: `ramp_weight`, or 0 while the split is stopped'),
  stepped_at: time.nullable().describe('Null: never, so that of the configuration applies'),
  stepped_by: z.string().nullable(),
  resumed_at: time.nullable(),
  stop_if: z.strictObject({ failure_rate: share, of: z.int(), window_seconds: z.number() }).nullable(),
  stopped: z
    .strictObject({ at: time, outcomes_since: time, outcomes: CountsView })
    .nullable()
    .describe('Null: the canary did not stop itself'),
  rolled_back_from: percent
    .nullable()
    .describe('Percent before the rollback in force, which `resume` sets again; null: there is none'),
  next_weight: percent.nullable().describe('Null: the new side has all'),
  ready: z.boolean().describe('True: the next step needs no `force`'),
  gates: z.array(GateView).describe('At 0 % the next step needs none of them'),
  gates_since: time.nullable().describe('Gates measure videos that ended after this; null: all'),
  curve: z
    .array(z.strictObject({ from: time, ...CountsView.shape }))
    .describe('What gates measure, in at most 24 steps of time'),
  not_moved: z.record(z.string(), z.number()).describe('Creates that the new side did not get, by code and field'),
  audit: z.array(AuditView).describe('Newest first, at most 20'),
})
export type SplitView = z.infer<typeof SplitView>

const OutcomesView = z.strictObject({
  backends: z.array(OutcomeView.extend({ backend: z.string() })),
  rules: z.array(
    OutcomeView.extend({
      rule: z.string().nullable().describe('Null: no rule decided'),
      path: z.string().nullable().describe('The place of the rule in the configuration; null: no rule decided'),
    }),
  ),
  splits: z.array(
    z.strictObject({ rule: z.string(), old: OutcomeView, new: OutcomeView }).describe('Both sides of one split'),
  ),
})

export const MigrationView = z.strictObject({
  object: z.literal('migration'),
  since: time.describe('Videos count if they ended after this time'),
  until: time,
  counted: z
    .strictObject({
      videos: z.int(),
      limit: z.int().describe('The highest number of videos that is counted, the latest first'),
      complete: z.boolean().describe('False: there were more videos since then'),
    })
    .describe('How many videos were counted'),
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
    new: z.string().describe('The backend that gets no new videos any longer'),
    weight: percent.describe('Percent of the new side until the stop'),
    outcomes_since: time.describe('Videos that ended after this time were counted'),
    outcomes: CountsView,
    stopped_at: time,
  }),
})
export type RoutingStoppedView = z.infer<typeof RoutingStoppedView>

/** What `talkbridge migrate report` and `GET /unified/v1/migration/report` tell: one schema for both and the page. */

const count = z.int().nonnegative()
const counts = z.strictObject({ untouched: count, warnings: count, not_at_all: count, unverified: count })
export type VerdictCounts = z.infer<typeof counts>

const kind = {
  code: z.string().describe('The code that the client would get; `option_ignored` for a warning'),
  field: z.string().nullable(),
}

const CatalogueView = z.strictObject({
  backend: z.string(),
  voices: count.nullable().describe('Null: the gateway could not read the catalogue'),
  puppets: count.nullable(),
  problem: z.string().nullable().describe('The code of the problem when the gateway could not read it'),
})

const CandidateView = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  language: z.string().nullable(),
  gender: z.string().nullable(),
  score: share,
  why: z.string(),
})

const LackingView = z.strictObject({
  kind: z.enum(['voice', 'puppet', 'image']),
  id: z.string().describe('The id on the old backend, or an image URL'),
  name: z.string().nullable(),
  language: z.string().nullable(),
  gender: z.string().nullable(),
  videos: count,
  candidates: z.array(CandidateView),
  alias: z.string().nullable().describe('Its name in `aliases`; null: it is there only as a comment'),
})
export type LackingView = z.infer<typeof LackingView>

const ComparedView = z.strictObject({
  ...kind,
  predicted: share.describe('The share of the recorded requests'),
  shadowed: share.nullable().describe('The share of the shadows; null: there are none'),
  observed: share
    .nullable()
    .describe('The share of the requests that the new backend got since then; null: it got none'),
  warned: count,
  refused: count,
  failed: count,
})
export type ComparedView = z.infer<typeof ComparedView>

export const MigrationReportView = z.strictObject({
  object: z.literal('migration_report'),
  from: z.string(),
  to: z.string(),
  since: time,
  until: time,
  videos: count.describe('Videos whose requests were checked'),
  imported: count.describe('Imported videos. They have no request to check'),
  verdicts: counts,
  catalogues: z.array(CatalogueView).length(2).describe('The catalogues of both backends, the old one first'),
  losses: z.array(z.strictObject({ ...kind, verdict: z.enum(VERDICTS), videos: count, share, example: z.string() })),
  unverified: z.array(z.strictObject({ field: z.string(), videos: count })),
  clients: z.array(z.strictObject({ client: z.string(), videos: count, verdicts: counts })),
  other_clients: count.describe('Videos of clients that are not in the list'),
  pinned: z
    .strictObject({ request: count, id: count })
    .describe('Videos whose request names the old backend in `backend` or by an id. Rules do not move these'),
  default_voices: count.describe('Videos without a voice. Each service uses its own default voice'),
  lacking: z.array(LackingView),
  other_lacking: z
    .strictObject({ voices: count, portraits: count })
    .describe('Videos whose voice or portrait is not in the list'),
  aliases: z.string().describe('The whole section `aliases` of the configuration, in YAML. Paste it'),
  shadow: z
    .strictObject({ videos: count, verdicts: counts, dropped: count })
    .describe('`dropped` counts from the start of the process'),
  observed: z
    .strictObject({ videos: count, refused: count, failed: count })
    .describe('What happened on the new backend in the same time'),
  compared: z.array(ComparedView),
})
export type MigrationReportView = z.infer<typeof MigrationReportView>

/** A line of `application/x-ndjson` before the last one, which is the report. */
export const ReportProgress = z.object({ object: z.literal('progress'), progress: share, videos: count })
export type ReportProgress = z.infer<typeof ReportProgress>
