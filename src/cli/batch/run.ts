import { setTimeout as pause } from 'node:timers/promises'
import { TalkbridgeError, type Talkbridge, type TalkbridgeErrorCode } from '../../../packages/client/src/index.ts'
import type { Video } from '../../../packages/client/src/types.ts'
import { isTerminal } from '../../core/vocabulary.ts'
import { createCalls, madeBefore, rowOf } from './calls.ts'
import { RESULTS, type Folder, type Result } from './folder.ts'
import { fail, refuse } from './rows.ts'
import { bodyOf, type Row } from './template.ts'

/** The state of a batch. */
export interface Progress {
  readonly total: number
  /** Rows that need nothing more. */
  readonly done: number
  readonly failed: number
  readonly working: number
  /** What it waits for the longest, such as `row 4 (queued)`. */
  readonly oldest: string | null
  /** Null: too little is known. */
  readonly leftMs: number | null
  /** Why it waits; null: it does not. */
  readonly waiting: string | null
}

interface Batch {
  /** One that repeats nothing by itself. */
  readonly client: Talkbridge
  readonly name: string
  readonly rows: readonly Row[]
  readonly folder: Folder
  readonly signal: AbortSignal
  /** A row that needs nothing more in this run. `isNew`: it was not so before. */
  readonly settled: (result: Result, isNew: boolean) => void
  readonly progress: (progress: Progress) => void
}

/** Creates that are sent, and files that are downloaded, at the same time. */
const CREATES = 4
const DOWNLOADS = 3
/** About a minute. The next run downloads what is missing. */
const DOWNLOAD_TRIES = 8
/** No row after it could be made either: the rest waits for a person. */
const STOPS: ReadonlySet<TalkbridgeErrorCode> = new Set(['quota_exceeded', 'insufficient_credits'])
/** The key itself is refused. */
const ENDS: ReadonlySet<TalkbridgeErrorCode> = new Set(['unauthenticated', 'insufficient_scope'])

/** Short at first, for a small batch; later a list costs one request for each hundred videos. */
const FIRST_POLL_MS = 250
const LONGEST_POLL_MS = 2_000
const MS_A_PAGE = 500

/** Before so many ends nobody can say how long the rest takes. */
const ENDS_TO_JUDGE = 3

/** How long the rest takes at the pace until now. Pure. */
export const leftMs = (ended: number, elapsedMs: number, left: number): number | null =>
  ended < ENDS_TO_JUDGE ? null : Math.round((elapsedMs / ended) * left)

const REMEDY =
  'change it back, or give another --name (was a row removed, or the file sorted? Leave a row empty instead)'

/** Throws a `CliError` for rows whose video was made from another request. */
export const refuseChanged = (rows: readonly Row[], made: ReadonlyMap<number, Video>, name: string): void =>
  refuse(
    rows.flatMap(({ number, hash }) => {
      const { id, metadata } = made.get(number) ?? { id: '', metadata: { row_hash: hash } }
      const what = `its request changed since the batch ${name} made ${id}`
      return metadata['row_hash'] === hash ? [] : [`row ${number}: ${what}: ${REMEDY}`]
    }),
  )

const failureOf = ({ error, status }: Video): string | null =>
  error ? `${error.code}: ${error.message}` : status === 'canceled' ? 'canceled' : null

/** It ended as nothing more could be made, and the backend has no job of it: it cost nothing. */
export const isUnmade = ({ status, error, backend_job_id: job }: Video): boolean =>
  status === 'failed' && job === null && (STOPS as ReadonlySet<string>).has(error?.code ?? '')

export const isFailed = ({ status, file }: Result): boolean => status !== 'completed' || file === null

