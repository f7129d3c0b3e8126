import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import {
  expectOpened,
  LEASE_MS,
  numbered,
  openOwing,
  openWaiting,
  owe,
  ROOMY,
  saving,
  dueIds,
} from '../contract/store/helpers.ts'
import { must } from '../fakes/must.ts'
import { ACCOUNT, draft, event, idemKey, listQuery, note, TARGET } from '../fakes/records.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

let current: SqliteUnderTest
beforeEach(async () => {
  current = await openSqlite({ isOnDisk: true })
})
afterEach(() => current.destroy())

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : `no problem: ${String(error)}`)
const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => 'ok', codeOf)

describe('a restart', () => {
  test('of the owner lets an attempt that was never ended be repeated at once: nobody else can be at it', async () => {
    const intent = { account: ACCOUNT, backend: 'main', resource: null }
    await current.store.begin(idemKey(), intent, LEASE_MS)
    expect(await (await current.reopen()).begin(idemKey(), intent, LEASE_MS)).toMatchObject({
      kind: 'begun',
      again: true,
    })
  })

  test('finds everything that was answered', async () => {
    const opening = draft(
      { sequence: 1 },
      { events: [{ event: event('vid_1', 1), targets: [TARGET] }], notes: [note('created')] },
    )
    const { video, deliveries } = expectOpened(await current.store.open(opening, idemKey(), ROOMY, null))
    const store = await current.reopen()
    expect(await store.video('vid_1')).toEqual(video)
    expect(await store.timeline('vid_1')).toEqual([note('created')])
    expect((await store.deliveriesOf('vid_1')).map(({ id }) => id)).toEqual(deliveries)
    expect((await store.keyed(idemKey()))?.video).toEqual(video)
  })

  test('of the owner voids the leases of the one before', async () => {
    const { store } = current
    const delivery = await openOwing(store, { id: numbered(1) })
    const admitted = must(await store.admit(ACCOUNT, { slots: 1, leaseMs: 60_000 }))
    const lease = must(await store.claim('deliver', delivery, 60_000))
    must(await store.claim('account', ACCOUNT, 60_000))
    const after = await current.reopen()
    expect(await dueIds(after)).toEqual([delivery])
    expect(await after.extend('deliver', lease, 60_000)).toBe(false)
    expect(await after.claim('account', ACCOUNT, 60_000)).not.toBeNull()
    const video = must(await after.video(admitted.video.id))
    expect(video).toMatchObject({ phase: 'dispatching', lease: null, version: admitted.video.version + 1 })
    expect(await after.running(ACCOUNT)).toMatchObject([{ id: video.id, leaseUntilMs: null }])
  })

  test('of the owner goes on from the newest time that was written, though the clock was set back', async () => {
    const { store, clock } = current
    const startMs = clock.now()
    const delivery = await openOwing(store, { id: numbered(1) })
    const looked = { at: startMs + 10_000, type: 'looked', detail: null }
    await store.change(numbered(1), (video) => ({ kind: 'save', video, events: [], notes: [looked] }))
    clock.jump(-3_600_000)
    await current.reopen()
    expect(clock.now()).toBe(startMs + 10_000)
    // An attempt may be what was written last.
    const attempt = { atMs: startMs + 20_000, durationMs: 1, status: 500, error: null, responseBody: null }
    const lease = { id: delivery, token: 'gone', untilMs: 0 }
    await (await current.reopen()).attempted(lease, attempt, { status: 'failed' })
    clock.jump(-3_600_000)
    const after = await current.reopen()
    expect(clock.now()).toBe(startMs + 20_000)
    // A handle beside the owner changes nothing, and what lies back neither.
    clock.jump(5_000)
    await current.second()
    await after.close()
    await current.reopen()
    expect(clock.now()).toBe(startMs + 25_000)
  })

  test('of a handle that does not own it leaves leases alone', async () => {
    const { store } = current
    const delivery = await openOwing(store)
    const lease = must(await store.claim('deliver', delivery, 60_000))
    await current.second()
    expect(await store.extend('deliver', lease, 60_000)).toBe(true)
  })
})

describe('the schema', () => {
  const versionOf = (path: string): number => {
    const db = new DatabaseSync(path, { readOnly: true })
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
    db.close()
    return version
  }

  test('of a newer program is refused, and left as it is', async () => {
    const { path, clock, store } = current
    const known = versionOf(path)
    await openWaiting(store)
    await store.close()
    const db = new DatabaseSync(path)
    db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const before = readFileSync(path)
    await expect(openSqliteStore({ path, clock, owner: true })).rejects.toThrow(
      /schema version 99.*a newer Talkbridge wrote it/,
    )
    expect(versionOf(path)).toBe(99)
    expect(readFileSync(path).equals(before)).toBe(true)
    // The refused one holds no lock.
    await expect(openSqliteStore({ path, clock, owner: true })).rejects.toThrow('schema version 99')
    const mended = new DatabaseSync(path)
    mended.exec(`PRAGMA user_version = ${known}`)
    mended.close()
    expect(await (await current.reopen()).video('vid_1')).not.toBeNull()
  })

  test('keeps its version through restarts', async () => {
    const version = versionOf(current.path)
    await current.reopen()
    expect(versionOf(current.path)).toBe(version)
    expect(version).toBeGreaterThan(0)
  })

  test.each([
    ['journal_mode', 'wal'],
    ['foreign_key_check', undefined],
  ])('PRAGMA %s', (pragma, expected) => {
    const db = new DatabaseSync(current.path)
    expect(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma]).toBe(expected)
    db.close()
  })
})

