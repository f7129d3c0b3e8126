import { auditEntry, clientRecord, keyRecord, sessionRecord } from '../fakes/access.ts'
import { MOVED_AT_ONCE } from '../../src/core/endpoints.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { LinePlaces } from '../../src/core/store/webhooks.ts'
import { importing, LEASE_MS, numbered, openWaiting, owe, ROOMY, saving } from '../contract/store/helpers.ts'
import { create, fail, happen, happenOften, succeed } from '../contract/store/webhook-helpers.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import * as records from '../fakes/records.ts'

const { ACCOUNT, HOUR, MINUTE, T0 } = records
const ALT = records.accountId('alt')
const CLIENTS = ['acme', 'other']
const CALM = { pollsDue: 0, createsWaiting: 0 }
const UPLOADING = records.idemKey({ operation: 'POST /uploads' })
const SIDE = { rule: 'rule_a', backend: 'alt' }
const VIDEOS = [...Array.from({ length: 40 }, (_, n) => numbered(n)), 'vid_é', 'vid_🎬']
const MOST = 100
const ANYHOW = {
  client: null,
  statuses: ['completed', 'failed'],
  phases: null,
  backends: null,
  sinceMs: null,
  untilMs: null,
  webhook: null,
  code: null,
  at: 'created_at',
} as const
const GRID = { fromMs: T0 - HOUR, untilMs: T0 + HOUR, stepMs: MINUTE }

const noted = (id: string) => ({
  notes: [records.note('created'), records.note('queued'), { at: T0 + 1, type: 'moved', detail: 'ß → 🎬' }],
  events: [{ event: records.event(id, 1), targets: [{ ...records.TARGET, body: '{"own":true}' }] }],
})

const openVideos = async (store: Store): Promise<void> => {
  for (let n = 12; n < 16; n += 1) {
    const admit = { slots: 1 + n, leaseMs: LEASE_MS }
    const opened = await store.open(records.draft({ id: numbered(n) }), null, ROOMY, admit)
    if (opened.kind !== 'opened') throw new Error(`not opened but ${opened.kind}`)
  }
  for (const n of [13, 14])
    await store.change(numbered(n), saving(records.accepted({ id: numbered(n), secondJobAtMs: T0 })))
  await store.change(numbered(15), saving({ phase: 'doubtful', doubtSinceMs: T0 }))
  await store.change(numbered(12), saving({ lane: 'lane', dispatchedAtMs: T0, trace: '00-a-b-01' }))
  for (let n = 0; n < 12; n += 1) {
    const client = CLIENTS[n % 2] ?? 'acme'
    const key = records.idemKey({ client, key: `order-${n}` })
    const id = numbered(n)
    const due = { createdAtMs: T0 + Math.floor(n / 3) * MINUTE, dueAtMs: n === 5 ? null : T0 + n }
    const video = { id, client, lowUntilMs: n === 6 ? T0 : null, metadata: { order: `${n}`, note: 'ß → 🎬' }, ...due }
    await store.open(records.draft(video, client === 'acme' ? noted(id) : {}), key, ROOMY, null)
  }
  await openWaiting(store, { id: 'vid_é', account: ALT, backend: 'alt' })
  await openWaiting(store, { id: 'vid_🎬', account: ALT, backend: 'alt', pool: 'two' })
  await store.adopt(importing('job_elsewhere', { id: numbered(16), client: 'other' }))
}

const endVideos = async (store: Store): Promise<void> => {
  const routing = { chosen_by: 'rule' as const, rule: SIDE.rule, pool: null, considered: [] }
  for (let n = 20; n < 30; n += 1) {
    const status = n % 3 === 0 ? 'failed' : 'completed'
    const endedAtMs = T0 + n * MINUTE
    const credits = { charged: n / 8, remaining: 7 }
    await openWaiting(
      store,
      records.ended({ id: numbered(n), backend: 'alt', endedAtMs, status, routing, credits, inputHash: 'hash' }),
    )
  }
  const shadow = {
    atMs: T0,
    from: 'alt',
    to: 'main',
    verdict: 'warnings',
    kinds: [{ code: 'c', field: null }],
  } as const
  await store.putShadows([20, 21].map((n) => ({ ...shadow, kinds: [...shadow.kinds], videoId: numbered(n) })))
}

