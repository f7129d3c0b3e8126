/** A seeded source of numbers in [0, 1): the same in every run (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Seeded bytes in place of `crypto.randomBytes`. */
export const seededBytes = (seed: number): ((sizeBytes: number) => Buffer) => {
  const random = seededRandom(seed)
  return (sizeBytes) => Buffer.from(Array.from({ length: sizeBytes }, () => Math.floor(random() * 256)))
}
