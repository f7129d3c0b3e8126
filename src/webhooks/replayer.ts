import type { Store } from '../core/store/index.ts'
import type { Ports } from '../core/ports.ts'
import { createTasks } from './tasks.ts'

const EVERY_MS = 5_000
/** One write does few, so that other writes do not wait long. */
const AT_ONCE = 200

export interface ReplayerDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<Store, 'replayStep' | 'backlogStep'>
  onDue: (ids: readonly string[]) => void
}

/**
 * Does accepted replays, and moves the deliveries of changed endpoints, a part at a time. The store knows how far each
 * has come. So after a crash it goes on from there, and no event is sent again twice.
 */
export const createReplayer = ({ store, clock, log, onDue }: ReplayerDeps) => {
  const tasks = createTasks(log)
  let cancel = (): void => undefined
  let running = false
  let again = false
  let stopped = true

  const work = async (): Promise<void> => {
    running = true
    try {
      do {
        again = false
        while (await store.backlogStep()) if (stopped) return
        for (let due = await store.replayStep(AT_ONCE); due; due = await store.replayStep(AT_ONCE)) {
          onDue(due)
          if (stopped) return
        }
      } while (again)
    } finally {
      running = false
      if (!stopped) cancel = clock.at(clock.now() + EVERY_MS, wake)
    }
  }

  const wake = (): void => {
    again = true
    if (stopped || running) return
    cancel()
    tasks.run('a replay failed, and will be tried again', {}, work)
  }

  return {
    start(): void {
      stopped = false
      wake()
    },
    /** Call when there is a replay to do, or when an endpoint changed and its deliveries must move. */
    wake,
    stop(): Promise<void> {
      stopped = true
      cancel()
      return tasks.idle()
    },
  }
}
