import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb, type Db } from '../../src/stores/sqlite/db.ts'
import { createEventReads } from '../../src/stores/sqlite/event-reads.ts'
import { createReads } from '../../src/stores/sqlite/reads.ts'
import { createRecordedReads } from '../../src/stores/sqlite/recorded.ts'
import { createResourceReads } from '../../src/stores/sqlite/resource-reads.ts'
import { createRoutingReads } from '../../src/stores/sqlite/routing-reads.ts'
import { createWebhookReads } from '../../src/stores/sqlite/webhook-reads.ts'
import { VERBS } from '../../src/stores/sqlite/verbs.ts'
import { LEASE_MS, ROOMY } from '../contract/store/helpers.ts'
import {
  ACCOUNT,
  draft,
  ended,
  newEndpoint,
  event,
  idemKey,
  listQuery,
  puppetRecord,
  T0,
  TARGET,
  uploadRecord,
} from '../fakes/records.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

let current: SqliteUnderTest
let db: Db
let plans: Map<string, string[]>
beforeEach(async () => {
  current = await openSqlite()
  db = openDb(current.path, { readOnly: false })
  plans = new Map()
})
afterEach(async () => {
  db.close()
  await current.destroy()
})

/** The same database, with a note of how it goes about every statement that it is given. */
const watched = (): Db => {
  const explain = (sql: string): void => {
    const rows = db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    plans.set(
      sql,
      rows.map((row) => String(row['detail'])),
    )
  }
  return {
    ...db,
    get: (sql, ...values) => (explain(sql), db.get(sql, ...values)),
    all: (sql, ...values) => (explain(sql), db.all(sql, ...values)),
    run: (sql, ...values) => (explain(sql), db.run(sql, ...values)),
  }
}

const OWED = { events: [{ event: event('vid_2', 1, { type: 'video.completed' }), targets: [] }], notes: [] }
const EVERY = { slots: null, leaseMs: LEASE_MS }
const SIDE = { rule: 'rule_a', backend: 'alt' }
const CALM = { pollsDue: 0, createsWaiting: 0 }

/** Results of inner queries, by the names that the statements give them: no tables. */
const INNER = new Set(['p', 'asked', 'waiting', 'ranks', 'mine', 'a', 'r', 'm', 'q', 'j', 'next', 'CONSTANT'])
/** Has a row for each backend and phase, however many videos there are. */
const COUNTS = 'open_videos'