describe('one commit for many verbs', () => {
  /** Fails: an event of that id is there already. */
  const doomed = (id: string) =>
    current.store.change(id, (video) => ({
      kind: 'save',
      video: { ...video, status: 'failed' },
      events: [{ event: event(id, 1), targets: [] }],
      notes: [note('never')],
    }))

  test('one that fails writes nothing and does not spoil the others', async () => {
    const { store } = current
    await openWaiting(store, { id: numbered(1) })
    await owe(store, numbered(1))
    await openWaiting(store, { id: numbered(2) })
    const outcomes = await Promise.all([
      outcome(store.change(numbered(2), saving({ status: 'processing' }))),
      outcome(doomed(numbered(1))),
      outcome(store.meta('a', '1')),
      outcome(doomed(numbered(1))),
      outcome(openWaiting(store, { id: numbered(3) })),
    ])
    expect(outcomes).toEqual(['ok', 'store_unavailable', 'ok', 'store_unavailable', 'ok'])
    expect(await store.video(numbered(1))).toMatchObject({ status: 'queued', version: 2 })
    expect(await store.timeline(numbered(1))).toEqual([])
    expect((await store.video(numbered(2)))?.status).toBe('processing')
    expect(await store.video(numbered(3))).not.toBeNull()
    expect(await store.meta('a', '2')).toBe('1')
  })

  test('what was asked for before close is written', async () => {
    const { store } = current
    const opened = Promise.all(Array.from({ length: 20 }, (_, n) => openWaiting(store, { id: numbered(n) })))
    await Promise.all([opened, store.close()])
    const after = await current.reopen()
    expect(await after.queue(ACCOUNT)).toMatchObject({ waiting: 20 })
  })
})

test('a copy made while it writes is a store of its own, whole', async () => {
  const { store, path, clock } = current
  const opened = Promise.all(Array.from({ length: 50 }, (_, n) => openOwing(store, { id: numbered(n) })))
  await openOwing(store, { id: numbered(900) })
  const copy = `${path}.copy`
  const db = new DatabaseSync(path, { readOnly: true })
  db.exec(`VACUUM INTO '${copy}'`)
  db.close()
  await opened
  const restored = await openSqliteStore({ path: copy, clock, owner: true, onRestored: () => undefined })
  const { input, order } = must(await store.video(numbered(900)))
  expect(await restored.video(numbered(900))).toMatchObject({ input, order, phase: 'doubtful' })
  // What was made since the copy has no record, as if it had been removed.
  expect((await restored.historyBounds()).goneAtMs).toBeGreaterThanOrEqual(clock.now())
  for (const { id, sequence } of await restored.list('acme', listQuery({ limit: 100 }))) {
    expect(await restored.deliveriesOf(id)).toHaveLength(sequence)
  }
  await restored.close()
})

describe('a store that cannot be written', () => {
  test('all that wait while another process holds the file are told so together, not one after the other', async () => {
    const { store, path } = current
    const rival = new DatabaseSync(path)
    rival.exec('BEGIN IMMEDIATE')
    const verbs = Promise.all(Array.from({ length: 10 }, (_, n) => outcome(store.meta(`fact ${n}`, 'v'))))
    expect(new Set(await verbs)).toEqual(new Set(['store_unavailable']))
    rival.exec('COMMIT')
    rival.close()
    expect(await store.meta('fact 0', 'w')).toBe('w')
  })

  test('after close every verb is store_unavailable, and so is ping', async () => {
    const { store } = current
    await openWaiting(store)
    await store.close()
    expect(await outcome(store.meta('a', '1'))).toBe('store_unavailable')
    expect(await outcome(store.ping())).toBe('store_unavailable')
    expect(await outcome(store.video('vid_1'))).toBe('store_unavailable')
  })
})

test('a video whose record and columns differ is not admitted, and nothing of it is written', async () => {
  const { path, store } = current
  const { id } = await openWaiting(store)
  const rival = new DatabaseSync(path)
  rival.exec('UPDATE videos SET version = 9')
  rival.close()
  const first = { demand: { pollsDue: 0, createsWaiting: 1 }, fallbackLimit: 60, id, version: 1, outgoing: null }
  expect(await outcome(store.admit(ACCOUNT, { slots: 1, leaseMs: LEASE_MS }, first))).toBe('store_unavailable')
  expect(await store.budget(ACCOUNT, first.demand, 60)).toMatchObject({ remaining: 60 })
  expect(await store.video(id)).toMatchObject({ phase: 'waiting' })
})
