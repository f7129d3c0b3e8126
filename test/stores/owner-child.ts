import { fakeClock } from '../fakes/clock.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'

/** A process of its own that owns the store at its first argument, until it is killed. Says `owned`, or why not. */
const path = process.argv[2] ?? ''
try {
  const store = await openSqliteStore({ path, clock: fakeClock(), owner: true })
  await store.secrets({ kind: 'client', id: 'acme' }, 'written by the child')
  process.stdout.write('owned\n')
  setInterval(() => store, 60_000)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
}
