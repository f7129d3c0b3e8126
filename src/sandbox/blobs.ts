import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync, type ReadStream } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The bytes of hosted audio, by id. An id is the sandbox's own: letters, digits, `_`. */
export interface Blobs {
  /** A copy of a file of the sandbox's own making. */
  copy(id: string, from: string): Promise<void>
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
    copy: (id, from) => copyFile(from, path(id)),
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
