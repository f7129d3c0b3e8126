import { setTimeout } from 'node:timers/promises'

/** Waits for `work`, but no longer than so many real milliseconds: it is a socket that hangs. False: it was longer. */
export const within = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  const over = new AbortController()
  const late = setTimeout(ms, false, { signal: over.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    over.abort()
  }
}
