import { MAX_PENDING_COUNTED } from '../../src/core/endpoints.ts'
import { type EventsOfAllQuery, MOST_COUNTED } from '../../src/core/store/admin.ts'
import type { Reader } from '../../src/stores/sql/db.ts'
import { nextBacklog, nextReplay } from '../../src/stores/sql/webhook-verbs.ts'
import { purgeable, purgeableEvents } from '../../src/stores/sql/upkeep.ts'
import { MAX_COUNTED } from '../../src/core/store/accounts.ts'
import { readsOf } from './every-read.ts'
import { overviewWalks } from './history-overview.ts'
import { lineReads, lineWalks, metadataReads } from './history-lines.ts'
import {
  deliveriesQuery,
  endedDeliveriesQuery,
  everySet,
  HOUR,
  idemKey,
  listQuery,
  pastQuery,
  T0,
  accountId,
} from '../fakes/records.ts'

/** Every read, with values that a history (history.ts) has. */

type Reads = ReturnType<typeof readsOf>

export type HistoryRead = readonly [name: string, read: (on: Reader) => Promise<unknown>]

export type HistoryWalk = readonly [name: string, read: (on: Reader) => Promise<unknown>, most: number]

const CALM = { pollsDue: 0, createsWaiting: 0 }
const LIMIT = 21
export const MAIN = accountId('main')
const ALT = accountId('alt')
const SIDE = { rule: 'rule_a', backend: 'alt' }

export const videoId = (n: number): string => `vid_${String(n).padStart(26, '0')}`
export const eventId = (n: number, sequence: 1 | 2): string =>
  `evt_0${videoId(n).slice(5)}${sequence}`.replace('_0', '_')

const AUDIT = { actor: null, action: null, subject: null, sinceMs: null, before: null, limit: 10 }

export const MONTH_MS = 30 * 24 * HOUR

/** Every list, under every set of its filters, at its start and behind a cursor: of a big client and of a small one. */
const lists = (count: number): HistoryRead[] => {
  const ago = (part: number): number => T0 - Math.round(MONTH_MS * part)
  const near = (part: number): number => Math.round(count * (1 - part))
  const asked: [string, (reads: Reads, client: string) => Promise<unknown>][] = [
    ...everySet({
      before: { createdAtMs: ago(0.5), id: videoId(near(0.5)) },
      status: 'queued' as const,
      backend: 'alt',
      createdAfterMs: ago(0.9),
      createdBeforeMs: ago(0.3),
    }).map((query): [string, (reads: Reads, client: string) => Promise<unknown>] => [
      `videos ${JSON.stringify(query)}`,
      (reads, client) => reads.list(client, listQuery({ ...query, limit: LIMIT })),
    ]),
    ...everySet({
      before: { rank: ago(0.5), id: videoId(near(0.5)) },
      backends: ['alt'],
      sinceMs: ago(0.9),
      untilMs: ago(0.3),
    }).flatMap(({ before, ...query }) =>
      (['created_at', 'ended_at'] as const).map((at): [string, (reads: Reads, client: string) => Promise<unknown>] => [
        `search ${at} ${JSON.stringify({ before, ...query })}`,
        (reads, client) =>
          reads.search(
            { client, statuses: ['failed', 'canceled'], phases: null, code: null, at, webhook: null, ...query },
            { limit: LIMIT, before, longestFirst: false },
          ),
      ]),
    ),
    ...everySet({
      before: { atMs: ago(0.5), place: 1_000 },
      type: 'video.failed' as const,
      videoId: videoId(near(0.6)),
      sinceMs: ago(0.9),
      untilMs: ago(0.3),
    }).map((query): [string, (reads: Reads, client: string) => Promise<unknown>] => [
      `events ${JSON.stringify(query)}`,
      (reads, client) => reads.pastEvents(client, pastQuery({ ...query, limit: LIMIT })),
    ]),
    ...everySet({
      before: near(0.5),
      endpointId: 'we_0_1',
      videoId: videoId(near(0.6)),
      eventId: eventId(near(0.6), 2),
      status: 'failed' as const,
    }).map((query): [string, (reads: Reads, client: string) => Promise<unknown>] => [
      `deliveries ${JSON.stringify(query)}`,
      (reads, client) => reads.deliveries(client, deliveriesQuery({ ...query, limit: LIMIT })),
    ]),
  ]
  return ['client_00', 'client_40', 'client_none'].flatMap((client) =>
    asked.map(([name, read]): HistoryRead => [`${name} of ${client}`, (on) => read(readsOf(on), client)]),
  )
}

