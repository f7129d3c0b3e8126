import { expect, test } from 'vitest'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import type { Store } from '../../../../src/core/store/index.ts'
import { openVideo } from '../../../fakes/open-video.ts'
import { accepted, accountId, HOUR, SECOND, T0 } from '../../../fakes/records.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { must } from '../../../fakes/must.ts'
import { createRunningJobs } from '../../../../src/engine/polling/running-jobs.ts'

const ACCOUNT = accountId('main')
const row = (n: number, given: Partial<OpenVideo> = {}): OpenVideo =>
  openVideo({ id: `vid_${String(n).padStart(6, '0')}`, ...given })

/** A store of rows in memory, of 100 a page, that counts what is read of it. Somebody may write while it is read. */
const stage = (count: number, writesMore: (told: number) => boolean = () => false) => {
  const clock = fakeClock(T0)
  const videos = Array.from({ length: count }, (_, n) => row(n))
  const moves: OpenVideo[] = []
  const read = { pages: 0, rows: 0 }
  const tell = <T>(rows: T[]): T[] => {
    read.pages += 1
    read.rows += rows.length
    return rows
  }
  const store: Pick<Store, 'running' | 'movedSince' | 'lastMove' | 'video' | 'clientsTold'> = {
    running: async (_account, after = '') => tell(videos.filter(({ id }) => id > after).slice(0, 100)),
    movedSince: async (_account, since) => {
      const found = tell(moves.slice(since, since + 100))
      if (moves.length > 0 && writesMore(moves.length)) moves.push(row(9_000 + moves.length))
      return { videos: found, upTo: since + found.length }
    },
    lastMove: async () => moves.length,
    video: async () => null,
    clientsTold: async () => [],
  }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const awaited = {
    has: () => false,
    videos: () => [],
    clients: () => [],
    heed: async () => undefined,
  }
  return {
    clock,
    moves,
    read,
    runningJobs: createRunningJobs({ store, clock, log, random: () => 0, awaited }, ACCOUNT),
  }
}

test('all that runs is read once, a page at a time with room between; from then on what was written', async () => {
  const { clock, moves, read, runningJobs } = stage(1_000)
  let turns = 0
  const beat = setInterval(() => (turns += 1), 0)
  await runningJobs.catchUp()
  clearInterval(beat)
  expect(runningJobs.rows.size()).toBe(1_000)
  expect(turns).toBeGreaterThan(0)
  const before = { ...read }
  for (let second = 0; second < 5; second += 1) {
    moves.push(row(second, { version: 2, phase: 'ended' }), row(5_000 + second))
    clock.jump(1_000)
    expect(await runningJobs.catchUp()).toBe(true)
  }
  expect(read.rows - before.rows).toBe(10)
  expect(runningJobs.rows.size()).toBe(1_000)
  expect(runningJobs.knows(row(0).id)).toBe(false)
  expect(runningJobs.knows(row(5_004).id)).toBe(true)
})

test('within a second nothing is read but what it was told of', async () => {
  const { clock, read, runningJobs } = stage(10)
  await runningJobs.catchUp()
  const before = { ...read }
  clock.jump(999)
  expect(await runningJobs.catchUp()).toBe(false)
  expect(read).toEqual(before)
})

test('what is written while all is read is not missed', async () => {
  const { moves, runningJobs } = stage(1_000)
  const reading = runningJobs.catchUp()
  await new Promise((resolve) => setImmediate(resolve))
  // Its page has gone by.
  moves.push(row(0, { version: 2, phase: 'ended' }))
  await reading
  expect(runningJobs.knows(row(0).id)).toBe(false)
})

test('what others write without a pause holds up no turn', async () => {
  const { clock, moves, runningJobs, read } = stage(10, (n) => n < 500)
  await runningJobs.catchUp()
  clock.jump(1_000)
  const before = read.pages
  moves.push(row(1, { version: 2, phase: 'ended' }))
  await runningJobs.catchUp()
  expect(runningJobs.knows(row(1).id)).toBe(false)
  expect(read.pages - before).toBeLessThan(5)
})

