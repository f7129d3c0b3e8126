import { Problem } from '../../src/core/errors.ts'
import { dbOf, openFile, migrate, PRAGMAS } from '../../src/stores/sqlite/db.ts'
import { keepMark, takeOver, type TakeOverArgs } from '../../src/stores/sqlite/ownership.ts'
import type { Writer } from '../../src/stores/sqlite/index.ts'
import type { WriterSetup } from '../../src/stores/sqlite/writer.ts'
import type { Db } from '../../src/stores/sql/db.ts'
import { VERBS } from '../../src/stores/sql/store.ts'

const table = { ...VERBS, takeOver } as unknown as Record<string, (db: Db, args: unknown) => Promise<unknown>>

/** One transaction at a time, whichever handle it is of: one that waited for the file would stop the thread for ever. */
let before: Promise<unknown> = Promise.resolve()

/** In place of `startWriter`: the same verbs, each in a transaction of its own, and no thread. */
export const startWriter = async ({ path, maxPages, storeId }: WriterSetup): Promise<Writer> => {
  const file = openFile(path, { readOnly: false })
  file.exec(PRAGMAS)
  migrate(file.raw)
  if (maxPages !== null) file.exec(`PRAGMA max_page_count = ${maxPages}`)
  const highWater = storeId === null ? null : keepMark(path, storeId, file)
  const db = dbOf(file)
  let count = 0
  const transaction = async (verb: string, args: unknown): Promise<unknown> => {
    try {
      file.exec('BEGIN IMMEDIATE')
      const value = await table[verb]?.(db, args)
      file.exec('COMMIT')
      highWater?.advance()
      return value
    } catch (cause) {
      if (file.raw.isTransaction) file.exec('ROLLBACK')
      throw new Problem('store_unavailable', 'the store cannot be written at the moment', { cause })
    } finally {
      count += 1
    }
  }
  const send = (verb: string, args: unknown): Promise<unknown> => {
    // As a message to a thread is: a copy, and answered in a later turn.
    const copy = structuredClone(args)
    const answer = before.then(() => new Promise(setImmediate)).then(() => transaction(verb, copy))
    before = answer.catch(() => undefined)
    return answer.then(structuredClone)
  }
  return {
    migrated: null,
    write: ((verb: string, args: unknown) => send(verb, args)) as Writer['write'],
    takeOver: (args: TakeOverArgs) => send('takeOver', args) as ReturnType<typeof takeOver>,
    count: () => count,
    async close() {
      await before
      highWater?.close()
      file.close()
    },
  }
}
