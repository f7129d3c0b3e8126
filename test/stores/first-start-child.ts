import { createInterface } from 'node:readline'
import { fakeClock } from '../fakes/clock.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'

/** Owns the store at each path that it is told, one after the other, and lets none go. Says `owned`, or why not. */
process.stdout.write('ready\n')
const owned: unknown[] = []
for await (const path of createInterface({ input: process.stdin })) {
  try {
    owned.push(await openSqliteStore({ path, clock: fakeClock(), owner: true }))
    process.stdout.write('owned\n')
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
process.exit(0)
