import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminReads } from '../../src/stores/sql/admin-reads.ts'
import type { Reader } from '../../src/stores/sql/db.ts'
import { dbOf, openFile, type SqliteFile } from '../../src/stores/sqlite/db.ts'
import { createOverviewReads } from '../../src/stores/sql/overview.ts'
import { createReads } from '../../src/stores/sql/reads.ts'
import { createWebhookReads } from '../../src/stores/sql/event-reads.ts'
import { numbered, openWaiting, ROOMY } from '../contract/store/helpers.ts'
import {
  deliveriesQuery,
  draft,
  ended,
  endedDeliveriesQuery,
  event,
  everySet,
  listQuery,
  pastQuery,
  T0,
} from '../fakes/records.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

let current: SqliteUnderTest
let db: SqliteFile
beforeAll(async () => {
  current = await openSqlite()
  db = openFile(current.path, { readOnly: false })
})
afterAll(async () => {
  db.close()
  await current.destroy()
})

const readsOf = (on: Reader) => ({ ...createReads(on, () => T0), ...createWebhookReads(on) })
type Reads = ReturnType<typeof readsOf>

const ENDPOINT = 'we_1'
const LIMIT = 21

/** Every list, under every set of its filters, at its start and behind a cursor. */
const LISTS = {
  videos: everySet({
    before: { createdAtMs: T0 + 15_000, id: 'vid_015000' },
    status: 'queued' as const,
    backends: ['main'],
    createdAfterMs: T0 + 10,
    createdBeforeMs: T0 + 20_000,
  }).map((query) => (reads: Reads, client: string) => reads.list(client, listQuery({ ...query, limit: LIMIT }))),
  events: everySet({
    before: { atMs: T0 + 15_000, place: 15_001 },
    type: 'video.failed' as const,
    videoId: 'vid_000009',
    sinceMs: T0 + 10,
    untilMs: T0 + 20_000,
  }).map((query) => (reads: Reads, client: string) => reads.pastEvents(client, pastQuery({ ...query, limit: LIMIT }))),
  deliveries: everySet({
    before: 15_000,
    endpointId: ENDPOINT,
    videoId: 'vid_000009',
    eventId: 'evt_000009',
    status: 'delivered' as const,
  }).map(
    (query) => (reads: Reads, client: string) => reads.deliveries(client, deliveriesQuery({ ...query, limit: LIMIT })),
  ),
}

interface Plan {
  sql: string
  steps: string[]
}

/** The same database, with a note of how it goes about every statement that it is given. */
const watched = (plans: Plan[]): Reader => ({
  ...dbOf(db),
  async all(sql, ...values) {
    const steps = db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    plans.push({ sql, steps: steps.map((row) => String(row['detail'])) })
    return db.all(sql, ...values)
  },
})

