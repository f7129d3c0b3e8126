/**
 * Mutants that no test notices, and why none needs to: by the text of the line in which they begin, since numbers of
 * lines move, with how many of that line survive.
 */
export const SURVIVORS: readonly { why: string; file: string; lines: Readonly<Record<string, number>> }[] = [
  {
    why: 'a wait of 0 is 0 either way',
    file: 'src/webhooks/schedule.ts',
    lines: { 'return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : 0': 1 },
  },
  {
    why: 'only how soon memory is given back: what is counted is the same',
    file: 'src/core/limits/rates.ts',
    lines: { 'if (mine.from * 2 > moments.length) {': 6, 'if (left > 0) held.set(client, left)': 2 },
  },
  {
    why: 'a window that is exactly one window old is emptied either way, and the newest slot is the answer either way',
    file: 'src/core/limits/rates.ts',
    lines: {
      'if (!window || Math.abs(slot - window.newest) >= SLOTS) return fresh(slot)': 1,
      'for (let slot = newest - SLOTS + 1; slot < newest; slot += 1) if (counts[slot % SLOTS]) return slot': 1,
    },
  },
]