/** The same of all clients together. */
const listsOfAll = (count: number): HistoryRead[] => {
  const ago = (part: number): number => T0 - Math.round(MONTH_MS * part)
  const near = (part: number): number => Math.round(count * (1 - part))
  const events = (given: Partial<EventsOfAllQuery>): EventsOfAllQuery => ({
    ...pastQuery(),
    before: null,
    limit: LIMIT,
    ...given,
  })
  return of([
    ...everySet({
      before: { createdAtMs: ago(0.5), id: videoId(near(0.5)) },
      status: 'failed' as const,
      backend: 'alt',
      createdAfterMs: ago(0.9),
      createdBeforeMs: ago(0.3),
    }).map((query): [string, (reads: Reads) => Promise<unknown>] => [
      `videos of all ${JSON.stringify(query)}`,
      (reads) => reads.listOfAll(listQuery({ ...query, limit: LIMIT })),
    ]),
    ...everySet({ before: { createdAtMs: ago(0.5), id: videoId(near(0.5)) } }).flatMap((query) =>
      (['open', 'given_up'] as const).map((doubt): [string, (reads: Reads) => Promise<unknown>] => [
        `doubts ${doubt} ${JSON.stringify(query)}`,
        (reads) => reads.doubts({ ...query, doubt, limit: LIMIT }),
      ]),
    ),
    ...everySet({
      before: { atMs: ago(0.5), client: 'client_20', place: 1_000 },
      type: 'routing.stopped' as const,
      videoId: videoId(near(0.6)),
      sinceMs: ago(0.9),
      untilMs: ago(0.3),
    }).map((query): [string, (reads: Reads) => Promise<unknown>] => [
      `events of all ${JSON.stringify(query)}`,
      (reads) => reads.pastEventsOfAll(events(query)),
    ]),
    ...everySet({
      before: near(0.5),
      endpointId: 'we_0_1',
      videoId: videoId(near(0.6)),
      eventId: eventId(near(0.6), 2),
      status: 'failed' as const,
    }).map((query): [string, (reads: Reads) => Promise<unknown>] => [
      `deliveries of all ${JSON.stringify(query)}`,
      (reads) => reads.deliveriesOfAll(deliveriesQuery({ ...query, limit: LIMIT })),
    ]),
    ...everySet({
      before: { endedAtMs: ago(0.5), place: near(0.5) },
      client: 'client_00',
      endpointId: 'we_0_1',
      answer: { from: 500, to: 599 },
      sinceMs: ago(0.9),
      untilMs: ago(0.3),
    }).map((query): [string, (reads: Reads) => Promise<unknown>] => [
      `ended deliveries ${JSON.stringify(query)}`,
      (reads) => reads.endedDeliveries(endedDeliveriesQuery({ ...query, limit: LIMIT })),
    ]),
    ...everySet({ client: 'client_07', backends: ['alt'], after: { client: 'client_05', backend: 'alt' } }).map(
      (query): [string, (reads: Reads) => Promise<unknown>] => [
        `usage ${JSON.stringify(query)}`,
        (reads) => reads.usage({ month: '2026-11', limit: LIMIT, ...query }),
      ],
    ),
    ['endpointById', (reads) => reads.endpointById('we_0_1')],
    ['endpoints of all', (reads) => reads.endpointsOfAll({ before: null, limit: LIMIT })],
  ])
}