/** Steps that walk a whole table. */
const scans = (): string[] =>
  [...plans].flatMap(([sql, steps]) =>
    steps
      .filter(
        (step) =>
          /^SCAN (?!.*INDEX)(?!\(?subquery)/.test(step) && ![...INNER, COUNTS].includes(step.split(' ')[1] ?? ''),
      )
      .map((step) => `${step} in ${sql}`),
  )

test('no read walks a table', async () => {
  const on = watched()
  // An event to be found: without one the page is not read.
  const opening = draft({}, { events: [{ event: event('vid_1', 1), targets: [] }] })
  VERBS.open(db, { draft: opening, key: null, limits: ROOMY, admission: null, freeBytes: null, nowMs: T0 })
  const reads = {
    ...createReads(on, () => T0),
    ...createResourceReads(on, () => T0),
    ...createWebhookReads(on),
    ...createEventReads(on),
    ...createRoutingReads(on),
    ...createRecordedReads(on),
  }
  await reads.recorded('main', T0, null, 10)
  await reads.shadows('main', 'alt', T0, null, 10)
  await reads.refusals('main', T0)
  await reads.video('v')
  await reads.videoOf('c', 'v')
  await reads.list('c', listQuery())
  await reads.page('acme', { statuses: null, offset: 0, limit: 1 })
  await reads.page('acme', { statuses: ['queued', 'failed'], offset: 0, limit: 1 })
  await reads.keyed(idemKey())
  await reads.running(ACCOUNT)
  await reads.running(ACCOUNT, 'v')
  await reads.movedSince(ACCOUNT, 0)
  await reads.lastMove(ACCOUNT)
  await reads.undecided(ACCOUNT)
  await reads.counts(ACCOUNT)
  await reads.queue(ACCOUNT)
  await reads.room('c')
  await reads.overdue(ACCOUNT, T0, 10)
  await reads.secondJobs(ACCOUNT, 10)
  await reads.positions(['v'])
  await reads.owner(ACCOUNT, 'job_1')
  await reads.durations('main/text')
  await reads.budget(ACCOUNT, CALM, 10)
  await reads.backendsOf(ACCOUNT)
  await reads.waitingOf(ACCOUNT)
  await reads.transfersOf(ACCOUNT, 10)
  await reads.sentInLane(ACCOUNT, 'lane', T0)
  await reads.timeline('v')
  await reads.delivery('d')
  await reads.deliveriesOf('v')
  await reads.attempts('d')
  await reads.openAccounts(10)
  await reads.dueDeliveries(10)
  await reads.intentOf(idemKey())
  await reads.puppetMade(ACCOUNT, 'pup_1')
  await reads.uploadOf('c', 'upl_1')
  await reads.uploadAt('c', 'https://cdn.example/a.wav')
  await reads.monthOf('c', T0)
  await reads.eventSpan('acme')
  await reads.eventsOf('acme', { after: 0, limit: 10, types: ['video.failed'] })
  await reads.clientsTold()
  await reads.droppedEvents()
  await reads.endpointOf('c', 'we_1')
  await reads.endpointsOf('c')
  await reads.eventOf('c', 'evt_1')
  await reads.deliveryOf('c', 'dlv_1')
  await reads.splits(['rule_a'])
  await reads.auditOf('rule_a', 10)
  await reads.countOf(SIDE, T0)
  await reads.ended({ sinceMs: 0, side: null, before: null, limit: 10 })
  await reads.ended({ sinceMs: 0, side: SIDE, before: { endedAtMs: T0, id: 'v' }, limit: 10 })
  expect(plans.size).toBe(54)
  expect(scans()).toEqual([])
})

test('no write walks a table', () => {
  const on = watched()
  const admission = { slots: 1, leaseMs: LEASE_MS }
  const lease = { id: 'vid_1', token: 't', untilMs: T0 + 1, nowMs: T0 }
  const opening = draft({ sequence: 1 }, { events: [{ event: event('vid_1', 1), targets: [TARGET] }] })
  VERBS.open(on, { draft: opening, key: idemKey(), limits: ROOMY, admission: null, freeBytes: null, nowMs: T0 })
  VERBS.open(on, { draft: draft({ id: 'vid_2' }), key: null, limits: ROOMY, admission, freeBytes: null, nowMs: T0 })
  const quotas = { ...ROOMY, videosPerMonth: 9, creditsPerMonth: 9 }
  VERBS.open(on, { draft: draft({ id: 'vid_3' }), key: null, limits: quotas, admission, freeBytes: null, nowMs: T0 })
  VERBS.admit(on, { account: ACCOUNT, admission, nowMs: T0 })
  VERBS.write(on, { id: 'vid_1', version: 2, change: { kind: 'discard' } })
  for (const kind of ['account', 'deliver'] as const) {
    VERBS.claim(on, { kind, ...lease })
    VERBS.extend(on, { kind, ...lease })
    VERBS.release(on, { kind, ...lease })
  }
  const attempt = { atMs: T0, durationMs: 1, status: 200, error: null, responseBody: null }
  VERBS.attempted(on, { ...lease, attempt, after: { status: 'delivered' } })
  on.run(`UPDATE deliveries SET attempts = 100 WHERE id = (SELECT id FROM deliveries LIMIT 1)`)
  VERBS.attempted(on, { ...lease, attempt, after: { status: 'failed' } })
  VERBS.secrets(on, { keeper: { kind: 'client', id: 'c' }, candidate: 's', nowMs: T0 })
  VERBS.rotateSecret(on, { keeper: { kind: 'client', id: 'c' }, secret: 's', oldUntilMs: T0 })
  VERBS.createEndpoint(on, { endpoint: newEndpoint(), nowMs: T0 })
  VERBS.write(on, {
    id: 'vid_2',
    version: 3,
    change: { kind: 'save', video: ended({ id: 'vid_2', version: 4 }), ...OWED },
  })
  const gone = { atMs: T0, durationMs: 1, status: 410, error: null, responseBody: null }
  const [owed] = db.all(`SELECT id FROM deliveries WHERE target = 'we_1'`)
  VERBS.claim(on, { kind: 'deliver', ...lease, id: String(owed?.['id']) })
  VERBS.createEndpoint(on, { endpoint: newEndpoint({ id: 'we_2' }), nowMs: T0 })
  VERBS.attempted(on, { ...lease, id: String(owed?.['id']), attempt: gone, after: { status: 'failed' } })
  for (const patch of [{ enabled: true }, { enabled: false }, { enabled: true, url: 'https://new.example/' }])
    VERBS.changeEndpoint(on, { client: 'acme', id: 'we_1', patch, nowMs: T0 })
  VERBS.redeliver(on, { client: 'acme', eventId: 'evt_vid_2_1', nowMs: T0 })
  for (const onlyFailed of [true, false]) {
    VERBS.replay(on, { replay: { client: 'acme', endpointId: 'we_1', sinceMs: 0, untilMs: T0 + 1, onlyFailed } })
    VERBS.replayStep(on, { limit: 1, nowMs: T0 })
  }
  on.run(`INSERT INTO endpoint_backlogs VALUES ('we_1', 'acme', 0, 0)`)
  VERBS.backlogStep(on, { nowMs: T0 })
  VERBS.deleteEndpoint(on, { client: 'acme', id: 'we_1', nowMs: T0 })
  VERBS.purgeWebhooks(on, { beforeMs: T0, limit: 10, nowMs: T0 })
  VERBS.meta(on, { key: 'k', candidate: 'm' })
  VERBS.purge(on, { beforeMs: T0, limit: 10 })
  const ticket = { account: ACCOUNT, window: 1 }
  VERBS.spend(on, { account: ACCOUNT, budgetClass: 'poll', demand: CALM, fallbackLimit: 10, most: 1, nowMs: T0 })
  VERBS.learn(on, { ticket, rates: [null], nowMs: T0 })
  VERBS.giveBack(on, { ticket, count: 1, nowMs: T0 })
  VERBS.exhausted(on, { account: ACCOUNT, untilMs: T0, nowMs: T0 })
  const intent = { account: ACCOUNT, backend: 'main', resource: null }
  VERBS.begin(on, { key: idemKey(), intent, token: 't', untilMs: T0 + 1, freeBytes: null, nowMs: T0 })
  for (const outcome of ['doubt', 'free'] as const) VERBS.unmade(on, { key: idemKey(), token: 't', outcome })
  VERBS.made(on, { made: { kind: 'puppet', record: puppetRecord() }, key: idemKey(), nowMs: T0 })
  VERBS.made(on, { made: { kind: 'upload', record: uploadRecord() }, key: idemKey(), nowMs: T0 })
  VERBS.forgetPuppet(on, { account: ACCOUNT, id: 'pup_1' })
  VERBS.countRequests(on, { month: '2026-11', counts: { acme: 1 } })
  VERBS.purgeResources(on, { beforeMs: T0, limit: 10, nowMs: T0 })
  for (const version of [1, 2]) {
    const split = { key: 'k', version, weight: 1, steppedAtMs: T0, steppedBy: 'c', resumedAtMs: null, stopped: null }
    const audit = { id: `aud_${version}`, atMs: T0, actor: 'c', action: 'split.step', subject: 'k', detail: {} }
    VERBS.changeSplit(on, { split, audit, events: [event('v', version, { videoId: null, type: 'routing.stopped' })] })
  }
  VERBS.purgeAudit(on, { beforeMs: T0, limit: 10 })
  const lost = { from: 'main', to: 'alt', verdict: 'untouched' } as const
  VERBS.putShadows(on, { shadows: [{ videoId: 'vid_1', atMs: T0, kinds: [], ...lost }] })
  const refused = { backend: 'alt', day: '2026-11-20', code: 'voice_not_found', field: null }
  VERBS.countRefusals(on, { counts: [{ ...refused, count: 1 }] })
  VERBS.purgeRefusals(on, { beforeMs: T0, limit: 10 })
  expect(scans()).toEqual([])
})

/** Each is one search of the index that was made for it, in that order: nothing is sorted, and nothing read to be passed over. */
test.each<[string, RegExp, (on: Db) => unknown]>([
  ['who goes next', /turns_next/, (on) => VERBS.admit(on, { account: ACCOUNT, admission: EVERY, nowMs: T0 })],
  [
    'of a client',
    /videos_waiting \(account=\? AND client=\?\)/,
    (on) => VERBS.admit(on, { account: ACCOUNT, admission: EVERY, nowMs: T0 }),
  ],
  [
    'whose lane is free',
    /videos_undecided \(account=\? AND lane=\?\)/,
    (on) => VERBS.admit(on, { account: ACCOUNT, admission: EVERY, nowMs: T0 }),
  ],
  ['the first time in a queue', /videos_due/, (on) => createReads(on, () => T0).queue(ACCOUNT)],
  [
    'the oldest',
    /videos_aging \(account=\? AND created_at<\?\)/,
    (on) => createReads(on, () => T0).overdue(ACCOUNT, T0, 1),
  ],
  [
    'jobs beside a video’s own',
    /videos_second_jobs \(account=\? AND <expr><\?\)/,
    (on) => createReads(on, () => T0).secondJobs(ACCOUNT, 1),
  ],
  ['what runs', /videos_running \(account=\? AND id>\?\)/, (on) => createReads(on, () => T0).running(ACCOUNT)],
  ['what is not decided', /videos_undecided \(account=\?\)/, (on) => createReads(on, () => T0).undecided(ACCOUNT)],
  [
    'what was written',
    /videos_changes \(account=\? AND change>\?\)/,
    (on) => createReads(on, () => T0).movedSince(ACCOUNT, 0),
  ],
  [
    'what waits',
    /videos_waiting \(account=\? AND \(client,id\)>\(\?,\?\)\)/,
    (on) => createReads(on, () => T0).waitingOf(ACCOUNT),
  ],
  [
    'what a rule came to',
    /videos_of_rules \(<expr>=\? AND backend=\? AND ended_at>\?\)/,
    (on) => createRoutingReads(on).countOf(SIDE, 0),
  ],
  [
    'a page of what a rule came to',
    /videos_of_rules \(<expr>=\? AND backend=\? AND ended_at>\? AND \(ended_at,id\)<\(\?,\?\)\)/,
    (on) => createRoutingReads(on).ended({ sinceMs: 0, side: SIDE, before: null, limit: 1 }),
  ],
  [
    'a page of what ended',
    /videos_ended \(ended_at>\? AND \(ended_at,id\)<\(\?,\?\)\)/,
    (on) => createRoutingReads(on).ended({ sinceMs: 0, side: null, before: null, limit: 1 }),
  ],
  ['the newest of the log', /audit_by_subject \(subject=\?\)/, (on) => createRoutingReads(on).auditOf('rule_a', 1)],
])('of open videos and of splits, %s is found by its index', async (_, index, ask) => {
  VERBS.open(db, { draft: draft({ lane: 'l' }), key: null, limits: ROOMY, admission: null, freeBytes: null, nowMs: T0 })
  await ask(watched())
  const steps = [...plans].find(([, found]) => found.some((step) => index.test(step)))?.[1]
  expect(steps, JSON.stringify([...plans.values()])).toBeDefined()
  expect(steps?.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

test('what comes before a page by number is counted off in an index, in its order, and no row of it is read', async () => {
  VERBS.open(db, { draft: draft(), key: null, limits: ROOMY, admission: null, freeBytes: null, nowMs: T0 })
  const reads = createReads(watched(), () => T0)
  for (const statuses of [null, ['queued', 'processing']] as const)
    await reads.page('acme', { statuses, offset: 0, limit: 1 })
  const steps = [...plans.values()].flat()
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  const walks = steps.filter((step) => step.startsWith('SEARCH videos'))
  expect(walks).toHaveLength(6)
  expect(walks.filter((step) => !step.includes('COVERING INDEX'))).toEqual([])
  // The rows of the page itself.
  expect(steps.filter((step) => step.startsWith('SEARCH v '))).toHaveLength(2)
})

test('what waits for its audio is not looked for among all that wait', async () => {
  await createReads(watched(), () => T0).transfersOf(ACCOUNT, 10)
  const steps = [...plans.values()].flat()
  expect(steps.filter((step) => step.includes('videos_transfers'))).toHaveLength(2)
  expect(steps.filter((step) => step.includes('videos_waiting'))).toEqual([])
})
