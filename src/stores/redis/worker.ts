import { Worker } from 'bullmq'
import { z } from 'zod'
import type { Connections } from './connect.ts'
import { HINTS, type Hint } from './hints.ts'
import type { Part } from './watched.ts'
import { within } from './within.ts'

export interface WorkerDeps {
  connections: Connections
  prefix: string
  onHint: (hint: Hint) => void
}

/** Hints are handed on at once, so this is how many are on their way between here and Redis. */
const CONCURRENCY = 16
/** How long it waits for a hint before it asks again. If its connection was cut meanwhile, it may wait a second more. */
const ASK_AGAIN_S = 2
/** The pause after a failed command. */
const RETRY_MS = 1_000
const CLOSING_MS = 1_000

const Job = z.object({
  name: z.enum(['account', 'deliver', 'transfer', 'maintain', 'beat']),
  data: z.strictObject({ id: z.string().max(200), dueAtMs: z.number().int() }),
})

/**
 * Takes hints from the queue, each hint by one process. A hint whose process died goes back into the queue once
 * (`maxStalledCount`), and is then gone for good: the sweep finds the work.
 */
export const startWorker = ({ connections, prefix, onHint }: WorkerDeps): Part => {
  const { redis, end } = connections.waiting()
  const worker = new Worker(
    HINTS,
    async (job) => {
      const { data } = Job.safeParse({ name: job.name, data: job.data })
      if (data) onHint({ kind: data.name, ...data.data })
    },
    {
      connection: redis,
      prefix,
      concurrency: CONCURRENCY,
      drainDelay: ASK_AGAIN_S,
      runRetryDelay: RETRY_MS,
      maxStalledCount: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  )
  worker.on('error', (error) => connections.failed('worker', error))
  return {
    /** `worker.close()` may wait for ever, so its connections are ended under it: after a second, or now without Redis. */
    async close() {
      const isUp = connections.isUp()
      const closed = worker.close(!isUp).catch(() => undefined)
      if (!isUp) end()
      await within(CLOSING_MS, closed)
      end()
    },
  }
}
