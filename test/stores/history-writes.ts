import { auditEntry, keyRecord, sessionRecord } from '../fakes/access.ts'
import { MAX_REPLAYED } from '../../src/core/endpoints.ts'
import type { Db, RoomyDb } from '../../src/stores/sql/db.ts'
import { nextBacklog, nextReplay } from '../../src/stores/sql/webhook-verbs.ts'
import { purgeable, purgeableEvents } from '../../src/stores/sql/upkeep.ts'
import { createReads } from '../../src/stores/sql/reads.ts'
import { VERBS } from '../../src/stores/sql/store.ts'
import type { ShadowRecord } from '../../src/core/store/accounts.ts'
import type { Change } from '../../src/core/store/videos.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { LEASE_MS, ROOMY } from '../contract/store/helpers.ts'
import { accepted, draft, event, HOUR, idemKey, newEndpoint, T0, TARGET } from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { eventId, MAIN, MONTH_MS, videoId } from './history-reads.ts'

/** Every write that meets what grows, with values that a history (history.ts) has. */

/** `most`: rows that a statement of it may read, whatever it answers. */
export type HistoryWrite = readonly [name: string, write: (on: RoomyDb) => Promise<unknown>, most?: number]

/** Deliveries by id: one that is due and untried, one whose latest attempt was one of a hundred. */
export interface SomeDeliveries {
  due: string
  tried: string
}

/** A big client has used them. */
const FEW = { videosPerMonth: 2, creditsPerMonth: 2 }
const OPEN = { limits: { ...ROOMY, queue: 1e6, client: 1e6 }, freeBytes: null, nowMs: T0 }
const ADMISSION = { slots: null, leaseMs: LEASE_MS }
const OF_MAIN = { client: 'client_00', account: MAIN }

const found = async (on: Db, id: string): Promise<VideoRecord> => must(await createReads(on, () => T0).video(id))

const ended = (video: VideoRecord): VideoRecord => ({
  ...video,
  phase: 'ended',
  status: 'completed',
  version: video.version + 1,
  endedAtMs: T0,
  dueAtMs: null,
})

const opening = (given: Partial<VideoRecord> = {}) => {
  const id = videoId(99_999_999)
  const told = { ...event(id, 1, { client: 'client_00', type: 'video.queued' }) }
  return draft({ ...OF_MAIN, id, ...given }, { events: [{ event: told, targets: [TARGET] }], notes: [] })
}

/** The newest video of these that is in the phase that its number says (history.ts). */
const numbered = (count: number, place: number): string => videoId(Math.floor(count / 20) * 20 - 20 + place)

const ofVideos = (count: number): HistoryWrite[] => [
  [
    'open: it waits',
    async (on) => {
      const quotas = { ...OPEN.limits, videosPerMonth: 1e9, creditsPerMonth: 1e9 }
      const key = idemKey({ client: 'client_00' })
      await VERBS.open(on, { ...OPEN, draft: opening(), key, limits: quotas, admission: null })
    },
  ],
  [
    'open: it is sent',
    async (on) => {
      const draft = opening({ account: `acct_new` as VideoRecord['account'], lane: 'lane_1' })
      await VERBS.open(on, { ...OPEN, draft, key: null, admission: ADMISSION })
    },
  ],
  [
    'adopt',
    (on) => {
      const { events, notes, video } = opening()
      const adopted = { ...accepted(video), backendJobId: 'job_other' }
      return VERBS.adopt(on, { draft: { events, notes, video: adopted, quotas: FEW }, freeBytes: null, nowMs: T0 })
    },
  ],
  [
    'takeFromPool',
    (on) => VERBS.takeFromPool(on, { from: MAIN, video: draft().video, admission: ADMISSION, nowMs: T0 }),
  ],
  ['admit', (on) => VERBS.admit(on, { account: MAIN, admission: ADMISSION, nowMs: T0 })],
  [
    'write: it ends',
    async (on) => {
      const video = await found(on, numbered(count, 13))
      const { id, client } = video
      const told = event(id, 9, { client, type: 'video.completed', atMs: T0 })
      const change: Change = {
        kind: 'save',
        video: { ...ended(video), credits: { charged: 2, remaining: null } },
        quotas: FEW,
        events: [{ event: told, targets: [TARGET] }],
        notes: [],
      }
      await VERBS.write(on, { before: video, change, nowMs: T0 })
    },
  ],
  [
    'write: it is discarded',
    async (on) => {
      const before = await found(on, numbered(count, 1))
      await VERBS.write(on, { before, change: { kind: 'discard' }, nowMs: T0 })
    },
  ],
  [
    'purge',
    async (on) => VERBS.purge(on, { videos: await purgeable(on, T0 - HOUR, 100), beforeMs: T0 - HOUR }),
    // The newest event of each that is removed.
    400,
  ],
]

const replays = [true, false].map((onlyFailed): HistoryWrite => [
  `replay: ${onlyFailed ? 'what failed' : 'all'}`,
  async (on) => {
    await on.run('DELETE FROM replays')
    const replay = { client: 'client_30', endpointId: 'we_30_1', sinceMs: T0 - MONTH_MS / 2, untilMs: T0, onlyFailed }
    await VERBS.replay(on, { replay, nowMs: T0 })
    await VERBS.replayStep(on, { ...must(await nextReplay(on)), limit: 100, nowMs: T0 })
  },
  // How many they are is counted, up to what may be asked for at once.
  MAX_REPLAYED + 1,
])

