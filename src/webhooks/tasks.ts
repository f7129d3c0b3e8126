import { type Log, logFailure } from '../core/log.ts'

/** Keeps promises that nobody awaits at once, so that none is lost or unhandled. */
export const createTasks = (log: Log) => {
  const running = new Set<Promise<void>>()
  return {
    /** Starts a task. If it rejects, that is logged as `what`; the work is found again later. */
    run(what: string, fields: Record<string, unknown>, task: () => Promise<void>): void {
      const started: Promise<void> = task()
        .catch((err: unknown) => logFailure(log, { ...fields, err }, what))
        .finally(() => running.delete(started))
      running.add(started)
    },
    /** Resolves when nothing runs, tasks that were started meanwhile included. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
export type Tasks = ReturnType<typeof createTasks>
