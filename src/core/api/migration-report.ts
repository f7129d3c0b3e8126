import { z } from 'zod'
import { VERDICTS } from '../store/routing.ts'

/** What `talkbridge migrate report` and `GET /unified/v1/migration/report` tell: one schema for both and the page. */

const time = z.iso.datetime()
const count = z.int().nonnegative()
const share = z.number().min(0).max(1)
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
