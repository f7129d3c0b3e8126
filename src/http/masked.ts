import { TOKEN } from '../core/api/signed.ts'

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

const FIRST = Buffer.from('vid_')
const MAX_TOKEN_LENGTH = 84

/** Whole, or cut off before something else. At the end of the bytes it may continue. */
const TOKENS = new RegExp(String.raw`${TOKEN.source}(?:[\w-]{43}|[\w-]{0,42}(?![\w-]|$))`, 'g')
/** What may be the beginning of a token. */
const BEGUN =
  /v(?:i(?:d(?:_(?:[0-9A-HJKMNP-TV-Z]{0,25}|[0-9A-HJKMNP-TV-Z]{26}(?:\.\d{0,9}|\.\d{1,9}\.[\w-]{0,42})?))?)?)?$/

const coverTokens = (chunk: Buffer): void => {
  if (!chunk.includes(FIRST)) return
  for (const { index, 0: token } of chunk.toString('latin1').matchAll(TOKENS))
    chunk.fill(MASK, index, index + token.length)
}

/** How many last bytes of `chunk` may be the first ones of a token. */
const tokenOverhang = (chunk: Buffer): number =>
  BEGUN.exec(chunk.toString('latin1', Math.max(0, chunk.length - MAX_TOKEN_LENGTH)))?.[0].length ?? 0

/**
 * Covers callback tokens and the backend's key in bytes that stream by, with as many stars: lengths stay true. The key
 * is covered in JSON that escapes slashes, too. What may be the beginning of either is held until the next chunk shows
 * it; `rest` answers what is still held.
 */
export interface Mask {
  next(chunk: Buffer): Buffer
  rest(): Buffer | null
}

/** A secret that is too short to be distinguished from other text is not covered. */
export const createMasks = (secret: string): (() => Mask) => {
  const spelled = new Set([secret, secret.replaceAll('/', String.raw`\/`)])
  const needles = secret.length < MIN_MASKED_LENGTH ? [] : [...spelled].map((text) => Buffer.from(text))
  return () => {
    let held: Buffer | null = null
    return {
      next(chunk) {
        const bytes = held === null ? chunk : Buffer.concat([held, chunk])
        for (const needle of needles) cover(bytes, needle)
        coverTokens(bytes)
        const kept = Math.max(tokenOverhang(bytes), ...needles.map((needle) => overhang(bytes, needle)))
        held = kept === 0 ? null : bytes.subarray(bytes.length - kept)
        return kept === 0 ? bytes : bytes.subarray(0, bytes.length - kept)
      },
      rest() {
        const at = held?.toString('latin1').search(TOKEN) ?? -1
        return at === -1 ? held : (held?.fill(MASK, at) ?? null)
      },
    }
  }
}
