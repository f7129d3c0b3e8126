import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { request } from 'undici'
import { MigrationReportView, ReportProgress } from '../../core/api/migration.ts'
import { adminKey, refusalOf, unanswered } from '../admin.ts'
import { CliError, GATEWAY_URL, type CliContext } from '../context.ts'
import { pageOf } from './page.ts'
import { bar, summaryOf } from './summary.ts'
import { numberText } from './words.ts'

interface Options {
  from: string
  to: string
  since: string
  html?: string
  json?: boolean
  url: string
}

/** Between two lines. The first comes when both catalogues were read, or could not be. */
const SILENCE_MS = 300_000
const CLEAR = '\r\u001b[2K'

/** Only on a terminal, and on stderr: what is printed stays what is asked for. */
const progressBar = ({ isTty, env, stderr }: CliContext) => {
  const isLive = isTty && env['TERM'] !== 'dumb'
  return {
    show: ({ progress, videos }: ReportProgress): void => {
      if (isLive) stderr(`${CLEAR}${bar(progress, 32)} ${Math.floor(progress * 100)} %  ${numberText(videos)} videos`)
    },
    clear: (): void => {
      if (isLive) stderr(CLEAR)
    },
  }
}

/** Asks the running gateway for the report; `onProgress` hears how far it is. Throws what the gateway refuses. */
const askReport = async (
  context: CliContext,
  { from, to, since, url }: Options,
  onProgress: (progress: ReportProgress) => void,
): Promise<MigrationReportView> => {
  const response = await request(new URL('/unified/v1/migration/report', url), {
    query: { from, to, since },
    headers: { authorization: `Bearer ${adminKey(context)}`, accept: 'application/x-ndjson, application/problem+json' },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    signal: context.signal,
  }).catch(unanswered(url))
  if (response.statusCode !== 200) throw refusalOf(response.statusCode, await response.body.json().catch(() => null))
  for await (const line of createInterface({ input: response.body, crlfDelay: Infinity })) {
    if (line === '') continue
    const said: unknown = JSON.parse(line)
    const progress = ReportProgress.safeParse(said)
    if (progress.success) onProgress(progress.data)
    else return MigrationReportView.parse(said)
  }
  throw new CliError(1, 'talkbridge: the connection to the gateway broke before the report was complete: run it again')
}

/** `talkbridge migrate report`: what would be lost, by the videos that were recorded. Talks to the running gateway. */
export const addReport = (migrate: Command, context: CliContext): void => {
  migrate
    .command('report')
    .description('show which recorded requests of one backend another one could take, and what they would lose')
    .requiredOption('--from <backend>', 'the backend whose recorded requests are checked')
    .requiredOption('--to <backend>', 'the backend that would take them')
    .option('--since <time>', 'only videos created after this: a time, or how long ago (30d, 12h, 90m)', '30d')
    .option('--html <file>', 'also write the report as one HTML page')
    .option('--json', 'print the report as JSON')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .action(async (options: Options) => {
      const progress = progressBar(context)
      const report = await askReport(context, options, progress.show).finally(progress.clear)
      if (options.html !== undefined) await writeFile(resolve(context.cwd, options.html), pageOf(report))
      context.stdout(options.json ? `${JSON.stringify(report)}\n` : summaryOf(report))
      if (options.html !== undefined) context.stderr(`written: ${options.html}\n`)
    })
}
