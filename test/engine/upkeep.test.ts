import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMaintainer } from '../../src/engine/upkeep/maintain.ts'
import { completed } from '../fakes/adapter.ts'
import { HOUR, MINUTE } from '../fakes/records.ts'
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
  engine.adapter.polls.push(completed())
  const { video: old } = await engine.create()
  await engine.pass(MINUTE)
  expect((await engine.record(old.id)).phase).toBe('ended')
  const { video: open } = await engine.create()
  const lines: string[] = []
  const log = { info: (_: object, message: string) => void lines.push(message), warn: () => {}, error: () => {} }
  const maintainer = createMaintainer({ store, clock, log, retentionMs: 10 * HOUR, clientRetentionMs: new Map() })
  maintainer.start()
  // It polls every ten minutes.
  clock.jump(9 * HOUR)
  await engine.pass(11 * MINUTE)
  expect(await store.video(old.id)).not.toBeNull()
  clock.jump(HOUR)
  await engine.pass(11 * MINUTE)
  await maintainer.stop()
  expect(await store.video(old.id)).toBeNull()
  expect(await store.timeline(old.id)).toEqual([])
  expect(await store.video(open.id)).not.toBeNull()
  expect(lines).toEqual(['videos past their retention were removed'])
})

test('what was learned of a backend outlives the process', async () => {
  engine.adapter.polls.push(completed(), completed())
  await engine.create()
  await engine.pass(MINUTE)
  await engine.create()
  await engine.pass(MINUTE)
  await engine.videos.stop()
  const kept = await engine.store.durations('main/text')
  expect(kept).toHaveLength(2)
  expect(kept.every((ms) => ms > 0 && ms < DAY)).toBe(true)
})
