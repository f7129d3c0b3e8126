import {
  CopyDiffers,
  CopyRefused,
  failureOf,
  OutcomeUnknown,
  QueryFailed,
  SourceFault,
  type CopyProgress,
  type CopyReport,
  copyStore,
} from '../stores/copy.ts'
import { CliError, columns, createProgress, messageOf, numberText, type CliContext, type Register } from './context.ts'
import { codeOf } from '../core/errors.ts'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { KEY_FILE } from '../webhooks/secrets.ts'
import { Store } from '../config/schema.ts'

/** By SQLSTATE (PostgreSQL, appendix A), and by the system's error codes. Never the server's own words about who asked. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'the server refuses the user or the password: correct the URL'],
  [/^3D000$/, 'the server has no such database: create it (CREATE DATABASE … ENCODING UTF8), or correct the URL'],
  [
    /^42501$/,
    'the user may not do this: make it the owner of the schema, or allow it to create one (GRANT CREATE ON DATABASE)',
  ],
  [/^55P03$/, 'something else works in that schema: stop the gateways on it, then run this again'],
  [/^53300$/, 'the server has no connection left: stop what uses it, or raise max_connections'],
  [/^53100$/, 'the disk of the server is full: free some space, then run this again'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'the server does not answer: start it, or correct host and port',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no host with this name: correct the URL'],
]

const whyOf = (error: unknown): string => {
  const cause = error instanceof QueryFailed ? error.cause : error
  const code = codeOf(cause)
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1]
  if (advice !== undefined) return advice
  if (failureOf(error) !== 'disconnected') return messageOf(cause)
  return `the connection failed (${messageOf(cause)}): check the server and its log, then run this again`
}

/** One line: what happened, and what to do. `where`: host and database, without who asks. */
export const storeFault = (error: unknown, where: string, signal: AbortSignal): CliError => {
  const nothing = 'nothing was copied'
  const told = (message: string): CliError => new CliError(1, `talkbridge: ${message}`, { cause: error })
  if (signal.aborted) return told(`stopped: ${nothing}`)
  if (error instanceof SourceFault) return told(`--from: ${error.message}`)
  if (error instanceof OutcomeUnknown) {
    return told(
      `--to ${where}: ${error.message}: run this again; if it then says that the schema holds a store, the copy is complete`,
    )
  }
  if (error instanceof CopyRefused) return told(`--to ${where}: ${error.message}`)
  if (error instanceof CopyDiffers) return told(`${nothing}: ${error.message}`)
  return told(`--to ${where}: ${whyOf(error)}; ${nothing}`)
}

/** On stderr: a bar on a terminal, else a line for each table that holds something. */
const copyProgress = (context: CliContext) => {
  const progress = createProgress(context)
  return {
    clear: progress.clear,
    show({ step, table, rows, isWhole, share }: CopyProgress): void {
      if (progress.live) progress.show(share, `${table}: ${numberText(rows)} ${step}`)
      else if (isWhole && rows > 0) context.stderr(`${step} ${table}: ${numberText(rows)}\n`)
    },
  }
}

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** How every gateway gets the key that the store was written with. Never shows it. */
const keyStep = (path: string, { env }: CliContext): string => {
  const why = 'secrets, cursors and content links of the store need it.'
  if (env['TALKBRIDGE_SECRET_KEY']) return `Give every gateway the same TALKBRIDGE_SECRET_KEY as before: ${why}`
  const file = join(dirname(path), KEY_FILE)
  if (!existsSync(file)) return `Give every gateway the TALKBRIDGE_SECRET_KEY of the old one: ${why}`
  return [
    `Give every gateway the key of the old one, which is in ${file}: ${why}`,
    `     export TALKBRIDGE_SECRET_KEY="$(cat ${shellText(file)})"`,
  ].join('\n')
}

/** `path`: the SQLite file. `where`: host and database. */
const summaryOf = (
  report: CopyReport,
  { path, where, schema, tookMs }: { path: string; where: string; schema: string; tookMs: number },
  context: CliContext,
): string => {
  const rows = report.tables.reduce((sum, { target }) => sum + target, 0)
  const table = [
    ['table', 'sqlite', 'postgres'],
    ...report.tables.map(({ table, source, target }) => [table, numberText(source), numberText(target)]),
  ]
  return `${columns(table, [1, 2])}
Copied ${numberText(rows)} rows to schema ${schema} on ${where} in ${(tookMs / 1_000).toFixed(1)} s. All rows were read back and compared.

Next:
  1. ${keyStep(path, context)}
  2. In the configuration: store: { driver: postgres, url: '\${DATABASE_URL}', schema: ${schema} }
  3. Start the gateway. Keep ${path} as a backup, but never start a gateway on it again: both would do the same work.
`
}

/** The gateway's time never goes back; the database's is its time from now on. */
const clockWarning = ({ aheadMs }: CopyReport): string =>
  aheadMs === 0
    ? ''
    : `warning: the newest time in the store is ${Math.ceil(aheadMs / 1_000)} s ahead of the database's clock: correct that clock, or start the gateway after that time\n`

interface Options {
  from: string
  to: string
  schema: string
}

const sourcePath = (from: string, { cwd }: CliContext): string => {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(from)?.[1]
  if (path === undefined) throw new CliError(2, '--from must be sqlite:PATH, such as sqlite:./data/talkbridge.db')
  return resolve(cwd, path)
}

/** Host and database: what may be shown of a URL that holds a password. Throws without a word of the URL. */
const placeOf = (url: string): string => {
  if (url === '') throw new CliError(2, '--to is empty: set the variable that you use there')
  if (!Store.shape.url.safeParse(url).success)
    throw new CliError(2, '--to must be a URL such as postgres://user:password@host:5432/database')
  const place = URL.parse(url)
  if (!place)
    throw new CliError(2, '--to is not a URL: percent-encode special characters of the password, such as / as %2F')
  const { hostname, port, pathname } = place
  return `${hostname || 'the local socket'}${port && `:${port}`}${pathname}`
}

const schemaOf = (given: string): string => {
  const schema = Store.shape.schema.safeParse(given)
  if (schema.success) return schema.data
  throw new CliError(2, '--schema must be a name of 1 to 40 characters a-z, 0-9 and _, starting with a letter')
}

const copy = async (options: Options, context: CliContext): Promise<void> => {
  const path = sourcePath(options.from, context)
  const { to: url } = options
  const where = placeOf(url)
  const schema = schemaOf(options.schema)
  const { signal, stdout, stderr } = context
  const progress = copyProgress(context)
  const startedMs = performance.now()
  try {
    const report = await copyStore({ path, url, schema, signal, onProgress: progress.show }).finally(progress.clear)
    stdout(summaryOf(report, { path, where, schema, tookMs: performance.now() - startedMs }, context))
    stderr(clockWarning(report))
  } catch (error) {
    throw storeFault(error, where, signal)
  }
}

/** `talkbridge store copy --from sqlite:PATH --to URL`: moves the store of a stopped gateway to PostgreSQL. */
export const storeCommand: Register = (program, context) => {
  const store = program.command('store').description('move the store of a stopped gateway')
  store
    .command('copy')
    .description('copy a SQLite store to an empty schema of PostgreSQL: all of it, or nothing')
    .requiredOption('--from <store>', 'the store of a stopped gateway: sqlite:PATH')
    .requiredOption('--to <url>', 'the database: postgres://user:password@host:5432/database')
    .option('--schema <name>', 'the schema that store.schema of the new gateways will name', 'talkbridge')
    .action((options: Options) => copy(options, context))
}
