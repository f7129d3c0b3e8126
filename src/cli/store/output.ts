import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CopyProgress, CopyReport } from '../../stores/copy.ts'
import type { CliContext } from '../context.ts'
import { bar } from '../migrate/summary.ts'

const CLEAR = '\r\u001b[2K'
/** Where the gateway makes its key if the environment gives none (src/webhooks/key-file.ts). */
const KEY_FILE = 'secret.key'

const numberText = (n: number): string => n.toLocaleString('en-US')

/** On stderr: a bar on a terminal, else a line for each table that holds something. */
export const copyProgress = ({ isTty, env, stderr }: CliContext) => {
  const isLive = isTty && env['TERM'] !== 'dumb'
  return {
    show({ step, table, rows, isWhole, share }: CopyProgress): void {
      if (isLive)
        stderr(`${CLEAR}${bar(share, 32)} ${Math.floor(share * 100)} %  ${table}: ${numberText(rows)} ${step}`)
      else if (isWhole && rows > 0) stderr(`${step} ${table}: ${numberText(rows)}\n`)
    },
    clear(): void {
      if (isLive) stderr(CLEAR)
    },
  }
}

const tableOf = ({ tables }: CopyReport): string => {
  const cells = [
    ['table', 'sqlite', 'postgres'],
    ...tables.map(({ table, source, target }) => [table, numberText(source), numberText(target)]),
  ]
  const widths = [0, 1, 2].map((n) => Math.max(...cells.map((row) => row[n]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ')
  return cells.map((row) => `${line(row)}\n`).join('')
}

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** How every gateway gets the key that the store was written with. Never shows it. */
const keyStep = (path: string, { env }: CliContext): string => {
  if (env['TALKBRIDGE_SECRET_KEY'])
    return 'Give every gateway the same TALKBRIDGE_SECRET_KEY as before: secrets, cursors and content links of the store need it.'
  const file = join(dirname(path), KEY_FILE)
  if (!existsSync(file))
    return 'Give every gateway the TALKBRIDGE_SECRET_KEY of the old one: secrets, cursors and content links of the store need it.'
  return [
    `Give every gateway the key of the old one, which is in ${file}: secrets, cursors and content links of the store need it.`,
    `     export TALKBRIDGE_SECRET_KEY="$(cat ${shellText(file)})"`,
  ].join('\n')
}

interface Copied {
  /** The SQLite file. */
  path: string
  /** Host and database. */
  where: string
  schema: string
  tookMs: number
}

export const summaryOf = (report: CopyReport, { path, where, schema, tookMs }: Copied, context: CliContext): string => {
  const rows = report.tables.reduce((sum, { target }) => sum + target, 0)
  return `${tableOf(report)}
Copied ${numberText(rows)} rows to schema ${schema} on ${where} in ${(tookMs / 1_000).toFixed(1)} s. All rows were read back and compared.

Next:
  1. ${keyStep(path, context)}
  2. In the configuration: store: { driver: postgres, url: '\${DATABASE_URL}', schema: ${schema} }
  3. Start the gateway. Keep ${path} as a backup, but never start a gateway on it again: both would do the same work.
`
}

/** The gateway's time never goes back; the database's is its time from now on. */
export const clockWarning = ({ aheadMs }: CopyReport): string =>
  aheadMs === 0
    ? ''
    : `warning: the newest time in the store is ${Math.ceil(aheadMs / 1_000)} s ahead of the database's clock: correct that clock, or start the gateway after that time\n`
