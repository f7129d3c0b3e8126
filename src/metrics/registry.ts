import { Counter, Gauge, Registry } from '@prometheus-io/client'
import type { Counted, CountedBy, Levelled, Tally, Timed } from '../core/tally.ts'
import { COUNTERS, HISTOGRAMS, LEVELS, type Definition } from './definitions.ts'
import { GAUGES, type GaugeName } from './gauges.ts'
import { QuickHistogram } from './histogram.ts'
import { watchProcess } from './process.ts'

export interface Metrics {
  tally: Tally
  /** Puts a counter at 0: Prometheus sees no rise of what was not there. */
  begin<K extends Counted>(what: K, labels: CountedBy[K]): void
  /** Forgets what was read at the scrape before. */
  clear(): void
  /** What is read at a scrape. */
  gauge(name: GaugeName): Gauge<string>
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>
  close(): void
}

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

const made = <K extends string, T, U>(table: Readonly<Record<K, T>>, make: (entry: T) => U): Record<K, U> =>
  // The keys are those of the table.
  Object.fromEntries(Object.entries<T>(table).map(([key, entry]) => [key, make(entry)])) as Record<K, U>

/** The metrics of one process, in a registry of their own. Close them: they watch the event loop. */
export const createMetrics = (): Metrics => {
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
    // Without labels it would stand at 0 before anybody set it.
    if (one.labels.length === 0) gauge.remove({})
    return gauge
  }
  const levels = made<Levelled, Definition, Gauge<string>>(LEVELS, gaugeOf)
  const gauges = made<GaugeName, Definition, Gauge<string>>(GAUGES, gaugeOf)
  const unwatch = watchProcess(registry)
  return {
    tally: {
      count: (what, labels) => counters[what].inc({ ...labels }),
      // A clock that was set back makes no duration negative.
      observe: (what, ms, labels) => histograms[what].add(labels, Math.max(0, ms) / 1_000),
      set: (what, value) => levels[what].set(value),
    },
    begin: (what, labels) => counters[what].inc({ ...labels }, 0),
    clear() {
      for (const gauge of Object.values(gauges)) {
        gauge.reset()
        gauge.remove({})
      }
    },
    gauge: (name) => gauges[name],
    text: () => registry.metrics(),
    close: unwatch,
  }
}
