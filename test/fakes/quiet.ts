import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Store } from '../../src/core/store/index.ts'

/** Tells when nothing of this process is under way: no request of undici, whoever makes it, and no verb of a store. */
export interface Quiet {
  /** The store, each verb of which counts while it runs. */
  counted(store: Store): Store
  /** Resolves when nothing was under way for some rounds of the event loop. */
  settle(): Promise<void>
  /** Whether nothing is under way now. */
  isQuiet(): boolean
  /** Stops counting. */
  close(): void
}

/**
 * A round of the event loop. `isElsewhere`: another thread or process is waited for, which may need this core: it sleeps for
 * a millisecond, or until something comes.
 */
export const turnOfLoop = (isElsewhere: boolean): Promise<void> =>
  new Promise((resolve) => void (isElsewhere ? setTimeout(resolve) : setImmediate(resolve)))

const QUIET_ROUNDS = 6
/** The same where a request is held until the clock moves. */
const HELD_ROUNDS = 60

/** `fetch` says so of its requests. Its answer may be left unread, and then never ends. */
const isFetch = (message: unknown): boolean => {
  const { request }: { request?: unknown } = Object(message)
  const { headers }: { headers?: unknown } = Object(request)
  return JSON.stringify(headers).includes('sec-fetch-mode')
}

export interface QuietOptions {
  /** Whether a request may be under way that waits for the clock; default: none is. */
  isHeld?: () => boolean
  /** Does not wait for requests of `fetch`. */
  ignoresFetch?: boolean
}

export const watchQuiet = ({ isHeld = () => false, ignoresFetch = false }: QuietOptions = {}): Quiet => {
  let requests = 0
  let verbs = 0
  const by = (n: number) => (message: unknown) => void ((ignoresFetch && isFetch(message)) || (requests += n))
  const done = by(-1)
  const on = { 'undici:request:create': by(1), 'undici:request:trailers': done, 'undici:request:error': done }
  for (const [name, listener] of Object.entries(on)) subscribe(name, listener)
  return {
    counted: (store) =>
      new Proxy(store, {
        get(target, name: keyof Store) {
          // Reads nothing, and answers at once.
          if (name === 'writeCount') return target.writeCount
          const verb = target[name] as (...args: unknown[]) => Promise<unknown>
          return async (...args: unknown[]) => {
            verbs += 1
            return verb(...args).finally(() => (verbs -= 1))
          }
        },
      }),
    async settle() {
      let [quiet, held] = [0, 0]
      while (quiet < QUIET_ROUNDS && held < HELD_ROUNDS) {
        await turnOfLoop(verbs > 0)
        quiet = verbs === 0 && requests <= 0 ? quiet + 1 : 0
        held = verbs === 0 && isHeld() ? held + 1 : 0
      }
    },
    isQuiet: () => verbs === 0 && requests <= 0,
    close: () => Object.entries(on).forEach(([name, listener]) => void unsubscribe(name, listener)),
  }
}
