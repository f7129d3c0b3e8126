import {
  type BackendProblem,
  type CreateOutcome,
  type HeadMeaning,
  type HeadReply,
  type ReadOutcome,
  UNTOLD,
  type WriteOutcome,
} from '../../core/adapter.ts'
import { PROBLEMS, type ProblemCode } from '../../core/errors.ts'
import type { AnswerBody, Answered, Reply, Dialect, Moment } from './dialect.ts'
import {
  latestHint,
  readCredits,
  readRate,
  type Headers,
  readFault,
  readSilence,
  sentenced,
  type Fault,
} from './problems.ts'
import { jobIdFromHeaders, readJob, readJobId } from './answers.ts'

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The create was taken: a 2xx that names its job, or a refusal whose headers name the job of our own key. */
const acceptance = (reply: Answered, dialect: Dialect, { base, nowMs }: Moment): CreateOutcome | null => {
  const { status, headers } = reply
  const answered = { credits: readCredits(headers), rate: readRate(headers) }
  const body = reply.kind === 'json' ? reply.body : null
  if (isSuccess(status) && body !== null) {
    const jobId = readJobId(body, headers, dialect)
    if (jobId === null) return null
    return { kind: 'accepted', jobId, report: readJob(body, dialect, { base, headers, nowMs }), ...answered }
  }
  // The headers arrived whole, even where the body did not; an error's body is no report about a job.
  const jobId = isSuccess(status) || dialect.namesOurJob.includes(status) ? jobIdFromHeaders(headers, dialect) : null
  if (jobId === null) return null
  const nextPollAtMs = latestHint(headers, body, dialect.error, nowMs)
  const report = { ...readJob(null, dialect, { base, headers, nowMs }), nextPollAtMs }
  return { kind: 'accepted', jobId, report, ...answered }
}

/** Whether a refusal came from the backend itself, in a form in which it refuses. */
const isSpoken = (reply: Answered, dialect: Dialect): boolean =>
  reply.kind === 'json' ||
  (dialect.errorsMayBeEmpty && reply.why === 'empty' && reply.status >= 400 && reply.status < 500)

/**
 * What became of a create. Only a job id is an acceptance. Only a refusal in the contract's form is a no. Only a
 * request of which no byte was written is unreachable. All else is a doubt, redirects too: many services answer a
 * create that worked with "see there".
 */
export const readCreate = (
  reply: Reply,
  dialect: Dialect,
  moment: Moment,
): { outcome: CreateOutcome; fault: Fault | null } => {
  if (reply.kind === 'failed') {
    const kind = reply.began ? 'doubt' : 'unreachable'
    return { outcome: { kind, problem: readSilence(reply), rate: null }, fault: null }
  }
  const accepted = acceptance(reply, dialect, moment)
  if (accepted) return { outcome: accepted, fault: null }
  const fault = readFault(reply, dialect, moment.nowMs)
  const { waits, rate } = fault
  const problem = namingNone(fault.problem)
  if (isSuccess(reply.status)) {
    const nameless = { ...problem, message: `The backend answered ${reply.status}, but named no job` }
    return { outcome: { kind: 'doubt', problem: reply.kind === 'json' ? nameless : problem, rate }, fault: null }
  }
  const outcome: CreateOutcome =
    fault.onCreate === 'refused' && isSpoken(reply, dialect)
      ? { kind: 'refused', problem, waits, rate }
      : { kind: 'doubt', problem, rate }
  return { outcome, fault }
}

/** A conflict on a video's own key, of a job that the answer should have named. */
const namingNone = (problem: BackendProblem): BackendProblem =>
  problem.code === 'idempotency_key_conflict'
    ? { ...problem, message: `${problem.message}, and it names no job` }
    : problem

/** Reads a 2xx body; null: what was asked for is not in it. */
export type ReadValue<T> = (body: AnswerBody, headers: Headers) => T | null
/** As `ReadValue`, of a read whose answer may be kept as it came. */
export type ReadWhole<T> = (body: AnswerBody, headers: Headers, reply: Extract<Reply, { kind: 'json' }>) => T | null

/**
 * What became of a read. A fault of any kind is a failed attempt that may be repeated, save what the table of errors
 * calls final; `lost` only for a 404 in the contract's form, and only where `aboutJob`.
 */
export const readAnswer = <T>(
  reply: Reply,
  dialect: Dialect,
  { nowMs }: Moment,
  { read, aboutJob = false, missing }: { read: ReadWhole<T>; aboutJob?: boolean; missing?: ProblemCode },
): { outcome: ReadOutcome<T>; fault: Fault | null } => {
  if (reply.kind === 'failed') {
    return { outcome: { ok: false, problem: readSilence(reply), lost: false, rate: null }, fault: null }
  }
  const rate = readRate(reply.headers)
  const success = isSuccess(reply.status)
  if (success && reply.kind === 'json') {
    const value = read(reply.body, reply.headers, reply)
    if (value !== null) return { outcome: { ok: true, value, rate }, fault: null }
  }
  const fault = about(missing, readFault(reply, dialect, nowMs))
  const { problem } = fault
  if (success) {
    const lacking = { ...problem, message: 'The answer of the backend lacks what the gateway asked for' }
    return {
      outcome: { ok: false, problem: reply.kind === 'json' ? lacking : problem, lost: false, rate },
      fault: null,
    }
  }
  const lost = aboutJob && reply.status === 404 && reply.kind === 'json' && dialect.isLost(problem.backendError.code)
  return { outcome: { ok: false, problem, lost, rate }, fault }
}

export const isJson = ({ 'content-type': type = '' }: Headers): boolean =>
  /^application\/([\w.-]+\+)?json\b/i.test(type)

/** A body that nobody reads. */
const UNREAD = {}

/**
 * What the head of an answer means, where the body is handed on unread. A 304 answers the caller's own condition. A fault
 * counts as the backend's own word only if its body is JSON.
 */
export const readHead = (reply: HeadReply, dialect: Dialect, nowMs: number): HeadMeaning => {
  if (reply.kind === 'failed') return { rate: null, problem: readSilence(reply), spoke: false }
  const { status, headers } = reply
  if (isSuccess(status) || status === 304) return { rate: readRate(headers), problem: null, spoke: true }
  const { problem, rate } = readFault({ kind: 'json', status, headers, body: UNREAD, text: '' }, dialect, nowMs)
  return { rate, problem: { ...problem, verbatim: null }, spoke: status < 500 || isJson(headers) }
}

/** A backend's own 404 (JSON with an error code) to an operation that asks for one thing says that there is no such thing. */
export const about = (missing: ProblemCode | undefined, fault: Fault): Fault => {
  const { problem } = fault
  const says = problem.code === 'not_found' && problem.backendError.code !== null
  return missing === undefined || !says ? fault : { ...fault, problem: { ...problem, ...sentenced(missing) } }
}

/** A read that could be answered without asking. */
export const notFoundHere = (
  code: 'video_not_found' | 'video_not_completed' | 'puppet_not_found' | 'capability_not_supported',
  message: string,
): Extract<ReadOutcome<never>, { ok: false }> => ({
  ok: false,
  problem: {
    code,
    message,
    retryable: PROBLEMS[code].retryable,
    ...UNTOLD,
  },
  lost: false,
  rate: null,
})

export const noSuchJob = () => notFoundHere('video_not_found', 'This cannot be the id of a job')

/** A write that the interface has no operation for. */
export const notSupportedHere = (message: string): Extract<WriteOutcome<never>, { kind: 'unreachable' }> => ({
  kind: 'unreachable',
  problem: notFoundHere('capability_not_supported', message).problem,
  rate: null,
})

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
