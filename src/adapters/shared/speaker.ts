import type { Dispatcher } from 'undici'
import type {
  Adapter,
  CreateOutcome,
  HandedThrough,
  HeadMeaning,
  HeadReply,
  JobReport,
  Listed,
  Manner,
  Page,
  Puppet,
  RawAnswer,
  ReadOutcome,
  Translation,
  Voice,
  WriteOutcome,
} from '../../core/adapter.ts'
import { dropTokens, withoutToken } from '../../core/api/signed.ts'
import type { ProblemCode } from '../../core/errors.ts'
import { fitsInPath } from '../../core/ids.ts'
import { type Met, exchanged } from '../../core/tracing.ts'
import type { Order, WireRequest } from '../../core/video.ts'
import type { Capability } from '../../core/vocabulary.ts'
import { callJson } from '../../http/exchange.ts'
import { type Noun, nextCursor, nextPage, readItems, readPuppets, readStatus, readVoices, unwrap } from './answers.ts'
import {
  type AdapterAccount,
  AnswerBody,
  type Dialect,
  type Drift,
  type Operation,
  type Reply,
  type Spellings,
  statusOf,
  statusPathOf,
} from './dialect.ts'
import {
  type ReadWhole,
  type Reading,
  isJson,
  isSuccess,
  noSuchJob,
  notFoundHere,
  notSupportedHere,
  readAnswer,
  readCreate,
  readHead,
  readWrite,
} from './outcome.ts'
import type { Fault } from './problems.ts'
import { asObject, codeWord, find, redact, text, verbatim } from './read.ts'

const MAX_FIELDS_PER_ANSWER = 20

/** The kind and size of a value, never the value: a field that nobody knows may hold anything. */
const shapeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object') return `object of ${Object.keys(value).length}`
  return typeof value === 'string' ? `string of ${value.length}` : typeof value
}

/** Words as people write them into interfaces. What is longer, or mixes digits in, may be an id, an address or a secret. */
const PLAIN_WORD = /^[\p{L}_$@][\p{L}\p{M}\p{N} _.:$@-]{0,59}$/u
const MAY_BE_SECRET = /\p{N}.*\p{N}.*\p{N}.*\p{N}|@.*\.|(?=\p{L}*\p{N})[\p{L}\p{N}]{12}/u

/** A name or word as it came if nothing private can hide in it, else only its length. */
const shown = (word: string): string =>
  PLAIN_WORD.test(word) && !MAY_BE_SECRET.test(word) ? redact(word) : `[${word.length} characters]`

/** The top-level names that a table of spellings knows, the heads of dotted ones included. */
export const namesIn = (...tables: Spellings[]): ReadonlySet<string> =>
  new Set(
    tables.flatMap((table) => Object.values(table).flatMap((names) => names.map((name) => name.split('.')[0] ?? name))),
  )

/** Top-level fields of `objects` outside `known`, each name once, at most 20. */
export const unknownFields = (
  objects: readonly unknown[],
  known: ReadonlySet<string>,
  operation: Operation,
): Drift[] => {
  const found = new Map<string, string>()
  for (const object of objects) {
    for (const [name, value] of Object.entries(asObject(object) ?? {})) {
      if (found.size >= MAX_FIELDS_PER_ANSWER) break
      if (!known.has(name) && !found.has(name)) found.set(name, shapeOf(value))
    }
  }
  return [...found].map(([name, sample]) => ({
    kind: 'field',
    operation,
    value: shown(name),
    sample,
  }))
}

/** A status word or error code outside the adapter's tables. */
export const unknownWord = (kind: 'status' | 'error_code', word: string, operation: Operation): Drift => {
  const value = shown(word)
  return { kind, operation, value, sample: value }
}

/** The fields of a job that the dialect names. */
const jobFields = ({ job, progress }: Dialect): ReadonlySet<string> => namesIn(job, { at: progress?.at ?? [] })

/** A status word that the dialect does not know. */
export const unknownStatus = (word: string | null, dialect: Dialect, operation: Operation): Drift[] =>
  word === null || statusOf(word, dialect) !== null ? [] : [unknownWord('status', word, operation)]

/** No contract shows voices on several pages. */
const unreadPages = (body: unknown, dialect: Dialect, operation: Operation): Drift[] =>
  nextCursor(body, null, dialect) === null && nextPage(body, null, dialect) === null
    ? []
    : [{ kind: 'field', operation, value: 'pagination', sample: 'pages that are not read' }]

const fieldsOf = (noun: Noun, dialect: Dialect): ReadonlySet<string> =>
  noun === 'videos' ? jobFields(dialect) : namesIn(noun === 'voices' ? dialect.voice : dialect.puppet)

