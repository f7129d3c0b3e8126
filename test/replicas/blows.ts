import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from '../fakes/daemon.ts'
import { cutConnections } from '../fakes/postgres.ts'
import { withRedis } from '../fakes/redis.ts'
import type { Stage } from './stage.ts'

/** What happens to replicas and servers while they work. Answers how much it hit: 0 if there was nothing to hit. */
export interface Blow {
  kind: string
  fall: () => Promise<number>
}

/** A number in a range, seeded. */
export const between = (random: () => number, leastMs: number, mostMs: number): number =>
  leastMs + Math.floor(random() * (mostMs - leastMs))

/** One replica, whichever, dies and is started again a little later. */
export const killOne = (stage: Pick<Stage, 'count' | 'kill' | 'start'>, random: () => number): Blow => ({
  kind: 'kill',
  async fall() {
    const index = Math.floor(random() * stage.count)
    await stage.kill(index)
    await sleep(between(random, 200, 3_000))
    await stage.start(index)
    return 1
  },
})

export const emptyRedis = ({ url }: Pick<OwnServer, 'url'>): Blow => ({
  kind: 'empty redis',
  fall: () =>
    withRedis(url, async (redis) => {
      const keys = await redis.dbsize()
      await redis.flushall()
      return keys
    }),
})

export const cutDatabase = (url: string): Blow => ({ kind: 'cut database', fall: () => cutConnections(url) })

export const restartServer = (server: Pick<OwnServer, 'restart'>, how: 'fast' | 'kill'): Blow => ({
  kind: `restart server: ${how}`,
  async fall() {
    await server.restart(how)
    return 1
  },
})

/** One blow after the other, with a pause before each. Throws if one hit nothing: then the run would prove less than it says. */
export const strike = async (blows: readonly Blow[], random: () => number): Promise<void> => {
  for (const { kind, fall } of blows) {
    await sleep(between(random, 1_000, 3_000))
    if ((await fall()) === 0) throw new Error(`this blow hit nothing: ${kind}`)
  }
}