/** Makes what is not made yet, waits for it, and downloads the files. Rejects with the first failure that ends it. */
export const runBatch = async (batch: Batch) => {
  const { client, name, rows, folder, settled, progress } = batch
  const own = new AbortController()
  const signal = AbortSignal.any([batch.signal, own.signal])
  let waiting: string | null = null
  const results = new Map<number, Result>(
    rows.map(({ number: row }) => [row, { row, id: null, status: 'not_made', error: null, file: null }]),
  )
  /** Rows whose video has not ended. */
  const open = new Map<number, Video>()
  /** Rows whose video has. Its file may still be downloading. */
  const over = new Set<number>()
  const done = new Set<number>()
  const startedMs = performance.now()
  /** In this run. */
  let ended = 0
  let failed = 0
  let credits = 0
  let newestMs = 0
  let changes = 0

  const show = (): void => {
    const ms = leftMs(ended, performance.now() - startedMs, rows.length - done.size)
    const [oldest = null] = Array.from(open.entries().take(1), ([row, { status }]) => `row ${row} (${status})`)
    progress({ total: rows.length, done: done.size, failed, working: open.size, oldest, leftMs: ms, waiting })
  }
  const waits = (why: string | null): void => {
    waiting = why
    show()
  }
  const calls = createCalls({ client, signal, waits })
  const made = await madeBefore(calls, name)
  refuseChanged(rows, made, name)
  // The gateway deletes old videos: what it no longer knows must not be paid for again.
  const before = folder.resultsBefore()
  for (const { row, id } of before)
    if (made.get(row)?.id !== id && made.get(row)?.replaces !== id)
      fail(`row ${row}: ${RESULTS} has ${id}, which is of another batch or deleted: give another --name and --out`)

  /** Rows that left the file keep what is known of their videos. */
  const kept = before.filter(({ row }) => !results.has(row))
  const write = (): Promise<void> =>
    folder.writeResults([...kept, ...results.values()].toSorted((a, b) => a.row - b.row))

  const settle = (result: Result, isNew = true): void => {
    changes += 1
    results.set(result.row, result)
    done.add(result.row)
    if (isFailed(result)) failed += 1
    if (isNew) ended += 1
    settled(result, isNew)
    show()
  }

  /** The first failure ends all that is under way. */
  const failures: unknown[] = []
  const guarded = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      failures.push(error)
      own.abort(error)
    })

  const lanes = Array.from({ length: DOWNLOADS }, () => Promise.resolve())
  const load = async (result: Result, video: Video, file: string): Promise<void> => {
    try {
      await calls.patiently(() => folder.save(client, video, file, signal), DOWNLOAD_TRIES)
      settle({ ...result, file })
    } catch (error) {
      if (!(error instanceof TalkbridgeError)) throw error
      settle({ ...result, error: `download: ${error.code}: ${error.message}` })
    }
  }

  /** Why rows are left out; null: none is. */
  let stopped: string | null = null
  /** Videos that cost nothing, by the rows that are made again. */
  const unmade = new Map(Array.from(made).flatMap(([row, video]) => (isUnmade(video) ? [[row, video.id]] : [])))
  /** What is known of a row's video now. */
  const saw = (row: number, video: Video): void => {
    if (over.has(row) || done.has(row) || !results.has(row)) return
    const isFirst = !made.has(row)
    made.set(row, video)
    if (isUnmade(video)) {
      changes += 1
      open.delete(row)
      results.set(row, { row, id: null, status: 'not_made', error: failureOf(video), file: null })
      if (unmade.get(row) !== video.id) stopped ??= failureOf(video)
      return
    }
    const result = { row, id: video.id, status: video.status, error: failureOf(video), file: null }
    results.set(row, result)
    if (!isTerminal(video.status)) {
      changes += 1
      return void open.set(row, video)
    }
    over.add(row)
    credits += video.credits?.charged ?? 0
    const isNew = open.delete(row) || isFirst
    if (video.status !== 'completed') return settle(result, isNew)
    const file = folder.fileOf(row, video.id)
    if (folder.has(file)) return settle({ ...result, file }, isNew)
    const lane = row % DOWNLOADS
    lanes[lane] = guarded((lanes[lane] ?? Promise.resolve()).then(() => load(result, video, file)))
  }

  /** The video of a row, if a create whose answer was lost made it. */
  const find = async ({ number, hash }: Row): Promise<Video | null> => {
    for await (const page of calls.videosWith({ row_hash: hash })) {
      const found = page.find((video) => video.metadata['batch'] === name && rowOf(video) === number)
      if (found) return found.id === unmade.get(number) ? null : found
    }
    return null
  }
  /** All of them take from one list. */
  const queue = rows.values()
  const createNext = async (): Promise<void> => {
    for (const row of queue) {
      const before = unmade.get(row.number)
      if (stopped !== null || made.get(row.number)?.id !== before) continue
      // Another run of this batch gets the same video. What it replaces has the batch and the row.
      const idempotencyKey = before === undefined ? `${name}-${row.number}-${row.hash}` : `${before}-${row.hash}`
      try {
        let isRepeated = false
        const send = async (): Promise<Video> => {
          // The gateway may have forgotten the key: a wait can take days.
          const found = isRepeated ? await find(row) : null
          isRepeated = true
          return found ?? client.videos.create(bodyOf(name, row), { idempotencyKey, signal })
        }
        saw(row.number, await calls.patiently(send))
      } catch (error) {
        if (!(error instanceof TalkbridgeError) || ENDS.has(error.code)) throw error
        const reason = `${error.code}: ${error.message}`
        if (STOPS.has(error.code)) stopped ??= reason
        else settle({ row: row.number, id: null, status: 'refused', error: reason, file: null })
      }
    }
  }
  let isCreating = true

  /**
   * Reads what changed: all that is newer than the oldest open video, and than the newest of the last time. So a row
   * that another run of this batch makes is seen too, and not made again.
   */
  const poll = async (): Promise<number> => {
    const oldest = Math.min(newestMs, ...Array.from(open.values(), ({ created_at: at }) => Date.parse(at)))
    const after = oldest > 0 ? new Date(oldest - 1).toISOString() : undefined
    let pages = 0
    for await (const page of calls.videosWith({ batch: name }, after)) {
      pages += 1
      for (const video of page) {
        newestMs = Math.max(newestMs, Date.parse(video.created_at))
        const row = rowOf(video)
        if (row === null) continue
        const known = made.get(row)
        if (!known || known.id === video.id || (isUnmade(known) && known.created_at < video.created_at)) saw(row, video)
      }
    }
    return pages
  }
  const watch = async (): Promise<void> => {
    for (let n = 0, pages = 1; ; n += 1) {
      if (!isCreating && open.size === 0) return
      const pauseMs = Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * 1.5 ** Math.min(n, 10))
      await pause(Math.max(pauseMs, pages * MS_A_PAGE - MS_A_PAGE), undefined, { signal })
      pages = await poll()
      if (changes > 0) await write()
      changes = 0
      show()
    }
  }

  try {
    for (const [row, video] of made) saw(row, video)
    show()
    // Before their rows are made again: results that name what was replaced would be refused.
    if (unmade.size > 0) await write()
    const creating = Promise.all(Array.from({ length: CREATES }, () => guarded(createNext())))
    await Promise.all([creating.then(() => void (isCreating = false)), guarded(watch())])
    await Promise.all(lanes)
  } finally {
    await write()
  }
  if (failures.length > 0) throw failures[0]
  const strays = [...made.keys()].filter((row) => !results.has(row)).length
  return { results: [...results.values()], stopped, credits, strays }
}
