import type { TroubleView } from '../../../core/api/admin.ts'
import type { BackendView } from '../../../core/api/videos.ts'
import type { Overview } from '../../../core/store/admin.ts'
import type { SplitState } from '../../../core/store/accounts.ts'
import { iso, isoOrNull } from '../../../core/time/clock.ts'

interface Sources {
  overview: Overview
  backends: readonly BackendView[]
  /** Those that stand stopped. */
  splits: readonly Pick<SplitState, 'key' | 'stopped'>[]
  /** What happened before is over. */
  sinceMs: number
  isOperator: boolean
}

const NOTHING = {
  client: null,
  backend: null,
  video_id: null,
  delivery_id: null,
  endpoint_id: null,
  rule: null,
  code: null,
  message: null,
}

type Dated = TroubleView & { at: string }

const latestFirst = (a: TroubleView, b: TroubleView): number => Date.parse(b.at ?? '') - Date.parse(a.at ?? '') || 0

const standing = ({ overview, backends, splits }: Sources): TroubleView[] => [
  ...backends
    .filter(({ health }) => health.status !== 'up')
    .map(({ name, health }): TroubleView => ({
      ...NOTHING,
      type: 'backend_unwell',
      at: health.since,
      standing: true,
      backend: name,
      code: health.reason,
      message: health.status,
    })),
  ...splits.map(({ key, stopped }): TroubleView => ({
    ...NOTHING,
    type: 'split_stopped',
    at: isoOrNull(stopped?.atMs ?? null),
    standing: true,
    rule: key,
  })),
  ...overview.doubtfulVideos.map(({ id, client, backend, doubtSinceMs }): TroubleView => ({
    ...NOTHING,
    type: 'create_in_doubt',
    at: isoOrNull(doubtSinceMs),
    standing: true,
    client,
    backend,
    video_id: id,
  })),
  ...overview.disabledEndpoints.map(({ id, client, description, reason, atMs }): TroubleView => ({
    ...NOTHING,
    type: 'endpoint_disabled',
    at: iso(atMs),
    standing: true,
    client,
    endpoint_id: id,
    code: reason,
    message: description,
  })),
]

const happened = ({ overview }: Sources): Dated[] => [
  ...overview.failedVideos.map(({ id, client, backend, error, endedAtMs }): Dated => ({
    ...NOTHING,
    type: 'video_failed',
    at: iso(endedAtMs ?? 0),
    standing: false,
    client,
    backend,
    video_id: id,
    code: error?.code ?? null,
    message: error?.message ?? null,
  })),
  ...overview.failedDeliveries.map(({ id, client, videoId, endpointId, atMs, status, error }): Dated => ({
    ...NOTHING,
    type: 'delivery_failed',
    at: iso(atMs),
    standing: false,
    client,
    video_id: videoId,
    delivery_id: id,
    endpoint_id: endpointId,
    message: error ?? (status === null ? null : `HTTP ${status}`),
  })),
]

/** What lasts, and then what happened, each the latest first. Whose it is only operators are told. Pure. */
export const troublesOf = (sources: Sources): TroubleView[] => {
  const { sinceMs, isOperator } = sources
  const recent = happened(sources).filter(({ at }) => Date.parse(at) >= sinceMs)
  const all = [...standing(sources).toSorted(latestFirst), ...recent.toSorted(latestFirst)]
  return isOperator ? all : all.map((one) => ({ ...one, client: null }))
}