const plain = (count: number): [string, (reads: Reads) => Promise<unknown>][] => {
  const some = videoId(Math.round(count / 3))
  const event = eventId(Math.round(count / 3), 2)
  return [
    ['video', (reads) => reads.video(some)],
    ['videoOf', (reads) => reads.videoOf('client_00', some)],
    ['videoUnless', (reads) => reads.videoUnless('client_00', some, 0)],
    ['reusable', (reads) => reads.reusable([MAIN, ALT], 'c4ca4238a0b923820dcc509a6f75849b', 0)],
    ['keyed', (reads) => reads.keyed(idemKey({ client: 'client_00' }))],
    ['running', (reads) => reads.running(MAIN)],
    ['running after', (reads) => reads.running(MAIN, videoId(count - 500))],
    ['movedSince', (reads) => reads.movedSince(MAIN, Math.round(count / 2))],
    ['lastMove', (reads) => reads.lastMove(MAIN)],
    ['undecided', (reads) => reads.undecided(ALT)],
    ['queue', (reads) => reads.queue(MAIN)],
    ['nextInPool', (reads) => reads.nextInPool('pool', MAIN, 2)],
    ['room', (reads) => reads.room('client_00')],
    ['overdue', (reads) => reads.overdue(MAIN, T0 - HOUR, 10)],
    ['secondJobs', (reads) => reads.secondJobs(MAIN, 10)],
    ['owner', (reads) => reads.owner(MAIN, 'job_1')],
    ['historyJob', (reads) => reads.historyJob(ALT, 'old_1')],
    ['historyWalk', (reads) => reads.historyWalk(ALT)],
    ['durations', (reads) => reads.durations('main/text')],
    ['budget', (reads) => reads.budget(MAIN, CALM, 10)],
    ['backendsOf', (reads) => reads.backendsOf(MAIN)],
    ['waitingOf', (reads) => reads.waitingOf(MAIN)],
    ['waitingOf after', (reads) => reads.waitingOf(MAIN, { client: 'client_20', id: '' })],
    ['sentInLane', (reads) => reads.sentInLane(ALT, 'lane_7', T0 - 24 * HOUR)],
    ['timeline', (reads) => reads.timeline(some)],
    ['deliveriesOf', (reads) => reads.deliveriesOf(some)],
    ['openAccounts', (reads) => reads.openAccounts(10)],
    ['dueDeliveries', (reads) => reads.dueDeliveries(100)],
    ['dueDeliveries after', (reads) => reads.dueDeliveries(100, { dueAtMs: T0 - 300_000, n: 5 })],
    ['nextDueDelivery', (reads) => reads.nextDueDelivery()],
    ['intentOf', (reads) => reads.intentOf(idemKey())],
    ['puppetMade', (reads) => reads.puppetMade(MAIN, 'pup_1')],
    ['uploadOf', (reads) => reads.uploadOf('client_07', 'upl_7')],
    ['uploadAt', (reads) => reads.uploadAt('client_07', 'https://cdn.example/7.wav')],
    ['monthOf', (reads) => reads.monthOf('client_00', T0)],
    ['eventSpan', (reads) => reads.eventSpan('client_00')],
    ['eventsOf the start', (reads) => reads.eventsOf('client_00', { after: 0, limit: 100, types: null })],
    [
      'eventsOf the end',
      (reads) => reads.eventsOf('client_00', { after: Math.round(count / 10), limit: 100, types: null }),
    ],
    ['clientsTold', (reads) => reads.clientsTold()],
    ['droppedEvents', (reads) => reads.droppedEvents()],
    ['endpointOf', (reads) => reads.endpointOf('client_00', 'we_0_1')],
    ['endpointsOf', (reads) => reads.endpointsOf('client_00')],
    ['event', (reads) => reads.event(event)],
    ['eventOf', (reads) => reads.eventOf('client_00', event)],
    ['operated', (reads) => reads.operated(['rule_a', 'rule_1', 'rule_2', 'pause:main'])],
    ['auditOf', (reads) => reads.auditOf('rule_7', 10)],
    ['audit', (reads) => reads.audit(AUDIT)],
    ['audit by actor', (reads) => reads.audit({ ...AUDIT, actor: 'client_00', before: count })],
    ['audit by action', (reads) => reads.audit({ ...AUDIT, action: 'split.step' })],
    ['audit by subject', (reads) => reads.audit({ ...AUDIT, subject: 'rule_7', sinceMs: T0 - MONTH_MS })],
    ['keysSince', (reads) => reads.keysSince(9_990, 100)],
    ['clientsSince', (reads) => reads.clientsSince(990, 100)],
    ['sessions', (reads) => reads.sessions(['session_7', 'none'])],
    ['keyOf', (reads) => reads.keyOf('key_7')],
    ['clientOf', (reads) => reads.clientOf('client_7')],
    ['keys', (reads) => reads.keys({ client: null, before: 'key_5', limit: 10 })],
    ['keys of a client', (reads) => reads.keys({ client: 'client_7', before: null, limit: 10 })],
    ['ended', (reads) => reads.ended({ sinceMs: 0, side: null, before: null, limit: 10 })],
    [
      'ended before',
      (reads) =>
        reads.ended({
          sinceMs: T0 - MONTH_MS,
          side: null,
          before: { endedAtMs: T0 - MONTH_MS / 2, id: some },
          limit: 10,
        }),
    ],
    ['ended of a side', (reads) => reads.ended({ sinceMs: 0, side: SIDE, before: null, limit: 10 })],
    [
      'ended of a side before',
      (reads) =>
        reads.ended({
          sinceMs: T0 - MONTH_MS,
          side: SIDE,
          before: { endedAtMs: T0 - MONTH_MS / 2, id: some },
          limit: 10,
        }),
    ],
    ['recorded', (reads) => reads.recorded('main', T0 - MONTH_MS, null, 100)],
    ['recorded after', (reads) => reads.recorded('main', T0 - MONTH_MS, { atMs: T0 - MONTH_MS / 2, id: some }, 100)],
    ['shadows', (reads) => reads.shadows('main', 'alt', T0 - MONTH_MS, { atMs: T0 - MONTH_MS / 2, id: some }, 100)],
    ['refusals', (reads) => reads.refusals('main', T0 - 7 * 24 * HOUR)],
  ]
}

