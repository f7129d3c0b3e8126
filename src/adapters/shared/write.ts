import type { WriteOutcome } from '../../core/adapter.ts'
import type { ProblemCode } from '../../core/errors.ts'
import type { Reply } from './account.ts'
import { readRate } from './hints.ts'
import type { Dialect, Moment } from './dialect.ts'
import { about, isSpoken, isSuccess, type ReadValue } from './outcome.ts'
import { readFault, readSilence, type Fault } from './problems.ts'

export interface Reading<T> {
  /** Null: the answer lacks what the write was for. */
  read: ReadValue<T>
  /** What a 404 says is not there, where its code does not say so itself. */
  missing?: ProblemCode
  /** A 2xx may come without a body; it is then read as an empty object. */
  mayBeEmpty?: true
}

/**
 * What became of a write other than a video's create, by the same marker and table: only a 2xx with what was asked for
 * is done, only a refusal in the contract's form a no, only an unwritten request a failure to reach; all else a doubt.
 * A 409 is a no here: it is about a key of the caller's making, and this request did nothing.
 */
export const readWrite = <T>(
  reply: Reply,
  dialect: Dialect,
  { nowMs }: Moment,
  { read, missing, mayBeEmpty }: Reading<T>,
): { outcome: WriteOutcome<T>; fault: Fault | null } => {
  if (reply.kind === 'failed') {
    const kind = reply.began ? 'doubt' : 'unreachable'
    return { outcome: { kind, problem: readSilence(reply), rate: null }, fault: null }
  }
  const rate = readRate(reply.headers)
  const success = isSuccess(reply.status)
  const empty = reply.kind === 'unusable' && reply.why === 'empty' && mayBeEmpty
  const body = reply.kind === 'json' ? reply.body : empty ? {} : null
  const value = success && body !== null ? read(body, reply.headers) : null
  if (value !== null) return { outcome: { kind: 'done', value, rate }, fault: null }
  const fault = about(missing, readFault(reply, dialect, nowMs))
  const { problem, onCreate } = fault
  if (success) {
    const lacking = {
      ...problem,
      message: `The backend answered ${reply.status}, but the answer lacks what the gateway asked for`,
    }
    return { outcome: { kind: 'doubt', problem: reply.kind === 'json' ? lacking : problem, rate }, fault: null }
  }
  const refused = (onCreate === 'refused' || reply.status === 409) && isSpoken(reply, dialect)
  return { outcome: { kind: refused ? 'refused' : 'doubt', problem, rate }, fault }
}
