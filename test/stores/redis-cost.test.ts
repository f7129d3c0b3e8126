import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WATCH } from '../../src/stores/redis/wake.ts'
import { listenTo, type Ear } from '../contract/wake.ts'
import type { OwnServer } from '../fakes/daemon.ts'
import { commandsOf, ownRedis, withRedis } from '../fakes/redis.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { connected, openDriver, type OpenedDriver } from './redis-stage.ts'

const isSkipped = await skippedWithout(['ownRedis'])
const PREFIX = 'cost'
/** Ten times as fast as life. */
const SPEED = 10
const FASTER = { ...WATCH, beatMs: WATCH.beatMs / SPEED, askAgainS: WATCH.askAgainS / SPEED }

describe.skipIf(isSkipped)('what a process costs Redis, in commands, those inside of scripts too', () => {
  let server: OwnServer
  let one: OpenedDriver
  let ear: Ear
  beforeEach(async () => {
    server = await ownRedis()
    one = await openDriver({ url: server.url, prefix: PREFIX, watch: FASTER })
    ear = listenTo(one.driver.wake)
    await withRedis(server.url, (redis) => connected(redis, PREFIX, [one.driver]))
  })
  afterEach(async () => {
    await one.driver.close()
    await server.close()
  })
  const callsOf = (command: string): Promise<number> =>
    withRedis(server.url, async (redis) => {
      const found = new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await redis.info('commandstats'))
      return Number(found?.[1] ?? 0)
    })

  test('idle: at most five a second, counted over its beats', async () => {
    await until(async () => (await callsOf('bzpopmin')) > 0)
    const before = { commands: await commandsOf(server.url), beats: await callsOf('publish') }
    await until(async () => (await callsOf('publish')) >= before.beats + 20)
    const beats = (await callsOf('publish')) - before.beats
    const seconds = (beats * WATCH.beatMs) / 1_000
    expect((await commandsOf(server.url)) - before.commands).toBeLessThanOrEqual(5 * seconds)
  })

  test('a video from create to delivery: at most thirty', async () => {
    const { wake, rates } = one.driver
    const beats = await callsOf('publish')
    const before = await commandsOf(server.url)
    await rates().take('acme', 600)
    wake.hint('account', 'main', one.clock.now())
    for (let version = 1; version <= 8; version += 1) {
      wake.changed('vid_1', version, 'acme')
      await until(async () => (await callsOf('publish')) > beats + version)
    }
    wake.hint('account', 'main', one.clock.now() + 200)
    wake.hint('deliver', 'dlv_1', one.clock.now())
    await until(
      () => ear.heard.includes('deliver dlv_1') && ear.heard.filter((line) => line === 'account main').length === 2,
    )
    expect((await commandsOf(server.url)) - before).toBeLessThanOrEqual(30)
  })

  test('many deliveries at once: jobs carry many, and cost at most three each', async () => {
    const before = await commandsOf(server.url)
    for (let n = 0; n < 1_000; n += 1) one.driver.wake.hint('deliver', `dlv_${n}`, one.clock.now())
    await until(() => ear.heard.length >= 1_000)
    expect(await callsOf('rpoplpush')).toBeGreaterThan(0)
    expect((await commandsOf(server.url)) - before).toBeLessThanOrEqual(3_000)
  })
})
