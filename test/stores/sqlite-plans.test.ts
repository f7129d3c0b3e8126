import { auditEntry, clientRecord, keyRecord, sessionRecord } from '../fakes/access.ts'
import { expect, test } from 'vitest'
import { dbOf } from '../../src/stores/sqlite/db.ts'
import { nextBacklog, nextReplay } from '../../src/stores/sql/webhook-verbs.ts'
import { purgeable, purgeableEvents } from '../../src/stores/sql/upkeep.ts'
import { VERBS } from '../../src/stores/sql/store.ts'
import { LEASE_MS, ROOMY } from '../contract/store/helpers.ts'
import {
  ACCOUNT,
  draft,
  ended,
  newEndpoint,
  event,
  deliveriesQuery,
  endedDeliveriesQuery,
  idemKey,
  listQuery,
  pastQuery,
  puppetRecord,
  T0,
  TARGET,
  uploadRecord,
  video,
} from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { readsOf } from './every-read.ts'
import { watchedStore } from './watched-store.ts'

const { watched, file, plans } = watchedStore()

const OWED = { events: [{ event: event('vid_2', 1, { type: 'video.completed' }), targets: [] }], notes: [] }
const SIDE = { rule: 'rule_a', backend: 'alt' }
const GRID = { fromMs: T0 - 1_000, untilMs: T0, stepMs: 100 }
const CALM = { pollsDue: 0, createsWaiting: 0 }

/** Results of inner queries, by the names that the statements give them: no tables. */
const INNER = new Set([
  'p',
  'asked',
  'waiting',
  'ranks',
  'mine',
  'a',
  'r',
  'm',
  'q',
  'j',
  'next',
  'n',
  'l',
  'c',
  't',
  'risen',
  'o',
  'latest',
  'met',
  'CONSTANT',
])
/** Have a row for each account, or each backend and phase, however many videos there are. */
const COUNTS = ['open_videos', 'changes']

