/** Time and chance, handed in so that tests decide them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number
  /** 0 to 1. */
  random(): number
  /** Calls `run` once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void
}

/** A timer beyond it would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`; rejects with the reason of `signal` when that aborts. */
export const sleep = (runtime: Runtime, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal?.reason as Error)
    }
    const cancel = runtime.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** Aborts with `signal`, with `abort`, or when nobody called `clear` for `ms`. */
export interface Limit {
  signal: AbortSignal
  abort(reason?: unknown): void
  /** Begins the time anew. */
  restart(): void
  clear(): void
}

export const limited = (
  runtime: Runtime,
  { ms, reason, signal }: { ms: number; reason: () => unknown; signal?: AbortSignal | undefined },
): Limit => {
  const own = new AbortController()
  const start = (): (() => void) => (ms === Infinity ? () => {} : runtime.after(ms, () => own.abort(reason())))
  let cancel = start()
  return {
    signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
    abort: (why) => own.abort(why),
    restart() {
      cancel()
      cancel = start()
    },
    clear: () => cancel(),
  }
}
