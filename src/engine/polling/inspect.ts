import type { BackendDetailView } from '../../core/api/admin.ts'
import type { BackendView } from '../../core/api/videos.ts'
import type { Replica } from '../../core/ports.ts'
import type { Store } from '../../core/store/index.ts'
import { iso, isoOrNull, onTheWall, type Clock } from '../../core/time/clock.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { FirstPoll } from './poll.ts'
import { type Learned, barsOf, percentile } from './choose.ts'
import type { Account, Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

interface InspectDeps {
  store: Pick<Store, 'queueHead' | 'positions'>
  clock: Clock
  replica: Pick<Replica, 'id' | 'isAlone'>
  upstream: Pick<Upstream, 'budget' | 'shutUntilMs'>
  describe: (backend: Backend) => Promise<BackendView>
  learned: Pick<Learned, 'load' | 'of' | 'outlook'>
  firstPoll: Pick<FirstPoll, 'calledBack'>
}

const QUEUE_SHOWN = 20
const DRIFT_SHOWN = 20
const SOURCES = ['text', 'audio'] as const

const seconds = (ms: number): number => Math.round(ms) / 1_000
const thousandth = (part: number): number => Math.round(part * 1_000) / 1_000

/** One backend in full, by what this process knows of it. `client`: whose part of the queue is shown; null: all. Asks nobody. */
export const createInspect = ({ store, clock, replica, upstream, describe, learned, firstPoll }: InspectDeps) => {
  const learnedOf = ({ name, account }: Backend): BackendDetailView['learned'] =>
    SOURCES.map((source) => {
      const { own, polls, thetaMs } = learned.outlook(name, source, account.id, firstPoll.calledBack(account))
      const { sorted } = own
      const longest = sorted.at(-1)
      return {
        source,
        videos: sorted.length,
        seconds:
          longest === undefined
            ? null
            : {
                p50: seconds(percentile(sorted, 0.5) ?? 0),
                p95: seconds(percentile(sorted, 0.95) ?? 0),
                longest: seconds(longest),
              },
        histogram: barsOf(sorted).map(({ fromMs, toMs, videos }) => ({
          from: seconds(fromMs),
          to: toMs === null ? null : seconds(toMs),
          videos,
        })),
        polls: polls.map(({ afterMs, running }) => ({ after: seconds(afterMs), running: thousandth(running) })),
        lateness: seconds(thetaMs),
      }
    })

  const queueOf = async (account: Account, client: string | null): Promise<BackendDetailView['queue']> => {
    const videos = await store.queueHead(account.id, client, QUEUE_SHOWN)
    if (videos.length === 0) return []
    const positions = await store.positions(videos.map(({ id }) => id))
    // One that went meanwhile has no place any more.
    const placed = videos.flatMap((video): { video: VideoRecord; position: number }[] => {
      const position = positions.get(video.id)
      return position === undefined ? [] : [{ video, position }]
    })
    return placed
      .toSorted((a, b) => a.position - b.position)
      .map(({ video, position }) => ({
        position,
        video_id: video.id,
        client: client === null ? video.client : null,
        backend: video.backend,
        reason: account.paused.isPaused('creates') ? 'backend_paused' : (video.waitReason ?? 'no_free_slot'),
        created_at: iso(video.createdAtMs),
      }))
  }

  return async (backend: Backend, client: string | null): Promise<BackendDetailView> => {
    const { name, account } = backend
    const [view, budget, queue, drift] = await Promise.all([
      describe(backend),
      upstream.budget(account),
      queueOf(account, client),
      account.drift(),
      learned.load([name]),
    ])
    const shown = (atMs: number | null): string | null => isoOrNull(atMs === null ? null : onTheWall(clock, atMs))
    const shutUntilMs = upstream.shutUntilMs(account.id)
    return {
      ...view,
      window: {
        seconds: seconds(budget.lengthMs),
        next_request_at: shown(budget.nextAtMs),
        next_create_at: shown(budget.nextCreateAtMs),
      },
      breaker: { open: shutUntilMs > 0, retry_at: shutUntilMs > 0 ? shown(shutUntilMs) : null },
      queue,
      learned: learnedOf(backend),
      learned_here: replica.isAlone || view.held_by === replica.id,
      drift: { kinds: drift.length, latest: drift.slice(0, DRIFT_SHOWN) },
    }
  }
}
