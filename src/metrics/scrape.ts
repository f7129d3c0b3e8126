import type { BackendView } from '../core/api/videos.ts'
import type { Figures, FigureStore } from '../core/store/admin.ts'
import type { Replica } from '../core/ports.ts'
import { sleepUntil, type Clock } from '../core/time/clock.ts'
import { VERSION, type AccountId } from '../core/vocabulary.ts'
import type { GaugeName } from './definitions.ts'
import type { Metrics } from './registry.ts'

/** A reading of the store serves all scrapes for so long. */
const KEPT_MS = 3_000
/** A store that is slower is away, as far as this scrape goes. */
const PATIENCE_MS = 2_000

interface Named {
  name: string
  account: { id: AccountId }
}

interface ScrapeSources<B extends Named> {
  store: FigureStore
  clock: Clock
  replica: Replica
  backends: ReadonlyMap<string, B>
  /** As its clients see it. */
  describe: (backend: B) => Promise<BackendView>
  splits: { stopped(): number }
}

interface Known {
  atMs: number
  figures: Figures
  views: readonly BackendView[]
}

const PHASES: readonly Figures['open'][number]['phase'][] = ['waiting', 'dispatching', 'doubtful', 'accepted']
const HEALTHS = ['up', 'degraded', 'down'] as const

/**
 * What a scrape is answered: one reading of the store for all within seconds, one text for those that come at the same
 * time. `metrics`: null if nobody counts.
 */
export const createScrape = <B extends Named>(
  metrics: Metrics | null,
  { store, clock, replica, backends: named, describe, splits }: ScrapeSources<B>,
): (() => Promise<string>) => {
  if (metrics === null) return async () => ''
  const backends = [...named.values()]
  let kept: Known | null = null
  let reading: Promise<Known | null> | null = null
  let rendering: Promise<string> | null = null

  const readAll = async (): Promise<Known> => {
    const [figures, ...views] = await Promise.all([store.figures(), ...backends.map(describe)])
    kept = { atMs: clock.now(), figures, views }
    return kept
  }

  /** Null: the store is away. A reading that hangs is the next scrapes' too: there is never a second one. */
  const read = async (): Promise<Known | null> => {
    if (kept !== null && Math.abs(clock.now() - kept.atMs) < KEPT_MS) return kept
    reading ??= readAll()
      .catch(() => null)
      .finally(() => (reading = null))
    const inTime = new AbortController()
    const late = sleepUntil(clock, clock.now() + PATIENCE_MS, inTime.signal).then(() => null)
    return Promise.race([reading, late]).finally(() => inTime.abort())
  }

  const set = (name: GaugeName, value: number | null, labels: Record<string, string> = {}): void => {
    if (value !== null) metrics.gauge(name).set(labels, value)
  }

  const showBackend = ({ name, health, budget, slots, held_by: heldBy }: BackendView): void => {
    const backend = { backend: name }
    for (const status of HEALTHS) set('health', Number(health.status === status), { ...backend, status })
    const isRefused = health.reason === 'backend_credentials_rejected'
    set('key_refused', Number(isRefused && health.status === 'down'), backend)
    set('permission_missing', Number(isRefused && health.status !== 'down'), backend)
    set('circuit_open', Number(health.reason === 'circuit_open'), backend)
    set('budget_limit', budget.limit, backend)
    set('budget_remaining', budget.remaining, backend)
    set('slots_limit', slots.limit, backend)
    set('slots_held', slots.used, backend)
    set('account_held', Number(heldBy !== null), backend)
    set('account_held_here', Number(heldBy === replica.id), backend)
  }

  const show = ({ atMs, figures, views }: Known): void => {
    const { open, waiting, deliveries, freeBytes } = figures
    const ageS = (sinceMs: number | null): number => Math.max(0, (atMs - (sinceMs ?? Infinity)) / 1_000)
    views.forEach(showBackend)
    for (const { name: backend, account } of backends) {
      for (const phase of PHASES) set('open_videos', 0, { backend, phase })
      set('oldest_waiting', ageS(waiting.find((one) => one.account === account.id)?.oldestAtMs ?? null), { backend })
    }
    // Those of a backend that is configured no more, too.
    for (const { backend, phase, videos } of open) set('open_videos', videos, { backend, phase })
    set('deliveries_pending', deliveries.pending)
    set('delivery_overdue', ageS(deliveries.firstDueAtMs))
    set('disk_free', freeBytes)
    set('splits_stopped', splits.stopped())
  }

  const render = async (): Promise<string> => {
    const known = await read()
    metrics.clear()
    set('build', 1, { version: VERSION, node: process.version })
    set('store_up', Number(known !== null))
    if (known) show(known)
    return metrics.text()
  }

  for (const result of ['ok', 'refused'] as const) metrics.begin('config_reload', { result })
  for (const target of ['video', 'endpoint'] as const)
    for (const status of ['delivered', 'failed'] as const) metrics.begin('delivery_ended', { target, status })
  for (const { name: backend } of backends) {
    metrics.begin('duplicate_job', { backend })
    metrics.begin('video_ended', { backend, status: 'completed', code: '' })
    metrics.begin('video_ended', { backend, status: 'failed', code: 'create_outcome_unknown' })
    for (const result of ['running', 'over', 'failed'] as const) metrics.begin('poll', { backend, result })
  }
  return () => (rendering ??= render().finally(() => (rendering = null)))
}