/** Unknown fields of a list and of its items. */
export const catalogDrift = (body: unknown, noun: Noun, dialect: Dialect, operation: Operation): Drift[] => [
  ...(noun === 'voices' ? unreadPages(body, dialect, operation) : []),
  ...unknownFields([body], namesIn(dialect.list), operation),
  ...unknownFields(readItems(body, noun, dialect) ?? [], fieldsOf(noun, dialect), operation),
]

/** What a read is after, and what is known of its answer. */
interface Question<T> {
  operation: Operation
  /** Below the base URL, query included. */
  path: string
  /** Null: the answer lacks what was asked for. */
  read: ReadWhole<T>
  /** What the answer holds that no dialect names. */
  drift: (body: AnswerBody) => readonly Drift[]
  /** A 404 may mean that the job is lost. */
  aboutJob?: true
  /** What a 404 says is not there, where its code does not say so itself. */
  missing?: ProblemCode
}

/** What a write is for, and what is known of its answer. */
interface Write<T> extends Pick<Question<T>, 'operation' | 'drift'>, Reading<T> {
  wire: WireRequest
}

/** The answer as it came, without callback tokens. A page would run as the gateway's, so it is never served as one. */
const rawOf = ({ status, headers, text }: Extract<Reply, { kind: 'json' }>): RawAnswer => {
  const { 'content-type': type = '' } = headers
  const contentType = isJson(headers) ? type : 'application/json; charset=utf-8'
  return { status, contentType, text: withoutToken(text) }
}

/** Statuses of an answer that a client of ours may get for a create: one with a body. */
const CREATED: readonly number[] = [200, 201, 202]

/** A proxy before the backend answers with these, too, in words of its own. */
const OF_KEY_OR_RATE: readonly number[] = [401, 403, 429]

const metBy = (reply: Reply): Met => (reply.kind === 'failed' ? { fault: reply.fault } : { status: reply.status })

/** The thin HTTP client around an adapter's pure mapping: sends, reads through the dialect, reports drift. */
export const createSpeaker = (account: AdapterAccount, dialect: Dialect) => {
  const base = new URL(account.baseUrl)
  const { apiKey } = account
  const trust = { kind: 'config', credential: dialect.credential(apiKey), apiKey } as const
  const moment = () => ({ base, nowMs: account.clock.now() })

  const known = jobFields(dialect)
  const knownOfErrors = namesIn(dialect.error)
  const manner: Manner = { createdStatus: null, refusal: null }
  const note = (drifts: readonly Drift[]): void => drifts.forEach((drift) => account.drift(drift))
  const noteRefusal = ({ status, body: answer }: Extract<Reply, { kind: 'json' }>): void => {
    if (status < 400 || status > 499 || OF_KEY_OR_RATE.includes(status)) return
    const body = verbatim(answer)
    const [code, message] = [find(body, dialect.error.code, codeWord), find(body, dialect.error.message, text)]
    if (body && code !== null && message !== null) manner.refusal = { status, code, message, body }
  }
  /** Above all of an answer that could not be read: what it has instead says why. */
  const noteAnswer = (
    reply: Reply,
    fault: Fault | null,
    { operation, drift }: Pick<Question<unknown>, 'operation' | 'drift'>,
  ): void => {
    if (fault !== null && fault.unknownCode !== null) note([unknownWord('error_code', fault.unknownCode, operation)])
    if (reply.kind !== 'json') return
    if (!isSuccess(reply.status)) noteRefusal(reply)
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
    manner,
    async create(wire: WireRequest): Promise<CreateOutcome> {
      const reply = await sendOnce('createVideo', wire)
      noteScope(reply, 'createVideo')
      const { outcome, fault } = readCreate(reply, dialect, moment())
      if (outcome.kind === 'accepted' && reply.kind !== 'failed' && CREATED.includes(reply.status))
        manner.createdStatus = reply.status
      noteAnswer(reply, fault, { operation: 'createVideo', drift: (body) => jobDrift(body, 'createVideo') })
      return outcome
    },
    /** Sent once, like a create. Only the caller may send it again, under the same key. */
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
    voices: (path: string): Promise<ReadOutcome<Listed<Voice>>> =>
      ask({
        operation: 'listVoices',
        path,
        read(body, _headers, reply) {
          const items = readVoices(body, base, dialect)
          return items && { items, raw: rawOf(reply) }
        },
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
        read(body, _headers, reply) {
          const items = readPuppets(body, base, dialect)
          return items && { items, nextCursor: next(body), raw: rawOf(reply) }
        },
        drift: (body) => catalogDrift(body, 'puppets', dialect, 'listPuppets'),
      }),
  }
}
export type Speaker = ReturnType<typeof createSpeaker>

