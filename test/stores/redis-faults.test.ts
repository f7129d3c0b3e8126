import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createRates } from '../../src/core/limits/rates.ts'
import { createSystemClock, type Clock } from '../../src/core/time/clock.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { createConnections } from '../../src/stores/redis/connect.ts'
import { openRedis, type RedisOptions } from '../../src/stores/redis/index.ts'
import { createRedisWake, startWorker, type WorkerDeps } from '../../src/stores/redis/wake.ts'
import { listenTo } from '../contract/wake.ts'
import { fakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { startRedis, type OwnRedis } from './redis-servers.ts'
import { connected, failuresOf, openDriver, placeOf, type OpenedDriver } from './redis-stage.ts'
import { SILENT } from '../../src/core/tally.ts'

const isSkipped = await skippedWithout(['ownRedis'])
const PREFIX = 'faults'
const WATCH = { beatMs: 50, staleMs: 1_500, askAgainS: 0.5 }

/** Between a driver and its server. Once `swallow` is called, nothing passes on any more that has this word in it. */
const swallowing = async (to: string, word: string) => {
  let isOn = false
  let swallowed = 0
  const open = new Set<Socket>()
  const { hostname, port } = new URL(to)
  const server = createServer((client) => {
    const upstream = connectTo(Number(port), hostname)
    open.add(client)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
      open.delete(client)
    }
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    upstream.pipe(client)
    client.on('data', (bytes) => {
      if (isOn && bytes.includes(word)) swallowed += 1
      else upstream.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port: own } = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${own}`,
    swallow: () => void (isOn = true),
    swallowed: () => swallowed,
    open: () => open.size,
  }
}

test.each(['redis://:hunter2#a@127.0.0.1:1/0', 'redis://:hunter2@[::1/0', 'redis://:hunter2%zz@127.0.0.1:1/0'])(
  'says that a URL is none, and nothing of it (%s)',
  async (url) => {
    const error: unknown = await openDriver({ url, prefix: PREFIX }).catch((reason: unknown) => reason)
    expect(String(error)).toContain('redis.url: is no URL')
    expect(inspect(error)).not.toContain('hunter2')
  },
)

test.each([
  'redis://:hunter2@127.0.0.1:1/gateway',
  'redis://:hunter2@127.0.0.1:1/0x',
  'redis://:hunter2@127.0.0.1:1/-1',
  'redis://:hunter2@127.0.0.1:1/?db=hunter2',
  'redis://:hunter2@127.0.0.1:1?db=',
])('says that a URL names no database, and nothing of it (%s)', async (url) => {
  const error: unknown = await openDriver({ url, prefix: PREFIX }).catch((reason: unknown) => reason)
  expect(String(error)).toContain('redis.url: names no database: the path is the number of a database, such as /0')
  expect(inspect(error)).not.toContain('hunter2')
})

describe.skipIf(isSkipped)('a redis that fails', () => {
  let server: OwnRedis
  let redis: Redis
  const opened: OpenedDriver[] = []
  beforeEach(async () => {
    server = await startRedis()
    redis = server.redis
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ driver }) => driver.close()))
    await server.close()
  })
  const open = async (options: Partial<RedisOptions> = {}): Promise<OpenedDriver> => {
    const driver = await openDriver({ url: server.url, prefix: PREFIX, watch: WATCH, ...options })
    opened.push(driver)
    return driver
  }
  const connect = async (clock: Clock = createSystemClock()) => {
    const lines: string[] = []
    const line = (level: string) => () => void lines.push(level)
    const log = { info: line('info'), warn: line('warn'), error: line('error') }
    const place = placeOf({ url: server.url })
    const connections = createConnections({ place, prefix: PREFIX, clock, log, tally: SILENT })
    onTestFinished(() => connections.close())
    await until(connections.isUp)
    return { connections, lines }
  }
  const two = async () => {
    const [a, b] = [await open(), await open()]
    await connected(redis, PREFIX, [a.driver, b.driver])
    const ears = [listenTo(a.driver.wake), listenTo(b.driver.wake)] as const
    return { a, b, ears, all: () => ears.flatMap(({ heard }) => heard) }
  }
  type Two = Awaited<ReturnType<typeof two>>

  /** Hints reach one process each, and both take part; accounts and changes reach both. */
  const worksAgain = async ({ a, b, ears, all }: Two): Promise<void> => {
    await connected(redis, PREFIX, [a.driver, b.driver])
    const before = ears.map(({ heard }) => heard.length)
    let failed = ''
    for (let n = 0; ears.some(({ heard }, i) => heard.length === before[i]) || failed !== failuresOf([a, b]); n += 1) {
      failed = failuresOf([a, b])
      // More than a process takes itself.
      const lines = Array.from({ length: 120 }, (_, i) => `again_${n}_${i}_${randomUUID()}`)
      for (const id of lines) a.driver.wake.hint('deliver', id, a.clock.now())
      const heard = (): string[] => all().filter((line) => line.startsWith(`deliver again_${n}_`))
      await until(() => new Set(heard()).size === lines.length)
      // If Redis gives no answer in time, as on a busy machine, a hint may ring twice: then there is another round.
      if (failed === failuresOf([a, b]))
        expect(heard().toSorted()).toEqual(lines.map((id) => `deliver ${id}`).toSorted())
    }
    const id = randomUUID()
    b.driver.wake.changed(id, 1, 'acme')
    b.driver.wake.hint('account', id, b.clock.now())
    await until(() => ears.every(({ heard }) => heard.includes(`changed ${id} 1 acme`)))
    await until(() => ears.every(({ heard }) => heard.includes(`account ${id}`)))
  }

  test('one without the database of the URL is away: nothing is written to another', async () => {
    const opening = { url: new URL('/999999', server.url).href, prefix: PREFIX, watch: WATCH }
    opened.push(await openDriver(opening))
    const { driver, lines } = must(opened[0])
    await until(async () => Number(/total_connections_received:(\d+)/.exec(await redis.info('stats'))?.[1]) > 10)
    expect(driver.isUp()).toBe(false)
    expect(lines).toEqual([expect.stringMatching(/^warn redis is away.*DB index is out of range/)])
    expect(await redis.dbsize()).toBe(0)
  })

  test('while it is stopped each process rings for itself; one line says so, and one that it is back', async () => {
    const both = await two()
    const { a, ears } = both
    await server.stop()
    await until(() => !a.driver.isUp())
    a.driver.wake.hint('deliver', 'dlv_1', a.clock.now())
    a.driver.wake.hint('account', 'main', a.clock.now())
    a.driver.wake.hint('transfer', 'vid_1', a.clock.now() + 300)
    a.driver.wake.changed('vid_1', 2, 'acme')
    await until(() => ears[0].heard.length === 4)
    expect(ears[0].heard).toEqual(['changed vid_1 2 acme', 'deliver dlv_1', 'account main', 'transfer vid_1'])
    expect(ears[1].heard).toEqual([])
    // Longer than its connections wait before they try again.
    const retried = a.clock.now() + 3_000
    await until(() => a.clock.now() > retried)
    expect(a.lines).toEqual([expect.stringContaining('warn redis is away')])
    await server.start()
    await until(() => a.driver.isUp())
    expect(a.lines).toEqual([expect.stringContaining('warn redis is away'), 'info redis is back {}'])
    await worksAgain(both)
    expect(a.tally.counts('redis_lost')).toContainEqual({ what: 'redis_lost', labels: {}, count: 1 })
  })

  test('that is emptied loses hints, and nothing else', async () => {
    const both = await two()
    await until(async () => (await redis.exists(`${PREFIX}:hints:meta`)) === 1)
    await redis.flushall()
    await worksAgain(both)
  })

  test('that cuts every connection is connected to again', async () => {
    const both = await two()
    for (const type of ['normal', 'pubsub']) await redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')
    await until(() => opened.every(({ driver }) => driver.isUp()))
    await worksAgain(both)
  })

  test('a stop while it is listened to again after a cut leaves no rejection that nobody handles', async () => {
    const proxy = await swallowing(server.url, 'subscribe')
    const opening = await openDriver({ url: proxy.url, prefix: PREFIX, watch: WATCH })
    opened.push(opening)
    const { driver } = opening
    await connected(redis, PREFIX, [driver])
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    proxy.swallow()
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await until(() => proxy.swallowed() > 0)
    await driver.close()
    await until(() => proxy.open() === 0)
    // Node reports it when the turn in which it came has ended.
    await setImmediate()
    expect(unhandled).toEqual([])
  })

  test('that stands still holds up nothing for long, and goes on', async () => {
    const both = await two()
    const { a, ears } = both
    const rates = a.driver.rates()
    await server.freeze()
    try {
      a.driver.wake.changed('vid_1', 1, 'acme')
      expect(ears[0].heard).toEqual(['changed vid_1 1 acme'])
      for (let n = 0; n < 20; n += 1) a.driver.wake.hint('deliver', `dlv_${n}`, a.clock.now())
      expect(await rates.take('anna', 2)).toMatchObject({ ok: true, remaining: 1 })
      const leave = must(await a.driver.streamPlaces.take('anna', 1))
      await until(() => ears[0].heard.filter((line) => line.startsWith('deliver')).length === 20)
      await until(() => !a.driver.isUp())
      leave()
      // Now it is known to be away, and nobody waits.
      const times = await Promise.all(Array.from({ length: 100 }, async () => rates.take('bert', 200)))
      expect(times.every(({ ok }) => ok)).toBe(true)
    } finally {
      server.thaw()
    }
    await until(() => a.driver.isUp() && both.b.driver.isUp())
    await worksAgain(both)
  })

  test.each(['stopped', 'standing still'])('closing ends while it is %s', async (how) => {
    const { a, b } = await two()
    a.driver.wake.hint('deliver', 'later', a.clock.now() + 60_000)
    if (how === 'stopped') await server.stop()
    else await server.freeze()
    await Promise.all([a.driver.close(), b.driver.close()])
    server.thaw()
  })

  test('that is not there at the start is found later', async () => {
    await server.stop()
    const [a, b] = [await open(), await open()]
    const ears = [listenTo(a.driver.wake), listenTo(b.driver.wake)] as const
    await until(() => a.lines.length > 0)
    a.driver.wake.hint('deliver', 'dlv_1', a.clock.now())
    await until(() => ears[0].heard.length > 0)
    expect(await a.driver.rates().take('anna', 1)).toMatchObject({ ok: true })
    await server.start()
    await worksAgain({ a, b, ears, all: () => ears.flatMap(({ heard }) => heard) })
    expect(a.lines).toHaveLength(2)
  })

  test('a worker that takes nothing any more, whatever it says of itself, is made anew', async () => {
    let made = 0
    const { driver, clock, lines, tally } = await open({
      makeWorker: (deps) => {
        made += 1
        // The first one stands for a worker whose loop ended: it is there, and asks for nothing.
        return made === 1 ? { close: () => Promise.resolve() } : startWorker(deps)
      },
    })
    await connected(redis, PREFIX, [driver])
    const ear = listenTo(driver.wake)
    const ids = Array.from({ length: 120 }, (_, n) => `deliver dlv_${n}`)
    for (const id of ids) driver.wake.hint('deliver', id.slice('deliver '.length), clock.now())
    await until(() => ids.every((id) => ear.heard.includes(id)))
    expect(made).toBe(2)
    expect(lines).toEqual([expect.stringContaining('"part":"worker"')])
    expect(tally.counts('wake_renewed')).toContainEqual({ what: 'wake_renewed', labels: { part: 'worker' }, count: 1 })
    // The second one hears our beats, and is left in peace.
    const later = clock.now() + 2 * WATCH.staleMs
    await until(() => clock.now() > later)
    expect(made).toBe(2)
  })

  test('a real worker that hears nothing is made anew, and the old one is closed', async () => {
    const closed: string[] = []
    const deaf = (deps: WorkerDeps): WorkerDeps => {
      const { redis: other, end } = deps.connections.waiting()
      // It is there, and nothing comes back from it: the worker waits in its loop for ever.
      other.sendCommand = () => new Promise(() => undefined)
      const redis = Object.assign(other, { duplicate: () => other })
      return { ...deps, connections: { ...deps.connections, waiting: () => ({ redis, end }) } }
    }
    let made = 0
    const { driver, clock } = await open({
      makeWorker: (deps) => {
        made += 1
        const name = made === 1 ? 'deaf' : 'good'
        const worker = startWorker(made === 1 ? deaf(deps) : deps)
        return { close: () => worker.close().finally(() => closed.push(name)) }
      },
    })
    await connected(redis, PREFIX, [driver])
    const ear = listenTo(driver.wake)
    for (let n = 0; n < 120; n += 1) driver.wake.hint('deliver', `dlv_${n}`, clock.now())
    await until(() => ear.heard.length >= 120 && closed.includes('deaf'))
    expect(closed).toEqual(['deaf'])
  })

  test('a queue whose first command was not answered is made anew', async () => {
    const clock = createSystemClock()
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const connections = createConnections({
      place: placeOf({ url: server.url }),
      prefix: PREFIX,
      clock,
      log,
      tally: SILENT,
    })
    onTestFinished(() => connections.close())
    const info = connections.commands.info.bind(connections.commands)
    let unanswered = 0
    Object.assign(connections.commands, {
      // BullMQ alone asks for everything, and waits for a promise.
      info: (...args: [string]) => {
        if (args.length > 0 || unanswered > 0) return info(...args)
        unanswered += 1
        return Promise.reject(new Error('Command timed out'))
      },
    })
    const local = createLocalWake(clock)
    // It has no worker, so it takes none of its hints.
    const wake = createRedisWake({ connections, prefix: PREFIX, clock, log, tally: SILENT, local, process: 'one' })
    onTestFinished(() => wake.close())
    const { driver } = await open()
    const ear = listenTo(driver.wake)
    await until(() => connections.isUp() && unanswered > 0)
    await until(() => {
      wake.hint('deliver', randomUUID(), clock.now())
      return ear.heard.length > 0
    })
  })

  test('a worker whose wait for work always fails is not taken for one that is answered', async () => {
    const { connections } = await connect()
    const [main, blocking] = [connections.waiting(), connections.waiting()]
    let waits = 0
    blocking.redis.bzpopmin = () => {
      waits += 1
      return Promise.reject(new Error('Connection is closed.'))
    }
    const redis = Object.assign(main.redis, { duplicate: () => blocking.redis })
    let answers = 0
    const worker = startWorker({
      connections: { ...connections, waiting: () => ({ ...main, redis }) },
      prefix: PREFIX,
      onHint: () => undefined,
      answered: () => void (answers += 1),
      watch: WATCH,
    })
    await until(() => waits === 2)
    // By Redis, that there was no work yet.
    expect(answers).toBe(1)
    await worker.close()
    blocking.end()
  })

  test('a client that ended for good is connected again', async () => {
    const clock = fakeClock()
    const { connections, lines } = await connect(clock)
    connections.commands.disconnect()
    await until(() => connections.commands.status === 'end')
    expect(lines).toEqual(['warn'])
    await clock.advance(5_000)
    await until(connections.isUp)
    expect(lines).toEqual(['warn', 'info'])
  })

  test('that takes nothing more makes no worker stale: every process rings for itself', async () => {
    const { driver, clock, lines, tally } = await open()
    await connected(redis, PREFIX, [driver])
    const ear = listenTo(driver.wake)
    await redis.config('SET', 'maxmemory', '1')
    driver.wake.hint('deliver', 'dlv_1', clock.now())
    await until(() => ear.heard.includes('deliver dlv_1'))
    expect(await driver.rates().take('anna', 2)).toMatchObject({ ok: true, remaining: 1 })
    const later = clock.now() + 2 * WATCH.staleMs
    await until(() => clock.now() > later)
    expect(lines).toEqual([expect.stringMatching(/^warn redis refuses a command .*OOM/)])
    expect(tally.counts('redis_failed', 'redis_lost').map(({ what }) => what)).toEqual(['redis_failed'])
    await redis.config('SET', 'maxmemory', '0')
    const failed = clock.now()
    driver.wake.hint('deliver', 'dlv_2', failed)
    await until(() => ear.heard.includes('deliver dlv_2'))
  })

  test('the password of its URL is in no line', async () => {
    await redis.config('SET', 'requirepass', 'right-secret')
    const clock = createSystemClock()
    const lines: unknown[] = []
    const keep = (fields: Record<string, unknown>, message: string): void => void lines.push([fields, message])
    const log = { info: keep, warn: keep, error: keep }
    const driver = await openRedis({
      place: placeOf({ url: server.url.replace('redis://', 'redis://:canary-secret@') }),
      prefix: PREFIX,
      clock,
      log,
      tally: SILENT,
      local: createLocalWake(clock),
      randomId: randomUUID,
    })
    await until(() => lines.length > 0)
    const rates = driver.rates()
    const own = createRates(clock)
    expect((await rates.take('anna', 3)).remaining).toBe((await own.take('anna', 3)).remaining)
    await driver.close()
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('canary-secret')
  })
})