const ofDeliveries = (count: number, { due, tried }: SomeDeliveries): HistoryWrite[] => {
  const attempt = { atMs: T0, durationMs: 1, status: 503, error: null, responseBody: null }
  const claim = async (on: Db) =>
    must(await VERBS.claim(on, { kind: 'deliver', id: due, leaseMs: 1_000, holder: null, gone: null, nowMs: T0 }))
  const changed = (enabled: boolean, id: string, client: string) => (on: Db) =>
    VERBS.changeEndpoint(on, { client, id, patch: { enabled }, nowMs: T0 })
  return [
    [
      'claimDeliveries',
      async (on) => {
        const ids = (await createReads(on, () => T0).dueDeliveries(100)).map(({ id }) => id)
        await VERBS.claimDeliveries(on, { ids, leaseMs: 1_000, nowMs: T0 })
      },
    ],
    [
      'claim, extend and release',
      async (on) => {
        const lease = await claim(on)
        await VERBS.extend(on, { kind: 'deliver', lease, leaseMs: 1_000, nowMs: T0 })
        await VERBS.release(on, { kind: 'deliver', lease })
      },
    ],
    [
      'attempted: it failed',
      async (on) => {
        const after = { status: 'pending', nextAttemptAtMs: T0 + HOUR } as const
        await VERBS.attempted(on, { lease: await claim(on), attempt, after, nowMs: T0 })
      },
    ],
    [
      'attempted: once more after a hundred',
      (on) => {
        const lease = { id: tried, token: 'other', untilMs: T0 + 1 }
        return VERBS.attempted(on, { lease, attempt, after: { status: 'failed' }, nowMs: T0 })
      },
    ],
    [
      'attempted: gone',
      async (on) => {
        const lease = await claim(on)
        return VERBS.attempted(on, {
          lease,
          attempt: { ...attempt, status: 410 },
          after: { status: 'failed' },
          nowMs: T0,
        })
      },
    ],
    ['createEndpoint', (on) => VERBS.createEndpoint(on, { endpoint: newEndpoint({ client: 'client_00' }), nowMs: T0 })],
    ['changeEndpoint: disabled', changed(false, 'we_0_1', 'client_00')],
    ['changeEndpoint: enabled', changed(true, 'we_0_2', 'client_00')],
    [
      'changeEndpoint: moved',
      (on) => {
        const patch = { url: 'https://new.example/' }
        return VERBS.changeEndpoint(on, { client: 'client_00', id: 'we_0_1', patch, nowMs: T0 })
      },
      // All that is due to it.
      2_000,
    ],
    [
      'deleteEndpoint',
      (on) => VERBS.deleteEndpoint(on, { client: 'client_00', id: 'we_0_1', nowMs: T0 }),
      // All that is due to it, where that is little and near together.
      2_000,
    ],
    ['backlogStep', async (on) => VERBS.backlogStep(on, { ...must(await nextBacklog(on, T0)), nowMs: T0 })],
    [
      'redeliver',
      async (on) => {
        const { id, client } = await found(on, videoId(Math.round(count / 3)))
        await VERBS.redeliver(on, { client, eventId: eventId(Number(id.slice(4)), 2), audit: undefined, nowMs: T0 })
      },
    ],
    ...replays,
    [
      'purgeWebhooks',
      async (on) => {
        const events = await purgeableEvents(on, T0 - HOUR, 100)
        await VERBS.purgeWebhooks(on, { events, beforeMs: T0 - HOUR, limit: 100, nowMs: T0 })
      },
    ],
  ]
}

const others: HistoryWrite[] = [
  [
    'purgeResources',
    (on) => VERBS.purgeResources(on, { beforeMs: T0 - HOUR, limit: 100, nowMs: T0 + HOUR / 2 }),
    // All keys that are past their time: this removes them by the hundred.
    2_000,
  ],
  ['purgeAudit', (on) => VERBS.purgeAudit(on, { beforeMs: T0 - HOUR, limit: 100 })],
  [
    'changeAccess',
    (on) => VERBS.changeAccess(on, { keys: [keyRecord({ id: 'key_new' })], clients: [], audit: auditEntry('aud_new') }),
  ],
  ['keysUsed', (on) => VERBS.keysUsed(on, { uses: [{ id: 'key_7', atMs: T0 }] })],
  ['purgeKeys', (on) => VERBS.purgeKeys(on, { beforeMs: T0 - HOUR, limit: 100 })],
  [
    'beginSession',
    (on) => VERBS.beginSession(on, { session: sessionRecord({ id: 'session_new', client: 'client_7' }), most: 10 }),
  ],
  ['sessionSeen', (on) => VERBS.sessionSeen(on, { id: 'session_7', seenAtMs: T0, endsAtMs: T0 + HOUR })],
  ['endSession', (on) => VERBS.endSession(on, { id: 'session_8' })],
  ['purgeSessions', (on) => VERBS.purgeSessions(on, { beforeMs: T0, limit: 100 })],
  ['putSample', (on) => VERBS.putSample(on, { account: MAIN, atMs: T0, waiting: 9, used: 3, capacity: 10 })],
  ['purgeSamples', (on) => VERBS.purgeSamples(on, { beforeMs: T0 - HOUR, limit: 100 })],
  ['purgeRefusals', (on) => VERBS.purgeRefusals(on, { beforeMs: T0 - HOUR, limit: 100 })],
  [
    'putShadows',
    (on) => {
      const shadow: ShadowRecord = {
        videoId: videoId(7),
        atMs: T0,
        from: 'main',
        to: 'alt',
        verdict: 'untouched',
        kinds: [],
      }
      return VERBS.putShadows(on, { shadows: [shadow] })
    },
  ],
]

export const historyWrites = (count: number, deliveries: SomeDeliveries): HistoryWrite[] => [
  ...ofVideos(count),
  ...ofDeliveries(count, deliveries),
  ...others,
]
