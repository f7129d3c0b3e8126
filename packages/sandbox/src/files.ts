import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  type ReadStream,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The bytes of hosted audio and of films, by id. An id is the sandbox's own: letters, digits, `_`. */
export interface Blobs {
  /** The path of a file of the sandbox's own, which `make` gives the bytes of once. */
  made(id: string, make: () => Buffer): string
  /**
   * Writes exactly `sizeBytes` from the stream, or nothing; what the stream has beyond is read and thrown away, so that
   * the refusal can still be sent. Rejects when the stream breaks.
   */
  receive(id: string, from: Readable, sizeBytes: number): Promise<'stored' | 'too-short' | 'too-long'>
  /** Its first bytes. Rejects when it is not there. */
  head(id: string, bytes: number): Promise<Buffer>
  path(id: string): string
  remove(id: string): Promise<void>
  close(): void
}

/** A folder in `dataDir`; without one, a temporary folder that is made when first needed and removed by `close`. */
export const openBlobs = (dataDir: string | null): Blobs => {
  let folder: string | null = null
  let parts = 0
  const open = (): string => {
    if (folder !== null) return folder
    if (dataDir === null) return (folder = mkdtempSync(join(tmpdir(), 'sandbox-audio-')))
    folder = join(dataDir, 'audio')
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const path = (id: string): string => join(open(), id)
  return {
    path,
    made(id, make) {
      const file = path(id)
      if (existsSync(file)) return file
      // Whole or not at all: a process may end while it writes.
      writeFileSync(`${file}.part`, make())
      renameSync(`${file}.part`, file)
      return file
    },
    async receive(id, from, sizeBytes) {
      // Under a name of its own: two uploads at once, or a broken one, spoil nothing.
      const part = `${path(id)}.${(parts += 1)}.part`
      let seen = 0
      const counted = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of source) {
          const before = seen
          seen += chunk.length
          if (before < sizeBytes) yield chunk.subarray(0, sizeBytes - before)
        }
      }
      try {
        await pipeline(from, counted, createWriteStream(part))
        if (seen !== sizeBytes) return seen < sizeBytes ? 'too-short' : 'too-long'
        await rename(part, path(id))
        return 'stored'
      } finally {
        await rm(part, { force: true })
      }
    },
    async head(id, bytes) {
      const chunks: Buffer[] = []
      const stream: ReadStream = createReadStream(path(id), { end: bytes - 1 })
      for await (const chunk of stream) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
    },
    remove: (id) => rm(path(id), { force: true }),
    close: () => {
      if (dataDir === null && folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Signs and checks the sandbox's own media URLs. */
export const createLinks = (secret: string) => {
  const digest = (path: string, expires: string) => createHmac('sha256', secret).update(`${path}\n${expires}`).digest()
  return {
    /** `path?expires=…&signature=…`: readable without a key until `expiresAtMs`. */
    sign(path: string, expiresAtMs: number): string {
      const expires = String(Math.ceil(expiresAtMs))
      return `${path}?expires=${expires}&signature=${digest(path, expires).toString('base64url')}`
    },
    check(path: string, expires: unknown, signature: unknown, nowMs: number): 'valid' | 'invalid' | 'expired' {
      if (typeof expires !== 'string' || typeof signature !== 'string') return 'invalid'
      const given = Buffer.from(signature, 'base64url')
      const expected = digest(path, expires)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid'
      return nowMs < Number(expires) ? 'valid' : 'expired'
    },
  }
}
export type Links = ReturnType<typeof createLinks>
