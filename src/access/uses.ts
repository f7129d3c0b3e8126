import type { Ports } from '../core/ports.ts'
import type { Store } from '../core/store/index.ts'

const EVERY_MS = 60_000

/** When keys were last used: gathered in memory and written once a minute, so that no request writes. */
export const createUses = ({
  store,
  clock,
  log,
}: Pick<Ports, 'clock' | 'log'> & { store: Pick<Store, 'keysUsed'> }) => {
  const used = new Map<string, number>()
  let cancel: (() => void) | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const uses = [...used].map(([id, atMs]) => ({ id, atMs })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    used.clear()
    if (uses.length > 0) await store.keysUsed(uses)
  }
  const flush = (): void => {
    cancel = null
    writing = write().catch((err: unknown) => log.warn({ err }, 'the last use of keys could not be written'))
  }

  return {
    note(id: string): void {
      used.set(id, clock.now())
      cancel ??= clock.at(clock.now() + EVERY_MS, flush)
    },
    async close(): Promise<void> {
      cancel?.()
      flush()
      await writing
    },
  }
}