const tell = async (store: Store, clock: FakeClock): Promise<void> => {
  for (const id of ['we_1', 'we_2', 'we_3']) await create(store, { id })
  await create(store, { id: 'we_4', client: 'other' })
  await happenOften(store, numbered(14), MOVED_AT_ONCE + 5)
  const [first, second] = await happen(store, numbered(13))
  const lease = must(await store.claim('deliver', must(first), LEASE_MS))
  await fail(store, lease, clock.now() + HOUR)
  clock.jump(2 * HOUR)
  const again = must(await store.claim('deliver', must(first), LEASE_MS))
  await store.attempted(
    again,
    { atMs: clock.now(), durationMs: 2, status: 200, error: null, responseBody: 'a\0b' },
    { status: 'delivered' },
  )
  await succeed(store, must(await store.claim('deliver', must(second), LEASE_MS)), clock.now())
  await owe(store, numbered(13))
  // One in somebody's hands when the gateway stops.
  await store.claim('deliver', must((await store.dueDeliveries(1))[0]).id, LEASE_MS)
  await store.redeliver('acme', records.event(numbered(13), 1).id)
  const [third] = await happen(store, numbered(13))
  await succeed(store, must(await store.claim('deliver', must(third), LEASE_MS)), clock.now())
  // So many that some are left to be held.
  await store.changeEndpoint('acme', 'we_2', { enabled: false })
  await store.changeEndpoint('acme', 'we_3', { enabled: false })
  await store.replay({ client: 'acme', endpointId: 'we_1', sinceMs: 0, untilMs: clock.now() + 1, onlyFailed: false })
  await store.secrets({ kind: 'client', id: 'acme' }, 'sealed one')
  await store.rotateSecret({ kind: 'client', id: 'acme' }, 'sealed two', clock.now() + HOUR)
}

const count = async (store: Store, clock: FakeClock): Promise<void> => {
  const split = { key: SIDE.rule, version: 1, weight: 5, steppedAtMs: T0, steppedBy: 'acme', resumedAtMs: null }
  for (const version of [1, 2, 3]) {
    const told = { atMs: T0 + version, actor: 'acme', action: 'split.step', subject: SIDE.rule } as const
    await store.changeSplit({
      split: { ...split, version, stopped: null },
      audit: auditEntry(`aud_${version}`, told),
      events: [],
    })
  }
  const pauses = [{ creates: true, polls: true, sinceMs: T0, untilMs: null, reason: 'why', by: 'acme' }]
  await store.changePause({ pause: { key: 'pause:main', version: 1, pauses }, audit: auditEntry('aud_pause') })
  await fillAccess(store)
  const refusal = { day: '2026-11-20', backend: 'alt', code: 'voice_not_found', field: 'voice_id', count: 3 }
  await store.countRefusals([refusal])
  await store.putSample({ account: ACCOUNT, atMs: T0, waiting: 2, used: 3, capacity: 10 })
  await store.countRequests('2026-11', { acme: 7, other: 2 })
  await store.open(records.draft({ id: 'vid_over' }), null, { ...ROOMY, videosPerMonth: 1 }, null)
  await store.begin(UPLOADING, { account: ACCOUNT, backend: 'main', resource: 'upl_1' }, LEASE_MS)
  await store.made({ kind: 'upload', record: records.uploadRecord() }, null)
  await store.made({ kind: 'puppet', record: records.puppetRecord() }, null)
  const spent = await store.spend(ACCOUNT, 'create', CALM, 10)
  if (!spent.ok) throw new Error('no ticket')
  const dateMs = clock.now()
  await store.learn(spent.ticket, records.rate({ limit: 5, remaining: 3, dateMs, resetAtMs: dateMs + MINUTE }))
  await store.keepDurations('text', [1_000, 2_500])
  const older = { jobId: 'job_older', video: records.draft({ id: 'past/job_older' }).video, place: '1' }
  await store.putHistory(ACCOUNT, [older], { page: 1, seenMs: T0, thenMs: 0 })
  await store.putFacts('account', [{ key: 'main', value: '{"a":1}', atMs: T0 }], 60 * MINUTE)
  await store.serve({ accounts: [ACCOUNT, ALT], mark: 'one', why: 'start' })
  await store.meta('secret_check', 'sealed')
  // Of a process that is gone.
  await store.claim('account', ACCOUNT, HOUR)
}

/** What a store holds of keys, clients, sessions and the audit log. */
const fillAccess = async (store: Store): Promise<void> => {
  const other = keyRecord({ id: 'key_2', client: 'other' })
  await store.changeAccess({ keys: [keyRecord()], clients: [clientRecord()], audit: auditEntry('aud_4') })
  await store.changeAccess({ keys: [other], clients: [], audit: auditEntry('aud_5') })
  await store.keysUsed([{ id: 'key_1', atMs: T0 + 7 }])
  await store.beginSession(sessionRecord(), 10)
}

