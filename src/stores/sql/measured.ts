import type { Tally } from '../../core/tally.ts'

type AnyWrite = (...args: never[]) => Promise<unknown>

/** Times every write, and says how many wait. */
export const measured = <W extends AnyWrite>(write: W, tally: Tally): W => {
  let waiting = 0
  const timed = async (...args: Parameters<W>): Promise<unknown> => {
    const beganMs = performance.now()
    tally.set('store_writes_waiting', (waiting += 1))
    try {
      return await write(...args)
    } catch (error) {
      tally.count('store_write_failed', {})
      throw error
    } finally {
      tally.set('store_writes_waiting', (waiting -= 1))
      tally.observe('store_write', performance.now() - beganMs, {})
    }
  }
  // It takes and answers what `write` does.
  return timed as W
}
