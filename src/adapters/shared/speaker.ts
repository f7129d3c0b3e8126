import type {
  Adapter,
  CreateOutcome,
  HandedThrough,
  HeadMeaning,
  HeadReply,
  JobReport,
  Page,
  Puppet,
  ReadOutcome,
  Voice,
  WriteOutcome,
} from '../../core/adapter.ts'
import type { Dispatcher } from 'undici'
import type { WireRequest } from '../../core/video.ts'
import { dropTokens } from '../../core/api/signed.ts'
import type { ProblemCode } from '../../core/errors.ts'
import { fitsInPath } from '../../core/ids.ts'
import { exchanged, type Met } from '../../core/tracing.ts'
import { callJson } from '../../http/call-json.ts'
import { AnswerBody, type AdapterAccount, type Drift, type Operation, type Reply } from './account.ts'
import { readPuppets, readVoices } from './catalog.ts'
import { statusPathOf, type Dialect } from './dialect.ts'
import { catalogDrift, jobFields, namesIn, unknownFields, unknownStatus, unknownWord } from './drift.ts'
import { readStatus, unwrap } from './job.ts'
import { isSuccess, noSuchJob, notFoundHere, readAnswer, readCreate, readHead, type ReadValue } from './outcome.ts'
import { find, text } from './read.ts'
import type { Fault } from './problems.ts'
import { readWrite, type Reading } from './write.ts'

/** What a read is after, and what is known of its answer. */
interface Question<T> {
  operation: Operation
  /** Below the base URL, query included. */
  path: string
  /** Null: the answer lacks what was asked for. */
  read: ReadValue<T>
  /** What the answer holds that the adapter has never been told of. */
  drift: (body: AnswerBody) => readonly Drift[]
  /** A 404 may mean that the job is lost. */
  aboutJob?: true
  /** What a 404 says is not there, where its code does not say so itself. */
  missing?: ProblemCode
}

/** What a write is for, and what is known of its answer. */
export interface Write<T> extends Pick<Question<T>, 'operation' | 'drift'>, Reading<T> {
  wire: WireRequest
}

const metBy = (reply: Reply): Met => (reply.kind === 'failed' ? { fault: reply.fault } : { status: reply.status })

