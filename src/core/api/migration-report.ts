import { z } from 'zod'
import { VERDICTS } from '../store/recorded.ts'

/** What `talkbridge migrate report` and `GET /unified/v1/migration/report` tell: one schema for both and the page. */

const time = z.iso.datetime()
const count = z.int().nonnegative()
const share = z.number().min(0).max(1)
const counts = z.strictObject({ untouched: count, warnings: count, not_at_all: count, unverified: count })
export type VerdictCounts = z.infer<typeof counts>

const kind = {
  code: z.string().describe('As the client would be told; `option_ignored` of a warning'),
  field: z.string().nullable(),
}

const CatalogueView = z.strictObject({
  backend: z.string(),
  voices: count.nullable().describe('null: could not be read, so nothing is said of them'),
  puppets: count.nullable(),
  problem: z.string().nullable().describe('The code of what kept it from being read'),
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
  id: z.string().describe('As the old backend calls it; or an image URL'),
  name: z.string().nullable(),
  language: z.string().nullable(),
  gender: z.string().nullable(),
  videos: count,
  candidates: z.array(CandidateView),
  alias: z.string().nullable().describe('Under which `aliases` has it; null: there only as a comment'),
})
export type LackingView = z.infer<typeof LackingView>

const ComparedView = z.strictObject({
  ...kind,
  predicted: share.describe('Of the recorded requests'),
  shadowed: share.nullable().describe('Of the shadows; null: there are none'),
  observed: share.nullable().describe('Of what the new backend was asked for since; null: nothing'),
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
  videos: count.describe('Whose requests were judged'),
  imported: count.describe('Made elsewhere: there is no request to judge'),
  verdicts: counts,
  catalogues: z.array(CatalogueView).length(2).describe('Of both backends, the old one first'),
  losses: z.array(z.strictObject({ ...kind, verdict: z.enum(VERDICTS), videos: count, share, example: z.string() })),
  unverified: z.array(z.strictObject({ field: z.string(), videos: count })),
  clients: z.array(z.strictObject({ client: z.string(), videos: count, verdicts: counts })),
  other_clients: count.describe('Videos of clients that are not listed'),
  pinned: z
    .strictObject({ request: count, id: count })
    .describe('Videos whose request names the old backend, itself or by an id: no rule moves those'),
  default_voices: count.describe('Videos without a voice: each service speaks them in its own'),
  lacking: z.array(LackingView),
  other_lacking: z
    .strictObject({ voices: count, portraits: count })
    .describe('Videos whose voice or portrait is not listed'),
  aliases: z.string().describe('YAML: the whole section `aliases` of the configuration, to be pasted'),
  shadow: z
    .strictObject({ videos: count, verdicts: counts, dropped: count })
    .describe('Dropped: since the process began'),
  observed: z
    .strictObject({ videos: count, refused: count, failed: count })
    .describe('On the new backend, in the same time'),
  compared: z.array(ComparedView),
})
export type MigrationReportView = z.infer<typeof MigrationReportView>

/** A line of `application/x-ndjson` before the last one, which is the report. */
export const ReportProgress = z.object({ object: z.literal('progress'), progress: share, videos: count })
export type ReportProgress = z.infer<typeof ReportProgress>
