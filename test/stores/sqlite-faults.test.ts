import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import { must } from '../fakes/must.ts'
import { ACCOUNT } from '../fakes/records.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

/** The threads that were started, so that a test can kill one. */
const started: Worker[] = []
const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker }
class Watched extends Worker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given)
    started.push(this)
  }
}
const replaceWorker = (by: typeof Worker): void => {
  threads.Worker = by
  syncBuiltinESMExports()
}
const real = threads.Worker
beforeAll(() => replaceWorker(Watched))
afterAll(() => replaceWorker(real))

const FULL_CHILD = fileURLToPath(new URL('./full-child.ts', import.meta.url))

let current: SqliteUnderTest
const lost: string[] = []
beforeEach(async () => {
  lost.length = 0
  current = await openSqlite({ isOnDisk: true, onLost: ({ message }) => void lost.push(message) })
})
afterEach(() => current.destroy())

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )

describe('a writer thread that dies', () => {
  test('leaves nothing that it held, and everything after it is store_unavailable', async () => {
    const { store, path } = current
    const before = await openWaiting(store)
    // Somebody else holds the file, so that the thread waits with what it was given.
    const rival = new DatabaseSync(path)
    rival.exec('BEGIN IMMEDIATE')
    const held = [outcome(store.meta('a', '1')), outcome(store.secrets({ kind: 'client', id: 'acme' }, 's'))]
    const dying = must(started.at(-1)).terminate()
    rival.exec('COMMIT')
    rival.close()
    await dying
    expect(await Promise.all(held)).toEqual(['store_unavailable', 'store_unavailable'])
    expect(await outcome(store.meta('a', '1'))).toBe('store_unavailable')
    expect(await outcome(store.ping())).toBe('store_unavailable')
    expect(await store.video('vid_1')).toEqual(before)
    expect(lost).toEqual(['the writer thread ended'])
    const after = await current.reopen()
    expect(await after.meta('a', '2')).toBe('2')
  })

  test('is told of once; one that was closed is not lost', async () => {
    await current.reopen()
    expect(lost).toEqual([])
    await must(started.at(-1)).terminate()
    await current.reopen()
    expect(lost).toEqual(['the writer thread ended'])
  })
})

describe('a disk that takes no more', () => {
  test('refuses what does not fit, keeps all that it answered, and the process lives', async () => {
    await current.store.close()
    // 4 MiB a file and no more, as the system sees it: the write-ahead log meets it first.
    const child = spawn('sh', ['-c', 'ulimit -f 8192; exec "$0" "$1" "$2"', process.execPath, FULL_CHILD, current.path])
    const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    expect(complaints).toBe('')
    const { opened, refused, codes, readable } = JSON.parse(said) as Record<string, unknown>
    expect(codes).toEqual(['store_unavailable'])
    expect(refused).toBe(20)
    expect(opened).toBeGreaterThan(20)
    expect(readable).toBe(opened)
    const store = await current.reopen()
    expect((await store.queue(ACCOUNT)).waiting).toBe(opened)
  })
})
