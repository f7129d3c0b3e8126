import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Ports } from '../core/ports.ts'

const SAID_EVERY_MS = 60_000

/** Says what could not be sent, once a minute at most: spans are lost then, and nothing else is. */
export const watched = (exporter: SpanExporter, { clock, log }: Pick<Ports, 'clock' | 'log'>): SpanExporter => {
  let lost = 0
  let saidAtMs = -Infinity
  const say = (spans: number, error: Error): void => {
    lost += spans
    if (clock.now() - saidAtMs < SAID_EVERY_MS) return
    saidAtMs = clock.now()
    // The answer of a stranger's server is in the error's other fields: only its message is told.
    log.warn({ lost_spans: lost, reason: error.message }, 'the collector of traces takes no spans')
    lost = 0
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) say(spans.length, result.error)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
