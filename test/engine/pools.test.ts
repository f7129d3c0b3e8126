import { describe, expect, onTestFinished, test } from 'vitest'
import { NO_ORDER, type VideoRecord } from '../../src/core/video.ts'
import { seededRandom } from '../fakes/random.ts'
import { fakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { accountId, HOUR, INPUT, listQuery, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { HANG_MS } from '../fakes/until.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'
import { openPair } from './pair.ts'
import { numbered, openWaiting } from '../contract/store/helpers.ts'
import { scriptedAdapter } from '../fakes/adapter.ts'
import { strictBackend, type StrictBackend } from './strict-backend.ts'

const NAMES = ['a', 'b', 'c'] as const
const ACCOUNT = { slots: 2, requestsPerMinute: 10 }

type Of = Readonly<Record<string, StrictBackend>>
const adaptersOf = (strict: Of) =>
  Object.fromEntries(Object.entries(strict).map(([name, { adapter }]) => [name, adapter]))

interface Stage {
  engine: Engine
  strict: Of
  create(n: number, client?: string): Promise<VideoRecord>
  records(): Promise<VideoRecord[]>
}

/** One process over members that count what they are asked. */
const stage = async (names: readonly string[], random?: () => number, options: EngineOptions = {}): Promise<Stage> => {
  let strict: Of = {}
  const clock = options.clock ?? fakeClock()
  strict = Object.fromEntries(names.map((name) => [name, strictBackend(clock, name, random)]))
  const engine = await openEngine({
    account: ACCOUNT,
    members: adaptersOf(strict),
    clock,
    queuedVideos: 1_000,
    queueLimit: 10_000,
    ...options,
  })
  onTestFinished(async () => {
    await engine.videos.stop()
    await engine.destroy()
  })
  const create: Stage['create'] = async (n, client) =>
    (await engine.create({ input: { ...INPUT, text: `video ${n}` } }, null, client)).video
  return { engine, strict, create, records: () => engine.store.list('acme', listQuery({ limit: 1_000 })) }
}

const whereOf = (videos: readonly VideoRecord[]) => videos.map(({ backend, phase }) => `${backend} ${phase}`)
const limitedOf = (strict: Of): number => Object.values(strict).reduce((sum, { met }) => sum + met.limited, 0)

describe('a create on a pool', () => {
  test('goes to the member with most room that can send it now; else it waits, and says of which pool it is', async () => {
    const { create } = await stage(NAMES)
    const videos = []
    for (let n = 0; n < 7; n += 1) videos.push(await create(n))
    // One each first: a window's second request waits for the answer of its first.
    expect(videos.slice(0, 3).map(({ backend }) => backend)).toEqual(['a', 'b', 'c'])
    expect(new Set(whereOf(videos.slice(0, 6)))).toEqual(new Set(['a accepted', 'b accepted', 'c accepted']))
    expect(videos[6]).toMatchObject({ phase: 'waiting', pool: 'main', routing: { pool: 'main', chosen_by: 'default' } })
  })

  test('takes the next member where one is down, and is refused only if all are', async () => {
    const { strict, create, engine } = await stage(NAMES)
    must(strict['a']).deadUntilMs = engine.clock.now() + HOUR
    const { backend, routing } = await create(1)
    expect(backend).toBe('b')
    expect(routing.considered).toEqual([
      { backend: 'a', verdict: 'passed_over', reason: 'down' },
      { backend: 'b', verdict: 'chosen', reason: null },
    ])
    for (const one of Object.values(strict)) one.deadUntilMs = engine.clock.now() + HOUR
    await expect(create(2)).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(must(strict['a']).met.dead).toBeGreaterThan(0)
  })

  test('of a draining member takes nothing; what is named by its member stays there', async () => {
    const { create, engine } = await stage(NAMES, undefined, { drain: ['a'] })
    expect((await create(1)).backend).toBe('b')
    const { video } = await engine.create({ backend: 'c', input: { ...INPUT, text: 'named' } })
    expect(video).toMatchObject({ backend: 'c', pool: null, routing: { pool: 'main', chosen_by: 'request' } })
  })
})

test.each([
  ['a puppet', 'puppet_not_found', { image_url: null, puppet_id: 'p_1' }],
  ['audio', 'upload_not_found', { text: null, audio_url: 'https://audio.example/1.mp3' }],
] as const)('%s that its first member does not have may be another’s, and stays there', async (_, code, input) => {
  const { engine, strict } = await stage(NAMES, undefined, { transferAudio: false })
  for (const { adapter } of Object.values(strict))
    Object.assign(adapter, { capabilities: { ...adapter.capabilities, audio_source: true, puppet_id: true } })
  const { adapter } = must(strict['a'])
  adapter.create = async () => {
    must(strict['a']).met.refused += 1
    return refused({ code })
  }
  const { video } = await engine.create({ input: { ...INPUT, ...input } })
  expect(video).toMatchObject({ backend: 'b', phase: 'accepted', pool: null, routing: { pool: 'main' } })
  expect(must(strict['a']).met.refused).toBe(1)
})

test('a normal create takes the slot that is free for it, however many low ones wait: nothing stands in', async () => {
  const clock = fakeClock()
  const spare = strictBackend(clock, 'spare').adapter
  const { engine, strict } = await stage(['a'], undefined, { clock, spare, failoverOn: ['down', 'no_slot'] })
  const create = async (priority: 'low' | 'normal') => (await engine.create({ priority })).video
  for (let n = 0; n < 3; n += 1) await create('low')
  expect(await create('normal')).toMatchObject({ backend: 'a', phase: 'accepted' })
  expect(must(strict['a']).jobs).toHaveLength(2)
  expect(await create('normal')).toMatchObject({ backend: 'spare' })
})

test.each([
  ['that the gateway does not bring to an account', { transferAudio: false }, 'https://audio.example/1.mp3', 'a'],
  ['that the service itself hosts', {}, 'https://main.example/audio/1.mp3', 'a'],
  ['of any other address', {}, 'https://audio.example/1.mp3', 'b'],
] as const)('waiting audio %s', async (_, options, audioUrl, at) => {
  const { engine, strict } = await stage(['a', 'b'], undefined, options)
  for (const { adapter } of Object.values(strict))
    Object.assign(adapter, { capabilities: { ...adapter.capabilities, audio_source: true, uploads: true } })
  for (let n = 0; n < 4; n += 1) await engine.create({ input: { ...INPUT, text: `video ${n}` } })
  for (const job of must(strict['a']).jobs) job.endsAtMs += 10 * MINUTE
  const { video } = await engine.create({ input: { ...INPUT, text: null, audio_url: audioUrl } })
  expect(video).toMatchObject({ phase: 'waiting', backend: 'a' })
  engine.videos.start()
  await engine.pass(5 * MINUTE)
  const after = await engine.record(video.id)
  expect([after.backend, after.attempt]).toEqual([at, at === 'a' ? 0 : 1])
})

describe('what waits', () => {
  test('goes to the first member with room, in its order; what was sent before stays where it was', async () => {
    const { create, engine, strict, records } = await stage(NAMES)
    engine.videos.start()
    for (let n = 0; n < 6; n += 1) await create(n)
    const waiting = [await create(6), await create(7)]
    // All of it at one member, whose jobs run longest.
    const [first] = waiting
    for (const job of must(strict[must(first).backend]).jobs) job.endsAtMs += 10 * MINUTE
    await engine.pass(3 * MINUTE)
    const after = await Promise.all(waiting.map(({ id }) => engine.record(id)))
    expect(after.map(({ attempt, phase }) => [attempt, phase])).toEqual([
      [1, 'ended'],
      [1, 'ended'],
    ])
    expect(after.every(({ backend }) => backend !== must(first).backend || backend === undefined)).toBe(true)
    const timeline = await engine.videos.timeline(must(first).id)
    expect(timeline.some(({ type }) => type === 'moved')).toBe(true)
    expect(must(after[0]).routing.considered.at(-1)).toMatchObject({
      backend: must(after[0]).backend,
      verdict: 'chosen',
    })
    expect(new Set((await records()).map(({ routing }) => routing.pool))).toEqual(new Set(['main']))
    expect(limitedOf(strict)).toBe(0)
  })

  test('at a member that is drained goes to the others', async () => {
    const before = await stage(NAMES)
    for (let n = 0; n < 9; n += 1) await before.create(n)
    const drain = ['a']
    const engine = await before.engine.restart('stopped', { drain })
    engine.videos.start()
    for (const job of must(before.strict['a']).jobs) job.endsAtMs += HOUR
    await engine.pass(5 * MINUTE)
    const all = await engine.store.list('acme', listQuery({ limit: 100 }))
    expect(all.filter(({ phase }) => phase === 'waiting')).toEqual([])
    expect(all.filter(({ backend }) => backend === 'a')).toHaveLength(2)
  })

  test('a member that is down holds back one video at most, and the others make all the rest', async () => {
    const { create, engine, strict, records } = await stage(NAMES)
    for (let n = 0; n < 20; n += 1) await create(n)
    const sentToA = must(strict['a']).jobs.length
    must(strict['a']).deadUntilMs = Infinity
    engine.videos.start()
    await engine.pass(30 * MINUTE)
    const all = await records()
    const left = all.filter(({ phase }) => phase !== 'ended')
    expect(left.every(({ backend }) => backend === 'a')).toBe(true)
    expect(left.length).toBeLessThanOrEqual(sentToA + ACCOUNT.slots)
    expect(must(strict['a']).met.dead).toBeGreaterThan(0)
  })
})

test('a member passes over what it cannot take, and takes the next', async () => {
  const clock = fakeClock()
  const b = scriptedAdapter(clock.now, 'alternate')
  const engine = await openEngine({
    account: { slots: 3, evidence: { exclusive: true, resendWhenAbsent: false, absentAfterMs: HOUR } },
    members: { a: scriptedAdapter(clock.now), b },
    clock,
  })
  onTestFinished(async () => {
    await engine.videos.stop()
    await engine.destroy()
  })
  const ofPuppet = (puppetId: string) => ({ order: { ...NO_ORDER, puppetId, text: 'Hello.' } })
  const waits = (n: number, given: Partial<VideoRecord>) =>
    openWaiting(engine.store, { id: numbered(n), account: accountId('a'), backend: 'a', pool: 'main', ...given })
  const later = { dueAtMs: clock.now() + HOUR }
  // The pool had members of another interface.
  await waits(1, { ...later, client: 'other', interface: 'alternate' })
  // At its account it needs no lane. At the other one it does, and that one is not free.
  await waits(2, { ...later, ...ofPuppet('pup_1') })
  await waits(3, { ...later, ...ofPuppet('pup_2') })
  const lane = JSON.stringify(['pup_1'])
  const doubt = { phase: 'doubtful', attempt: 1, dispatchedAtMs: clock.now(), dueAtMs: clock.now() + MINUTE } as const
  await waits(4, { ...ofPuppet('pup_1'), ...doubt, account: accountId('b'), backend: 'b', lane })
  engine.videos.start()
  await engine.pass(3 * SECOND)
  const after = await Promise.all([1, 2, 3].map((n) => engine.record(numbered(n))))
  expect(whereOf(after)).toEqual(['a waiting', 'a waiting', 'b accepted'])
})

describe('what waits at a member that is dead', () => {
  /** Two members and some that wait at `a`, which then dies. */
  const dead = async (options: EngineOptions = {}) => {
    const made = await stage(['a', 'b'], undefined, options)
    for (let n = 0; n < 12; n += 1) await made.create(n, n % 2 === 0 ? 'acme' : 'other')
    const all = async () =>
      (
        await Promise.all(
          ['acme', 'other'].map((client) => made.engine.store.list(client, listQuery({ limit: 1_000 }))),
        )
      ).flat()
    const left = async () => (await all()).filter(({ backend, phase }) => backend === 'a' && phase === 'waiting')
    const waiting = await left()
    expect(waiting.length).toBeGreaterThan(3)
    must(made.strict['a']).deadUntilMs = Infinity
    return { ...made, left, waiting }
  }

  test('goes out while the other member is fed all the time, by its client and another one', async () => {
    const { engine, waiting } = await dead()
    engine.videos.start()
    const fed: number[] = []
    for (let n = 0; n < 60; n += 1) {
      for (const client of ['acme', 'busy'])
        await engine.create({ backend: 'b', input: { ...INPUT, text: `${client} ${n}` } }, null, client)
      await engine.pass(20 * SECOND)
      fed.push((await engine.store.queue(accountId('b'))).waiting)
    }
    expect(Math.min(...fed)).toBeGreaterThan(0)
    const after = await Promise.all(waiting.map(({ id }) => engine.record(id)))
    // The dead one tries one itself, to see whether it is well again.
    expect(after.filter(({ phase, attempt }) => phase === 'waiting' && attempt === 0)).toEqual([])
    expect(after.filter(({ backend, status }) => backend === 'b' && status === 'completed').length).toBeGreaterThan(2)
  })

  test('goes to no member that its client may not use, and holds back no other client’s', async () => {
    const { engine, left } = await dead({ maySee: (client, member) => client !== 'acme' || member !== 'b' })
    engine.videos.start()
    await engine.pass(30 * MINUTE)
    const stays = await left()
    expect(stays.filter(({ attempt }) => attempt === 0).length).toBeGreaterThan(1)
    expect(new Set(stays.filter(({ attempt }) => attempt === 0).map(({ client }) => client))).toEqual(new Set(['acme']))
  })
})

/** How long it takes until all have ended, and what is true of each second on the way. */
const until = async (
  { engine, records }: Stage,
  ms: number,
  each: () => Promise<void> | void = () => {},
): Promise<number> => {
  const beganMs = engine.clock.now()
  for (;;) {
    await engine.pass(SECOND)
    await each()
    if ((await records()).every(({ phase }) => phase === 'ended')) return engine.clock.now() - beganMs
    if (engine.clock.now() - beganMs > ms) throw new Error('they do not end')
  }
}

test('three equal members make at least 0.95 of three times as many as one', { timeout: 2 * HANG_MS }, async () => {
  const EACH = 24
  const timeFor = async (names: readonly string[]): Promise<number> => {
    const made = await stage(names)
    made.engine.videos.start()
    for (let n = 0; n < EACH * names.length; n += 1) await made.create(n)
    const ms = await until(made, 3 * HOUR)
    expect(limitedOf(made.strict)).toBe(0)
    return ms
  }
  const alone = await timeFor(['a'])
  expect(alone / (await timeFor(NAMES))).toBeGreaterThanOrEqual(0.95)
})

test(
  'under refusals and lost answers no slot is idle for longer than a turn while something waits for it',
  { timeout: 2 * HANG_MS },
  async () => {
    const made = await stage(NAMES, seededRandom(7))
    const { engine, strict, create } = made
    engine.videos.start()
    for (let n = 0; n < 40; n += 1) await create(n, 'acme').catch(() => null)
    // What waits there would wait for an hour.
    for (const job of must(strict['a']).jobs) job.endsAtMs += HOUR
    const idle = new Map<string, number>()
    let longest = 0
    const look = async (): Promise<void> => {
      for (const name of NAMES) {
        const account = must(engine.backends.get(name)).account
        const [{ held, window }, next] = [
          await engine.store.queue(account.id),
          await engine.store.nextInPool('main', account.id, null),
        ]
        const view = made.engine.upstream.view(account, window)
        const isPaused =
          Math.max(
            engine.upstream.slotsPausedUntilMs(account.id),
            engine.upstream.shutUntilMs(account.id),
            view.nextCreateAtMs ?? 0,
          ) > engine.clock.now()
        const isIdle =
          next !== null && held < ACCOUNT.slots && !isPaused && engine.upstream.health(account.id).status === 'up'
        idle.set(name, isIdle ? (idle.get(name) ?? 0) + 1 : 0)
        longest = Math.max(longest, idle.get(name) ?? 0)
      }
    }
    await until(made, 12 * HOUR, look)
    expect(longest).toBeLessThanOrEqual(1)
    const met = Object.values(strict).map((one) => one.met)
    expect(met.reduce((sum, one) => sum + one.refused + one.doubts, 0)).toBeGreaterThan(3)
    expect(limitedOf(strict)).toBe(0)
  },
)

test.each([1, 2, 3])(
  'two processes, of which one is killed, over members that refuse and die: one paid job each (seed %i)',
  { timeout: 3 * HANG_MS },
  async (seed) => {
    const clock = fakeClock()
    const random = seededRandom(seed)
    const strict = Object.fromEntries(NAMES.map((name) => [name, strictBackend(clock, name, random)]))
    const pair = await openPair({
      clock,
      account: ACCOUNT,
      members: adaptersOf(strict),
      queuedVideos: 1_000,
      queueLimit: 10_000,
    })
    const { one, two, store, pass } = pair
    one.start()
    two.start()
    await pass(6 * SECOND)
    const ids: string[] = []
    const create = async (n: number): Promise<void> => {
      const by = n % 2 === 0 ? one : two
      const made = await by
        .create({ input: { ...INPUT, text: `video ${n}` } }, null, `client ${n % 3}`)
        .catch(() => null)
      if (made) ids.push(made.video.id)
    }
    for (let n = 0; n < 20; n += 1) await create(n)
    for (const name of NAMES) {
      await pass(40 * SECOND)
      must(strict[name]).deadUntilMs = clock.now() + Math.round(random() * 3 * MINUTE)
    }
    one.kill()
    for (let n = 21; n < 41; n += 2) await create(n)
    for (let passed = 0; passed < HOUR; passed += MINUTE) {
      await pass(MINUTE)
      const all = await Promise.all(ids.map((id) => pair.record(id)))
      if (all.every(({ phase }) => phase === 'ended')) break
    }
    const all = await Promise.all(ids.map((id) => pair.record(id)))
    expect(ids.length).toBeGreaterThan(25)
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['completed']))
    const jobs = Object.values(strict).flatMap((member) => member.jobs)
    // Each of its own video, of the account that has it.
    for (const { id, backend, backendJobId } of all) {
      expect(jobs.filter(({ key }) => key.startsWith(`${id}.`))).toMatchObject([{ jobId: backendJobId }])
      expect(backendJobId?.startsWith(`${backend}_`)).toBe(true)
    }
    const timelines = await Promise.all(ids.map((id) => store.timeline(id)))
    expect(timelines.flat().filter(({ type }) => type === 'moved').length).toBeGreaterThan(0)
    const met = Object.values(strict).map((member) => member.met)
    expect(met.reduce((sum, { dead }) => sum + dead, 0)).toBeGreaterThan(0)
    expect(met.reduce((sum, { refused, doubts }) => sum + refused + doubts, 0)).toBeGreaterThan(0)
    expect(limitedOf(strict)).toBe(0)
    for (const name of NAMES) expect(await store.queue(accountId(name))).toMatchObject({ waiting: 0, held: 0 })
  },
)
