import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { inspectRedis } from '../../src/stores/inspect.ts'
import { createClients } from '../../src/stores/redis/client.ts'
import { listenTo } from '../contract/wake.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { must } from '../fakes/must.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { HANG_MS, until } from '../fakes/until.ts'
import { openDriver, placeOf, type OpenedDriver } from './redis-stage.ts'
import {
  addressOf,
  MASTER,
  nodeOf,
  startBetween,
  startCluster,
  startedRedis,
  startSentinel,
  startTls,
} from './redis-ways.ts'

const isSkipped = await skippedWithout(['ownRedis'])
const WATCH = { beatMs: 50, staleMs: 30_000, askAgainS: 1 }

describe.skipIf(isSkipped)('ways to redis', () => {
  const opened: OpenedDriver[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ driver }) => driver.close()))
  })
  const open = async (options: Parameters<typeof openDriver>[0]): Promise<OpenedDriver> => {
    const driver = await openDriver({ watch: WATCH, ...options })
    opened.push(driver)
    return driver
  }
  const two = async (options: Parameters<typeof openDriver>[0]) => {
    const [a, b] = [await open(options), await open(options)]
    return { a, b, ears: [listenTo(a.driver.wake), listenTo(b.driver.wake)] as const }
  }
  const losses = ({ tally }: OpenedDriver): number => tally.counts('redis_lost')[0]?.count ?? 0
  type Two = Awaited<ReturnType<typeof two>>

  /** Changes reach the other, both take hints from the queue, and limits are one count. */
  const worksTogether = async ({ a, b, ears }: Two): Promise<void> => {
    await until(() => a.driver.isUp() && b.driver.isUp())
    const id = randomUUID()
    await until(() => {
      a.driver.wake.changed(id, 1, 'acme')
      return ears[1].heard.includes(`changed ${id} 1 acme`)
    })
    const before = ears.map(({ heard }) => heard.length)
    let nextAtMs = 0
    await until(() => {
      // More than a process takes itself of one second's, and no more than both can take on a busy machine.
      if (a.clock.elapsed() >= nextAtMs) {
        for (let n = 0; n < 120; n += 1) a.driver.wake.hint('deliver', randomUUID(), a.clock.now())
        nextAtMs = a.clock.elapsed() + 1_000
      }
      return ears.every(({ heard }, i) => heard.slice(before[i]).some((line) => line.startsWith('deliver')))
    })
    // On a busy machine a command may take longer than a request waits for it: then a process counts alone.
    await until(async () => {
      const client = randomUUID()
      await a.driver.rates().take(client, 2)
      return (await b.driver.rates().take(client, 2)).remaining === 0
    })
    await until(async () => {
      const client = randomUUID()
      await a.driver.streamPlaces.take(client, 1)
      return (await b.driver.streamPlaces.take(client, 1)) === null
    })
    expect([...a.lines, ...b.lines].filter((line) => line.includes('refuses'))).toEqual([])
  }

  test('a cluster of three masters: one is away and comes back', async () => {
    const nodes = await startCluster()
    const cluster = nodes.slice(0, 2).map(({ url }) => addressOf(url))
    const both = await two({ cluster, prefix: '{ways}' })
    await worksTogether(both)
    const limits = { limitMs: HANG_MS, signal: new AbortController().signal }
    expect(await inspectRedis(placeOf({ cluster }), limits)).toMatchObject({ role: 'master', evicts: 'noeviction' })
    const node = await nodeOf(nodes, '{ways}')
    await node.stop('kill')
    const { a, ears } = both
    await until(async () => (await a.driver.rates().take('anna', 1_000)).remaining > 0 && !a.driver.isUp())
    a.driver.wake.hint('deliver', 'alone', a.clock.now())
    await until(() => ears[0].heard.includes('deliver alone'))
    await node.start()
    await worksTogether(both)
  })

  test('a sentinel: after a failover the new master is used', async () => {
    const { master, replica, sentinel } = await startSentinel()
    const both = await two({ sentinels: [sentinel], master: MASTER, prefix: 'ways' })
    await worksTogether(both)
    await master.stop('kill')
    await until(() => !both.a.driver.isUp())
    await worksTogether(both)
    const probe = new Redis(replica.url)
    onTestFinished(() => probe.disconnect())
    expect(await probe.role()).toContain('master')
    expect(await probe.exists('ways:hints:meta')).toBe(1)
  })

  test('errors that go on for days leave one listener on the socket that was', async () => {
    const { url } = await startedRedis()
    const redis = createClients(placeOf({ url }))({})
    onTestFinished(() => redis.disconnect())
    await until(() => redis.status === 'ready')
    if (!(redis instanceof Redis)) throw new Error('a single server is no cluster')
    const before = redis.stream.listenerCount('error')
    for (let n = 0; n < 20; n += 1) redis.emit('error', new Error('All sentinels are unreachable'))
    expect(redis.stream.listenerCount('error')).toBe(before + 1)
  })

  test('sentinels that do not answer: each process continues alone', async () => {
    const sentinel = addressOf((await startBetween('redis://127.0.0.1:1')).url)
    const { driver, clock, lines } = await open({ sentinels: [sentinel], master: MASTER, prefix: 'ways' })
    const ear = listenTo(driver.wake)
    driver.wake.hint('deliver', 'alone', clock.now())
    await until(() => ear.heard.includes('deliver alone'))
    expect(await driver.rates().take('anna', 2)).toMatchObject({ ok: true, remaining: 1 })
    await until(() => lines.length > 0)
    expect(lines).toEqual([expect.stringContaining('warn redis is away')])
  })

  const isOfReplica = (line: string): boolean => /^warn redis is away.*READONLY/.test(line)

  test('a master that became a replica is left for the one that answers now by its name', async () => {
    const [old, next] = [await startedRedis(), await startedRedis()]
    const between = await startBetween(old.url)
    const both = await two({ url: between.url, prefix: 'ways' })
    await worksTogether(both)
    between.to(next.url)
    const admin = new Redis(old.url)
    onTestFinished(() => admin.disconnect())
    await admin.replicaof('127.0.0.1', addressOf(next.url).port)
    // Its connections are open all the same.
    await until(async () => {
      await both.a.driver.rates().take('anna', 1_000)
      await both.b.driver.rates().take('anna', 1_000)
      return [both.a, both.b].every(({ driver, lines }) => driver.isUp() && lines.some(isOfReplica))
    })
    await worksTogether(both)
    for (const { lines } of [both.a, both.b]) {
      // On a busy machine answers may also take too long, which is another matter.
      const warned = lines.filter((line) => line.startsWith('warn') && !/it is slow|timed out/.test(line))
      expect(warned).toEqual([expect.toSatisfy(isOfReplica)])
    }
    const probe = new Redis(next.url)
    onTestFinished(() => probe.disconnect())
    expect(await probe.exists('ways:rate:60:anna')).toBe(1)
  })

  test('TLS with files, also of the client; without them nothing is said in clear', async () => {
    const { host, port, ca_file, cert_file, key_file } = await startTls()
    const url = `redis://${host}:${port}/0`
    const tls = { ca_file, cert_file, key_file }
    await worksTogether(await two({ url, prefix: 'ways', tls }))
    const limits = { limitMs: HANG_MS, signal: new AbortController().signal }
    expect(await inspectRedis(placeOf({ url, tls }), limits)).toMatchObject({ role: 'master' })
    // Nobody vouches for this server.
    const unknown = await open({ url: `rediss://${host}:${port}/0`, prefix: 'ways' })
    await until(() => unknown.lines.length > 0)
    expect(unknown.lines[0]).toMatch(/warn redis is away.*(SELF_SIGNED|UNABLE_TO)/)
    await expect(
      open({ url, prefix: 'ways', tls: { ca_file: '/nowhere', cert_file: null, key_file: null } }),
    ).rejects.toThrow('redis.tls.ca_file: /nowhere cannot be read')
  })

  test('a certificate that is replaced before its key: the last pair is used until both are there', async () => {
    const { host, port, ca_file, cert_file, key_file, server } = await startTls()
    const other = readFileSync(ca_file.replace('ca.pem', 'server.key'))
    const key = readFileSync(key_file)
    const tls = { ca_file, cert_file, key_file }
    const both = await two({ url: `redis://${host}:${port}/0`, prefix: 'ways', tls })
    await worksTogether(both)
    const admin = new Redis(server.url)
    onTestFinished(() => admin.disconnect())
    for (const content of [other, key.subarray(0, 100), key]) {
      writeFileSync(key_file, content)
      const before = [both.a, both.b].map(losses)
      for (const type of ['normal', 'pubsub']) await admin.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')
      await until(() => [both.a, both.b].every((one, i) => losses(one) > must(before[i])))
      await worksTogether(both)
    }
    writeFileSync(key_file, other)
    await expect(open({ url: `redis://${host}:${port}/0`, prefix: 'ways', tls })).rejects.toThrow('redis.tls: ')
  })

  test('a password that rotates is read again for each connection', async () => {
    const server = await startedRedis()
    const admin = new Redis(server.url)
    onTestFinished(() => admin.disconnect())
    await admin.acl('SETUSER', 'gateway', 'on', '>first', '~*', '&*', '+@all')
    const file = join(await temporaryFolder(), 'password')
    writeFileSync(file, 'first\n')
    const both = await two({ url: server.url, prefix: 'ways', username: 'gateway', password_file: file })
    await worksTogether(both)
    writeFileSync(file, 'second\n')
    await admin.acl('SETUSER', 'gateway', '<first', '>second')
    expect(await admin.client('KILL', 'USER', 'gateway')).toBeGreaterThan(0)
    await worksTogether(both)
    expect(await admin.acl('WHOAMI')).toBe('default')
    expect(String(await admin.client('LIST'))).toMatch(/user=gateway/)
    expect(JSON.stringify([both.a.lines, both.b.lines])).not.toMatch(/first|second/)
  })

  const rightsOnPage = (): string[] => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/replicas.md'), 'utf8')
    const [, rights = ''] = /ACL SETUSER gateway on >PASSWORD ([^`]+)/.exec(page) ?? []
    return rights.split(/\s+/).filter(Boolean)
  }

  test('the page names all commands in the scripts of the queue that the gateway uses', () => {
    const folder = join(import.meta.dirname, '../../node_modules/bullmq/dist/esm/scripts')
    const used = [
      'addStandardJob-9',
      'moveToActive-11',
      'moveToFinished-14',
      'moveStalledJobsToWait-9',
      'extendLocks-1',
    ]
    const lua = used.map((name) => readFileSync(join(folder, `${name}.js`), 'utf8')).join('\n')
    const commands = Array.from(
      lua.matchAll(/\brcall\(\\?["'](\w+)/g),
      ([, command = '']) => `+${command.toLowerCase()}`,
    )
    expect(commands.length).toBeGreaterThan(100)
    expect([...new Set(commands)].filter((command) => !rightsOnPage().includes(command))).toEqual([])
  })

  test('a user with the rights that the page names can do all that the gateway does', async () => {
    const server = await startedRedis()
    const admin = new Redis(server.url)
    onTestFinished(() => admin.disconnect())
    await admin.acl('SETUSER', 'gateway', 'on', '>pw', ...rightsOnPage())
    const both = await two({ url: server.url.replace('//', '//gateway:pw@'), prefix: 'talkbridge' })
    await worksTogether(both)
    await Promise.all(opened.splice(0).map(({ driver }) => driver.close()))
    expect(JSON.stringify(await admin.call('ACL', 'LOG'))).toBe('[]')
    const limits = { limitMs: HANG_MS, signal: new AbortController().signal }
    const place = placeOf({ url: server.url.replace('//', '//gateway:pw@') })
    expect(await inspectRedis(place, limits)).toMatchObject({ role: 'master' })
    // No more than that.
    const user = new Redis(place.url ?? '')
    onTestFinished(() => user.disconnect())
    for (const [command, ...args] of [['SET', 'other', '1'], ['FLUSHALL'], ['KEYS', '*'], ['GET', 'other']] as const)
      await expect(user.call(command, ...args)).rejects.toThrow('NOPERM')
  })

  test('one that is slow costs a request nothing after three timeouts in a row, and is tried again', async () => {
    const server = await startedRedis()
    const between = await startBetween(server.url)
    const slow = await open({ url: between.url, prefix: 'ways' })
    const { driver, lines } = slow
    await until(() => driver.isUp())
    const rates = driver.rates()
    const admin = new Redis(server.url)
    onTestFinished(() => admin.disconnect())
    const evals = async (): Promise<number> => {
      const [, calls = 0] = /cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats')) ?? []
      return Number(calls)
    }
    await rates.take('anna', 1_000)
    between.delay(300)
    await until(async () => {
      await rates.take('anna', 1_000)
      return !driver.isUp()
    })
    expect(lines).toEqual([expect.stringMatching(/^warn redis is away.*it is slow/)])
    const asked = await evals()
    for (let n = 0; n < 200; n += 1) expect(await rates.take('bert', 1_000)).toMatchObject({ remaining: 999 - n })
    expect(await evals()).toBe(asked)
    // Tried again while it is slow, and after that.
    expect(losses(slow)).toBe(1)
    between.delay(0)
    await until(() => driver.isUp())
    expect(lines).toEqual([expect.stringContaining('redis is away'), 'info redis is back {}'])
    await rates.take('anna', 1_000)
    expect(await evals()).toBeGreaterThan(asked)
  })
})
