import { describe, expect, onTestFinished, test } from 'vitest'
import type { Pause } from '../../src/core/store/accounts.ts'
import { ALTERNATE, completed, scriptedAdapter } from '../fakes/adapter.ts'
import { fakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { doubt, HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { openEngine, type EngineOptions } from './harness.ts'

/** An engine, and what an operator pauses of its backends. */
const stage = async (options: EngineOptions = {}) => {
  const clock = options.clock ?? fakeClock()
  const pauses = new Map<string, Pause[]>()
  const engine = await openEngine({ clock, pauses: (name) => pauses.get(name) ?? [], ...options })
  engine.videos.start()
  onTestFinished(async () => {
    await engine.videos.stop()
    await engine.destroy()
  })
  return {
    engine,
    /** Nothing happens in that time but at its end: what would happen each second would take the test long. */
    async passed(ms: number): Promise<void> {
      clock.stall(ms)
      await engine.pass(3 * SECOND)
    },
    pause(given: Partial<Pause>, name = 'main') {
      const one = {
        creates: false,
        polls: false,
        sinceMs: clock.now(),
        untilMs: null,
        reason: 'why',
        by: 'ops',
        ...given,
      }
      pauses.set(name, [...(pauses.get(name) ?? []), one])
    },
    resume(name = 'main') {
      const all = must(pauses.get(name))
      pauses.set(name, [...all.slice(0, -1), { ...must(all.at(-1)), untilMs: clock.now() }])
    },
    queueOf: async (id: string) => (await engine.videos.render(await engine.record(id))).queue,
  }
}

describe('while creates are paused', () => {
  test('a new video waits and says why, and goes when the pause is over', async () => {
    const { engine, passed, pause, resume, queueOf } = await stage()
    pause({ creates: true })
    const { video } = await engine.create()
    expect(video).toMatchObject({ backend: 'main', phase: 'waiting' })
    expect(await queueOf(video.id)).toEqual({ position: 1, reason: 'backend_paused' })
    await passed(HOUR)
    expect(engine.adapter.callsOf('create')).toEqual([])
    resume()
    await engine.pass(SECOND)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
  })

  test('until its time: then it goes by itself', async () => {
    const { engine, pause } = await stage()
    pause({ creates: true, untilMs: engine.clock.now() + MINUTE })
    await engine.create()
    await engine.pass(MINUTE - 1)
    expect(engine.adapter.callsOf('create')).toEqual([])
    await engine.pass(SECOND)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
  })

  test('what waited already waits on, and what runs is polled and canceled as ever', async () => {
    const { engine, pause, queueOf } = await stage({ account: { slots: 1 } })
    const { video: first } = await engine.create()
    const { video: second } = await engine.create()
    const { video: third } = await engine.create()
    pause({ creates: true })
    engine.adapter.polls.push(completed())
    await engine.pass(10 * MINUTE)
    expect(await engine.record(first.id)).toMatchObject({ phase: 'ended', status: 'completed' })
    expect(await queueOf(second.id)).toEqual({ position: 1, reason: 'backend_paused' })
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(await engine.videos.cancel(third)).toMatchObject({ status: 'canceled' })
  })

  test('no video fails of age: the time is not counted, and what came before and after it is', async () => {
    // It has no room, so only a pause or its age matters.
    const { engine, passed, pause, resume } = await stage({ account: { slots: 0 } })
    const { video } = await engine.create()
    await passed(10 * HOUR)
    pause({ creates: true })
    await passed(30 * HOUR)
    resume()
    await passed(13 * HOUR)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'waiting' })
    await passed(HOUR)
    expect(await engine.record(video.id)).toMatchObject({ error: { code: 'backend_unavailable' } })
  })

  test('a create in doubt is not sent again, and its window stands still', async () => {
    const { engine, passed, pause, resume } = await stage()
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create()
    pause({ creates: true })
    await passed(5 * HOUR)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    resume()
    // Of the hour that it has, five passed: one doubt more is no end.
    engine.adapter.creates.push(doubt())
    await engine.pass(2 * MINUTE)
    expect(engine.adapter.callsOf('create').length).toBeGreaterThan(2)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
  })

  test('after a day the backend may have forgotten the key of a doubt: it is never sent again', async () => {
    const { engine, passed, pause, resume } = await stage()
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create()
    pause({ creates: true })
    await passed(25 * HOUR)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'doubtful' })
    resume()
    await engine.pass(MINUTE)
    expect(engine.adapter.callsOf('create')).toHaveLength(1)
    expect(await engine.record(video.id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
  })
})

describe('while polls are paused', () => {
  test('none goes out, creates do, and jobs are polled again afterwards', async () => {
    const { engine, passed, pause, resume } = await stage()
    const { video } = await engine.create()
    pause({ polls: true })
    await passed(HOUR)
    expect((await engine.create()).video).toMatchObject({ phase: 'accepted' })
    await passed(HOUR)
    expect(engine.adapter.callsOf('status')).toEqual([])
    resume()
    engine.adapter.polls.push(completed(), completed())
    await engine.pass(MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ status: 'completed' })
  })

  test('no job expires: its age stands still, and counts again afterwards', async () => {
    const { engine, passed, pause, resume } = await stage()
    const { video } = await engine.create()
    pause({ polls: true })
    await passed(60 * HOUR)
    resume()
    await passed(23 * HOUR)
    expect(engine.adapter.callsOf('status').length).toBeGreaterThan(0)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
    await passed(2 * HOUR)
    expect(await engine.record(video.id)).toMatchObject({ error: { code: 'backend_job_expired' } })
  })

  test('no evidence is read of a doubt, and its window stands still', async () => {
    const adapter = (now: () => number) => scriptedAdapter(now, 'alternate', ALTERNATE)
    const evidence = { exclusive: true, resendWhenAbsent: false, absentAfterMs: 5 * MINUTE }
    const { engine, passed, pause, resume } = await stage({ interface: 'alternate', adapter, account: { evidence } })
    pause({ polls: true })
    engine.adapter.creates.push(doubt())
    const { video } = await engine.create()
    await passed(5 * HOUR)
    expect(engine.adapter.callsOf('list')).toEqual([])
    expect(await engine.record(video.id)).toMatchObject({ phase: 'doubtful' })
    resume()
    await engine.pass(10 * SECOND)
    expect(engine.adapter.callsOf('list').length).toBeGreaterThan(0)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'doubtful' })
  })
})

describe('of a pool', () => {
  test('a paused member gets and takes nothing; the others take over what waits at it', async () => {
    const clock = fakeClock()
    const members = { a: scriptedAdapter(clock.now), b: scriptedAdapter(clock.now) }
    const { engine, pause, resume } = await stage({ clock, members, account: { slots: 1 } })
    pause({ creates: true }, 'a')
    pause({ creates: true }, 'b')
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting' })
    const other = video.backend === 'a' ? 'b' : 'a'
    resume(other)
    await engine.pass(6 * SECOND)
    expect(await engine.record(video.id)).toMatchObject({ backend: other, phase: 'accepted' })
    await engine.create()
    await engine.pass(MINUTE)
    expect(members[other].callsOf('create')).toHaveLength(1)
    expect(members[video.backend === 'a' ? 'a' : 'b'].callsOf('create')).toEqual([])
  })
})
