import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { completed, lasting, listed, unread } from '../fakes/adapter.ts'
import { acceptedAs, HOUR, MINUTE, problem, rate, refused, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, PORTRAIT, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
/** So many jobs under way. `isDated`: the backend said when they were made. */
const running = async (count: number, isDated = false): Promise<string[]> => {
  // Eight requests at once are as many as use up such a window.
  const account = { requestsPerMinute: 480 }
  stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK, account })
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const dated = rate({ dateMs: stage.engine.clock.now() })
    if (isDated) stage.adapter.creates.push(Object.assign(acceptedAs(`job_${n + 1}`), { rate: dated }))
    const { id, backendJobId } = await stage.create({ puppet_id: `pup_${n}` })
    stage.adapter.put(backendJobId ?? '', { puppetId: `pup_${n}` })
    ids.push(id)
  }
  return ids
}
/** After a restart all of them are polled, once: callbacks may have been lost. */
const lookAtAll = async (): Promise<void> => {
  stage.engine = await stage.engine.restart('stopped')
  stage.engine.videos.start()
  await stage.engine.pass(500)
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})
const count = (operation: 'list' | 'status'): number => stage.adapter.callsOf(operation).length

describe('jobs that are due together', () => {
  test('are one request, as long as the list says that they run', async () => {
    const ids = await running(10)
    await lookAtAll()
    expect([count('list'), count('status')]).toEqual([1, 0])
    for (const id of ids)
      expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', status: 'processing' })
  })

  test('whose list is dated do not expire for our clock alone', async () => {
    const ids = await running(3, true)
    const { engine, adapter } = stage
    const dateMs = engine.clock.now() + MINUTE
    const items = adapter.jobs.map(({ jobId, puppetId, createdAtMs }) =>
      listed({ jobId, status: 'processing', puppetId, createdAtMs }),
    )
    adapter.lists.push({ ok: true, value: { items, total: 3, totalPages: 1, dateMs }, rate: rate({ dateMs }) })
    engine.clock.jump(25 * HOUR)
    await lookAtAll()
    expect([count('list'), count('status')]).toEqual([1, 0])
    for (const id of ids) expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted' })
  })

  test('fewer than three are polled one by one: that tells more', async () => {
    await running(2)
    await lookAtAll()
    expect([count('list'), count('status')]).toEqual([0, 2])
  })

  test('are polled after a restart, too, whose first reading failed: callbacks of before are lost', async () => {
    await running(2)
    stage.engine = await stage.engine.restart('stopped')
    const { store, videos } = stage.engine
    const real: Store['running'] = store.running
    let faults = 0
    store.running = (...of) => (faults++ === 0 ? Promise.reject(new Error('a bad moment')) : real(...of))
    videos.start()
    await stage.engine.pass(3 * SECOND)
    expect(faults).toBeGreaterThan(1)
    expect(count('status')).toBe(2)
  })

  test('what the list does not hold is polled by itself, and proves nothing', async () => {
    const ids = await running(5)
    const gone = stage.adapter.jobs.pop()
    stage.adapter.polls.push(completed())
    await lookAtAll()
    expect(stage.adapter.callsOf('status')).toMatchObject([{ jobId: gone?.jobId }])
    expect(await stage.engine.record(ids[4] ?? '')).toMatchObject({ status: 'completed' })
    expect(await stage.engine.record(ids[0] ?? '')).toMatchObject({ phase: 'accepted' })
  })

  test('one that the list calls ended is read before it is said to have', async () => {
    const ids = await running(4)
    const items = stage.adapter.jobs.map(({ jobId, puppetId, createdAtMs }, n) =>
      listed({ jobId, status: n === 1 ? 'completed' : 'processing', puppetId, createdAtMs }),
    )
    const value = { items, total: 4, totalPages: 1, dateMs: stage.engine.clock.now() }
    stage.adapter.lists.push({ ok: true, value, rate: null })
    stage.adapter.polls.push(completed())
    await lookAtAll()
    expect(stage.adapter.callsOf('status')).toMatchObject([{ jobId: items[1]?.jobId }])
    expect(await stage.engine.record(ids[1] ?? '')).toMatchObject({ status: 'completed' })
  })

  test('a list that fails costs nobody anything: each is polled by itself', async () => {
    const ids = await running(4)
    stage.adapter.lists.push({ ok: false, problem: problem(), lost: false, rate: null })
    stage.adapter.polls.push(completed(), completed(), completed(), completed())
    await lookAtAll()
    expect([count('list'), count('status')]).toEqual([1, 4])
    for (const id of ids) expect(await stage.engine.record(id)).toMatchObject({ status: 'completed' })
  })

  test('more than a page of them: further pages, as long as each saves polls', async () => {
    await running(230)
    await lookAtAll()
    expect([count('list'), count('status')]).toEqual([3, 0])
  })

  test('a long list whose end holds none of them is not read to its end', async () => {
    await running(5)
    for (let n = 0; n < 400; n += 1) stage.adapter.put(`old_${n}`, { createdAtMs: 0 })
    await lookAtAll()
    expect([count('list'), count('status')]).toEqual([1, 0])
  })

  test('however many it told nothing of, few are asked after at a time', async () => {
    await running(40)
    stage.adapter.lists.push({ ok: false, problem: problem(), lost: false, rate: null })
    const gate = Promise.withResolvers<ReturnType<typeof completed>>()
    for (let n = 0; n < 40; n += 1) stage.adapter.polls.push(gate.promise)
    await lookAtAll()
    expect(count('status')).toBe(8)
    gate.resolve(completed())
    await stage.engine.pass(SECOND)
    expect([count('list'), count('status')]).toEqual([1, 40])
  })

  test('what waits goes out while a list and polls hang', async () => {
    const ids = await running(12)
    const { lists, polls, creates } = stage.adapter
    stage.engine = await stage.engine.restart('stopped')
    stage.engine.clock.jump(1)
    const untilMs = stage.engine.clock.now() + 2 * SECOND
    creates.push(refused({ code: 'concurrency_limit_reached', retryable: true, retryAtMs: untilMs }, 'slot'))
    const { video } = await stage.engine.create({ input: { ...PORTRAIT, puppet_id: 'pup_new' } })
    expect(video.phase).toBe('waiting')
    lists.push({ ok: false, problem: problem(), lost: false, rate: null })
    const gate = Promise.withResolvers<ReturnType<typeof completed>>()
    polls.push(lasting(gate.promise))
    stage.engine.videos.start()
    await stage.engine.pass(3 * SECOND)
    expect([ids.length, count('status')]).toEqual([12, 8])
    expect(await stage.engine.record(video.id)).toMatchObject({ phase: 'accepted' })
    gate.resolve(completed())
  })
})

test('a dead backend is asked by one at a time once the breaker has opened', async () => {
  await running(8)
  const dead = unread()
  if (dead.ok) throw new Error('unread')
  dead.problem.backendError = { status: null, code: null, block_code: null, message: null }
  const silent = { ...dead, lost: false }
  stage.adapter.polls.push(lasting({ ...silent }))
  stage.adapter.lists.push(lasting({ ...silent }))
  await stage.engine.pass(MINUTE)
  const before = stage.adapter.calls.length
  await stage.engine.pass(10 * MINUTE)
  const times = stage.adapter.calls.slice(before).map(({ atMs }) => atMs)
  expect(times.length).toBeGreaterThan(5)
  expect(times.length).toBeLessThanOrEqual(12)
  for (const [n, atMs] of times.entries()) {
    const next = times[n + 1]
    if (next !== undefined) expect(next - atMs).toBeGreaterThanOrEqual(10 * SECOND)
  }
})
