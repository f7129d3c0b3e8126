import { expect, test } from 'vitest'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import { createDueQueue } from '../../../../src/engine/polling/running-jobs.ts'
import { openVideo } from '../../../fakes/open-video.ts'
import { seededRandom } from '../../../fakes/random.ts'

const row = (id: string, phase: OpenVideo['phase'] = 'accepted'): OpenVideo => openVideo({ id, phase })
const take = (dueQueue: ReturnType<typeof createDueQueue>, nowMs: number, limit = 99): string[] =>
  dueQueue.take(nowMs, limit).map(({ id }) => id)

test('nothing running: nothing due, and nothing to wait for', () => {
  const dueQueue = createDueQueue()
  expect([dueQueue.take(9, 9), dueQueue.nextAtMs()]).toEqual([[], null])
})

test('the longest due are taken first, once, and are there again when they are put back', () => {
  const dueQueue = createDueQueue()
  for (const [id, atMs] of [
    ['a', 5],
    ['b', 2],
    ['c', 9],
    ['d', 7],
  ] as const)
    dueQueue.put(row(id), atMs, false)
  expect(take(dueQueue, 5)).toEqual(['b', 'a'])
  expect(dueQueue.nextAtMs()).toBe(7)
  expect(take(dueQueue, 7)).toEqual(['d'])
  expect(dueQueue.size()).toBe(4)
  for (const id of ['a', 'b', 'd']) dueQueue.put(row(id), 8, false)
  expect(take(dueQueue, 9, 2)).toHaveLength(2)
  expect(dueQueue.nextAtMs()).toBe(8)
  dueQueue.drop('c')
  expect(take(dueQueue, 9)).toHaveLength(1)
  expect([...dueQueue.ids()]).toEqual(['a', 'b', 'd'])
})

test('those that somebody waits for are taken first, but some of the others with them', () => {
  const dueQueue = createDueQueue()
  for (let n = 0; n < 8; n += 1) {
    dueQueue.put(row(`first ${n}`), 5, true)
    dueQueue.put(row(`other ${n}`), 1, false)
  }
  expect(dueQueue.nextAtMs()).toBe(1)
  const taken = take(dueQueue, 9, 4)
  expect(taken.map((id) => id.split(' ')[0])).toEqual(['first', 'first', 'first', 'first', 'other'])
  expect(take(dueQueue, 9, 8).filter((id) => id.startsWith('first'))).toHaveLength(4)
  expect(dueQueue.size()).toBe(16)
})

test.each(['doubtful', 'dispatching'] as const)(
  'one that is %s is taken at once, whatever crowd of polls has been due for longer, and with no room for any',
  (phase) => {
    const dueQueue = createDueQueue()
    for (let n = 0; n < 1_000; n += 1) dueQueue.put(row(`poll ${n}`), n % 7, n % 2 === 0)
    dueQueue.put(row('step', phase), 8, false)
    expect(take(dueQueue, 9, 64)).toContain('step')
    expect(take(dueQueue, 9, 0)).toEqual([])
    dueQueue.put(row('step', phase), 8, true)
    expect(take(dueQueue, 9, 0)).toEqual(['step'])
    // It is accepted: a look like others from now on.
    dueQueue.put(row('step'), 9, false)
    expect(take(dueQueue, 9, 0)).toEqual([])
  },
)

test('one that somebody begins to wait for is taken once, with those that go first', () => {
  const dueQueue = createDueQueue()
  dueQueue.put(row('a'), 1, false)
  dueQueue.put(row('b'), 1, false)
  dueQueue.put(row('b'), 1, true)
  expect(take(dueQueue, 1)).toEqual(['b', 'a'])
  expect([take(dueQueue, 1), dueQueue.nextAtMs()]).toEqual([[], null])
})

test('one that is dealt with is not due, whatever its row says, until it is put again with a time', () => {
  const dueQueue = createDueQueue()
  dueQueue.put(row('a'), 1, false)
  dueQueue.hold('a')
  dueQueue.put(row('a'), null, false)
  expect([dueQueue.take(9, 9), dueQueue.nextAtMs()]).toEqual([[], null])
  dueQueue.put(row('a'), 3, false)
  expect(take(dueQueue, 3)).toEqual(['a'])
})