/** With how many rows each may read. What is counted is counted in an index alone. */
const walks = (count: number): [string, number, (reads: Reads) => Promise<unknown>][] => {
  const some = [7, 0, 29, 65].map((n) => videoId(count - n))
  return [
    ['countOf', MAX_COUNTED * 1.1, (reads) => reads.countOf(SIDE, T0 - MONTH_MS)],
    ...overviewWalks(),
    ['pendingFor', MAX_PENDING_COUNTED * 1.1, (reads) => reads.pendingFor('client_00', 'we_0_1')],
    ['figures', MOST_COUNTED * 1.1, (reads) => reads.figures()],
    ['transfersOf', 1_500, (reads) => reads.transfersOf(MAIN, 50)],
    ['positions', 1_500, (reads) => reads.positions(some)],
    [
      'eventsOf a type',
      1_100,
      (reads) => reads.eventsOf('client_00', { after: 0, limit: 100, types: ['video.failed', 'video.canceled'] }),
    ],
    ['page 1', count, (reads) => reads.page('client_00', { statuses: null, offset: 0, limit: 20, history: [] })],
    ['page 100', count, (reads) => reads.page('client_00', { statuses: null, offset: 2_000, limit: 20, history: [] })],
    [
      'page 1 with older jobs',
      count + 10_000,
      (reads) => reads.page('client_00', { statuses: null, offset: 0, limit: 20, history: [ALT] }),
    ],
    [
      'page 9 of a status with older jobs',
      count + 10_000,
      (reads) => reads.page('client_00', { statuses: ['failed'], offset: 160, limit: 20, history: [ALT] }),
    ],
    [
      'page 1 of statuses',
      count,
      (reads) => reads.page('client_00', { statuses: ['queued', 'failed'], offset: 0, limit: 20, history: [] }),
    ],
    [
      'page 10 of statuses',
      count,
      (reads) => reads.page('client_00', { statuses: ['completed', 'failed'], offset: 200, limit: 20, history: [] }),
    ],
  ]
}

const of = (asked: [string, (reads: Reads) => Promise<unknown>][]): HistoryRead[] =>
  asked.map(([name, read]) => [name, (on) => read(readsOf(on))])

export const historyReads = (
  count: number,
): {
  pages: HistoryRead[]
  walks: HistoryWalk[]
} => ({
  pages: [
    ...of(plain(count)),
    ['nextBacklog', (on) => nextBacklog(on, T0)],
    ['nextReplay', (on) => nextReplay(on)],
    ['purgeable', (on) => purgeable(on, T0 - MONTH_MS / 2, 100)],
    ['purgeable but of some', (on) => purgeable(on, T0 - MONTH_MS / 2, 100, { except: ['client_01', 'client_02'] })],
    ['purgeable of a client', (on) => purgeable(on, T0 - MONTH_MS / 2, 100, { client: 'client_01' })],
    ['purgeable of none', (on) => purgeable(on, 0, 100)],
    ['purgeable events', (on) => purgeableEvents(on, T0 - HOUR, 100)],
    ...lists(count),
    ...listsOfAll(count),
    ...of(lineReads(count)),
    ...of(metadataReads(count)),
  ],
  walks: [...walks(count), ...lineWalks(count)].map(([name, most, read]) => [
    name,
    (on: Reader) => read(readsOf(on)),
    most,
  ]),
})
