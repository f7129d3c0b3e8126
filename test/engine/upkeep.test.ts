import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { createRoomCheck } from '../../src/stores/sqlite/room.ts'
import { createMaintainer } from '../../src/videos/maintain.ts'
import { completed } from '../fakes/adapter.ts'
import { fakeClock } from '../fakes/clock.ts'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

const DAY = 24 * HOUR

let engine: Engine
beforeEach(async () => {
  engine = await openEngine()
  engine.videos.start()
})
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

test('what ended before the retention goes, with all that is its; what is open or younger stays', async () => {
  const { store, clock } = engine
  engine.adapter.looks.push(completed())
  const { video: old } = await engine.create()
  await engine.pass(MINUTE)
  expect((await engine.record(old.id)).phase).toBe('ended')
  const { video: open } = await engine.create()
  const lines: string[] = []
  const log = { info: (_: object, message: string) => void lines.push(message), warn: () => {}, error: () => {} }
  const maintainer = createMaintainer({ store, clock, log, retentionMs: 10 * HOUR })
  maintainer.start()
  await engine.pass(9 * HOUR)
  expect(await store.video(old.id)).not.toBeNull()
  await engine.pass(2 * HOUR)
  await maintainer.stop()
  expect(await store.video(old.id)).toBeNull()
  expect(await store.timeline(old.id)).toEqual([])
  expect(await store.video(open.id)).not.toBeNull()
  expect(lines).toEqual(['videos past their retention were removed'])
})

test('creates stop while the volume is almost full, and go on when it is not', () => {
  const clock = fakeClock()
  let free = 64 * 1024 * 1024
  const check = createRoomCheck(clock, () => free)
  expect(() => check()).not.toThrow()
  free -= 1
  // One look at the disk holds for a second.
  expect(() => check()).not.toThrow()
  clock.jump(SECOND)
  expect(() => check()).toThrow(Problem)
  free += 1
  clock.jump(SECOND)
  expect(() => check()).not.toThrow()
})

test('what was learned of a backend outlives the process', async () => {
  engine.adapter.looks.push(completed(), completed())
  await engine.create()
  await engine.pass(MINUTE)
  await engine.create()
  await engine.pass(MINUTE)
  await engine.videos.stop()
  const kept = await engine.store.durations('main/text')
  expect(kept).toHaveLength(2)
  expect(kept.every((ms) => ms > 0 && ms < DAY)).toBe(true)
})
