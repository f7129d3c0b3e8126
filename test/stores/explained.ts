import type { Client } from 'pg'
import { dbOf } from '../../src/stores/postgres/pool.ts'
import type { Db } from '../../src/stores/sql/db.ts'

/** A step of a plan, as PostgreSQL shows it after it ran. */
interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

export interface Step {
  kind: string
  table: string | null
  index: string | null
  /** Rows that it met: those that it passed on, and those that it left out. */
  rows: number
  /** Rows that other steps passed to it. */
  given: number
}

/** How a statement was carried out, or one that a trigger or a foreign key made of it. */
export interface Explained {
  sql: string
  steps: Step[]
  /** Rows that were read of tables and indexes. */
  read: number
  answered: number
  /** Pages of 8 KiB that were looked at. */
  pages: number
  isCompiled: boolean
}

const rowsOf = (node: Node): number =>
  node['Actual Loops'] *
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))

const stepOf = (node: Node): Step => ({
  kind: node['Node Type'],
  table: node['Relation Name'] ?? null,
  index: node['Index Name'] ?? null,
  rows: rowsOf(node),
  given: (node.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0),
})

const stepsOf = (node: Node): Step[] => [stepOf(node), ...(node.Plans ?? []).flatMap(stepsOf)]

/** What `auto_explain` writes, which alone writes it so. */
const parsed = (text: string) => JSON.parse(text) as { 'Query Text': string; Plan: Node; JIT?: unknown }

const explainedFrom = (text: string): Explained => {
  const { 'Query Text': sql, Plan: plan, JIT } = parsed(text)
  const steps = stepsOf(plan)
  return {
    sql: sql.replace(/\s+/g, ' ').trim(),
    steps,
    read: steps.filter(({ kind }) => kind.includes('Scan')).reduce((sum, { rows }) => sum + rows, 0),
    answered: steps.find(({ kind }) => kind !== 'ModifyTable')?.rows ?? 0,
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    isCompiled: JIT !== undefined,
  }
}

/** The module of PostgreSQL that tells the plan of what really ran, that of triggers and foreign keys as well. */
const SETTINGS = [
  `LOAD 'auto_explain'`,
  'SET auto_explain.log_min_duration = 0',
  'SET auto_explain.log_analyze = on',
  'SET auto_explain.log_buffers = on',
  'SET auto_explain.log_timing = off',
  'SET auto_explain.log_nested_statements = on',
  'SET auto_explain.log_format = json',
  'SET auto_explain.log_level = notice',
].join('; ')

/** `custom`: planned for its values, as the first executions are; `generic`: for any, as later ones may be. */
export type PlanMode = 'custom' | 'generic'

/** A connection, of a superuser, that notes how it carries out every statement. */
export const explaining = async (client: Client) => {
  const noted: Explained[] = []
  client.on('notice', ({ message }) => {
    const at = message?.indexOf('plan:\n{') ?? -1
    if (at >= 0) noted.push(explainedFrom((message ?? '').slice(at + 'plan:\n'.length)))
  })
  await client.query(SETTINGS)
  /** Runs `work` in a transaction and undoes it. Answers what was noted of it. */
  return async (mode: PlanMode, work: (db: Db) => Promise<unknown>): Promise<Explained[]> => {
    await client.query(`SET plan_cache_mode = force_${mode}_plan; BEGIN`)
    noted.length = 0
    try {
      await work(dbOf(client))
      // The plan of a statement is told when the next one takes its place.
      await client.query('SELECT $1::int', [1])
      return [...noted]
    } finally {
      await client.query('ROLLBACK')
    }
  }
}
