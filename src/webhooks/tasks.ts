import type { Log } from '../core/log.ts'

export interface Tasks {
  /** Starts a task; if it rejects, that is logged as `what`, and whoever started it finds the work again later. */
  run(what: string, fields: Record<string, unknown>, task: () => Promise<void>): void
  /** Resolves when nothing runs, whatever was started meanwhile included. */
  idle(): Promise<void>
}

/** Promises that nobody awaits at once, but that are neither lost nor unhandled. */
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
