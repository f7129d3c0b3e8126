import type { PoolClient } from 'pg'
import { shapeOf, type Kind, type Shape } from '../sql/shape.ts'
import { asked } from './faults.ts'

/** The schema that a connection works in, as the server knows it. */
export interface Catalog {
  shape: Shape
  /** The columns that number rows by themselves, by table. */
  identities: ReadonlyMap<string, string>
  /** Which table refers to which. */
  references: readonly { table: string; to: string }[]
}

export const VERSION_TABLE = 'schema_version'

const KINDS: Readonly<Record<string, Kind>> = { text: 'text', bigint: 'integer', 'double precision': 'real' }
/** What holds rows or shows some: tables, views, foreign tables. */
const RELATIONS = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname`
const COLUMNS = `
  SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type, a.attidentity <> '' AS identity
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($2)
    AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`
const REFERENCES = `
  SELECT t.relname AS table, r.relname AS to
  FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
  WHERE k.contype = 'f' AND t.relnamespace = to_regnamespace($1)`

export const relationsOf = async (client: PoolClient, schema: string): Promise<string[]> =>
  (await asked(client.query<{ name: string }>(RELATIONS, [schema]))).rows.map(({ name }) => name)

export const catalogOf = async (client: PoolClient, schema: string): Promise<Catalog> => {
  const { rows: columns } = await asked(
    client.query<{ table: string; column: string; type: string; identity: boolean }>(COLUMNS, [
      schema,
      [VERSION_TABLE, 'commits'],
    ]),
  )
  const { rows: references } = await asked(client.query<{ table: string; to: string }>(REFERENCES, [schema]))
  const typed = columns.map(({ table, column, type }) => {
    const kind = KINDS[type]
    if (kind === undefined) throw new Error(`column ${table}.${column} is ${type}, which cannot be copied`)
    return { table, column, kind }
  })
  const numbering = columns.filter(({ identity }) => identity)
  return {
    shape: shapeOf(typed),
    identities: new Map(numbering.map(({ table, column }) => [table, column])),
    references,
  }
}
