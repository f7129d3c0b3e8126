import { Histogram } from '@prometheus-io/client'
import type { HistogramDefinition } from './definitions.ts'

/** A line of the text; the library joins both kinds of labels. */
interface Value {
  metricName: string
  labels: { le?: number | string }
  sharedLabels: Readonly<Record<string, string>>
  value: number
}

interface Counts {
  labels: Readonly<Record<string, string>>
  /** Of each bucket alone; the last one is for what is longer than all bounds. */
  buckets: number[]
  sum: number
}
/** What was seen with the same first labels. */
interface Branch {
  next: Map<string, Branch>
  counts: Counts | null
}

const branch = (): Branch => ({ next: new Map(), counts: null })

/**
 * The library's histogram, but for how it counts: the library joins all labels to a key and looks buckets up by their
 * bounds as text, at each observation. That took up to 2 µs of a read (`npm run bench -- metrics`); this takes 0.1.
 */
export class QuickHistogram extends Histogram<string> {
  readonly #definition: HistogramDefinition
  readonly #root = branch()
  readonly #all: Counts[] = []

  constructor(definition: HistogramDefinition) {
    const { name, help, labels, buckets } = definition
    super({ name, help, labelNames: labels, buckets: [...buckets], registers: [] })
    this.#definition = definition
    // Without labels it stands at 0 before anything was observed.
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
    let at = this.#root
    for (const name of this.#definition.labels) {
      const value = labels[name] ?? ''
      let next = at.next.get(value)
      if (!next) at.next.set(value, (next = branch()))
      at = next
    }
    if (!at.counts) {
      at.counts = { labels: { ...labels }, buckets: this.#definition.buckets.map(() => 0).concat(0), sum: 0 }
      this.#all.push(at.counts)
    }
    return at.counts
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
    return { name, help, type: 'histogram', values: this.#all.flatMap((counts) => this.#valuesOf(counts)) }
  }
}