/** Without it the video is another one: never left out. The rest of an order is options. */
type Essential = 'text' | 'audioUrl' | 'imageUrl' | 'puppetId' | 'voiceId'

/** What an interface can that takes the option: its name in a request, too. */
const OPTIONS = {
  language: 'language',
  expressiveness: 'expressiveness',
  resolution: 'resolution',
} as const satisfies Readonly<Record<Exclude<keyof Order, Essential>, Capability>>

/** What an interface can that sends the field of an order. */
export const ORDERED: Readonly<Record<keyof Order, Capability>> = {
  text: 'text_source',
  audioUrl: 'audio_source',
  imageUrl: 'image_url',
  puppetId: 'puppet_id',
  voiceId: 'text_source',
  ...OPTIONS,
}

/** What an interface takes, as far as that can be said without sending anything. */
export type Takes = Pick<Adapter, 'capabilities' | 'maxTextCharacters' | 'maxCreateBytes'>

type Refusal = Extract<Translation, { ok: false }>

const refusal = (code: Refusal['problem']['code'], param: string, message: string): Refusal => ({
  ok: false,
  problem: { code, param, message },
})

/**
 * Counted in code points, of which no text has more than of UTF-16 units: where a contract leaves open what a character
 * is, the backend may still refuse what the gateway let through, but the gateway refuses nothing that it would take.
 */
const isLonger = (text: string, most: number): boolean => text.length > most && Array.from(text).length > most

/**
 * What an order becomes on the interface `name`. A source, a portrait or a voice is never left out; an option is, with a
 * warning, if the client asked for `warn`. Beside audio there is no language: its voice speaks already.
 */
export const translateBy = (
  name: string,
  { capabilities: can, maxTextCharacters: most }: Takes,
  { text, audioUrl, imageUrl, puppetId, voiceId, ...options }: Order,
  unsupported: 'reject' | 'warn',
): Translation => {
  const lacking = (param: string): Refusal =>
    refusal('capability_not_supported', param, `The ${name} interface does not support ${param}`)
  if (audioUrl !== null && !can.audio_source) return lacking('audio_url')
  if (text !== null && !can.text_source) return lacking('text')
  if (imageUrl !== null && !can.image_url) return lacking('image_url')
  if (puppetId !== null && !can.puppet_id) return lacking('puppet_id')
  if (text !== null && voiceId === null && can.voice_required)
    return refusal('invalid_request', 'voice_id', `The ${name} interface needs a voice_id`)
  if (text !== null && most !== null && isLonger(text, most))
    return refusal('invalid_request', 'text', `The ${name} interface accepts at most ${most} characters of text`)
  const takes = { ...can, language: can.language && audioUrl === null }
  const given = new Map<string, unknown>(Object.entries(options))
  const ignored = Object.entries(OPTIONS).flatMap(([field, param]) =>
    (given.get(field) ?? null) === null || takes[param] ? [] : [param],
  )
  const [first] = ignored
  if (first && unsupported === 'reject') return lacking(first)
  return {
    ok: true,
    warnings: ignored.map((param) => ({
      code: 'option_ignored',
      param,
      message: `The ${name} interface has no ${param}${audioUrl === null ? '' : ' with audio'}, so the gateway left it out`,
    })),
  }
}

/**
 * The port as far as its capabilities and its dialect tell it. What an interface does otherwise, or has besides (a list, a
 * download, callbacks, resources), is spread over it; whatever is left says that there is no such operation.
 */
export const usualCalls = (
  name: string,
  takes: Takes,
  speaker: Speaker,
): Omit<Adapter, 'createRequest' | 'voices' | 'puppets'> => {
  const none = `The ${name} interface does not have this operation`
  const unread = async () => notFoundHere('capability_not_supported', none)
  const unwritten = async () => notSupportedHere(none)
  return {
    manner: speaker.manner,
    credential: speaker.dialect.credential,
    capabilities: takes.capabilities,
    maxTextCharacters: takes.maxTextCharacters,
    maxCreateBytes: takes.maxCreateBytes,
    translate: (order, unsupported) => translateBy(name, takes, order, unsupported),
    create: speaker.create,
    status: (jobId) => speaker.job(jobId, 'getVideo'),
    download: speaker.linkOfJob,
    list: unread,
    callbackJobId: () => null,
    puppet: unread,
    createPuppet: unwritten,
    deletePuppet: unwritten,
    createUpload: unwritten,
    createSpeech: unwritten,
    usage: unread,
    handedThrough: speaker.handedThrough,
  }
}
