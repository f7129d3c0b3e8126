import { Problem } from '../../src/core/errors.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { numbered, openWaiting } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { ACCOUNT } from '../fakes/records.ts'

/** Opens videos until 20 were refused, in a process whose files may not grow beyond what the system allows it. */
const REFUSED = 20
const store = await openSqliteStore({ path: process.argv[2] ?? '', clock: fakeClock(), owner: true })
const codes = new Set<string>()
let opened = 0
let refused = 0
for (let n = 0; refused < REFUSED; n += 1) {
  try {
    await openWaiting(store, { id: numbered(n), metadata: { padding: 'x'.repeat(4_000) } })
    opened += 1
  } catch (error) {
    refused += 1
    codes.add(error instanceof Problem ? error.code : String(error))
  }
}
const readable = (await store.queue(ACCOUNT)).waiting
process.stdout.write(JSON.stringify({ opened, refused, codes: [...codes], readable }))
// As a full disk leaves a process: without a last word of its own.
process.kill(process.pid, 'SIGKILL')