test('what a turn that broke off had taken is due again', async () => {
  const { clock, runningJobs } = stage(10)
  await runningJobs.catchUp()
  expect(runningJobs.take(clock.now(), 4)).toHaveLength(4)
  runningJobs.restore()
  expect(runningJobs.take(clock.now(), 99)).toHaveLength(10)
})

test('another process acted meanwhile: all is read anew, and what is gone is forgotten', async () => {
  const { read, runningJobs } = stage(250)
  await runningJobs.catchUp()
  runningJobs.lose()
  const { rows } = read
  await runningJobs.catchUp()
  expect(read.rows - rows).toBe(250)
})

test('of two actions on one video the first to end leaves it busy, until the other ends, too', async () => {
  const { runningJobs } = stage(1)
  await runningJobs.catchUp()
  const { id } = row(0)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() }
  runningJobs.begin('poll', [id], () => first.promise, ended.first.resolve)
  runningJobs.begin('create', [id], () => second.promise, ended.second.resolve)
  first.resolve()
  await ended.first.promise
  expect(runningJobs.isBusy(id)).toBe(true)
  second.resolve()
  await ended.second.promise
  expect(runningJobs.isBusy(id)).toBe(false)
})

test('jobs that are not due are thought of again in one turn a second, not in one for each', async () => {
  const { clock, moves, runningJobs } = stage(0)
  await runningJobs.catchUp()
  for (let n = 0; n < 8; n += 1) moves.push(row(n, { dueAtMs: T0 + HOUR }))
  clock.jump(SECOND)
  await runningJobs.catchUp()
  for (const one of runningJobs.take(clock.now(), 8)) {
    clock.jump(100)
    runningJobs.putBack(one)
  }
  const turns: number[] = []
  for (let atMs = 0; atMs < T0 + 5 * SECOND; turns.push(atMs)) {
    atMs = must(runningJobs.nextAtMs())
    clock.jump(atMs - clock.now())
    const taken = runningJobs.take(atMs, 99)
    clock.jump(3)
    for (const one of taken) runningJobs.putBack(one)
  }
  expect(turns.map((atMs) => atMs - T0)).toEqual([2 * SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND])
})

test('an action that finds no video any more is not begun for ever: what changed nothing and is due again is read', async () => {
  // The store's `video` answers null: another process discarded it, and no write of that is seen.
  const { clock, runningJobs } = stage(1)
  await runningJobs.catchUp()
  clock.jump(HOUR)
  let begun = 0
  for (let turn = 0; turn < 5; turn += 1) {
    for (const { id } of runningJobs.take(clock.now(), 10)) {
      begun += 1
      runningJobs.begin(
        'poll',
        [id],
        async () => undefined,
        () => undefined,
      )
    }
    await runningJobs.idle()
    await runningJobs.catchUp()
  }
  expect([begun, runningJobs.isEmpty()]).toEqual([1, true])
})

test('a record that is older than one this process has written takes nothing back', async () => {
  const { runningJobs } = stage(0)
  await runningJobs.catchUp()
  const before = accepted({ account: ACCOUNT, version: 5 })
  runningJobs.wrote({ ...before, version: 6, status: 'completed', phase: 'ended' })
  // A step that had read it before decided to leave it as it was.
  runningJobs.wrote(before)
  await runningJobs.catchUp()
  expect(runningJobs.knows(before.id)).toBe(false)
})

test('what this process wrote is known to be of this account before it is read', async () => {
  const { runningJobs } = stage(1)
  await runningJobs.catchUp()
  const opened = accepted({ id: 'vid_new', account: ACCOUNT })
  expect(runningJobs.knows(opened.id)).toBe(false)
  runningJobs.wrote(opened)
  expect(runningJobs.knows(opened.id)).toBe(true)
  // It may be of any account.
  runningJobs.touch('vid_other', 1)
  expect(runningJobs.knows('vid_other')).toBe(false)
})