/** Writes some of everything that a store can hold. */
export const fill = async (store: Store, clock: FakeClock): Promise<void> => {
  await openVideos(store)
  await endVideos(store)
  await tell(store, clock)
  await count(store, clock)
}

type Writes =
  | 'open'
  | 'adopt'
  | 'putHistory'
  | 'admit'
  | 'takeFromPool'
  | 'changePause'
  | 'change'
  | 'purge'
  | 'claim'
  | 'extend'
  | 'release'
  | 'keepDurations'
  | 'addDurations'
  | 'claimDeliveries'
  | 'putFacts'
  | 'serve'
  | 'attempted'
  | 'createEndpoint'
  | 'changeEndpoint'
  | 'deleteEndpoint'
  | 'rotateSecret'
  | 'redeliver'
  | 'replay'
  | 'replayStep'
  | 'backlogStep'
  | 'purgeWebhooks'
  | 'begin'
  | 'made'
  | 'unmade'
  | 'forgetPuppet'
  | 'countRequests'
  | 'purgeResources'
  | 'changeSplit'
  | 'purgeAudit'
  | 'changeAccess'
  | 'keysUsed'
  | 'purgeKeys'
  | 'beginSession'
  | 'sessionSeen'
  | 'endSession'
  | 'purgeSessions'
  | 'putShadows'
  | 'countRefusals'
  | 'purgeRefusals'
  | 'putSample'
  | 'purgeSamples'
  | 'spend'
  | 'learn'
  | 'giveBack'
  | 'exhausted'
  // Of the process, not of what is stored.
  | 'writeCount'
  | 'ping'
  | 'close'

const inTurn = async <T>(items: readonly T[], read: (item: T) => Promise<unknown>): Promise<unknown[]> => {
  const answers: unknown[] = []
  for (const item of items) answers.push(await read(item))
  return answers
}

/** Those of one event come in no order. */
const deliveriesOf = async (store: Store, id: string) =>
  (await store.deliveriesOf(id)).toSorted((a, b) => a.event.sequence - b.event.sequence || (a.id < b.id ? -1 : 1))

const deliveryIds = async (store: Store): Promise<string[]> => {
  const all = await Promise.all(VIDEOS.map((id) => deliveriesOf(store, id)))
  return all.flat().map(({ id }) => id)
}

const eventIds = async (store: Store): Promise<string[]> => {
  const all = await Promise.all(
    CLIENTS.map((client) => store.eventsOf(client, { after: 0, limit: 1_000, types: null })),
  )
  return all.flatMap(({ events }) => events.map(({ event }) => event.id))
}

const listed = (store: Store): Promise<unknown> =>
  inTurn(CLIENTS, async (client) => {
    const first = await store.list(client, records.listQuery({ limit: 4 }))
    const last = must(first.at(-1))
    const before = { createdAtMs: last.createdAtMs, id: last.id }
    const queries = [
      { limit: MOST, before },
      { status: 'completed' },
      { backends: ['alt'] },
      { createdAfterMs: T0 + 1 },
    ] as const
    return [first, ...(await inTurn(queries, (query) => store.list(client, records.listQuery(query))))]
  })

const delivered = (store: Store): Promise<unknown> =>
  inTurn(CLIENTS, async (client) => {
    const first = await store.deliveries(client, records.deliveriesQuery({ limit: 5 }))
    const queries = [
      { limit: MOST, before: first.at(-1)?.place ?? null },
      { endpointId: 'we_2' },
      { status: 'held' },
      { videoId: numbered(13) },
      { eventId: records.event(numbered(13), 1).id },
    ] as const
    return [first, ...(await inTurn(queries, (query) => store.deliveries(client, records.deliveriesQuery(query))))]
  })

const ENDPOINTS = [
  ['acme', 'we_1'],
  ['acme', 'we_2'],
  ['other', 'we_1'],
] as const

const inOrder = (places: LinePlaces) => [...places].toSorted(([a], [b]) => (a < b ? -1 : 1))

