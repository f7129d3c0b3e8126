/** SQLSTATEs (PostgreSQL, appendix A) after which the same transaction may succeed. */
const CONFLICTS = new Set(['40001', '40P01'])
/** The server ended the session, or takes none now: a new connection may succeed. */
const SESSION_ENDED = new Set(['25P03', '57P01', '57P02', '57P03', '57P05'])

/**
 * Why a statement failed. `conflict`: two transactions were in each other's way, and this one was undone.
 * `disconnected`: the connection is gone, and what was under way may be done or not. `refused`: the server said no.
 */
export type FailureKind = 'conflict' | 'disconnected' | 'refused'

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** There is no such table. */
export const isMissing = (cause: unknown): boolean => codeOf(cause) === '42P01'

const kindOf = (cause: unknown): FailureKind => {
  const code = codeOf(cause)
  if (CONFLICTS.has(code)) return 'conflict'
  const isAnswer = /^[0-9A-Z]{5}$/.test(code)
  return !isAnswer || code.startsWith('08') || SESSION_ENDED.has(code) ? 'disconnected' : 'refused'
}

/** A statement failed, in contrast to the code around it. */
export class QueryFailed extends Error {
  readonly kind: FailureKind
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the statement failed', { cause })
    this.kind = kindOf(cause)
  }
}

/** A full disk, a lock or a statement that took too long, a server that only reads: whatever is asked of it then. */
const OF_THE_SERVER = /^(53...|55P03|57014|25006)$/

/** Whether other writes would fail alike, and perhaps after as long. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof QueryFailed && (error.kind === 'disconnected' || OF_THE_SERVER.test(codeOf(error.cause)))

const ENDED_BY_TIME = /^(55P03|57014)$/

/** The server ended a statement, or its wait for a lock, for the time that it took. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof QueryFailed && ENDED_BY_TIME.test(codeOf(error.cause))

export const failureOf = (error: unknown): FailureKind | null => (error instanceof QueryFailed ? error.kind : null)

/** Runs a call of the library; what it rejects with becomes a `QueryFailed`. */
export const asked = async <T>(query: Promise<T>): Promise<T> => {
  try {
    return await query
  } catch (cause) {
    // The row that failed, or its values: texts and URLs of clients, which no log may hold.
    if (cause instanceof Error)
      for (const told of ['detail', 'where', 'internalQuery']) Reflect.deleteProperty(cause, told)
    throw new QueryFailed(cause)
  }
}
