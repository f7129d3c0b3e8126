const MASK = '*'.charCodeAt(0)

/** Shorter secrets would be found in innocent bytes. */
const MIN_MASKED_LENGTH = 8

/** How many last bytes of `chunk` may be the first ones of `needle`. */
const overhang = (chunk: Buffer, needle: Buffer): number => {
  const first = needle[0] ?? 0
  const from = Math.max(0, chunk.length - needle.length + 1)
  for (let at = chunk.indexOf(first, from); at !== -1; at = chunk.indexOf(first, at + 1)) {
    if (chunk.compare(needle, 0, chunk.length - at, at) === 0) return chunk.length - at
  }
  return 0
}

const cover = (chunk: Buffer, needle: Buffer): void => {
  for (let at = chunk.indexOf(needle); at !== -1; at = chunk.indexOf(needle, at + needle.length)) {
    chunk.fill(MASK, at, at + needle.length)
  }
}

/**
 * Covers a secret in bytes that stream by, also as JSON that escapes slashes, with as many stars: lengths stay true. What
 * may be the beginning of it is held until the next chunk tells; `rest` answers what is still held.
 */
export interface Mask {
  next(chunk: Buffer): Buffer
  rest(): Buffer | null
}

/** Null: too short to be told from other text. */
export const createMasks = (secret: string): (() => Mask) | null => {
  if (secret.length < MIN_MASKED_LENGTH) return null
  const spelled = new Set([secret, secret.replaceAll('/', String.raw`\/`)])
  const needles = [...spelled].map((text) => Buffer.from(text))
  return () => {
    let held: Buffer | null = null
    return {
      next(chunk) {
        const bytes = held === null ? chunk : Buffer.concat([held, chunk])
        for (const needle of needles) cover(bytes, needle)
        const kept = Math.max(...needles.map((needle) => overhang(bytes, needle)))
        held = kept === 0 ? null : bytes.subarray(bytes.length - kept)
        return kept === 0 ? bytes : bytes.subarray(0, bytes.length - kept)
      },
      rest: () => held,
    }
  }
}
