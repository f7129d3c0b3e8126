import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { LIMITS_MS } from '../../src/stores/postgres/pool.ts'
import { claimed, openOwing, saving } from '../contract/store/helpers.ts'
import { T0 } from '../fakes/records.ts'

/**
 * A process of the previous version, on the store at its first argument: it writes and reads until a line comes, and then
 * says what it did. What waits a second for a lock fails, and is not tried again.
 */
const AT_ONCE = 4

for (const limits of Object.values(LIMITS_MS)) limits.lock = 1_000
const failed: string[] = []
const fail = (error: unknown): void => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  failed.push(String(error) + cause)
}
const clock = createSystemClock()
const url = process.argv[2] ?? ''
const store = await openPostgresStore({ url, schema: 'talkbridge', pool: 8, clock, onError: fail })
let videos = 0
const over = new AbortController()

/** One video from its create to its delivery, and what its client reads. */
const live = async (): Promise<void> => {
  const id = `vid_load_${randomUUID()}`
  const delivery = await openOwing(store, { id, createdAtMs: clock.now() })
  await store.change(id, saving({ phase: 'accepted', status: 'processing', backendJobId: id }))
  await store.change(id, saving({ phase: 'ended', status: 'completed', dueAtMs: null, endedAtMs: T0 }))
  await claimed(store, delivery)
  if ((await store.video(id))?.phase !== 'ended') throw new Error(`${id} has not ended`)
  videos += 1
}
const work = async (): Promise<void> => {
  while (!over.signal.aborted) await live().catch(fail)
}
const working = Promise.all(Array.from({ length: AT_ONCE }, work))
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) if (line) break
over.abort()
await working
await store.close()
process.stdout.write(`${JSON.stringify({ videos, failed })}\n`)
