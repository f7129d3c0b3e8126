import { createHmac, timingSafeEqual } from 'node:crypto'

const TAG_BYTES = 16

/**
 * Opaque, authenticated cursors: base64url(tag ‖ payload). `scope` binds a cursor to one list, client and filter, so
 * that a foreign one is as invalid as a tampered one. `open` answers null for anything that `seal` did not make.
 */
export const createCursors = (key: Buffer) => {
  const tagOf = (scope: string, payload: Buffer): Buffer =>
    createHmac('sha256', key).update(`cursor\0${scope}\0`).update(payload).digest().subarray(0, TAG_BYTES)
  return {
    seal(scope: string, payload: string): string {
      const bytes = Buffer.from(payload)
      return Buffer.concat([tagOf(scope, bytes), bytes]).toString('base64url')
    },
    open(scope: string, cursor: string): string | null {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return null
      const payload = bytes.subarray(TAG_BYTES)
      return timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(scope, payload)) ? payload.toString() : null
    },
  }
}
export type Cursors = ReturnType<typeof createCursors>
