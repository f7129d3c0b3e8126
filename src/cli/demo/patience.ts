export interface Patience {
  /** Aborts when nothing has moved for the limit. */
  readonly signal: AbortSignal
  /** Something moved: the limit starts anew. */
  moved(): void
  end(): void
}

/** A limit on standing still, not on the whole: what is slow is waited for, and what hangs is not. */
export const createPatience = (limitMs: number): Patience => {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), limitMs)
  return {
    signal: stalled.signal,
    moved: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}
