import { Problem, codeOf } from './errors.ts'

/** One line of what happened, with ids and outcomes; never a secret, a URL's path or query, or a third party's body. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/**
 * Of the system (`ECONNREFUSED`, `ENOSPC`), a resolver, the HTTP client, a proxy, or an address that may not be asked.
 */
const OUTSIDE = /^(E[A-Z0-9]{3,}|EAI_[A-Z]+|UND_ERR_(SOCKET|[A-Z_]*TIMEOUT|ABORTED)|PROXY_\w+|ADDRESS_REFUSED)$/
/**
 * SQLSTATEs that are the server's or the moment's: connections, log-ins, conflicts, resources, an operator's stop, a
 * disk.
 */
const OF_THE_DATABASE = /^(08...|28...|3D000|25006|25P03|40001|40P01|53...|55P03|57...|58...)$/
/** SQLite's: busy, read-only, a failing or full disk, a file that cannot be opened. */
const OF_SQLITE: readonly number[] = [5, 6, 8, 10, 13, 14]

const isOutside = (error: Error): boolean => {
  // What the PostgreSQL driver says of a connection that ended has no code.
  if ('kind' in error && error.kind === 'disconnected') return true
  if ('errcode' in error && typeof error.errcode === 'number') return OF_SQLITE.includes(error.errcode & 0xff)
  const code = codeOf(error)
  return OUTSIDE.test(code) || OF_THE_DATABASE.test(code)
}

/** Causes of causes: nobody reads on, and a chain may be a circle. */
const DEEPEST = 8

/** An error and what caused it, the nearest first. */
export const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < DEEPEST; at = at.cause) chain.push(at)
  return chain
}

/**
 * Whether an error is about what was done to the gateway (a backend that is away, a full disk, a wrong key) rather than
 * of a mistake in it, whose place in the code somebody will want to know.
 */
export const isExpected = (error: unknown): boolean =>
  chainOf(error).some((one) => (one instanceof Problem && one.code !== 'internal_error') || isOutside(one))

/** A refusal because `folder` has no room, also for what may come later. Only the log names the folder. */
export const diskFull = (folder: string, retryAtMs: number | null = null): Problem => {
  const cause = new Error(`the disk of ${folder} has no room for anything new: free space there, or make it larger`)
  return new Problem(
    'store_unavailable',
    "the gateway's disk has no room for anything new: its operator must free space",
    {
      cause: Object.assign(cause, { code: 'ENOSPC' }),
      retryAtMs,
    },
  )
}

/** Nothing new is accepted until somebody frees space: of the system, and of PostgreSQL. */
export const isDiskFull = (error: unknown): boolean =>
  chainOf(error).some((one) => 'code' in one && (one.code === 'ENOSPC' || one.code === '53100'))

/**
 * One line of something that failed: a warning if it is not the gateway's mistake and ends by itself, else an error.
 */
export const logFailure = (log: Log, fields: { err: unknown } & Record<string, unknown>, message: string): void =>
  isExpected(fields.err) && !isDiskFull(fields.err) ? log.warn(fields, message) : log.error(fields, message)

/** Closers, run last-in first-out, each once; one that fails does not keep the others from running. */
export const createLifecycle = (log: Log) => {
  const closers: { name: string; close: () => Promise<void> | void }[] = []
  return {
    onClose(name: string, close: () => Promise<void> | void): void {
      closers.push({ name, close })
    },
    async close(): Promise<void> {
      for (let closer = closers.pop(); closer; closer = closers.pop()) {
        try {
          await closer.close()
        } catch (error) {
          logFailure(log, { closer: closer.name, err: error }, 'could not close')
        }
      }
    },
  }
}
export type Lifecycle = ReturnType<typeof createLifecycle>
