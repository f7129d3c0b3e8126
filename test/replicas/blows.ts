import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from '../fakes/daemon.ts'
import { cutConnections } from '../fakes/postgres.ts'
import { withRedis } from '../fakes/redis.ts'
import type { Stage } from './stage.ts'

/** What happens to replicas and servers while they work. */
export type Blow = () => Promise<void>

/** A number in a range, seeded. */
export const between = (random: () => number, leastMs: number, mostMs: number): number =>
  leastMs + Math.floor(random() * (mostMs - leastMs))

/** One replica, whichever, dies and is started again a little later. */
export const killOne =
  (stage: Stage, random: () => number): Blow =>
  async () => {
    const index = Math.floor(random() * stage.count)
    await stage.kill(index)
    await sleep(between(random, 200, 3_000))
    await stage.start(index)
  }

export const emptyRedis =
  ({ url }: OwnServer): Blow =>
  () =>
    withRedis(url, async (redis) => void (await redis.flushall()))

export const cutDatabase =
  (url: string): Blow =>
  async () =>
    void (await cutConnections(url))

export const restartServer =
  (server: OwnServer, how: 'fast' | 'kill'): Blow =>
  () =>
    server.restart(how)

/** One blow after the other, with a pause before each. */
export const strike = async (blows: readonly Blow[], random: () => number): Promise<void> => {
  for (const blow of blows) {
    await sleep(between(random, 1_000, 3_000))
    await blow()
  }
}
