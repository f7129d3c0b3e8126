import { type Log, logFailure } from './core/log.ts'

/** Closers, run last-in first-out, each once; one that fails does not keep the others from running. */
export const createLifecycle = (log: Log) => {
  const closers: { name: string; close: () => Promise<void> | void }[] = []
  return {
    onClose(name: string, close: () => Promise<void> | void): void {
      closers.push({ name, close })
    },
    async close(): Promise<void> {
      for (let closer = closers.pop(); closer; closer = closers.pop()) {
        try {
          await closer.close()
        } catch (error) {
          logFailure(log, { closer: closer.name, err: error }, 'could not close')
        }
      }
    },
  }
}
export type Lifecycle = ReturnType<typeof createLifecycle>
