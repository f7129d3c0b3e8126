import {
  MigrationView,
  type OutcomeView,
  SplitView,
  MigrationReportView,
  ReportProgress,
} from '../core/api/migration.ts'
import {
  bar,
  columns,
  createProgress,
  GATEWAY_URL,
  type Register,
  CliError,
  type CliContext,
  numberText,
  plain,
} from './context.ts'
import { z } from 'zod'
import {
  addressOf,
  adminCall,
  adminKey,
  jsonOf,
  refusalOf,
  unanswered,
  withGatewayOptions,
  type GatewayOptions,
} from './admin.ts'
import {
  askedOf,
  dayText,
  factsOf,
  fateText,
  isCompared,
  notesOf,
  pageOf,
  partsOf,
  recordedText,
  shareText,
  titleOf,
  VERDICT_WORDS,
  videosText,
} from './migrate-page.ts'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { request } from 'undici'

/** What people read of a migration. Pure. */

const NONE = '-'
const figure = (value: number): string => String(Number(value.toPrecision(3)))
const percent = (share: number): string => `${figure(share * 100)} %`

const successOf = ({ success }: OutcomeView): string =>
  success === null ? NONE : `${percent(success.rate)} (${percent(success.low)} to ${percent(success.high)})`

const rowOf = (name: string, outcome: OutcomeView): string[] => [
  name,
  String(outcome.videos),
  String(outcome.completed),
  String(outcome.failed),
  String(outcome.canceled),
  successOf(outcome),
  outcome.seconds ? `${figure(outcome.seconds.p50)} s` : NONE,
  outcome.seconds ? `${figure(outcome.seconds.p95)} s` : NONE,
  outcome.credits.each === null ? NONE : figure(outcome.credits.each),
  outcome.warned === null ? NONE : percent(outcome.warned),
]
const HEAD = ['videos', 'completed', 'failed', 'canceled', 'success (95 %)', 'p50', 'p95', 'credits each', 'warned']

/** How videos ended, side by side. */
const outcomeTable = ({ outcomes, since, counted }: MigrationView): string => {
  const rules = outcomes.rules.filter(({ rule }) => rule !== null)
  const rows = [
    ...outcomes.backends.map((one) => rowOf(one.backend, one)),
    ...rules.map((one) => rowOf(one.path ?? one.rule ?? '', one)),
    ...outcomes.splits.flatMap(({ rule, ...sides }) => [
      rowOf(`${rule} old`, sides.old),
      rowOf(`${rule} new`, sides.new),
    ]),
  ]
  const cut = counted.complete ? '' : `, the latest ${counted.limit} of them`
  return `videos that ended after ${since}${cut}\n${columns([['', ...HEAD], ...rows])}`
}

const stateOf = ({ stopped, weight, ramp_weight: ramp, next_weight: next }: SplitView): string => {
  if (!stopped) return `${weight} %${next === null ? ', all of it' : `, next ${next} %`}`
  const { outcomes, at } = stopped
  const { old, new: fresh } = outcomes
  return `stopped at ${at}: 0 % instead of ${ramp} % (new side ${fresh.failed} of ${fresh.videos} failed, old side ${old.failed} of ${old.videos})`
}

/** Why creates stayed on the old side, or were refused; and that nobody moves. */
const notMoved = ({ new: fresh, weight, gates, not_moved: kinds }: SplitView): string => {
  const none = weight > 0 && gates.some(({ name, new: ended }) => name === 'least_videos' && ended === 0)
  const lines = Object.entries(kinds).map(([kind, count]) => [`  ${count}`, kind])
  const head = none ? `  moves nobody: no video of ${fresh} has ended since the last step\n` : ''
  return head + (lines.length === 0 ? '' : `  creates that ${fresh} did not get:\n${columns(lines)}`)
}

const NO_GATES = '  the first step needs no gate\n'

/** The state of one split. */
const splitText = (split: SplitView): string => {
  const { rule, path, old, new: fresh, gates, stepped_at: at, stepped_by: by, file_weight: file } = split
  const isIdle = split.ramp_weight === 0 && split.stopped === null
  const stood = at === null ? 'as the file says' : `since ${at}, by ${by}; the file says ${file} %`
  const gateRows = gates.map(({ name, held, why }) => [held ? '  holds' : '  does not hold', name, why])
  return `${rule}  ${old} -> ${fresh}  ${stateOf(split)}  (${path}, ${stood})\n${isIdle ? NO_GATES : columns(gateRows)}${notMoved(split)}`
}

/** A newer gateway may tell more. */
const SplitAnswer = z.object(SplitView.shape)

