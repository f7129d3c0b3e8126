import { afterEach, expect, test } from 'vitest'
import { completed, running, scriptedAdapter, type ScriptedAdapter } from '../fakes/adapter.ts'
import { acceptedAs, rate, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const LIMIT = 40
const WINDOW_MS = 3 * SECOND
const SLOTS = 2

/** A backend that runs two jobs at once, 0.4 s each, and counts its own windows, as the sandbox at twenty times life. */
const quickBackend = (now: () => number) => {
  const adapter = scriptedAdapter(now)
  const base = { create: adapter.create, status: adapter.status }
  const endsAt = new Map<string, number>()
  let used = 0
  let resetAtMs = 0
  let [refused, most] = [0, 0]
  const counted = () => {
    if (now() >= resetAtMs) {
      used = 0
      resetAtMs = Math.ceil((now() + WINDOW_MS) / SECOND) * SECOND
    }
    used += 1
    if (used > LIMIT) refused += 1
    return rate({ limit: LIMIT, remaining: Math.max(0, LIMIT - used), resetAtMs, dateMs: now() })
  }
  adapter.create = (wire) => {
    const jobId = `job_${endsAt.size + 1}`
    endsAt.set(jobId, now() + 400)
    most = Math.max(most, [...endsAt.values()].filter((atMs) => atMs > now()).length)
    const outcome = acceptedAs(jobId)
    adapter.creates.push(outcome.kind === 'accepted' ? { ...outcome, rate: counted() } : outcome)
    return base.create(wire)
  }
  adapter.status = (jobId) => {
    const outcome = (endsAt.get(jobId) ?? Infinity) <= now() ? completed() : running()
    adapter.polls.push({ ...outcome, rate: counted() })
    return base.status(jobId)
  }
  return Object.assign(adapter, { refused: () => refused, most: () => most })
}

test('25 jobs of 0.4 s over two slots, at 40 requests in 3 s, are done in 10 s: no slot stands idle while requests expire', async () => {
  let backend = quickBackend(() => 0)
  const adapter = (now: () => number): ScriptedAdapter => (backend = quickBackend(now))
  engine = await openEngine({ adapter, account: { slots: SLOTS, requestsPerMinute: 10 } })
  engine.videos.start()
  const startMs = engine.clock.now()
  const ids: string[] = []
  for (let n = 0; n < 25; n += 1) ids.push((await engine.create()).video.id)
  const hasEnded = async (): Promise<boolean> =>
    (await Promise.all(ids.map((id) => engine.record(id)))).every(({ status }) => status === 'completed')
  while (!(await hasEnded()) && engine.clock.now() - startMs < 60 * SECOND) await engine.pass(SECOND / 4)
  expect(engine.clock.now() - startMs).toBeLessThanOrEqual(10 * SECOND)
  expect([backend.callsOf('create').length, backend.refused(), backend.most()]).toEqual([25, 0, SLOTS])
})
