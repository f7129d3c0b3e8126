import type { MigrationReportView } from '../../../core/api/migration.ts'
import { json, operations } from '../../openapi/operation.ts'
import { MigrationReportQuery } from './report-query.ts'

const ALIASES = `aliases:
  voices:
    ava: { main: "sandbox-en-us-ava", alt: "voice_amber" } # 310 videos; same language (en-US), same gender (female), names 29 % alike
  puppets: {}
`

const REPORT: MigrationReportView = {
  object: 'migration_report',
  from: 'main',
  to: 'alt',
  since: '2026-10-21T12:00:00.000Z',
  until: '2026-11-20T12:00:00.000Z',
  videos: 1_000,
  imported: 0,
  verdicts: { untouched: 410, warnings: 120, not_at_all: 470, unverified: 0 },
  catalogues: [
    { backend: 'main', voices: 45, puppets: 4, problem: null },
    { backend: 'alt', voices: 8, puppets: 6, problem: null },
  ],
  losses: [
    {
      code: 'voice_not_found',
      field: 'voice_id',
      verdict: 'not_at_all',
      videos: 310,
      share: 0.31,
      example: 'alt does not have this voice, and no alias has one for it',
    },
  ],
  unverified: [],
  clients: [
    { client: 'acme', videos: 1_000, verdicts: { untouched: 410, warnings: 120, not_at_all: 470, unverified: 0 } },
  ],
  other_clients: 0,
  pinned: { request: 12, id: 0 },
  default_voices: 85,
  lacking: [
    {
      kind: 'voice',
      id: 'sandbox-en-us-ava',
      name: 'Ava',
      language: 'en-US',
      gender: 'female',
      videos: 310,
      candidates: [
        {
          id: 'voice_amber',
          name: 'Amber',
          language: 'en-US',
          gender: 'female',
          score: 0.929,
          why: 'same language (en-US), same gender (female), names 29 % alike',
        },
      ],
      alias: 'ava',
    },
  ],
  other_lacking: { voices: 0, portraits: 0 },
  aliases: ALIASES,
  shadow: { videos: 0, verdicts: { untouched: 0, warnings: 0, not_at_all: 0, unverified: 0 }, dropped: 0 },
  observed: { videos: 50, refused: 16, failed: 0 },
  compared: [
    {
      code: 'voice_not_found',
      field: 'voice_id',
      predicted: 0.31,
      shadowed: null,
      observed: 0.24,
      warned: 0,
      refused: 16,
      failed: 0,
    },
  ],
}

export const MIGRATION_REPORT_OPERATIONS = operations('Administration', {
  getMigrationReport: {
    at: ['get', '/unified/v1/migration/report'],
    summary: 'Report what a move to another backend would lose',
    description:
      'Checks every recorded request of one backend against another one and its catalogue. The gateway uses the same checks as for a create. It sends nothing, and you pay nothing.\n\nWith `Accept: application/x-ndjson` you get the progress line by line, and the report as the last line. Only one report runs at a time; a second one gets 429.',
    scope: 'admin',
    query: MigrationReportQuery,
    answers: {
      200: {
        ...json('The report.', 'MigrationReport', REPORT),
        raw: {
          mediaType: 'application/x-ndjson',
          example: '{"object":"progress","progress":0.5,"videos":500}\n{"object":"migration_report",…}\n',
        },
      },
    },
    problems: ['shutting_down'],
  },
})
