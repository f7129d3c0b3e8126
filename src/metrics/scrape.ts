import { readdirSync } from 'node:fs'
import { createHistogram, performance } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { BackendView } from '../core/api/videos.ts'
import type { Replica } from '../core/ports.ts'
import type { FigureStore, Figures } from '../core/store/admin.ts'
import type { Counted, CountedBy, Levelled, Tally, Timed } from '../core/tally.ts'
import { type Clock, sleepUntil } from '../core/time/clock.ts'
import { type AccountId, VERSION } from '../core/vocabulary.ts'
import {
  COUNTERS,
  type Definition,
  GAUGES,
  type GaugeName,
  HISTOGRAMS,
  type HistogramDefinition,
  LEVELS,
  PROCESS,
} from './definitions.ts'

/** A line of the text; the library joins both kinds of labels. */
interface Value {
  metricName: string
  labels: { le?: number | string }
  sharedLabels: Readonly<Record<string, string>>
  value: number
}

interface Counts {
  labels: Readonly<Record<string, string>>
  /** Of each bucket by itself; the last one is for what is longer than all bounds. */
  buckets: number[]
  sum: number
}

/**
 * The library's histogram, but for how it counts: the library joins all labels to a sorted key and looks buckets up by
 * their bounds as text, at each observation. That was 2 µs of a read (`npm run bench -- metrics`).
 */
export class QuickHistogram extends Histogram<string> {
  readonly #definition: HistogramDefinition
  readonly #all = new Map<string, Counts>()

  constructor(definition: HistogramDefinition) {
    const { name, help, labels, buckets } = definition
    super({ name, help, labelNames: labels, buckets: [...buckets], registers: [] })
    this.#definition = definition
    // Without labels it is 0 before anything was observed.
    if (labels.length === 0) this.#countsOf({})
  }

  /** `labels`: every one of the definition. */
  add(labels: Readonly<Record<string, string>>, value: number): void {
    const { buckets } = this.#definition
    const counts = this.#countsOf(labels)
    let n = 0
    while (n < buckets.length && value > (buckets[n] ?? 0)) n += 1
    counts.buckets[n] = (counts.buckets[n] ?? 0) + 1
    counts.sum += value
  }

  #countsOf(labels: Readonly<Record<string, string>>): Counts {
    let key = ''
    for (const name of this.#definition.labels) key += `${labels[name] ?? ''}\0`
    let counts = this.#all.get(key)
    if (!counts) {
      counts = { labels: { ...labels }, buckets: this.#definition.buckets.map(() => 0).concat(0), sum: 0 }
      this.#all.set(key, counts)
    }
    return counts
  }

  #valuesOf({ labels: sharedLabels, buckets, sum }: Counts): Value[] {
    const { name, buckets: bounds } = this.#definition
    let count = 0
    const values = buckets.map((own, n): Value => {
      count += own
      return { metricName: `${name}_bucket`, labels: { le: bounds[n] ?? '+Inf' }, sharedLabels, value: count }
    })
    return [
      ...values,
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
    ]
  }

  /** What the library's registry asks for, and its `get`. */
  async getForPromString() {
    const { name, help } = this.#definition
    return {
      name,
      help,
      type: 'histogram',
      values: [...this.#all.values()].flatMap((counts) => this.#valuesOf(counts)),
    }
  }
}

const OPEN_FILES = '/proc/self/fd'
/** Milliseconds between two measurements of how late the event loop is. */
const MEASURED_EVERY_MS = 50
const NS_PER_MS = 1e6
const NS_PER_S = 1e9

const openFiles = (): number | null => {
  try {
    return readdirSync(OPEN_FILES).length
  } catch {
    return null
  }
}

/**
 * How late a timer of the event loop comes, in nanoseconds. Node's own monitor of that makes each request a tenth more
 * expensive (`npm run bench -- metrics`).
 */
const watchLoop = () => {
  const delay = createHistogram()
  let dueMs = performance.now() + MEASURED_EVERY_MS
  const timer = setInterval(() => {
    const nowMs = performance.now()
    // The least that a histogram takes is 1.
    delay.record(Math.max(1, Math.round((nowMs - dueMs) * NS_PER_MS)))
    dueMs = nowMs + MEASURED_EVERY_MS
  }, MEASURED_EVERY_MS).unref()
  return { delay, unwatch: () => clearInterval(timer) }
}

/**
 * How the process itself fares. The library's own set is not taken: it uses node's own monitor, watches every
 * collection of garbage and cannot be ended.
 */
const watchProcess = (registry: Registry): (() => void) => {
  const { delay, unwatch } = watchLoop()
  const gauge = (one: keyof Omit<typeof PROCESS, 'cpu'>, read: () => number | null): void => {
    const { name, help } = PROCESS[one]
    const gauge = new Gauge<string>({
      name,
      help,
      registers: [],
      collect() {
        const value = read()
        if (value === null) this.remove({})
        else this.set(value)
      },
    })
    registry.registerMetric(gauge)
  }

  let countedS = 0
  const { name, help } = PROCESS.cpu
  const cpu = new Counter({
    name,
    help,
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage()
      const seconds = (user + system) / 1e6
      this.inc(Math.max(0, seconds - countedS))
      countedS = seconds
    },
  })
  registry.registerMetric(cpu)
  const startedS = (Date.now() - performance.now()) / 1_000
  gauge('started', () => startedS)
  gauge('memory', () => process.memoryUsage.rss())
  gauge('heap', () => process.memoryUsage().heapUsed)
  gauge('files', openFiles)

