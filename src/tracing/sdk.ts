import {
  type SpanExporter,
  BatchSpanProcessor,
  SamplingDecision,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { Ports } from '../core/ports.ts'
import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as otel,
  TraceFlags,
  type Context,
  type Link,
  type Span as OtelSpan,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  type Attributes,
  ATTRIBUTES,
  createScope,
  type Place,
  type Span,
  type SpanName,
  SPANS,
  titleOf,
  type Trace,
  type Tracing,
  unrecorded,
} from '../core/tracing.ts'
import { VERSION } from '../core/vocabulary.ts'

const SAID_EVERY_MS = 60_000

/** Says what could not be sent, once a minute at most: spans are lost then, and nothing else is. */
export const watched = (exporter: SpanExporter, { clock, log }: Pick<Ports, 'clock' | 'log'>): SpanExporter => {
  let lost = 0
  let saidAtMs = -Infinity
  const say = (spans: number, error: Error): void => {
    lost += spans
    if (clock.now() - saidAtMs < SAID_EVERY_MS) return
    saidAtMs = clock.now()
    // The answer of a stranger's server is in the error's other fields: only its message is shown.
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

/** Of one export with its retries. A process that stops may have to wait for it. */
const EXPORT_TIMEOUT_MS = 3_000
/** For what is left at the end. */
const CLOSING_MS = 1_000
/** As OTEL_EXPORTER_OTLP_ENDPOINT is read: a collector takes traces at this path. */
const PATH = '/v1/traces'

const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const

const contextOf = ({ traceId, spanId, isSampled, state }: Trace): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  ...(state !== null && { traceState: createTraceState(state) }),
})

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0

/** As the start of the trace decided; what is done for a video later, as its create was. */
const SAMPLER: Sampler = {
  shouldSample(context: Context, _traceId, _name, _kind, _attributes, links: Link[]) {
    const parent = otel.getSpanContext(context)
    const isKept = parent ? isSampled(parent) : links.length === 0 || links.some((link) => isSampled(link.context))
    return { decision: isKept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD }
  },
  toString: () => 'as the parent, or the create, was',
}

const keyed = (attributes: Attributes): Record<string, string | number> => {
  const named: Record<string, string | number> = {}
  for (const name of Object.keys(attributes) as (keyof Attributes)[]) {
    const value = attributes[name]
    if (value !== undefined && value !== null) named[ATTRIBUTES[name].key] = value
  }
  return named
}

const spanOf = (span: OtelSpan, name: SpanName, state: string | null, begun: Attributes): Span => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const trace = { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0, state }
  // Nothing of it will be sent.
  if (!span.isRecording()) return unrecorded(trace)
  let known = begun
  return {
    trace,
    set(attributes) {
      known = { ...known, ...attributes }
      span.setAttributes(keyed(attributes))
    },
    fail: (error) => void span.setAttribute(ATTRIBUTES.error.key, error).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.updateName(titleOf(name, known)).end(),
  }
}

const startIn = (tracer: Tracer, name: SpanName, place: Place, attributes: Attributes): OtelSpan => {
  const parent = 'parent' in place ? place.parent : null
  const context = parent === null ? ROOT_CONTEXT : otel.setSpanContext(ROOT_CONTEXT, contextOf(parent))
  const links = 'linked' in place ? place.linked.map((trace) => ({ context: contextOf(trace) })) : []
  const kind = KINDS[SPANS[name].kind]
  return tracer.startSpan(titleOf(name, attributes), { kind, links, attributes: keyed(attributes) }, context)
}

const resource = () =>
  // What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say counts.
  resourceFromAttributes({ 'service.name': 'talkbridge', 'service.version': VERSION }).merge(
    detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }),
  )

const within = (ms: number, work: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    // What could not be sent was logged.
    work.catch(() => undefined).finally(() => (clearTimeout(timer), resolve()))
  })

/** Records spans with a provider of its own: nothing of OpenTelemetry's is registered for the process. */
export const recordTo = (endpoint: string, ports: Pick<Ports, 'clock' | 'log'>): Tracing => {
  const url = endpoint.endsWith(PATH) ? endpoint : endpoint + PATH
  const exporter = watched(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), ports)
  const provider = new TracerProvider({
    resource: resource(),
    sampler: SAMPLER,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('talkbridge', VERSION)
  return {
    ...createScope(),
    isOn: true,
    begin(name, place, attributes = {}) {
      const state = 'parent' in place ? (place.parent?.state ?? null) : null
      return spanOf(startIn(tracer, name, place, attributes), name, state, attributes)
    },
    close: () => within(CLOSING_MS, provider.shutdown()),
  }
}