/** Steps that walk a whole table. */
const scans = (): string[] =>
  [...plans].flatMap(([sql, steps]) =>
    steps
      .filter(
        (step) =>
          /^SCAN (?!.*INDEX)(?!\(?subquery)/.test(step) && ![...INNER, ...COUNTS].includes(step.split(' ')[1] ?? ''),
      )
      .map((step) => `${step} in ${sql}`),
  )

test('no read walks a table', async () => {
  const on = watched()
  // An event to be found: without one the page is not read.
  const opening = draft({}, { events: [{ event: event('vid_1', 1), targets: [] }] })
  await VERBS.open(dbOf(file()), {
    draft: opening,
    key: null,
    limits: ROOMY,
    admission: null,
    freeBytes: null,
    nowMs: T0,
  })
  const reads = readsOf(on)
  await reads.recorded('main', T0, null, 10)
  await reads.shadows('main', 'alt', T0, null, 10)
  await reads.refusals('main', T0)
  await reads.video('v')
  await reads.videoOf('c', 'v')
  await reads.videoUnless('c', 'v', 1)
  await reads.list('c', listQuery())
  const anyhow = {
    statuses: ['queued', 'failed'],
    phases: null,
    sinceMs: 1,
    untilMs: 2,
    code: null,
    webhook: null,
  } as const
  for (const client of [null, 'acme'])
    for (const [at, backends] of [
      ['created_at', null],
      ['created_at', ['main', 'alt']],
      ['ended_at', ['alt']],
    ] as const)
      for (const longestFirst of [false, at === 'ended_at']) {
        const query = { ...anyhow, client, at, backends }
        await reads.search(query, { limit: 10, before: { rank: 1, id: 'v' }, longestFirst })
        await reads.countFound(query)
      }
  await reads.webhookStates(['v', 'w'])
  await reads.page('acme', { statuses: null, offset: 0, limit: 1, history: [] })
  await reads.page('acme', { statuses: ['queued', 'failed'], offset: 0, limit: 1, history: [] })
  await reads.keyed(idemKey())
  await reads.reusable([ACCOUNT], 'hash', T0)
  await reads.running(ACCOUNT)
  await reads.running(ACCOUNT, 'v')
  await reads.movedSince(ACCOUNT, 0)
  await reads.lastMove(ACCOUNT)
  await reads.undecided(ACCOUNT)
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
  await reads.deliveriesById(['d', 'e'])
  await reads.deliveriesOf('v')
  await reads.attempts('d')
  await reads.openAccounts(10)
  await reads.dueDeliveries(10)
  await reads.nextDueDelivery()
  await reads.figures()
  await reads.facts('account')
  await reads.holders('account')
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
  await reads.pendingFor('c', 'we_1')
  await reads.eventOf('c', 'evt_1')
  await reads.deliveryOf('c', 'dlv_1')
  await reads.operated(['rule_a'])
  await reads.auditOf('rule_a', 10)
  const narrow = { actor: null, action: null, subject: null, sinceMs: T0, before: 7, limit: 10 }
  for (const by of [{}, { actor: 'ops' }, { action: 'key.create' } as const, { subject: 'key_1' }])
    await reads.audit({ ...narrow, ...by })
  await reads.keysSince(0, 10)
  await reads.clientsSince(0, 10)
  await reads.keyOf('key_1')
  await reads.sessions(['a', 'b'])
  await reads.clientOf('acme')
  for (const client of [null, 'acme']) await reads.keys({ client, before: null, limit: 10 })
  await reads.countOf(SIDE, T0)
  await reads.ended({ sinceMs: 0, side: null, before: null, limit: 10 })
  await reads.ended({ sinceMs: 0, side: SIDE, before: { endedAtMs: T0, id: 'v' }, limit: 10 })
  await reads.listOfAll(listQuery())
  await reads.doubts({ doubt: 'open', before: null, limit: 10 })
  await reads.doubts({ doubt: 'given_up', account: ACCOUNT, before: null, limit: 10 })
  await reads.event('e')
  await reads.latestAttempts(['d', 'e', 'f'])
  await reads.pastEventsOfAll({ ...pastQuery(), before: null })
  await reads.deliveriesOfAll(deliveriesQuery({ status: 'failed' }))
  await reads.endpointsOfAll({ before: null, limit: 10 })
  await reads.endpointById('we_1')
  await reads.usage({ month: '2026-11', client: null, backends: null, after: null, limit: 10 })
  await reads.eventSpanOfAll()
  for (const types of [null, ['video.failed'] as const]) await reads.eventsOfAll({ after: new Map(), limit: 10, types })
  const found = { ...listQuery(), metadata: { key: null, value: '1001' } }
  for (const client of [null, 'acme']) await reads.withMetadata({ ...found, client })
  await reads.withMetadata({ ...found, client: 'acme', status: 'failed', metadata: { key: 'order', value: '1001' } })
  for (const client of [null, 'acme']) {
    for (const backend of [null, 'alt']) {
      await reads.overview({ client, backend, sinceMs: T0, limit: 10 })
      const asked = { client, ...GRID }
      await reads.outcomes({ of: 'failed', backend, by: ['code', 'backend'], measure: null, ...asked })
      for (const measure of ['late', 'credits'] as const)
        await reads.outcomes({ of: 'completed', backend, by: ['client'], measure, ...asked })
    }
    await reads.outcomes({ of: 'delivered', client, backend: null, by: [], measure: 'took', ...GRID })
    await reads.queueHead(ACCOUNT, client, 10)
    for (const endpointId of [null, 'we_1'])
      for (const answer of [null, { from: 500, to: 599 }])
        await reads.endedDeliveries(endedDeliveriesQuery({ client, endpointId, answer }))
  }
  await reads.outcomes({ of: 'given_up', client: 'c', backend: null, by: ['endpoint'], measure: null, ...GRID })
  for (const of of ['accounts', 'clients', { client: 'c' }] as const)
    for (const account of [null, ACCOUNT]) await reads.samples({ of, account, ...GRID })
  await reads.nextInPool('pool', ACCOUNT, 2)
  expect(plans.size).toBe(163)
  expect(scans()).toEqual([])
})

test('no write walks a table', async () => {
  const on = watched()
  const admission = { slots: 1, leaseMs: LEASE_MS }
  const leased = { leaseMs: 1, nowMs: T0 }
  const lease = { id: 'vid_1', token: 't', untilMs: T0 + 1 }
  const opening = draft({ sequence: 1 }, { events: [{ event: event('vid_1', 1), targets: [TARGET] }] })
  await VERBS.open(on, { draft: opening, key: idemKey(), limits: ROOMY, admission: null, freeBytes: null, nowMs: T0 })
  await VERBS.open(on, {
    draft: draft({ id: 'vid_2' }),
    key: null,
    limits: ROOMY,
    admission,
    first: { demand: CALM, fallbackLimit: 10, outgoing: null },
    freeBytes: null,
    nowMs: T0,
  })
  const quotas = { ...ROOMY, videosPerMonth: 9, creditsPerMonth: 9 }
  await VERBS.open(on, {
    draft: draft({ id: 'vid_3' }),
    key: null,
    limits: quotas,
    admission,
    freeBytes: null,
    nowMs: T0,
  })
  const few = { ...ROOMY, videosPerMonth: 4, creditsPerMonth: 4 }
  const fourth = { draft: draft({ id: 'vid_4' }), key: null, limits: few, admission: null, freeBytes: null, nowMs: T0 }
  await VERBS.open(on, fourth)
  await VERBS.admit(on, { account: ACCOUNT, admission, nowMs: T0 })
  await VERBS.takeFromPool(on, { from: ACCOUNT, video: video({ id: 'vid_4' }), admission, nowMs: T0 })
  await VERBS.write(on, { before: video({ version: 2 }), change: { kind: 'discard' }, nowMs: T0 })
  for (const kind of ['account', 'deliver'] as const) {
    await VERBS.claim(on, { kind, id: 'vid_1', holder: 'one', gone: null, ...leased })
    await VERBS.extend(on, { kind, lease, ...leased })
    await VERBS.release(on, { kind, lease })
  }
  const attempt = { atMs: T0, durationMs: 1, status: 200, error: null, responseBody: null }
  await VERBS.attempted(on, { lease, attempt, after: { status: 'delivered' }, nowMs: T0 })
  await on.run(`UPDATE deliveries SET attempts = 100 WHERE id = (SELECT id FROM deliveries LIMIT 1)`)
  await VERBS.attempted(on, { lease, attempt, after: { status: 'failed' }, nowMs: T0 })
  await VERBS.secrets(on, { keeper: { kind: 'client', id: 'c' }, candidate: 's', nowMs: T0 })
  await VERBS.rotateSecret(on, { keeper: { kind: 'client', id: 'c' }, secret: 's', oldUntilMs: T0 })
  await VERBS.createEndpoint(on, { endpoint: newEndpoint(), nowMs: T0 })
  await VERBS.write(on, {
    before: video({ id: 'vid_2', version: 3 }),
    change: { kind: 'save', video: ended({ id: 'vid_2', version: 4 }), ...OWED },
    nowMs: T0,
  })
  const gone = { atMs: T0, durationMs: 1, status: 410, error: null, responseBody: null }
  const [owed] = file().all(`SELECT id FROM deliveries WHERE target = 'we_1'`)
  const owedId = String(owed?.['id'])
  await VERBS.claimDeliveries(on, { ids: [owedId, 'd'], ...leased })
  await VERBS.addDurations(on, { source: 'main/text', measured: [1], most: 10 })
  await VERBS.putFacts(on, { kind: 'account', facts: [{ key: 'k', value: '1', atMs: T0 }], forMs: 1, nowMs: T0 })
  for (const why of ['start', 'reload'] as const) await VERBS.serve(on, { accounts: [ACCOUNT], mark: 'm', why })
  await VERBS.createEndpoint(on, { endpoint: newEndpoint({ id: 'we_2' }), nowMs: T0 })
  await VERBS.attempted(on, { lease: { ...lease, id: owedId }, attempt: gone, after: { status: 'failed' }, nowMs: T0 })
  for (const patch of [{ enabled: true }, { enabled: false }, { enabled: true, url: 'https://new.example/' }])
    await VERBS.changeEndpoint(on, { client: 'acme', id: 'we_1', patch, nowMs: T0 })
  const redelivery = auditEntry('aud_redeliver')
  await VERBS.redeliver(on, { client: 'acme', eventId: 'evt_vid_2_1', audit: redelivery, nowMs: T0 })
  for (const onlyFailed of [true, false]) {
    const replay = { client: 'acme', endpointId: 'we_1', sinceMs: 0, untilMs: T0 + 1, onlyFailed }
    await VERBS.replay(on, { replay, nowMs: T0 })
    const next = await nextReplay(on)
    if (next) await VERBS.replayStep(on, { ...next, limit: 1, nowMs: T0 })
  }
  await on.run(`INSERT INTO endpoint_backlogs VALUES ('we_1', 'acme', 0, 0)`)
  await VERBS.backlogStep(on, { ...must(await nextBacklog(on, T0)), nowMs: T0 })
  await VERBS.deleteEndpoint(on, { client: 'acme', id: 'we_1', nowMs: T0 })
  const events = await purgeableEvents(on, T0, 10)
  await VERBS.purgeWebhooks(on, { events, beforeMs: T0, limit: 10, nowMs: T0 })
  await VERBS.meta(on, { key: 'k', candidate: 'm' })
  await VERBS.purge(on, { videos: await purgeable(on, T0, 10), beforeMs: T0 })
  const ticket = { account: ACCOUNT, window: 1, probes: false }
  await VERBS.spend(on, { account: ACCOUNT, budgetClass: 'poll', demand: CALM, fallbackLimit: 10, most: 1, nowMs: T0 })
  await VERBS.learn(on, { ticket, rates: [null], nowMs: T0 })
  await VERBS.giveBack(on, { ticket, count: 1, nowMs: T0 })
  await VERBS.exhausted(on, { account: ACCOUNT, untilMs: T0, nowMs: T0 })
  const intent = { account: ACCOUNT, backend: 'main', resource: null }
  await VERBS.begin(on, { key: idemKey(), intent, leaseMs: 1, freeBytes: null, nowMs: T0 })
  for (const outcome of ['doubt', 'free'] as const) await VERBS.unmade(on, { key: idemKey(), lease, outcome })
  await VERBS.made(on, { made: { kind: 'puppet', record: puppetRecord() }, key: idemKey(), nowMs: T0 })
  await VERBS.made(on, { made: { kind: 'upload', record: uploadRecord() }, key: idemKey(), nowMs: T0 })
  await VERBS.forgetPuppet(on, { account: ACCOUNT, id: 'pup_1' })
  await VERBS.countRequests(on, { month: '2026-11', counts: { acme: 1 } })
  await VERBS.purgeResources(on, { beforeMs: T0, limit: 10, nowMs: T0 })
  for (const version of [1, 2]) {
    const split = { key: 'k', version, weight: 1, steppedAtMs: T0, steppedBy: 'c', resumedAtMs: null, stopped: null }
    const audit = auditEntry(`aud_${version}`)
    await VERBS.changeSplit(on, {
      split,
      audit,
      events: [event('v', version, { videoId: null, type: 'routing.stopped' })],
    })
  }
  for (const version of [1, 2]) {
    const pause = { key: 'pause:main', version, pauses: [] }
    await VERBS.changePause(on, { pause, audit: auditEntry(`aud_pause_${version}`) })
  }
  for (const change of [0, 1]) {
    const [key, client] = [keyRecord({ change }), clientRecord({ change: change * 2 })]
    await VERBS.changeAccess(on, { keys: [key], clients: [client], audit: auditEntry(`aud_key_${change}`) })
  }
  await VERBS.keysUsed(on, { uses: [{ id: 'key_1', atMs: T0 }] })
  await VERBS.purgeKeys(on, { beforeMs: T0, limit: 10 })
  await VERBS.beginSession(on, { session: sessionRecord(), most: 10 })
  await VERBS.sessionSeen(on, { id: 'session_1', seenAtMs: T0 + 1, endsAtMs: T0 })
  await VERBS.endSession(on, { id: 'session_1' })
  await VERBS.purgeSessions(on, { beforeMs: T0, limit: 10 })
  await VERBS.purgeAudit(on, { beforeMs: T0, limit: 10 })
  const lost = { from: 'main', to: 'alt', verdict: 'untouched' } as const
  await VERBS.putShadows(on, { shadows: [{ videoId: 'vid_1', atMs: T0, kinds: [], ...lost }] })
  const refused = { backend: 'alt', day: '2026-11-20', code: 'voice_not_found', field: null }
  await VERBS.countRefusals(on, { counts: [{ ...refused, count: 1 }] })
  await VERBS.purgeRefusals(on, { beforeMs: T0, limit: 10 })
  await VERBS.putSample(on, { account: ACCOUNT, atMs: T0, waiting: 1, used: 1, capacity: 10 })
  await VERBS.purgeSamples(on, { beforeMs: T0, limit: 10 })
  expect(scans()).toEqual([])
})
