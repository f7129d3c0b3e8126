import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listenTo, wakeContract } from '../contract/wake.ts'
import { must } from '../fakes/must.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { openKeyspace, type Keyspace } from './redis-servers.ts'
import { connected, failuresOf, openDriver, type OpenedDriver } from './redis-stage.ts'

const isSkipped = await skippedWithout(['redis'])

describe.skipIf(isSkipped)('over redis', () => {
  let space: Keyspace
  const opened: OpenedDriver[] = []
  beforeAll(() => {
    space = openKeyspace()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ driver }) => driver.close()))
    await space.empty()
  })
  afterAll(() => space.close())

  /** Processes that share a prefix of their own. */
  const start = async (count: number) => {
    const prefix = `${space.prefix}:${randomUUID()}`
    const processes = await Promise.all(Array.from({ length: count }, () => openDriver({ url: space.url, prefix })))
    opened.push(...processes)
    await connected(
      space.redis,
      prefix,
      processes.map(({ driver }) => driver),
    )
    const wakes = processes.map(({ driver }) => driver.wake)
    return { prefix, clock: must(processes[0]).clock, processes, wakes }
  }
  /** Hints for deliveries that are in the queue, in whatever state. */
  const jobsOf = async (prefix: string): Promise<string[]> => {
    const found: string[] = []
    for await (const keys of space.redis.scanStream({ match: `${prefix}:hints:[0-9]*`, count: 1_000 }))
      found.push(...[keys].flat().map(String))
    return found
  }

  wakeContract(async () => {
    const { wakes, clock } = await start(2)
    const still = (): Promise<void> => Promise.resolve()
    return { clock, wakes: [must(wakes[0]), must(wakes[1])], turn: still, pass: still, close: still }
  })

  test('a hint for a delivery or a transfer rings in one process, whichever made it; all take a part', async () => {
    const { wakes, clock, processes } = await start(3)
    const ears = wakes.map(listenTo)
    const all = (): string[] => ears.flatMap(({ heard }) => heard)
    const [wake] = wakes
    // If Redis gives no answer in time, as on a busy machine, a hint may ring twice: then there is another round.
    for (let round = 0, failed = ''; failed !== failuresOf(processes); round += 1) {
      failed = failuresOf(processes)
      const ids = Array.from({ length: 300 }, (_, n) => `${n}_of_${round}`)
      for (const [n, id] of ids.entries()) {
        must(wake).hint('deliver', id, clock.now())
        must(wakes[n % 3]).hint('transfer', id, clock.now())
      }
      const expected = ids.flatMap((id) => [`deliver ${id}`, `transfer ${id}`])
      const heard = (): string[] => all().filter((line) => line.endsWith(`_of_${round}`))
      await until(() => new Set(heard()).size === expected.length)
      if (failed === failuresOf(processes)) expect(heard().toSorted()).toEqual(expected.toSorted())
    }
    // Idle workers wait in a line: a job goes to the one that waits longest.
    const single = ears.map(({ heard }) => heard.length)
    for (let n = 0; ears.some(({ heard }, i) => heard.length === single[i]); n += 1) {
      const ids = Array.from({ length: 60 }, (_, i) => `more_${n}_${i}`)
      for (const id of ids) must(wake).hint('deliver', id, clock.now())
      await until(() => ids.every((id) => all().includes(`deliver ${id}`)))
    }
  })

  test('a process takes its own hints while they are few: nothing goes through the queue', async () => {
    const { wakes, clock, prefix } = await start(2)
    const [ear, other] = wakes.map(listenTo)
    for (let n = 0; n < 20; n += 1) must(wakes[0]).hint('deliver', `dlv_${n}`, clock.now())
    must(wakes[0]).hint('deliver', 'later', clock.now() + 300)
    await until(() => must(ear).heard.length === 21)
    expect(must(other).heard).toEqual([])
    expect(await space.redis.exists(`${prefix}:hints:id`)).toBe(0)
  })

  test('a hint for an account and word of a change reach every process, once each', async () => {
    const { wakes, clock } = await start(3)
    const ears = wakes.map(listenTo)
    must(wakes[0]).hint('account', 'main', clock.now())
    must(wakes[1]).changed('vid_1', 7, 'acme')
    await until(() => ears.every(({ heard }) => heard.length >= 2))
    must(wakes[2]).changed('vid_2', 1, 'acme')
    await until(() => ears.every(({ heard }) => heard.includes('changed vid_2 1 acme')))
    for (const { heard } of ears)
      expect(heard.toSorted()).toEqual(['account main', 'changed vid_1 7 acme', 'changed vid_2 1 acme'])
  })

  test('a process where nobody listens takes no hints', async () => {
    const { wakes, clock } = await start(2)
    const [idle, busy] = wakes.map(listenTo)
    must(idle).off()
    for (let n = 0; n < 40; n += 1) must(wakes[n % 2]).hint('deliver', `dlv_${n}`, clock.now())
    await until(() => must(busy).heard.length === 40)
    expect(must(idle).heard).toEqual([])
  })

  test('hints that rang leave nothing in Redis, but the latest events of the queue', async () => {
    const { wakes, clock, prefix } = await start(2)
    const ears = wakes.map(listenTo)
    for (let n = 0; n < 2_000; n += 1) must(wakes[n % 2]).hint('deliver', `dlv_${n}`, clock.now())
    await until(() => ears.flatMap(({ heard }) => heard).length >= 2_000)
    // On a busy machine a hint may ring twice, so some may be left in the queue when so many were heard.
    const inList = async (state: string): Promise<number> => space.redis.llen(`${prefix}:hints:${state}`)
    await until(async () => (await inList('wait')) + (await inList('active')) + (await jobsOf(prefix)).length === 0)
    for (const state of ['completed', 'failed']) expect(await space.redis.zcard(`${prefix}:hints:${state}`)).toBe(0)
    // Redis cuts a stream by whole blocks of a hundred.
    expect(await space.redis.xlen(`${prefix}:hints:events`)).toBeLessThan(300)
  })

  test.each([
    'garbage',
    '{',
    '[]',
    'null',
    '{"from":"x"}',
    '{"from":"x","accounts":[["main",0]],"changed":[],"more":1}',
    '{"from":"x","accounts":[["main","0"]],"changed":[]}',
    '{"from":"x","accounts":[],"changed":[["vid_1",1]]}',
    '{"from":"","accounts":[["main",0]],"changed":[]}',
    JSON.stringify({ from: 'x', accounts: [], changed: [['v'.repeat(201), 1, 'acme']] }),
    JSON.stringify({ from: 'x', accounts: Array.from({ length: 501 }, () => ['main', 0]), changed: [] }),
    JSON.stringify({ from: 'x', accounts: [['main', 0]], changed: [], pad: 'x'.repeat(300_000) }),
  ])('garbage in the channel is dropped: %.60s', async (garbage) => {
    const { wakes, prefix, processes } = await start(2)
    const ear = listenTo(must(wakes[0]))
    expect(await space.redis.publish(`${prefix}:wake`, garbage)).toBe(2)
    must(wakes[1]).changed('vid_1', 1, 'acme')
    await until(() => ear.heard.length > 0)
    expect(ear.heard).toEqual(['changed vid_1 1 acme'])
    // On a busy machine, a command may be late.
    const isLate = (line: string): boolean => /redis is (away|back)/.test(line)
    expect(processes.flatMap(({ lines }) => lines).filter((line) => !isLate(line))).toEqual([])
  })

  test('a job that is none of ours rings nothing, and is gone', async () => {
    const { wakes, prefix, clock } = await start(1)
    const { Queue } = await import('bullmq')
    const queue = new Queue('hints', { connection: space.redis, prefix })
    await queue.add('hints', { id: 7 })
    await queue.add('hints', [['pay', 'dlv_1', 1], ['deliver', 7, 1], ['deliver', 'dlv_1', 1, 1], 'text'])
    await queue.add(
      'hints',
      Array.from({ length: 51 }, () => ['deliver', 'dlv_1', 1]),
    )
    await queue.add('hints', 'text')
    await queue.close()
    const ear = listenTo(must(wakes[0]))
    await until(async () => (await space.redis.llen(`${prefix}:hints:wait`)) === 0)
    must(wakes[0]).hint('deliver', 'dlv_1', clock.now())
    await until(() => ear.heard.length > 0)
    expect(ear.heard).toEqual(['deliver dlv_1'])
  })
})
