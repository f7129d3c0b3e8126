import { createAuditReads } from '../../src/stores/sql/outbox.ts'
import { expect, test } from 'vitest'
import type { RoomyDb } from '../../src/stores/sql/db.ts'
import { createReads } from '../../src/stores/sql/reads.ts'
import { createRoutingReads } from '../../src/stores/sql/routing.ts'
import { VERBS } from '../../src/stores/sql/store.ts'
import { dbOf } from '../../src/stores/sqlite/db.ts'
import { LEASE_MS, ROOMY } from '../contract/store/helpers.ts'
import { ACCOUNT, draft, T0 } from '../fakes/records.ts'
import { watchedStore } from './watched-store.ts'

const { watched, file, plans } = watchedStore()
const EVERY = { slots: null, leaseMs: LEASE_MS }
const SIDE = { rule: 'rule_a', backend: 'alt' }

/** Each is one search of the index that was made for it, in that order: nothing is sorted, and nothing read to be passed over. */
test.each<[string, RegExp, (on: RoomyDb) => unknown]>([
  ['who goes next', /turns_next/, (on) => VERBS.admit(on, { account: ACCOUNT, admission: EVERY, nowMs: T0 })],
  [
    'of a client',
    /videos_in_turn \(account=\? AND client=\? AND low_until=\?\)/,
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
    /videos_second_jobs \(account=\? AND second_job_at>\? AND second_job_at<\?\)/,
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
    /videos_of_rules \(rule=\? AND backend=\? AND ended_at>\?\)/,
    (on) => createRoutingReads(on).countOf(SIDE, 0),
  ],
  [
    'a page of what a rule came to',
    /videos_of_rules \(rule=\? AND backend=\? AND ended_at>\? AND \(ended_at,id\)<\(\?,\?\)\)/,
    (on) => createRoutingReads(on).ended({ sinceMs: 0, side: SIDE, before: null, limit: 1 }),
  ],
  [
    'a page of what ended',
    /videos_ended \(ended_at>\? AND \(ended_at,id\)<\(\?,\?\)\)/,
    (on) => createRoutingReads(on).ended({ sinceMs: 0, side: null, before: null, limit: 1 }),
  ],
  ['the newest of the log', /audit_by_subject \(subject=\?\)/, (on) => createAuditReads(on).auditOf('rule_a', 1)],
])('of open videos and of splits, %s is found by its index', async (_, index, ask) => {
  await VERBS.open(dbOf(file()), {
    draft: draft({ lane: 'l' }),
    key: null,
    limits: ROOMY,
    admission: null,
    freeBytes: null,
    nowMs: T0,
  })
  await ask(watched())
  const steps = [...plans].find(([, found]) => found.some((step) => index.test(step)))?.[1]
  expect(steps, JSON.stringify([...plans.values()])).toBeDefined()
  expect(steps?.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

test('what comes before a page by number is counted off in an index, in its order, and no row of it is read', async () => {
  await VERBS.open(dbOf(file()), {
    draft: draft(),
    key: null,
    limits: ROOMY,
    admission: null,
    freeBytes: null,
    nowMs: T0,
  })
  const reads = createReads(watched(), () => T0)
  for (const statuses of [null, ['queued', 'processing']] as const)
    await reads.page('acme', { statuses, offset: 0, limit: 1, history: [] })
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
