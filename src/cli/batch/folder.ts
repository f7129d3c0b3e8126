import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { TalkbridgeError, type Talkbridge } from '../../../packages/client/src/index.ts'
import type { Video } from '../../../packages/client/src/types.ts'
import { codeOf } from '../../core/errors.ts'
import { CliError, why } from '../context.ts'

/** What became of a row, as `results.csv` has it. */
export interface Result {
  readonly row: number
  readonly id: string | null
  /** Of its video; `not_made`: it has none yet; `refused`: the gateway made none. */
  readonly status: Video['status'] | 'not_made' | 'refused'
  readonly error: string | null
  /** In the folder of the batch. */
  readonly file: string | null
}

export const RESULTS = 'results.csv'
/** Written under such a name first: what stopped in the middle is never taken for whole. */
const PART = /^\.talkbridge-[\da-f-]{36}\.part$/
const partIn = (folder: string): string => join(folder, `.talkbridge-${randomUUID()}.part`)
/** Faults of the disk, which every other file would meet too. */
const OF_THE_DISK = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG']

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const resultsText = (results: Iterable<Result>): string => {
  const lines = Array.from(results, ({ row, id, status, error, file }) => [String(row), id, status, error, file])
  const cells = [['row', 'id', 'status', 'error', 'file'], ...lines]
  return cells.map((line) => `${line.map((cell) => quoted(cell ?? '')).join(',')}\n`).join('')
}

/** The folder of a batch. Throws a `CliError` if nothing can be written there. */
export const openFolder = async (folder: string) => {
  const failed = (error: unknown): CliError =>
    new CliError(1, `talkbridge batch: cannot write in ${folder}: ${why(error)}`, { cause: error })
  const write = async (text: string): Promise<void> => {
    const part = partIn(folder)
    await writeFile(part, text, { flush: true })
    await rename(part, join(folder, RESULTS))
  }
  try {
    await mkdir(folder, { recursive: true })
    // Before anything is made: a full or foreign disk shows now.
    const probe = partIn(folder)
    await writeFile(probe, 'talkbridge')
    await rm(probe)
    for (const name of await readdir(folder)) if (PART.test(name)) await rm(join(folder, name), { force: true })
  } catch (error) {
    throw failed(error)
  }

  return {
    /** The name of a row's file. No cell of the table is in it. */
    fileOf(row: number, id: string): string {
      if (!/^[\w-]{1,100}$/.test(id)) throw new CliError(1, 'talkbridge batch: the gateway sent an id that is none')
      return `${String(row).padStart(5, '0')}-${id}.mp4`
    },
    /** The videos that the results of an earlier run name, by their rows. */
    async resultsBefore(): Promise<{ row: number; id: string }[]> {
      const text = await readFile(join(folder, RESULTS), 'utf8').catch(() => '')
      const records = parse(text, { from: 2, relax_column_count: true, relax_quotes: true })
      return records.flatMap(([row, id = '']) => (id === '' ? [] : [{ row: Number(row), id }]))
    },
    has: (file: string): boolean => existsSync(join(folder, file)),
    /** Throws `TalkbridgeError` if the file did not come whole, and a `CliError` if it cannot be written. */
    async save(client: Talkbridge, video: Video, file: string, signal: AbortSignal): Promise<void> {
      const response = await client.videos.download(video, { signal })
      const part = partIn(folder)
      const out = createWriteStream(part, { flush: true })
      try {
        const body = response.body as ReadableStream<Uint8Array> | null
        await pipeline(body === null ? [] : Readable.fromWeb(body), out, { signal })
        if (out.bytesWritten === 0) throw new Error('it is empty')
        await rename(part, join(folder, file))
      } catch (cause) {
        await rm(part, { force: true })
        if (signal.aborted) throw signal.reason
        if (OF_THE_DISK.includes(codeOf(cause))) throw failed(cause)
        const message = `the file did not come whole: ${why(cause)}`
        throw new TalkbridgeError('connection_failed', message, { retryable: true, cause })
      }
    },
    async writeResults(results: Iterable<Result>): Promise<void> {
      const text = resultsText(results)
      const again = (error: unknown): Promise<void> => {
        // Another run began here, and cleared what it took for left over.
        if (codeOf(error) === 'ENOENT') return write(text)
        throw error
      }
      await write(text)
        .catch(again)
        .catch((error: unknown) => Promise.reject(failed(error)))
    },
  }
}
export type Folder = Awaited<ReturnType<typeof openFolder>>