/** Equality columns that no index of the list helps with: a video's or an event's rows are few. */
const isByOwner = (steps: readonly string[]): boolean => steps.some((step) => /\((video_id|event_id)=\?/.test(step))

describe.each(Object.entries(LISTS))('the list of %s', (name, queries) => {
  test('is read by an index in its own order, whatever is asked for', async () => {
    for (const query of queries) {
      const plans: Plan[] = []
      await query(readsOf(watched(plans)), 'acme')
      const [{ sql, steps } = { sql: '', steps: [''] }] = plans
      expect(plans).toHaveLength(1)
      expect([sql, steps.filter((step) => step.startsWith('SCAN') || step.includes('TEMP B-TREE'))]).toEqual([sql, []])
      // All that the list is narrowed by leads the index, so that nothing is met in vain.
      const [first = ''] = steps
      for (const column of ['status', 'backend', 'type', 'target'])
        if (sql.includes(`${column} = ?`) && !isByOwner(steps)) expect(first).toContain(`${column}=?`)
      for (const column of name === 'videos' ? ['created_at'] : ['at']) {
        if (new RegExp(`\\b${column} [<>]`).test(sql) || sql.includes(`(${column}, `))
          expect([sql, first]).toEqual([sql, expect.stringMatching(new RegExp(`\\b${column}[,)<>]`))])
      }
    }
  })
})

test('pages of a list count a client’s videos once a second, and again at once when its history has moved', async () => {
  const store = current.store
  const ids = Array.from({ length: 40 }, (_, n) => numbered(n))
  for (const [n, id] of ids.entries())
    await openWaiting(store, ended({ id, client: 'pages', createdAtMs: T0 + n, status: 'completed' }))
  const statements: { sql: string; offset: unknown }[] = []
  const on: Reader = {
    ...dbOf(db),
    async all(sql, ...values) {
      statements.push({ sql, offset: values.at(-1) })
      return db.all(sql, ...values)
    },
  }
  let nowMs = T0
  const reads = createReads(on, () => nowMs)
  const counts = () => statements.filter(({ sql }) => sql.includes('count(*)')).length
  const page = async (offset: number) => {
    const { videos, total } = await reads.page('pages', { statuses: null, offset, limit: 5, history: [] })
    return [total, videos.map(({ id }) => id)]
  }
  const newest = ids.toReversed()
  for (let offset = 0; offset < 40; offset += 5)
    expect(await page(offset)).toEqual([40, newest.slice(offset, offset + 5)])
  expect(counts()).toBe(1)
  // No page walks over more than half of them.
  const offsets = statements.flatMap(({ sql, offset }) => (sql.includes('OFFSET') ? [Number(offset)] : []))
  expect([offsets.length, Math.max(...offsets)]).toEqual([8, 20])

  const opening = draft({ id: 'vid_new', client: 'pages', createdAtMs: T0 + 50 })
  await store.open(
    { ...opening, events: [{ event: event('vid_new', 1, { client: 'pages' }), targets: [] }] },
    null,
    ROOMY,
    null,
  )
  expect(await page(0)).toEqual([41, ['vid_new', ...newest.slice(0, 4)]])
  expect(counts()).toBe(2)
  nowMs += 1_000
  await page(0)
  expect(counts()).toBe(3)
})

/** Likewise of all clients, each with the columns of the index that it is read by. */
const ofAll = (on: Reader) => ({ ...createAdminReads(on), ...createOverviewReads(on) })
const OF_ALL: [string, RegExp, (reads: ReturnType<typeof ofAll>) => Promise<unknown>][] = [
  ...everySet({
    before: { createdAtMs: T0 + 15_000, id: 'vid_015000' },
    status: 'queued' as const,
    backends: ['main'],
    createdAfterMs: T0 + 10,
    createdBeforeMs: T0 + 20_000,
  }).map(({ status, backends, ...times }): (typeof OF_ALL)[number] => [
    'videos',
    status === null
      ? backends === null
        ? /videos_of_all/
        : /videos_recorded \(backend=\?/
      : backends === null
        ? /videos_of_status \(status=\?/
        : /videos_of_both \(backend=\? AND status=\?/,
    (reads) => reads.listOfAll(listQuery({ status, backends, ...times, limit: LIMIT })),
  ]),
  ...everySet({
    before: { atMs: T0 + 15_000, client: 'acme', place: 15_001 },
    type: 'video.failed' as const,
    videoId: 'vid_000009',
    sinceMs: T0 + 10,
    untilMs: T0 + 20_000,
  }).map((query): (typeof OF_ALL)[number] => [
    'events',
    query.videoId !== null
      ? /events_by_video \(video_id=\?/
      : query.type !== null
        ? /events_of_type \(type=\?/
        : /events_of_all/,
    (reads) => reads.pastEventsOfAll({ ...query, limit: LIMIT }),
  ]),
  ...everySet({
    before: 15_000,
    endpointId: ENDPOINT,
    videoId: 'vid_000009',
    eventId: 'evt_000009',
    status: 'delivered' as const,
  }).map(({ before, endpointId, videoId, eventId, status }): (typeof OF_ALL)[number] => [
    'deliveries',
    eventId !== null
      ? /deliveries_by_event \(event_id=\?/
      : videoId !== null
        ? /deliveries_by_video \(video_id=\?/
        : endpointId !== null
          ? status === null
            ? /deliveries_by_endpoint \(client=\? AND target=\?/
            : /deliveries_of_endpoint \(client=\? AND target=\? AND status=\?/
          : status !== null
            ? /deliveries_of_status \(status=\?/
            : before === null
              ? /^SCAN d;/
              : /SEARCH d USING INTEGER PRIMARY KEY/,
    (reads) => reads.deliveriesOfAll(deliveriesQuery({ before, endpointId, videoId, eventId, status, limit: LIMIT })),
  ]),
  ...everySet({
    before: { endedAtMs: T0 + 15_000, place: 15_001 },
    client: 'acme',
    endpointId: ENDPOINT,
    answer: { from: 503, to: 503 },
    sinceMs: T0 + 10,
    untilMs: T0 + 20_000,
  }).map((query): (typeof OF_ALL)[number] => {
    const { client, endpointId, answer, sinceMs, before } = query
    const own = endpointId === null ? (client === null ? [] : ['client=\\?']) : ['client=\\?', 'target=\\?']
    const [index, key] = answer === null ? ['ended', 'status=\\?'] : ['given_up', '<expr>=\\?']
    const times = sinceMs === null && before === null && query.untilMs === null ? '' : ' AND \\(?settled_at'
    const columns = [...own, key].join(' AND ')
    return [
      'ended deliveries',
      new RegExp(`deliveries_${index}\\w* \\(${columns}${times}`),
      (reads) => reads.endedDeliveries(endedDeliveriesQuery({ ...query, limit: LIMIT })),
    ]
  }),
]

test('the lists of all clients are, too', async () => {
  for (const [name, index, read] of OF_ALL) {
    const plans: Plan[] = []
    await read(ofAll(watched(plans)))
    const [{ sql, steps } = { sql: '', steps: [''] }] = plans
    expect([name, sql, steps.join('; ')]).toEqual([name, sql, expect.stringMatching(index)])
    expect([sql, steps.filter((step) => step.includes('TEMP B-TREE'))]).toEqual([sql, []])
    // A time in the conditions is where the index is entered.
    const [, conditions = ''] = / WHERE (.*) ORDER BY /.exec(sql) ?? []
    if (/\b(at|created_at)\b/.test(conditions))
      expect([sql, steps[0]]).toEqual([sql, expect.stringMatching(/\b(at|created_at)[,)<>]/)])
  }
})

describe('with thirty thousand of them', () => {
  const MANY = 30_000

  beforeAll(() => {
    const many = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY - 1})`
    const owner = `CASE WHEN i % 2 = 0 THEN 'acme' ELSE 'other' END`
    const id = (prefix: string): string => `printf('${prefix}_%06d', i)`
    // What is asked for is far away from where each list begins, or nowhere.
    db.exec(`
      PRAGMA synchronous = OFF;
      BEGIN;
      ${many} INSERT INTO videos (id, client, account, backend, phase, status, version, created_at, data)
        SELECT ${id('vid')}, ${owner}, 'acct', CASE WHEN i < 20 THEN 'main' ELSE 'alt' END, 'ended',
          CASE WHEN i < 20 THEN 'queued' ELSE 'completed' END, 1, ${T0} + i, '{}' FROM n;
      ${many} INSERT INTO events (id, video_id, client, place, type, sequence, at, body)
        SELECT ${id('evt')}, ${id('vid')}, ${owner}, i + 1, CASE WHEN i < 20 THEN 'video.failed' ELSE 'video.completed' END,
          1, ${T0} + i, '{}' FROM n;
      ${many} INSERT INTO deliveries (n, id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts,
          tried, event_at)
        SELECT i + 1, ${id('dlv')}, ${id('evt')}, ${owner}, ${id('vid')}, 1, 'endpoint',
          CASE WHEN i % 2 = 0 AND i >= 20 THEN 'we_2' WHEN i % 2 = 0 THEN '${ENDPOINT}' ELSE 'we_other' END, 'https://x.example/',
          CASE WHEN i < 20 THEN 'delivered' ELSE 'failed' END, 1, 1, ${T0} + i FROM n;
      COMMIT;`)
  }, 120_000)

  const timed = async (read: () => Promise<unknown>): Promise<number> => {
    const times: number[] = []
    for (let n = 0; n < 15; n += 1) {
      const startMs = performance.now()
      await read()
      times.push(performance.now() - startMs)
    }
    return times.toSorted((a, b) => a - b)[7] ?? Infinity
  }

  /** What is a hundred times less than a walk through all rows, and far more than chance makes of a page. */
  const atMost = (plainMs: number): number => Math.max(plainMs, 0.3) * 20

  test.each(Object.entries(LISTS))(
    'no page of the list of %s costs much more than a page without filters',
    async (_, queries) => {
      const reads = readsOf(dbOf(db))
      const [plain] = queries
      const plainMs = await timed(async () => plain?.(reads, 'acme'))
      const slow: [number, number][] = []
      for (const [n, query] of queries.entries()) {
        const ms = await timed(() => query(reads, 'acme'))
        if (ms > atMost(plainMs)) slow.push([n, ms])
      }
      expect(slow).toEqual([])
    },
  )

  test('the id of what is another client’s costs what an unknown one does', async () => {
    const reads = readsOf(dbOf(db))
    const asked = (endpointId: string) => () =>
      reads.deliveries('acme', deliveriesQuery({ endpointId, status: 'delivered', limit: LIMIT }))
    expect(await asked('we_other')()).toEqual([])
    const [unknownMs, foreignMs] = [await timed(asked('we_none')), await timed(asked('we_other'))]
    expect(foreignMs).toBeLessThan(atMost(unknownMs))
  })
})
