import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Store } from '../../src/core/store/index.ts'

/** Tells when nothing of this process is under way: no request of undici, whoever makes it, and no verb of a store. */
export interface Quiet {
  /** The store, each verb of which counts while it runs. */
  counted(store: Store): Store
  /** Resolves when nothing was under way for some rounds of the event loop. */
  settle(): Promise<void>
  /** Stops counting. */
  close(): void
}

const QUIET_ROUNDS = 6

export const watchQuiet = (): Quiet => {
  let requests = 0
  let verbs = 0
  const begun = (): void => void (requests += 1)
  const done = (): void => void (requests -= 1)
  const on = { 'undici:request:create': begun, 'undici:request:trailers': done, 'undici:request:error': done }
  for (const [name, listener] of Object.entries(on)) subscribe(name, listener)
  return {
    counted: (store) =>
      new Proxy(store, {
        get(target, name: keyof Store) {
          const verb = target[name] as (...args: unknown[]) => Promise<unknown>
          return async (...args: unknown[]) => {
            verbs += 1
            return verb(...args).finally(() => (verbs -= 1))
          }
        },
      }),
    async settle() {
      for (let quiet = 0; quiet < QUIET_ROUNDS; quiet = verbs === 0 && requests <= 0 ? quiet + 1 : 0) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    close: () => Object.entries(on).forEach(([name, listener]) => void unsubscribe(name, listener)),
  }
}