/** The thin HTTP client around an adapter's pure mapping: sends, reads through the dialect, reports drift. */
export const createSpeaker = (account: AdapterAccount, dialect: Dialect) => {
  const base = new URL(account.baseUrl)
  const trust = { kind: 'config', scheme: dialect.scheme, apiKey: account.apiKey } as const
  const moment = () => ({ base, nowMs: account.clock.now() })

  const known = jobFields(dialect)
  const knownOfErrors = namesIn(dialect.error)
  const note = (drifts: readonly Drift[]): void => drifts.forEach((drift) => account.drift(drift))
  /** Above all of an answer that could not be read: what it has instead says why. */
  const noteAnswer = (
    reply: Reply,
    fault: Fault | null,
    { operation, drift }: Pick<Question<unknown>, 'operation' | 'drift'>,
  ): void => {
    if (fault !== null && fault.unknownCode !== null) note([unknownWord('error_code', fault.unknownCode, operation)])
    if (reply.kind !== 'json') return
    note(isSuccess(reply.status) ? drift(reply.body) : unknownFields([reply.body], knownOfErrors, operation))
  }

  /** A 403 is about the operation's scope, and only a success shows that the key has it (primary contract, "Authentication"). */
  const noteScope = (reply: Reply | HeadReply, operation: Operation): void => {
    if (reply.kind === 'failed') return
    if (reply.status === 403 || isSuccess(reply.status)) account.permitted(operation, reply.status !== 403)
  }

  const jobDrift = (body: AnswerBody, operation: Operation): Drift[] => {
    const job = unwrap(body, dialect)
    const word = find(job, dialect.job.status, text)
    return [...unknownStatus(word, dialect, operation), ...unknownFields([job], known, operation)]
  }

  const call = async (dispatcher: Dispatcher, operation: Operation, { path, ...wire }: WireRequest): Promise<Reply> => {
    const asked = { backend: account.name, operation, method: wire.method, origin: base }
    // The trace is no part of the request that was stored: each sending has its own.
    const send = (headers: Record<string, string>): Promise<Reply> =>
      callJson({
        ...wire,
        headers: { ...wire.headers, ...headers },
        dispatcher,
        url: new URL(base.origin + base.pathname.replace(/\/+$/, '') + path),
        schema: AnswerBody,
        timeoutMs: account.timeoutMs,
        trust,
      })
    const reply = await exchanged(account.tracing, asked, send, metBy)
    return reply.kind === 'json' ? { ...reply, body: dropTokens(reply.body) } : reply
  }

  /** Sends the bytes once, over a connection of their own (`Agents.once`). */
  const sendOnce = (operation: Operation, wire: WireRequest): Promise<Reply> =>
    account.agents.once(base.origin, (dispatcher) => call(dispatcher, operation, wire))

  const ask = async <T>(question: Question<T>): Promise<ReadOutcome<T>> => {
    const { operation, path } = question
    const reply = await call(account.agents.reads, operation, { method: 'GET', path, headers: {}, body: null })
    noteScope(reply, operation)
    const { outcome, fault } = readAnswer(reply, dialect, moment(), question)
    noteAnswer(reply, fault, question)
    return outcome
  }

  /** Reads one job. An id that the backend reads as another spelling of a job's is not that job's. */
  const job = async (jobId: string, operation: Operation): Promise<ReadOutcome<JobReport>> => {
    if (!fitsInPath(jobId)) return noSuchJob()
    const outcome = await ask({
      operation,
      path: statusPathOf(jobId, dialect),
      read: (body, headers) => readStatus(body, dialect, { ...moment(), headers }),
      drift: (body) => jobDrift(body, operation),
      aboutJob: true,
    })
    if (!outcome.ok || outcome.value.jobId === null || outcome.value.jobId === jobId) return outcome
    note([{ kind: 'field', operation, value: 'id', sample: 'of another job' }])
    return { ...notFoundHere('video_not_found', 'The backend answered about another job'), rate: outcome.rate }
  }

  return {
    base,
    moment,
    dialect,
    async create(wire: WireRequest): Promise<CreateOutcome> {
      const reply = await sendOnce('createVideo', wire)
      noteScope(reply, 'createVideo')
      const { outcome, fault } = readCreate(reply, dialect, moment())
      noteAnswer(reply, fault, { operation: 'createVideo', drift: (body) => jobDrift(body, 'createVideo') })
      return outcome
    },
    /** Sent once like a create: whoever sends it again, under the same key, decides so. */
    async write<T>(write: Write<T>): Promise<WriteOutcome<T>> {
      const reply = await sendOnce(write.operation, write.wire)
      noteScope(reply, write.operation)
      const { outcome, fault } = readWrite(reply, dialect, moment(), write)
      noteAnswer(reply, fault, write)
      return outcome
    },
    ask,
    job,
    /** Where there is no call for a link: the job is read again for its own, whose lifetime no contract shows. */
    async linkOfJob(jobId: string): ReturnType<Adapter['download']> {
      const outcome = await job(jobId, 'getVideoDownload')
      if (!outcome.ok) return outcome
      const { value: report, rate } = outcome
      if (report.link) return { ok: true, value: report.link, rate }
      return { ...notFoundHere('video_not_completed', 'The backend has no link to this video yet'), rate }
    },
    voices: (path: string): Promise<ReadOutcome<Voice[]>> =>
      ask({
        operation: 'listVoices',
        path,
        read: (body) => readVoices(body, base, dialect),
        drift: (body) => catalogDrift(body, 'voices', dialect, 'listVoices'),
      }),
    handedThrough(operation: HandedThrough | null, reply: HeadReply): HeadMeaning {
      const meaning = readHead(reply, dialect, account.clock.now())
      if (operation !== null) noteScope(reply, operation)
      return meaning
    },
    /** `next`: the cursor of the page after this one, by the answer. */
    puppets: (path: string, next: (body: AnswerBody) => string | null): Promise<ReadOutcome<Page<Puppet>>> =>
      ask({
        operation: 'listPuppets',
        path,
        read: (body) => readPuppets(body, base, dialect, next(body)),
        drift: (body) => catalogDrift(body, 'puppets', dialect, 'listPuppets'),
      }),
  }
}
export type Speaker = ReturnType<typeof createSpeaker>