interface ChangeOptions extends GatewayOptions {
  rule?: string
  force?: boolean
}

const changing =
  (name: string, description: string, isForced = false): Register =>
  (migrate, context) => {
    const command = migrate
      .command(name)
      .description(description)
      .option('--rule <key>', 'the rule of the split; needed only with several splits')
    withGatewayOptions(command)
    if (isForced) command.option('--force', 'even if gates do not hold, but not if the split is stopped')
    command.action(async ({ rule, force, url, json }: ChangeOptions) => {
      const body = { ...(rule !== undefined && { rule }), ...(force && { force }) }
      const raw = await adminCall(context, url, 'POST', `/unified/v1/admin/migration/${name}`, body)
      context.stdout(json ? `${JSON.stringify(raw)}\n` : splitText(SplitAnswer.parse(raw)))
    })
  }

const stepCommand = changing(
  'step',
  'give the new side the next of 1, 5, 10, 25, 50 and 100 %, if its gates hold',
  true,
)
const rollbackCommand = changing('rollback', 'give the new side 0 %, at once')
const resumeCommand = changing(
  'resume',
  'continue a split that stopped itself or was rolled back, at the weight that it had',
)

/** A newer gateway may tell more. */
const StatusAnswer = z.object(MigrationView.shape)

interface StatusOptions extends GatewayOptions {
  since: string
  rule?: string
}

/** `talkbridge migrate status`: how backends compare, and the state of each split. */
const statusCommand: Register = (migrate, context) => {
  const command = migrate
    .command('status')
    .description('compare how videos end on each backend, and show the state of each ramp')
    .option('--since <time>', 'count only videos that ended after this: a time in ISO 8601, or how long ago', '24h')
    .option('--rule <key>', 'only this split')
  withGatewayOptions(command).action(async ({ since, rule, url, json }: StatusOptions) => {
    const raw = await adminCall(context, url, 'GET', `/unified/v1/migration?since=${encodeURIComponent(since)}`)
    if (json) return context.stdout(`${JSON.stringify(raw)}\n`)
    const migration = StatusAnswer.parse(raw)
    const splits = migration.splits.filter((split) => rule === undefined || split.rule === rule)
    if (rule !== undefined && splits.length === 0) throw new CliError(1, `talkbridge: no split has the rule ${rule}`)
    if (rule === undefined) context.stdout(`${outcomeTable(migration)}\n`)
    context.stdout(splits.length === 0 ? 'no split\n' : splits.map(splitText).join('\n'))
  })
}

const LISTED = 12

const table = (rows: readonly (readonly string[])[], right: readonly number[]): string[] =>
  columns(rows, right)
    .split('\n')
    .slice(0, -1)
    .map((line) => `  ${line}`)

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines])
const more = (count: number, what: string): string[] => (count > 0 ? [`  … and ${numberText(count)} more ${what}`] : [])

const lossLines = ({ losses }: MigrationReportView): string[] =>
  table(
    losses.map(({ verdict, videos, share, example, ...kind }) => {
      return [titleOf(kind), numberText(videos), shareText(share), bar(share, 0, 12), fateText(verdict), example]
    }),
    [1, 2],
  )

const clientLines = ({ clients, other_clients: others }: MigrationReportView): string[] => [
  ...table(
    [
      ['client', 'videos', 'untouched', 'warnings', 'not at all', 'unknown'],
      ...clients.slice(0, LISTED).map(({ client, videos, verdicts }) => {
        return [client, numberText(videos), ...partsOf(verdicts, videos).map(({ share }) => shareText(share))]
      }),
    ],
    [1, 2, 3, 4, 5],
  ),
  ...more(clients.length - LISTED, 'clients'),
  ...more(others, 'videos of clients that are not listed'),
]

const lackingLines = ({ lacking, other_lacking: others }: MigrationReportView): string[] => [
  ...lacking.slice(0, LISTED).flatMap((one) => {
    const { kind, id, videos, candidates, alias } = one
    const facts = factsOf(one).join(', ')
    const found = candidates.map(({ id: other, score, why }) => `      ${score.toFixed(2)}  ${other}  ${why}`)
    return [
      `  ${kind} ${id}${facts && ` (${facts})`}: ${videosText(videos)}`,
      ...(found.length > 0 ? found : ['      nothing similar']),
      `      ${alias === null ? 'to be decided: a comment below' : `in the aliases below as ${alias}`}`,
    ].map(plain)
  }),
  ...more(lacking.length - LISTED, 'voices and portraits: see --json or --html'),
  ...more(others.voices + others.portraits, 'videos with others'),
]

