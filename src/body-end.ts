import type { IncomingHttpHeaders } from 'node:http'

/** How many of the bytes that come next are of one body; it counts on with every call. 0: it has ended. */
export type BodyIn = (bytes: Buffer) => number

const ofLength = (length: number): BodyIn => {
  let left = length
  return (bytes) => {
    const taken = Math.min(left, bytes.length)
    left -= taken
    return taken
  }
}

const LF = 0x0a
/** Of a line that tells a size: what is longer is no size. */
const KEPT_OF_LINE = 32

/** RFC 9112, 7.1: chunks, the last of which is empty, and trailers up to a blank line. */
const ofChunks = (): BodyIn => {
  const now = { line: '', left: 0, isOver: false, isInTrailers: false }

  const endLine = (): void => {
    const size = Number.parseInt(now.line, 16)
    if (now.isInTrailers) now.isOver = now.line.trim() === ''
    else if (size === 0) now.isInTrailers = true
    // What is no size, the parser refuses.
    else now.left = Number.isNaN(size) ? Infinity : size + 2
    now.line = ''
  }
  return (bytes) => {
    let at = 0
    while (at < bytes.length && !now.isOver) {
      if (now.left > 0) {
        const taken = Math.min(now.left, bytes.length - at)
        now.left -= taken
        at += taken
        continue
      }
      const end = bytes.indexOf(LF, at)
      const next = end < 0 ? bytes.length : end + 1
      now.line += bytes.toString('latin1', at, Math.min(next, at + KEPT_OF_LINE - now.line.length))
      at = next
      if (end >= 0) endLine()
    }
    return at
  }
}

/** The body of a request with these headers, which the parser has taken. */
export const bodyOf = (headers: IncomingHttpHeaders): BodyIn =>
  headers['transfer-encoding'] === undefined ? ofLength(Number(headers['content-length'] ?? 0)) : ofChunks()
