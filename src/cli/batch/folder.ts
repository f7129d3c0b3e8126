import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { TalkbridgeError, type Talkbridge } from '../../../packages/client/src/index.ts'
import type { Video } from '../../../packages/client/src/types.ts'
import { codeOf } from '../../core/errors.ts'
import { CliError, plain, why } from '../context.ts'
import { fail, readText } from './rows.ts'

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

const HEADER = ['row', 'id', 'status', 'error', 'file']

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const resultsText = (results: Iterable<Result>): string => {
  const lines = Array.from(results, ({ row, id, status, error, file }) => [String(row), id, status, error, file])
  const cells = [HEADER, ...lines]
  return cells.map((line) => `${line.map((cell) => quoted(cell ?? '')).join(',')}\n`).join('')
}

/** Level by level: `mkdir` with `recursive` never ends where a file system refuses with ENOENT, as `/proc` does. */
const make = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  await make(dirname(folder))
  await mkdir(folder).catch((error: unknown) => (codeOf(error) === 'EEXIST' ? undefined : Promise.reject(error)))
}

/** What a person reads when nothing can be written to a folder. */
export const writeFault = (folder: string, error: unknown): CliError => {
  const what = codeOf(error) === 'ENOSPC' ? 'the disk is full: free space and run again' : why(error)
  return new CliError(1, plain(`talkbridge batch: cannot write in ${folder}: ${what}`), { cause: error })
}

/** The folder of a batch. Throws a `CliError` if nothing can be written there. */
export const openFolder = async (folder: string) => {
  const failed = (error: unknown): CliError => writeFault(folder, error)
  /** Writes under another name, and leaves nothing there: `use` renames it. */
  const write = async (text: string, use: (part: string) => Promise<void>): Promise<void> => {
    const part = partIn(folder)
    try {
      await writeFile(part, text, { flush: true })
      await use(part)
    } finally {
      await rm(part, { force: true })
    }
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    fail(`${folder}: is a file: give a folder with --out`)
  try {
    await make(folder)
    // Before anything is made: a full or foreign disk shows now.
    await write('talkbridge', () => Promise.resolve())
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
    /** The rows with a video in the results of an earlier run. Throws a `CliError` if the file is something else. */
    resultsBefore(): (Result & { id: string })[] {
      const path = join(folder, RESULTS)
      if (!existsSync(path)) return []
      const options = { relax_column_count: true, relax_quotes: true, skip_records_with_error: true }
      const [header, ...records] = parse(readText(path, path), options)
      if (header?.join() !== HEADER.join())
        return fail(`${path}: is not of a batch, and would be replaced: move it, or give another --out`)
      return records.flatMap(([row, id, status, error, file]) =>
        id
          ? [{ row: Number(row), id, status: status as Result['status'], error: error || null, file: file || null }]
          : [],
      )
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
      const replace = (part: string): Promise<void> => rename(part, join(folder, RESULTS))
      const again = (error: unknown): Promise<void> => {
        // Another run began here, and cleared what it took for left over.
        if (codeOf(error) === 'ENOENT') return write(text, replace)
        throw error
      }
      await write(text, replace)
        .catch(again)
        .catch((error: unknown) => Promise.reject(failed(error)))
    },
  }
}
export type Folder = Awaited<ReturnType<typeof openFolder>>
