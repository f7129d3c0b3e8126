import type { Log } from '../core/log.ts'

export interface Tasks {
  /** Starts a task. If it rejects, that is logged as `what`; the work is found again later. */
  run(what: string, fields: Record<string, unknown>, task: () => Promise<void>): void
  /** Resolves when nothing runs, tasks that were started meanwhile included. */
  idle(): Promise<void>
}

/** Keeps promises that nobody awaits at once, so that none is lost or unhandled. */
export const createTasks = (log: Log): Tasks => {
  const running = new Set<Promise<void>>()
  return {
    run(what, fields, task) {
      const started = task()
        .catch((err: unknown) => log.error({ ...fields, err }, what))
        .finally(() => running.delete(started))
      running.add(started)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