const comparedLines = (report: MigrationReportView): string[] => {
  if (!isCompared(report)) return []
  const told = (share: number | null): string => (share === null ? '–' : shareText(share))
  return table(
    [
      ['', 'predicted', `shadowed (${numberText(report.shadow.videos)})`, `observed (${numberText(askedOf(report))})`],
      ...report.compared.map(({ predicted, shadowed, observed, ...kind }) => {
        return [titleOf(kind), shareText(predicted), told(shadowed), told(observed)]
      }),
    ],
    [1, 2, 3],
  )
}

/** The report for a terminal. */
export const summaryOf = (report: MigrationReportView): string => {
  const { from, to, videos, verdicts, since, until, aliases, lacking } = report
  const head = `${from} → ${to}: ${recordedText(videos)}, ${dayText(since)} to ${dayText(until)}`
  const parts = partsOf(verdicts, videos).map(({ verdict, videos: count, share }) => [
    VERDICT_WORDS[verdict],
    bar(share),
    numberText(count),
    shareText(share),
  ])
  return `${[
    head,
    '',
    ...table(parts, [2, 3]),
    ...section('What is lost', lossLines(report)),
    ...section('By client', clientLines(report)),
    ...section('Without an alias', lackingLines(report)),
    ...section('Predicted, and observed since', comparedLines(report)),
    ...section(
      'Notes',
      notesOf(report).map((note) => `  ${plain(note)}`),
    ),
    ...(lacking.length === 0
      ? []
      : section('Aliases: replace those in your configuration with these', ['', aliases.trimEnd()])),
  ].join('\n')}\n`
}

interface ReportOptions extends GatewayOptions {
  from: string
  to: string
  since: string
  html?: string
}

/** Between two lines. The first comes when both catalogues were read, or could not be. */
const SILENCE_MS = 300_000
/** Asks the running gateway for the report; `onProgress` receives how far it is. Throws what the gateway refuses. */
const askReport = async (
  context: CliContext,
  { from, to, since, url }: ReportOptions,
  onProgress: (progress: ReportProgress) => void,
): Promise<MigrationReportView> => {
  const response = await request(addressOf('/unified/v1/migration/report', url), {
    query: { from, to, since },
    headers: { authorization: `Bearer ${adminKey(context)}`, accept: 'application/x-ndjson, application/problem+json' },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    signal: context.signal,
  }).catch(unanswered(url))
  const { statusCode: status } = response
  if (status !== 200) throw refusalOf(status, jsonOf(await response.body.text().catch(unanswered(url))))
  for await (const line of createInterface({ input: response.body, crlfDelay: Infinity })) {
    if (line === '') continue
    const said = jsonOf(line)
    if (said === undefined) throw refusalOf(status, said)
    const progress = ReportProgress.safeParse(said)
    if (progress.success) onProgress(progress.data)
    else return MigrationReportView.parse(said)
  }
  throw new CliError(1, 'talkbridge: the connection to the gateway broke before the report was complete: run it again')
}

/** `talkbridge migrate report`: what would be lost, by the videos that were recorded. Talks to the running gateway. */
const addReport = (migrate: Command, context: CliContext): void => {
  migrate
    .command('report')
    .description('show which recorded requests of one backend another one could take, and what they would lose')
    .requiredOption('--from <name>', 'the backend or pool whose recorded requests are checked')
    .requiredOption('--to <name>', 'the backend or pool that would take them')
    .option('--since <time>', 'only videos created after this: a time, or how long ago (30d, 12h, 90m)', '30d')
    .option('--html <file>', 'also write the report as one HTML page')
    .option('--json', 'print the report as JSON')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .action(async (options: ReportOptions) => {
      const progress = createProgress(context)
      const report = await askReport(context, options, ({ progress: share, videos }) =>
        progress.show(share, videosText(videos)),
      ).finally(progress.clear)
      if (options.html !== undefined) await writeFile(resolve(context.cwd, options.html), pageOf(report))
      context.stdout(options.json ? `${JSON.stringify(report)}\n` : summaryOf(report))
      if (options.html !== undefined) context.stderr(`written: ${options.html}\n`)
    })
}

const COMMANDS = [addReport, statusCommand, stepCommand, rollbackCommand, resumeCommand]

/** `talkbridge migrate …`: moves clients from one backend to the other. Talks to the running gateway. */
export const migrateCommand: Register = (program, context) => {
  const migrate = program.command('migrate').description('move to another backend a little at a time, and back')
  for (const register of COMMANDS) register(migrate, context)
}
