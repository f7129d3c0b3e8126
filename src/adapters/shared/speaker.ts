import type { CreateOutcome, ReadOutcome, WireRequest } from '../../core/adapter.ts'
import { callJson } from '../../http/call-json.ts'
import { AnswerBody, type AdapterAccount, type Drift, type Operation, type Reply } from './account.ts'
import { unknownFields, unknownWord } from './drift.ts'
import { find, text } from './read.ts'
import { VIDEO } from './spellings.ts'
import { unwrap } from './job.ts'
import { readAnswer, readCreate, type Dialect, type ReadValue } from './outcome.ts'
import type { Fault } from './problems.ts'

/** What a read is after, and what is known of its answer. */
export interface Question<T> {
  operation: Operation
  /** Below the base URL, query included. */
  path: string
  /** Null: the answer lacks what was asked for. */
  read: ReadValue<T>
  /** What the answer holds that the adapter has never been told of. */
  drift: (body: AnswerBody) => readonly Drift[]
  /** A 404 may mean that the job is lost. */
  aboutJob: boolean
}

/** The thin HTTP client around an adapter's pure mapping: sends, reads through the dialect, reports drift. */
export const createSpeaker = (account: AdapterAccount, dialect: Dialect) => {
  const base = new URL(account.baseUrl)
  const trust = { kind: 'config', apiKey: account.apiKey } as const
  const urlOf = (path: string): URL => new URL(base.origin + base.pathname.replace(/\/+$/, '') + path)
  const moment = () => ({ base, nowMs: account.clock.now() })

  const note = (drifts: readonly Drift[]): void => drifts.forEach((drift) => account.drift(drift))
  const noteFault = (fault: Fault | null, operation: Operation): void => {
    if (fault !== null && fault.unknownCode !== null) note([unknownWord('error_code', fault.unknownCode, operation)])
  }

  const jobDrift = (body: AnswerBody, operation: Operation): Drift[] => {
    const job = unwrap(body, dialect.jobId)
    const word = find(job, VIDEO.status, text)
    const unknown = word !== null && dialect.statusOf(word) === null ? [unknownWord('status', word, operation)] : []
    return [...unknown, ...unknownFields([job], dialect.videoFields, operation)]
  }

  return {
    base,
    jobDrift,
    /** Sends the bytes once, over a connection of their own (design 4, "Creates use a fresh connection"). */
    async create(wire: WireRequest, signal: AbortSignal): Promise<CreateOutcome> {
      const { method, headers, body } = wire
      const reply: Reply = await account.agents.once(base.origin, (dispatcher) =>
        callJson({
          dispatcher,
          method,
          url: urlOf(wire.path),
          headers,
          body,
          schema: AnswerBody,
          timeoutMs: account.timeoutMs,
          trust,
          signal,
        }),
      )
      const { outcome, fault } = readCreate(reply, dialect, moment())
      noteFault(fault, 'createVideo')
      if (fault === null && reply.kind === 'json' && reply.status < 300) note(jobDrift(reply.body, 'createVideo'))
      return outcome
    },
    async ask<T>(question: Question<T>): Promise<ReadOutcome<T>> {
      const { operation, path } = question
      const reply = await callJson({
        dispatcher: account.agents.reads,
        method: 'GET',
        url: urlOf(path),
        headers: {},
        body: null,
        schema: AnswerBody,
        timeoutMs: account.timeoutMs,
        trust,
      })
      const { outcome, fault } = readAnswer(reply, dialect, moment(), question)
      noteFault(fault, operation)
      if (outcome.ok && reply.kind === 'json') note(question.drift(reply.body))
      return outcome
    },
  }
}
