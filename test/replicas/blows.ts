import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from '../fakes/daemon.ts'
import { cutConnections, withClient } from '../fakes/postgres.ts'
import { withRedis } from '../fakes/redis.ts'
import { until } from '../fakes/until.ts'
import type { Between } from '../stores/redis-ways.ts'
import type { SilentProxy } from '../stores/silent-proxy.ts'
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

/** A member of a pool dies, whichever: it refuses connections, or swallows what it is sent. Later it is well again. */
export const cutMember = (stage: Pick<Stage, 'gate'>, members: number, random: () => number): Blow => ({
  kind: 'cut member',
  async fall() {
    const gate = stage.gate(Math.floor(random() * members))
    const before = gate.met()
    gate.cut(random() < 0.5 ? 'refuse' : 'swallow')
    await sleep(between(random, 2_000, 8_000))
    await until(() => gate.met() > before)
    gate.cut(null)
    return gate.met() - before
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

/** As after a failover: what is connected is never answered again, and is not told so. */
export const silenceDatabase = (way: Pick<SilentProxy, 'silence' | 'asked'>): Blow => ({
  kind: 'silence database',
  async fall() {
    const before = way.asked()
    way.silence()
    await until(() => way.asked() > before)
    return way.asked() - before
  },
})

const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Somebody holds the table of videos for longer than a request waits. */
export const lockVideos = (url: string, heldMs: number): Blow => ({
  kind: 'lock videos',
  fall: () =>
    withClient(url, async (guest) => {
      await guest.query('BEGIN')
      await guest.query('LOCK TABLE talkbridge.videos IN ACCESS EXCLUSIVE MODE')
      await sleep(heldMs)
      const waiting = await withClient(url, (other) => other.query(WAITING))
      await guest.query('ROLLBACK')
      return waiting.rows.length
    }),
})

/** Each answer of Redis comes late, for a while. */
export const slowRedis = (way: Pick<Between, 'delay' | 'late'>, delayMs: number, lastsMs: number): Blow => ({
  kind: 'slow redis',
  async fall() {
    const before = way.late()
    way.delay(delayMs)
    await sleep(lastsMs)
    way.delay(0)
    return way.late() - before
  },
})

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