/** A question for every read of the port; a new one is asked here, too. */
const READS: { readonly [V in Exclude<keyof Store, Writes>]: (store: Store) => Promise<unknown> } = {
  video: (store) => inTurn(VIDEOS, (id) => store.video(id)),
  videoOf: (store) => inTurn(VIDEOS, (id) => store.videoOf('acme', id)),
  videoUnless: (store) => inTurn(VIDEOS, (id) => store.videoUnless('acme', id, 1)),
  list: listed,
  search: async (store) =>
    (await store.search({ ...ANYHOW, at: 'ended_at' }, { limit: MOST, before: null, longestFirst: true })).found.map(
      ({ video, rank }) => [video.id, rank],
    ),
  countFound: (store) => store.countFound(ANYHOW),
  webhookStates: async (store) => [...(await store.webhookStates(VIDEOS))].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  page: (store) =>
    inTurn([0, 5], (offset) => store.page('acme', { statuses: null, offset, limit: 7, history: [ACCOUNT] })),
  reusable: (store) => store.reusable([ACCOUNT, ALT], 'hash', 0),
  historyJob: (store) => store.historyJob(ACCOUNT, 'job_older'),
  historyWalk: (store) => store.historyWalk(ACCOUNT),
  historyBounds: (store) => store.historyBounds(),
  keyed: (store) => inTurn(CLIENTS, (client) => store.keyed(records.idemKey({ client, key: 'order-2' }))),
  running: (store) => store.running(ACCOUNT),
  movedSince: (store) => store.movedSince(ACCOUNT, 3),
  lastMove: (store) => store.lastMove(ACCOUNT),
  undecided: async (store) => (await store.undecided(ACCOUNT)).toSorted(),
  figures: async (store) => ({ ...(await store.figures()), freeBytes: null }),
  room: (store) => inTurn(CLIENTS, (client) => store.room(client)),
  queue: (store) => inTurn([ACCOUNT, ALT], (account) => store.queue(account)),
  nextWaiting: (store) => inTurn([ACCOUNT, ALT], (account) => store.nextWaiting(account, null)),
  nextInPool: (store) => store.nextInPool('two', ACCOUNT, null),
  backendsOf: (store) => store.backendsOf(ACCOUNT),
  waitingOf: (store) => store.waitingOf(ACCOUNT),
  transfersOf: (store) => store.transfersOf(ACCOUNT, MOST),
  sentInLane: (store) => store.sentInLane(ACCOUNT, 'lane', 0),
  owner: (store) => inTurn(['job_elsewhere', `job_of_${numbered(13)}`, 'none'], (job) => store.owner(ACCOUNT, job)),
  secondJobs: (store) => store.secondJobs(ACCOUNT, MOST),
  overdue: (store) => store.overdue(ACCOUNT, T0 + MINUTE, MOST),
  positions: async (store) => Object.fromEntries(await store.positions(VIDEOS)),
  timeline: (store) => inTurn(VIDEOS, (id) => store.timeline(id)),
  dueDeliveries: (store) => store.dueDeliveries(MOST),
  nextDueDelivery: (store) => store.nextDueDelivery(),
  facts: (store) => store.facts('account'),
  holders: (store) => store.holders('account'),
  delivery: async (store) => inTurn(await deliveryIds(store), (id) => store.delivery(id)),
  attempts: async (store) => inTurn(await deliveryIds(store), (id) => store.attempts(id)),
  deliveriesOf: (store) => inTurn(VIDEOS, (id) => deliveriesOf(store, id)),
  secrets: (store) =>
    inTurn([{ kind: 'client', id: 'acme' } as const, { kind: 'endpoint', id: 'we_1' } as const], (keeper) =>
      store.secrets(keeper, 'none'),
    ),
  clientsTold: async (store) => (await store.clientsTold()).toSorted(),
  droppedEvents: (store) => store.droppedEvents(),
  eventOf: async (store) => inTurn(await eventIds(store), (id) => store.eventOf('acme', id)),
  pastEvents: (store) => inTurn(CLIENTS, (client) => store.pastEvents(client, records.pastQuery({ limit: MOST }))),
  deliveryOf: async (store) => inTurn(await deliveryIds(store), (id) => store.deliveryOf('acme', id)),
  deliveries: delivered,
  deliveriesById: async (store) => store.deliveriesById(await deliveryIds(store)),
  eventsOf: (store) => inTurn([0, 3], (after) => store.eventsOf('acme', { after, limit: 20, types: null })),
  eventsOfAll: async (store) => {
    const { events, more } = await store.eventsOfAll({ after: new Map(), limit: MOST, types: null })
    return [events.map(({ event, upTo }) => [event, inOrder(upTo)]), more]
  },
  eventSpanOfAll: async (store) => {
    const { last, goneAtMs } = await store.eventSpanOfAll()
    return [inOrder(last), goneAtMs]
  },
  withMetadata: async (store) => [
    await store.withMetadata({ ...records.listQuery(), client: null, metadata: { key: null, value: 'ß → 🎬' } }),
    await store.withMetadata({ ...records.listQuery(), client: 'acme', metadata: { key: 'order', value: '4' } }),
  ],
  eventSpan: (store) => inTurn(CLIENTS, (client) => store.eventSpan(client)),
  intentOf: (store) => store.intentOf(UPLOADING),
  puppetMade: (store) => store.puppetMade(ACCOUNT, 'pup_1'),
  uploadOf: (store) => store.uploadOf('acme', 'upl_1'),
  uploadAt: (store) => store.uploadAt('other', 'https://cdn.example/a.wav'),
  monthOf: (store) => inTurn(CLIENTS, (client) => store.monthOf(client, T0)),
  latestAttempts: async (store) => Object.fromEntries(await store.latestAttempts(await deliveryIds(store))),
  listOfAll: (store) => store.listOfAll(records.listQuery({ limit: MOST })),
  doubts: (store) =>
    inTurn(['open', 'given_up'] as const, (doubt) => store.doubts({ doubt, before: null, limit: MOST })),
  event: async (store) => inTurn(await eventIds(store), (id) => store.event(id)),
  pastEventsOfAll: (store) => store.pastEventsOfAll({ ...records.pastQuery({ limit: MOST }), before: null }),
  deliveriesOfAll: (store) => store.deliveriesOfAll(records.deliveriesQuery({ limit: MOST })),
  usage: (store) => store.usage({ month: '2026-11', client: null, backends: null, after: null, limit: MOST }),
  recorded: (store) => store.recorded('main', 0, null, MOST),
  shadows: (store) => store.shadows('alt', 'main', 0, null, MOST),
  refusals: (store) => store.refusals('alt', 0),
  operated: (store) => store.operated([SIDE.rule, 'rule_b', 'pause:main']),
  audit: (store) => store.audit({ actor: null, action: null, subject: null, sinceMs: null, before: null, limit: MOST }),
  auditOf: (store) => store.auditOf('key_1', MOST),
  keysSince: (store) => store.keysSince(0, MOST),
  clientsSince: (store) => store.clientsSince(0, MOST),
  sessions: (store) => store.sessions([sessionRecord().id]),
  keyOf: (store) => store.keyOf('key_1'),
  clientOf: (store) => store.clientOf('acme'),
  keys: (store) => store.keys({ client: 'acme', before: null, limit: MOST }),
  overview: (store) =>
    inTurn([null, 'acme'], (client) => store.overview({ client, backend: null, sinceMs: T0, limit: MOST })),
  outcomes: (store) =>
    inTurn(['completed', 'failed', 'delivered', 'given_up'] as const, async (of) => {
      const { counts } = await store.outcomes({
        of,
        client: null,
        backend: null,
        by: ['client'],
        measure: 'took',
        ...GRID,
      })
      return counts.map((count) => JSON.stringify(count)).toSorted()
    }),
  samples: (store) =>
    inTurn(['accounts', 'clients'] as const, async (of) => {
      const { sums } = await store.samples({ of, account: null, ...GRID })
      return sums.toSorted((a, b) => (a.client < b.client ? -1 : 1))
    }),
  endedDeliveries: (store) => store.endedDeliveries(records.endedDeliveriesQuery({ limit: MOST })),
  queueHead: (store) => store.queueHead(ACCOUNT, null, MOST),
  endpointOf: (store) => inTurn(ENDPOINTS, ([client, id]) => store.endpointOf(client, id)),
  endpointById: (store) => inTurn(ENDPOINTS, ([, id]) => store.endpointById(id)),
  pendingFor: (store) => inTurn(ENDPOINTS, ([client, id]) => store.pendingFor(client, id)),
  endpointsOf: (store) => inTurn(CLIENTS, (client) => store.endpointsOf(client)),
  endpointsOfAll: (store) => store.endpointsOfAll({ before: null, limit: MOST }),
  countOf: (store) => store.countOf(SIDE, 0),
  ended: (store) => store.ended({ sinceMs: 0, side: null, before: null, limit: MOST }),
  openAccounts: async (store) => (await store.openAccounts(MOST)).toSorted(),
  durations: (store) => store.durations('text'),
  budget: (store) => store.budget(ACCOUNT, CALM, 10),
  meta: (store) => store.meta('secret_check', 'another'),
}

type Answers = Record<string, unknown>
/** The answers to every read of the port, by its name. PostgreSQL keeps no NUL. */
export const readAll = async (store: Store): Promise<Answers> => {
  const answers: [string, unknown][] = []
  for (const [name, read] of Object.entries(READS)) answers.push([name, await read(store)])
  return JSON.parse(JSON.stringify(Object.fromEntries(answers)).replaceAll(String.raw`\u0000`, '\ufffd')) as Answers
}