  // Nothing measured since the scrape before: its mean would be NaN.
  gauge('lag_mean', () => (delay.count === 0 ? 0 : delay.mean / NS_PER_S))
  gauge('lag_p99', () => (delay.count === 0 ? 0 : delay.percentile(99) / NS_PER_S))
  gauge('lag_max', () => {
    const max = delay.count === 0 ? 0 : delay.max / NS_PER_S
    delay.reset()
    return max
  })
  let before = performance.eventLoopUtilization()
  gauge('utilization', () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  })
  return unwatch
}

const made = <K extends string, T, U>(table: Readonly<Record<K, T>>, make: (entry: T) => U): Record<K, U> =>
  // The keys are those of the table.
  Object.fromEntries(Object.entries<T>(table).map(([key, entry]) => [key, make(entry)])) as Record<K, U>

/** The metrics of one process, in a registry of their own. Close them: they watch the event loop. */
export const createMetrics = () => {
  const registry = new Registry()
  const base = ({ name, help, labels }: Definition) => ({ name, help, labelNames: labels, registers: [registry] })
  const counters = made<Counted, Definition, Counter<string>>(COUNTERS, (one) => new Counter(base(one)))
  const histograms = made<Timed, (typeof HISTOGRAMS)[Timed], QuickHistogram>(HISTOGRAMS, (one) => {
    const histogram = new QuickHistogram(one)
    registry.registerMetric(histogram)
    return histogram
  })
  const gaugeOf = (one: Definition): Gauge<string> => {
    const gauge = new Gauge<string>(base(one))
    // Without labels it would be 0 before anybody set it.
    if (one.labels.length === 0) gauge.remove({})
    return gauge
  }
  const levels = made<Levelled, Definition, Gauge<string>>(LEVELS, gaugeOf)
  const gauges = made<GaugeName, Definition, Gauge<string>>(GAUGES, gaugeOf)
  const unwatch = watchProcess(registry)
  const tally: Tally = {
    count: (what, labels) => counters[what].inc({ ...labels }),
    // A clock that was set back makes no duration negative.
    observe: (what, ms, labels) => histograms[what].add(labels, Math.max(0, ms) / 1_000),
    set: (what, value) => levels[what].set(value),
  }
  return {
    tally,
    /** Puts a counter at 0: Prometheus sees no rise of what was not there. */
    begin: <K extends Counted>(what: K, labels: CountedBy[K]): void => counters[what].inc({ ...labels }, 0),
    /** Forgets what was read at the scrape before. */
    clear(): void {
      for (const gauge of Object.values(gauges)) {
        gauge.reset()
        gauge.remove({})
      }
    },
    /** What is read at a scrape. */
    gauge: (name: GaugeName): Gauge<string> => gauges[name],
    /** Everything, in Prometheus' text format. */
    text: (): Promise<string> => registry.metrics(),
    close: unwatch,
  }
}
export type Metrics = ReturnType<typeof createMetrics>

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

  const showBackend = ({ name, health, budget, slots, paused, held_by: heldBy }: BackendView): void => {
    const backend = { backend: name }
    for (const status of HEALTHS) set('health', Number(health.status === status), { ...backend, status })
    const isRefused = health.reason === 'backend_credentials_rejected'
    set('key_refused', Number(isRefused && health.status === 'down'), backend)
    set('permission_missing', Number(isRefused && health.status !== 'down'), backend)
    set('circuit_open', Number(health.reason === 'circuit_open'), backend)
    for (const work of ['creates', 'polls'] as const)
      set('paused', Number(paused?.[work] ?? false), { ...backend, work })
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
