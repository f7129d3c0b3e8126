/** A statement of the shared verbs, as PostgreSQL takes it. Prepared once a connection, under its name. */
export interface Statement {
  name: string
  text: string
}

/** What only guides SQLite's planner. */
const HINTS = / INDEXED BY \w+|\+(?=d\.)/g
/** What only guides this engine's planner. */
const OPENED = /\/\*postgres (.*?) \*\//gs
const PLACEHOLDER = /\?(\d*)/g

/** `?` and `?1` as `$1`. No statement has a question mark in a text. */
export const translate = (sql: string): string => {
  let last = 0
  return sql
    .replace(HINTS, '')
    .replace(OPENED, ' $1 ')
    .replace(PLACEHOLDER, (_, given: string) => {
      last = given === '' ? last + 1 : Number(given)
      return `$${last}`
    })
}

const statements = new Map<string, Statement>()

export const statementOf = (sql: string): Statement => {
  const known = statements.get(sql)
  if (known) return known
  const made = { name: `s${statements.size}`, text: translate(sql) }
  statements.set(sql, made)
  return made
}
