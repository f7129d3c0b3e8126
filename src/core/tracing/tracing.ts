import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '../errors.ts'
import type { Attributes, SpanName } from './names.ts'
import { readTrace, traceparentOf, type Trace } from './trace.ts'

/** Where a span stands. `linked`: it begins a trace of its own that points at these. */
export type Place = { parent: Trace | null } | { linked: readonly Trace[] }

export interface Span {
  /** What its work hands on, to backends, receivers and records; null: there is no trace. */
  readonly trace: Trace | null
  set(attributes: Attributes): void
  /** It failed; in a word, why. */
  fail(error: string): void
  /** Call once. */
  end(): void
}

/** How the gateway takes part in its callers' traces. */
export interface Tracing {
  /** Spans are recorded. If not, traces are only passed on. */
  readonly isOn: boolean
  /** The trace that the running work is part of. */
  current(): Trace | null
  /** Runs the work, and all that it begins, as part of a trace; null: of none. */
  within<T>(trace: Trace | null, work: () => T): T
  begin(name: SpanName, place: Place, attributes?: Attributes): Span
  /** Sends what is recorded, for a bounded time. Never rejects. */
  close(): Promise<void>
}

/** Who works in which trace: of one process. */
export const createScope = (): Pick<Tracing, 'current' | 'within'> => {
  const scope = new AsyncLocalStorage<Trace | null>()
  return { current: () => scope.getStore() ?? null, within: (trace, work) => scope.run(trace, work) }
}

/** A span that nobody keeps. */
export const unrecorded = (trace: Trace | null): Span => ({
  trace,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
})
const UNTRACED = unrecorded(null)

/** The caller's trace as it came; of work for several, nobody's. */
const passedOn = (place: Place): Trace | null => {
  if ('parent' in place) return place.parent
  const [only, ...others] = place.linked
  return only !== undefined && others.length === 0 ? only : null
}

/** Records nothing: what comes with a trace goes on with it, and nothing else has one. */
export const createPassing = (): Tracing => ({
  ...createScope(),
  isOn: false,
  begin(_name, place) {
    const trace = passedOn(place)
    return trace === null ? UNTRACED : unrecorded(trace)
  },
  close: async () => undefined,
})

/** Runs the work within a span of its own, which ends with it. */
export const during = async <T>(
  tracing: Tracing,
  name: SpanName,
  place: Place,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const span = tracing.begin(name, place, attributes)
  try {
    return await tracing.within(span.trace, () => work(span))
  } catch (error) {
    span.fail(error instanceof Problem ? error.code : 'fault')
    throw error
  } finally {
    span.end()
  }
}

/** For the record of what the running work makes: `traceparent`. */
export const partOf = (tracing: Tracing): string | null => {
  const trace = tracing.current()
  return trace === null ? null : traceparentOf(trace)
}

type Made = { readonly trace: string | null }
/** For log lines, where it is part of a trace. */
export const traceIdOf = ({ trace }: Made): string | undefined => readTrace(trace)?.traceId

/** Work for a video while its create's request is answered. */
export const below = ({ trace }: Made): Place => ({ parent: readTrace(trace) })
/** Work for videos by itself, maybe a day later. */
export const linkedTo = (...made: readonly Made[]): Place => ({
  linked: made.flatMap(({ trace }) => readTrace(trace) ?? []),
})

/** What goes out with a request. */
export const traceHeaders = (trace: Trace | null): Record<string, string> =>
  trace === null ? {} : { traceparent: traceparentOf(trace) }
