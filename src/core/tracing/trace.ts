/** One span of somebody's trace, as `traceparent` names it (W3C Trace Context, level 2). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whoever began the trace keeps it. If not, nothing of it is recorded here, either. */
  readonly isSampled: boolean
  /** The caller's `tracestate`, unread; null: none. It goes into the gateway's own span, and to nobody else. */
  readonly state: string | null
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 0x01

/** Section 3.3.1.5: what tracers must be able to pass on. More is dropped whole, which they may do. */
const MAX_STATE_CHARACTERS = 512
const STATE = /^[\x20-\x7e\t]+$/

const stateOf = (header: string | undefined): string | null =>
  header !== undefined && header.length <= MAX_STATE_CHARACTERS && STATE.test(header) ? header : null

/** Reads the two headers; null for what is no `traceparent`, whose `tracestate` then counts for nothing. */
export const readTrace = (parent: string | null | undefined, state?: string): Trace | null => {
  const [, version, traceId, spanId, flags, rest] = (parent && PARENT.exec(parent)) || []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return null
  // A later version may have more behind it; this one has not, and `ff` is none.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED, state: stateOf(state) }
}

/** The header, for whoever the work is handed on to. */
export const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
