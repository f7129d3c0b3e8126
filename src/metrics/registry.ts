import { Histogram, Counter, Gauge, Registry } from '@prometheus-io/client'
import {
  type HistogramDefinition,
  PROCESS,
  COUNTERS,
  HISTOGRAMS,
  LEVELS,
  type Definition,
  GAUGES,
  type GaugeName,
} from './definitions.ts'
import { readdirSync } from 'node:fs'
import { createHistogram, performance } from 'node:perf_hooks'
import type { Counted, CountedBy, Levelled, Tally, Timed } from '../core/tally.ts'

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
