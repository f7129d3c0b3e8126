import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../test/fakes/postgres.ts'
import { commandsOf, ownRedis } from '../../test/fakes/redis.ts'
import { until } from '../../test/fakes/until.ts'
import { startCrowd } from '../../test/replicas/crowd.ts'
import { openStage } from '../../test/replicas/stage.ts'

/** Redis commands, those inside of scripts too. */
export interface Commands {
  idlePerSecond: number
  perVideo: number
}

const IDLE_MS = 30_000
/** What a process does at its start only. */
const SETTLED_MS = 5_000

/** What one process asks of a Redis of its own: while it is idle, and for each video from its create to its delivery. */
export const countCommands = async (videos: number): Promise<Commands> => {
  const undo: (() => Promise<void> | void)[] = []
  try {
    const database = await openDatabase()
    undo.push(() => database.drop())
    const redis = await ownRedis()
    undo.push(() => redis.close())
    const stage = await openStage(
      {
        store: () => ({ store: { driver: 'postgres', url: database.url }, redis: { url: redis.url } }),
        replicas: 1,
        slots: 40,
      },
      (end) => void undo.push(() => end(false)),
    )
    await sleep(SETTLED_MS)
    const during = async (work: () => Promise<unknown>): Promise<{ commands: number; seconds: number }> => {
      const [before, beganMs] = [await commandsOf(redis.url), performance.now()]
      await work()
      return { commands: (await commandsOf(redis.url)) - before, seconds: (performance.now() - beganMs) / 1_000 }
    }
    const idle = await during(() => sleep(IDLE_MS))
    const idlePerSecond = idle.commands / idle.seconds
    const { signal } = new AbortController()
    const busy = await during(async () => {
      const crowd = startCrowd(stage, { orders: videos, backendOf: () => 'alternate', atOnce: 4, pauseMs: 500, signal })
      await crowd.done
      await until(() => stage.receiver.requests.length >= videos)
    })
    return { idlePerSecond, perVideo: (busy.commands - idlePerSecond * busy.seconds) / videos }
  } finally {
    for (const end of undo.toReversed()) await end()
  }
}
