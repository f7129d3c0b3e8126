import { once } from 'node:events'
import type { RequestHandler, Response } from 'express'
import type { MigrationReportView, ReportProgress } from '../../core/api/migration.ts'
import { fieldProblem, noBackend, Problem } from '../../core/errors.ts'
import { allNames, type Backends } from '../../engine/index.ts'
import { type BackendOrPool, backendOrPool } from '../../migration/verdict.ts'
import { actorOf } from '../middleware/request.ts'
import { MIGRATION, RAMP_SPLIT } from '../openapi/examples.ts'
import { BODY_PROBLEMS, json } from '../openapi/operation.ts'
import { MigrationQuery, MigrationReportQuery } from './input.ts'
import { operation } from './operation.ts'

const NDJSON = 'application/x-ndjson'
const TYPES = ['application/json', NDJSON]
const RETRY_MS = 5_000
/** Progress is reported in steps of this: a reader sees a bar, and not a line a page. */
const STEP = 0.01

const namedOr400 = (param: 'from' | 'to', name: string, backends: Backends): BackendOrPool => {
  const named = backendOrPool(name, backends)
  if (!named) throw fieldProblem('invalid_request', param, noBackend(name, allNames(backends)))
  return named
}

const acceptsReport: RequestHandler = (req, _res, next) => {
  if (!req.accepts(TYPES))
    throw new Problem('not_acceptable', `the answer is ${TYPES.join(' or ')}: accept one of these types`)
  next()
}

type Make = (onProgress: (progress: number, videos: number) => void) => Promise<MigrationReportView>

const answer = async (res: Response, isLines: boolean, make: Make): Promise<void> => {
  if (!isLines) return void res.json(await make(() => undefined))
  res.status(200)
  // By node's own: express would add a charset.
  res.setHeader('content-type', NDJSON)
  // What nginx listens to: lines are not to be gathered up.
  res.setHeader('x-accel-buffering', 'no')
  let told = -1
  const made = await make((progress, videos) => {
    // A reader that does not read gets no more of it: only the report itself matters.
    if (progress - told < STEP || res.writableNeedDrain) return
    told = progress
    res.write(`${JSON.stringify({ object: 'progress', progress, videos } satisfies ReportProgress)}\n`)
  })
  if (!res.write(`${JSON.stringify(made)}\n`)) await Promise.race([once(res, 'drain'), once(res, 'close')])
  res.end()
}

const ONE = { rule: { summary: 'One of several splits', value: { rule: RAMP_SPLIT.rule } } }
/** As it was started. */
const NO_SPLIT = { status: 404, why: 'its configuration has no split' }
const PROBLEMS = [...BODY_PROBLEMS, 'rule_not_found'] as const

export const MIGRATION_OPERATIONS = [
  operation('Administration', {
    id: 'getMigration',
    at: ['get', '/unified/v1/migration'],
    summary: 'Compare backends, and show each ramp',
    description:
      'Shows how videos ended on each backend, under each rule and on both sides of each split. Each split has its share in force, its gates and its history. The latest 100,000 videos count; `counted` says whether there were more.',
    scope: 'admin',
    query: MigrationQuery,
    answers: { 200: json('The state now.', 'Migration', MIGRATION) },
    problems: [],
    handle: ({ routing: { migration }, clock }, { query: { since } }) => migration.status(since(clock.now())),
  }),
  operation('Administration', {
    id: 'stepSplit',
    at: ['post', '/unified/v1/admin/migration/step'],
    summary: 'Raise the share of the new side of a split',
    description:
      'Sets the next of 1, 5, 10, 25, 50 and 100 %. The share is in force on every process within two seconds. You get 409 `ramp_refused` while a gate does not hold (`details.gates`), unless you set `force`. While the split is stopped, you get it even with `force`.',
    scope: 'admin',
    body: {
      name: 'StepSplit',
      optional: true,
      examples: { ...ONE, force: { summary: 'Step even if gates do not hold', value: { force: true } } },
    },
    onSandbox: NO_SPLIT,
    answers: { 200: json('The split after the change.', 'Split', RAMP_SPLIT) },
    problems: [...PROBLEMS, 'ramp_refused'],
    handle: ({ routing: { migration } }, { res, body: { rule = null, force = false } }) =>
      migration.step(rule, actorOf(res), force),
  }),
  operation('Administration', {
    id: 'rollbackSplit',
    at: ['post', '/unified/v1/admin/migration/rollback'],
    summary: 'Set the share of the new side of a split to 0 %',
    description:
      'Takes effect immediately, whatever the gates say. Videos that the new side already has run to their end there.',
    scope: 'admin',
    body: { name: 'ChangeSplit', optional: true, examples: ONE },
    onSandbox: NO_SPLIT,
    answers: {
      200: json('The split after the change.', 'Split', {
        ...RAMP_SPLIT,
        ramp_weight: 0,
        weight: 0,
        rolled_back_from: 10,
        curve: [],
        next_weight: 1,
      }),
    },
    problems: PROBLEMS,
    handle: ({ routing: { migration } }, { res, body: { rule = null } }) => migration.rollback(rule, actorOf(res)),
  }),
  operation('Administration', {
    id: 'resumeSplit',
    at: ['post', '/unified/v1/admin/migration/resume'],
    summary: 'Resume a split that stopped itself or was rolled back',
    description:
      'The split continues at the share before its stop, or before the rollback in force (`rolled_back_from`). Outcomes count from now on. If there is nothing to resume, you get 409 `ramp_refused`.',
    scope: 'admin',
    body: { name: 'ChangeSplit', optional: true, examples: ONE },
    onSandbox: NO_SPLIT,
    answers: { 200: json('The split after the change.', 'Split', RAMP_SPLIT) },
    problems: [...PROBLEMS, 'ramp_refused'],
    handle: ({ routing: { migration } }, { res, body: { rule = null } }) => migration.resume(rule, actorOf(res)),
  }),
]

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

export const MIGRATION_REPORT_OPERATIONS = [
  operation('Administration', {
    id: 'getMigrationReport',
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
    accepts: acceptsReport,
    handle: async ({ migration, backends, clock, ending, reports }, { req, res, query: { from, to, since } }) => {
      const wish = { from: namedOr400('from', from, backends), to: namedOr400('to', to, backends) }
      if (wish.to.members.some((one) => wish.from.members.includes(one)))
        throw fieldProblem('invalid_request', 'to', 'to must not be the same backend as from, or of the same pool')
      if (reports.isBusy) {
        const message = 'another report is running: retry when it has ended'
        throw new Problem('rate_limited', message, { retryAtMs: clock.now() + RETRY_MS })
      }
      reports.isBusy = true
      const hungUp = new AbortController()
      res.once('close', () => hungUp.abort())
      const signal = AbortSignal.any([hungUp.signal, ending])
      try {
        await answer(res, req.accepts(TYPES) === NDJSON, (onProgress) =>
          migration.report({ ...wish, sinceMs: since(clock.now()), signal, onProgress }),
        )
      } catch (error) {
        if (hungUp.signal.aborted) return
        throw ending.aborted ? new Problem('shutting_down', 'the gateway is stopping') : error
      } finally {
        reports.isBusy = false
      }
    },
  }),
]
