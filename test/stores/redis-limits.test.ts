import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Redis } from 'ioredis'
import { must } from '../fakes/must.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { startRedis, type OwnRedis } from './redis-servers.ts'
import { connected, openDriver, type OpenedDriver } from './redis-stage.ts'

const isSkipped = await skippedWithout(['ownRedis'])
const PREFIX = 'limits'
const MINUTE_MS = 60_000

describe.skipIf(isSkipped)('limits of a client', () => {
  let server: OwnRedis | null = null
  let redis: Redis
  let a: OpenedDriver
  let b: OpenedDriver
  beforeEach(async () => {
    server ??= await startRedis()
    redis = server.redis
    await redis.flushall()
    a = await openDriver({ url: server.url, prefix: PREFIX })
    b = await openDriver({ url: server.url, prefix: PREFIX })
    await connected(redis, PREFIX, [a.driver, b.driver])
  })
  afterEach(async () => {
    await Promise.all([a.driver.close(), b.driver.close()])
  })
  afterAll(() => server?.close())

  describe('rates', () => {
    test('are one count for all processes, and each client has its own', async () => {
      const [here, there] = [a.driver.rates(), b.driver.rates()]
      expect(await here.take('anna', 3)).toMatchObject({ ok: true, limit: 3, remaining: 2 })
      expect(await there.take('anna', 3)).toMatchObject({ ok: true, limit: 3, remaining: 1 })
      expect(await here.take('anna', 3)).toMatchObject({ ok: true, limit: 3, remaining: 0 })
      const refused = await there.take('anna', 3)
      expect(refused).toMatchObject({ ok: false, limit: 3, remaining: 0 })
      expect(refused.resetAtMs).toBeGreaterThan(b.clock.now())
      expect(refused.resetAtMs).toBeLessThanOrEqual(b.clock.now() + MINUTE_MS)
      expect(await there.take('bert', 3)).toMatchObject({ ok: true, remaining: 2 })
    })

    test('of many at once: exactly the limit passes', async () => {
      const [here, there] = [a.driver.rates(), b.driver.rates()]
      const taken = await Promise.all(
        Array.from({ length: 60 }, async (_, n) => (n % 2 ? here : there).take('anna', 25)),
      )
      expect(taken.filter(({ ok }) => ok)).toHaveLength(25)
    })

    test('do not count what is refused: another limit holds at once, for what was taken', async () => {
      const rates = a.driver.rates()
      for (let n = 0; n < 3; n += 1) await rates.take('anna', 3)
      for (let n = 0; n < 20; n += 1) expect((await rates.take('anna', 3)).ok).toBe(false)
      expect(await rates.take('anna', 10)).toMatchObject({ ok: true, remaining: 6 })
      expect(await rates.take('anna', 2)).toMatchObject({ ok: false, remaining: 0 })
    })

    test('count what is added, even if nothing is left', async () => {
      const [here, there] = [a.driver.rates(), b.driver.rates()]
      await here.add('anna', 0)
      await here.add('anna', 7)
      expect(await there.take('anna', 5)).toMatchObject({ ok: false, remaining: 0 })
      expect(await there.take('anna', 10)).toMatchObject({ ok: true, remaining: 2 })
    })

    test('slide: what was taken is given back one by one, when it is as old as the window', async () => {
      const rates = a.driver.rates(2_000)
      const first = await rates.take('anna', 2)
      const half = a.clock.now() + 1_000
      await until(() => a.clock.now() >= half)
      await rates.take('anna', 2)
      const refused = await rates.take('anna', 2)
      expect(refused.ok).toBe(false)
      // The first is as old as the window before the second is.
      expect(refused.resetAtMs).toBeLessThan(first.resetAtMs + 500)
      await until(async () => (await rates.take('anna', 2)).ok)
      expect(a.clock.now()).toBeGreaterThanOrEqual(refused.resetAtMs - 100)
      expect(await rates.take('anna', 2)).toMatchObject({ ok: false })
    })

    test('of windows of different lengths are apart', async () => {
      await a.driver.rates().take('anna', 1)
      expect(await a.driver.rates(3_600_000).take('anna', 1)).toMatchObject({ ok: true })
      expect(await b.driver.rates(3_600_000).take('anna', 1)).toMatchObject({ ok: false })
    })

    test('leave nothing behind: what they hold expires', async () => {
      await a.driver.rates().take('anna', 1)
      const keys = await redis.keys(`${PREFIX}:rate:*`)
      expect(keys).toHaveLength(1)
      for (const key of keys) expect(await redis.pttl(key)).toBeLessThanOrEqual(2 * MINUTE_MS)
    })

    test('without redis each process counts alone, and goes on from what it let through', async () => {
      const [here, there] = [a.driver.rates(), b.driver.rates()]
      for (let n = 0; n < 3; n += 1) await here.take('anna', 4)
      await must(server).stop()
      await until(() => !a.driver.isUp() && !b.driver.isUp())
      expect(await here.take('anna', 4)).toMatchObject({ ok: true, remaining: 0 })
      expect(await here.take('anna', 4)).toMatchObject({ ok: false })
      expect(await there.take('anna', 4)).toMatchObject({ ok: true, remaining: 3 })
      await here.add('anna', 1)
      await must(server).start()
      await until(() => a.driver.isUp())
      expect(await here.take('anna', 4)).toMatchObject({ ok: true, remaining: 3 })
    })
  })

  describe('stream places', () => {
    const keyOf = (client: string): string => `${PREFIX}:streams:${client}`
    const isTaken = async (client: string, count: number): Promise<boolean> =>
      (await redis.zcard(keyOf(client))) === count

    test('are one count for all processes; one that is given back is free for any', async () => {
      const [here, there] = [a.driver.streamPlaces, b.driver.streamPlaces]
      const leave = must(await here.take('anna', 2))
      must(await there.take('anna', 2))
      expect(await here.take('anna', 2)).toBeNull()
      expect(await there.take('anna', 2)).toBeNull()
      must(await there.take('bert', 2))
      leave()
      await until(() => isTaken('anna', 1))
      must(await there.take('anna', 2))
      expect(await here.take('anna', 2)).toBeNull()
    })

    test('of many at once: exactly the limit is given', async () => {
      const taken = await Promise.all(
        Array.from({ length: 30 }, (_, n) => (n % 2 ? a : b).driver.streamPlaces.take('anna', 5)),
      )
      expect(taken.filter((one) => one !== null)).toHaveLength(5)
    })

    test('of a process that died are free when their leases have run out, 45 s later', async () => {
      must(await a.driver.streamPlaces.take('anna', 1))
      await a.driver.close()
      expect(await b.driver.streamPlaces.take('anna', 1)).toBeNull()
      expect(await redis.pttl(keyOf('anna'))).toBeLessThanOrEqual(45_000)
      const [place = ''] = await redis.zrange(keyOf('anna'), '0', '0')
      await redis.zincrby(keyOf('anna'), -45_000, place)
      must(await b.driver.streamPlaces.take('anna', 1))
    })

    test('without redis are counted by each process, and put into it when it is back', async () => {
      const [here, there] = [a.driver.streamPlaces, b.driver.streamPlaces]
      must(await here.take('anna', 2))
      await must(server).stop()
      await until(() => !a.driver.isUp() && !b.driver.isUp())
      const leave = must(await here.take('anna', 2))
      expect(await here.take('anna', 2)).toBeNull()
      const leaveThere = must(await there.take('anna', 2))
      leaveThere()
      await must(server).start()
      // The other process may hear later that Redis is back, and counts alone until then.
      await until(() => b.driver.isUp())
      await until(() => isTaken('anna', 2))
      expect(await there.take('anna', 2)).toBeNull()
      leave()
      await until(() => isTaken('anna', 1))
    })
  })
})
