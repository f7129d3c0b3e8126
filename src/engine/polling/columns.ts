const PIECE = 1_024

/**
 * Numbers by slot, in pieces: growing copies nothing, and none of it is looked through by the garbage collector. Each
 * kind of column has code of its own, because V8 makes that fast for one kind of array alone.
 */
export interface Column {
  get(slot: number): number
  set(slot: number, value: number): void
}

/** Moments and fractions; `NaN` stands for null. */
export const createColumn = (): Column => {
  const pieces: Float64Array[] = []
  return {
    get: (slot) => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? NaN,
    set(slot, value) {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Float64Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}

/** Whole numbers below 2³²; 0 where none was set. */
export const createCounts = (): Column => {
  const pieces: Uint32Array[] = []
  return {
    get: (slot) => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? 0,
    set(slot, value) {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Uint32Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}

/** Whole numbers below 256; 0 where none was set. */
export const createBytes = (): Column => {
  const pieces: Uint8Array[] = []
  return {
    get: (slot) => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? 0,
    set(slot, value) {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Uint8Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}

export const orNull = (ms: number): number | null => (Number.isNaN(ms) ? null : ms)