test('however times change, it says what a list that is searched as a whole would say', () => {
  const random = seededRandom(7)
  const dueQueue = createDueQueue()
  const model = new Map<string, number | null>()
  for (let nowMs = 0; nowMs < 3_000; nowMs += 1) {
    const id = `v${Math.floor(random() * 40)}`
    const what = random()
    if (what < 0.7) {
      const atMs = nowMs + Math.floor(random() * 200) - 20
      dueQueue.put(row(id, random() < 0.2 ? 'doubtful' : 'accepted'), atMs, random() < 0.5)
      model.set(id, atMs)
    } else if (what < 0.85) {
      dueQueue.hold(id)
      if (model.has(id)) model.set(id, null)
    } else {
      dueQueue.drop(id)
      model.delete(id)
    }
    const timed = [...model].flatMap(([key, atMs]) => (atMs === null ? [] : [{ key, atMs }]))
    const due = timed.filter(({ atMs }) => atMs <= nowMs)
    expect(dueQueue.nextAtMs()).toBe(timed.length === 0 ? null : Math.min(...timed.map(({ atMs }) => atMs)))
    const taken = take(dueQueue, nowMs)
    expect(taken.toSorted()).toEqual(due.map(({ key }) => key).toSorted())
    for (const key of taken) model.set(key, null)
    const later = timed.filter(({ atMs }) => atMs > nowMs).map(({ atMs }) => atMs)
    expect(dueQueue.nextAtMs()).toBe(later.length === 0 ? null : Math.min(...later))
    expect(dueQueue.size()).toBe(model.size)
  }
})

test('a row comes back as it was put, also after others came and went', () => {
  const dueQueue = createDueQueue()
  const full: OpenVideo = {
    id: 'full',
    client: 'other',
    phase: 'doubtful',
    dueAtMs: 1_795_168_800_001,
    leaseUntilMs: 1_795_168_800_002,
    version: 7,
    backend: 'alt',
    acceptedAtMs: 1_795_168_800_003,
    lastHintAtMs: 1_795_168_800_004,
    hasWebhook: true,
    linkOwed: true,
    source: 'import',
  }
  const bare: OpenVideo = { ...row('bare'), dueAtMs: null, acceptedAtMs: null, version: 0 }
  for (const [gone, kept] of [
    [full, bare],
    [bare, full],
  ] as const) {
    dueQueue.put(gone, 5, false)
    dueQueue.put(kept, 5, false)
    dueQueue.drop(gone.id)
    dueQueue.put({ ...row('next'), version: 3 }, 6, false)
    expect(dueQueue.get(kept.id)).toEqual(kept)
    expect(dueQueue.get('next')).toEqual({ ...row('next'), version: 3 })
    expect([dueQueue.get(gone.id), dueQueue.has(gone.id), dueQueue.has('next')]).toEqual([undefined, false, true])
    const later = { ...kept, client: 'third', version: 8, dueAtMs: 12 }
    dueQueue.put(later, 5, false)
    expect(dueQueue.get(kept.id)).toEqual(later)
    for (const id of ['next', kept.id]) dueQueue.drop(id)
    expect([dueQueue.size(), dueQueue.nextAtMs(), [...dueQueue.ids()]]).toEqual([0, null, []])
  }
})

test('counts the polls of a kind, due or not', () => {
  const dueQueue = createDueQueue()
  for (let n = 0; n < 9; n += 1) dueQueue.put(row(`other ${n}`), n % 3 === 0 ? null : n, false)
  for (let n = 0; n < 3; n += 1) dueQueue.put(row(`awaited ${n}`), n, true)
  dueQueue.put(row('step', 'doubtful'), 0, true)
  take(dueQueue, 5)
  expect([dueQueue.count('awaited'), dueQueue.count('others')]).toEqual([3, 9])
})
