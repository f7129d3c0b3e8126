import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { createFreeBytes, freeBytesOf, hasRoom, type FileRoom } from '../../src/stores/sqlite/db.ts'
import type { SqliteOptions } from '../../src/stores/sqlite/index.ts'
import { expectOpened, numbered, openWaiting, ROOMY } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { ACCOUNT, draft, idemKey, SECOND } from '../fakes/records.ts'
import { openSqlite } from './sqlite-file.ts'

const MIB = 1024 * 1024
const PAGE_BYTES = 4096
const pages = (bytes: number): number => bytes / PAGE_BYTES
const RESERVE = 64 * MIB
const LOG = 32 * MIB
const PER_VIDEO = 64 * 1024

const file = (given: Partial<FileRoom> = {}): FileRoom => ({
  pageBytes: PAGE_BYTES,
  pages: 100,
  unused: 0,
  maxPages: 4_294_967_294,
  ...given,
})

test.each([
  ['nothing is known of the volume', file(), null, 1_000_000, true],
  ['the volume has what is kept back', file(), RESERVE + LOG, 0, true],
  ['and a byte less', file(), RESERVE + LOG - 1, 0, false],
  ['every open video keeps some back', file(), RESERVE + LOG + 9 * PER_VIDEO, 9, true],
  ['and one more', file(), RESERVE + LOG + 9 * PER_VIDEO, 10, false],
  ['the file may grow by what is kept back', file({ maxPages: 100 + pages(RESERVE) }), null, 0, true],
  ['and a page less', file({ maxPages: 99 + pages(RESERVE) }), null, 0, false],
  ['the volume has more than the file may take', file({ maxPages: 99 + pages(RESERVE) }), 1e12, 0, false],
  ['what was purged is room, on a volume that has none', file({ unused: pages(RESERVE) }), LOG, 0, true],
  ['but not for the log', file({ unused: pages(RESERVE) }), LOG - 1, 0, false],
  ['and in a file that may grow no more', file({ unused: pages(RESERVE), maxPages: 100 }), null, 0, true],
])('room for one more: %s', (_, room, freeBytes, open, expected) => {
  expect(hasRoom(room, freeBytes, open)).toBe(expected)
})

test('the volume is asked at most once a second, also when its clock was set back, and may fail to say', () => {
  const clock = fakeClock()
  const answers: (number | Error)[] = [7, 8, new Error('ENOSYS'), 9]
  const freeBytes = createFreeBytes(clock, () => {
    const answer = answers.shift() ?? 0
    if (answer instanceof Error) throw answer
    return answer
  })
  expect([freeBytes(), freeBytes()]).toEqual([7, 7])
  clock.jump(SECOND - 1)
  expect(freeBytes()).toBe(7)
  clock.jump(-5 * SECOND)
  expect(freeBytes()).toBe(8)
  clock.jump(SECOND)
  expect(freeBytes()).toBeNull()
  clock.jump(SECOND)
  expect(freeBytes()).toBe(9)
})

test('a real volume says how much it has', () => {
  expect(freeBytesOf(import.meta.dirname)).toBeGreaterThan(0)
})

const opened = async (options: Pick<SqliteOptions, 'freeBytes' | 'maxPages'>) => {
  const current = await openSqlite(options)
  onTestFinished(() => current.destroy())
  return current
}

test('a volume that fails to say how much it has refuses nobody', async () => {
  const { store } = await opened({
    freeBytes: () => {
      throw new Error('ENOSYS')
    },
  })
  await openWaiting(store)
  expect((await store.queue(ACCOUNT)).waiting).toBe(1)
})

test('almost full: a new key is refused alike; one whose attempt may have been carried out is repeated', async () => {
  let free = 1e12
  const { store, clock } = await opened({ freeBytes: () => free })
  const intent = { account: ACCOUNT, backend: 'main', resource: null }
  await store.begin(idemKey(), intent, SECOND)
  free = LOG
  clock.jump(SECOND)
  await expect(store.begin(idemKey({ key: 'order 2' }), intent, SECOND)).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  expect(await store.intentOf(idemKey({ key: 'order 2' }))).toBeNull()
  expect(await store.begin(idemKey(), intent, SECOND)).toMatchObject({ kind: 'begun', again: true })
})

test('almost full: a new video is refused and told when to come again; one that is there is found, and moves on', async () => {
  let free = 1e12
  const { store, clock, path } = await opened({ freeBytes: () => free })
  const { video } = expectOpened(await store.open(draft({ id: numbered(1) }), idemKey(), ROOMY, null))
  free = LOG
  clock.jump(SECOND)
  const refused = store.open(draft({ id: numbered(2) }), idemKey({ key: 'order 2' }), ROOMY, null)
  await expect(refused).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('disk'),
    extras: {
      retryAtMs: clock.now() + 30 * SECOND,
      cause: { message: expect.stringContaining(`the disk of ${dirname(path)} has no room`) },
    },
  })
  // The folder is the operator's business.
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(dirname(path)) })
  await expect(refused).rejects.toBeInstanceOf(Problem)
  expect(await store.video(numbered(2))).toBeNull()
  expect(await store.keyed(idemKey({ key: 'order 2' }))).toBeNull()
  const again = await store.open(draft({ id: numbered(3) }), idemKey(), ROOMY, null)
  expect(again).toEqual({ kind: 'replay', video })
  await store.change(numbered(1), (seen) => ({ kind: 'save', video: seen, events: [], notes: [] }))
  free = 1e12
  clock.jump(SECOND)
  await openWaiting(store, { id: numbered(2) })
})

test('what was purged is room again, though the file never shrinks', async () => {
  const { store, path } = await opened({ maxPages: pages(RESERVE) + 200 })
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE ballast (data)')
  other.exec(`INSERT INTO ballast VALUES (zeroblob(${200 * PAGE_BYTES}))`)
  await expect(openWaiting(store)).rejects.toMatchObject({ code: 'store_unavailable' })
  other.exec('DROP TABLE ballast')
  other.close()
  await openWaiting(store)
})

test('a file that cannot grow by one page more: the refusal says disk, and its cause where', async () => {
  const maxPages = pages(RESERVE) + 200
  const { store, path } = await opened({ maxPages })
  const { video } = expectOpened(await store.open(draft({ id: numbered(1) }), idemKey(), ROOMY, null))
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE ballast (data)')
  other.exec(`INSERT INTO ballast VALUES (zeroblob(${maxPages * PAGE_BYTES}))`)
  other.close()
  const large = { ...video, metadata: { note: 'x'.repeat(100 * PAGE_BYTES) } }
  await expect(
    store.change(numbered(1), () => ({ kind: 'save', video: large, events: [], notes: [] })),
  ).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('disk'),
    extras: { cause: { code: 'ENOSPC', message: expect.stringContaining(dirname(path)) } },
  })
})
