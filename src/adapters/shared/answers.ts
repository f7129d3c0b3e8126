import type { JobReport, JobTraits, Puppet, Voice, AccountUsage, HostedUpload, SpeechClip } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import { latestHint, type Headers } from './problems.ts'
import {
  idInPath,
  statusOf,
  type Dialect,
  WRAPPERS,
  type Moment,
  SPEECH,
  UPLOAD,
  USAGE,
  VIDEO_GENERATION,
} from './dialect.ts'
import {
  absoluteUrl,
  asObject,
  codeWord,
  duration,
  find,
  flag,
  idText,
  progress,
  redact,
  text,
  time,
  verbatim,
  count,
  languageName,
  locale,
  unwrapBy,
  number,
  secondsFrom,
} from './read.ts'

const jobId = (value: unknown): string | null => {
  const id = idText(value)
  return id !== null && fitsInPath(id) ? id : null
}

/** The resource itself, or what is in its wrapper if only that has an id, or else a status. */
export const unwrap = (body: unknown, { job: { id, status } }: Dialect): unknown => {
  const layers = [body, ...WRAPPERS.map((name) => find(body, [name], asObject))]
  return (
    layers.find((layer) => find(layer, id, jobId) !== null) ??
    layers.find((layer) => find(layer, status, text) !== null) ??
    body
  )
}

/** The job that an answer's headers name (primary contract, "Shared response headers"), or null. */
export const jobIdFromHeaders = (headers: Headers, dialect: Dialect): string | null =>
  jobId(headers['service-operation-id']) ??
  jobId(headers['x-service-operation-id']) ??
  jobId(idInPath(headers.location ?? '', dialect))

/** The job that an answer names: in its body, else in its headers. */
export const readJobId = (body: unknown, headers: Headers, dialect: Dialect): string | null =>
  find(unwrap(body, dialect), dialect.job.id, jobId) ?? jobIdFromHeaders(headers, dialect)

/** The link of a finished job: present or not, never probed. */
export const readLink = (body: unknown, spellings: readonly string[], base: URL): string | null =>
  find(body, spellings, absoluteUrl(base))

/** `20260301T120000Z` as Amazon and Google sign it, in the form that `time` reads. */
const basicTime = (value: string | null): number | null =>
  time(value?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/**
 * When a signed link ends, as its own query says: `expires` (Amazon, Google and CloudFront), `se` (Azure), or the time of
 * the signature and the seconds from then (`X-Amz-Date` with `X-Amz-Expires`, `X-Goog-…` alike). The soonest
 * of them. Null: it does not say, or that is over already, so that one of the two clocks is wrong. Pure.
 */
export const endOfLink = (url: string, nowMs: number): number | null => {
  const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const ends = ['expires', 'se'].map((name) => time(query.get(name)))
  for (const signer of ['x-amz', 'x-goog']) {
    const [signedMs, seconds] = [basicTime(query.get(`${signer}-date`) ?? null), number(query.get(`${signer}-expires`))]
    if (signedMs !== null && seconds !== null) ends.push(secondsFrom(signedMs, seconds))
  }
  const ahead = ends.flatMap((end) => (end !== null && end > nowMs ? [end] : []))
  return ahead.length > 0 ? Math.min(...ahead) : null
}

/** An object that says something, or text, under a name for errors; beside a failed status also a bare message. */
const readFailure = (job: unknown, failed: boolean, spelled: Dialect['job']): JobReport['failure'] => {
  const saysSomething = (value: unknown): string | null =>
    text(value) ?? (Object.keys(asObject(value) ?? {}).length > 0 ? 'The backend reported an error' : null)
  const failure = find(job, spelled.failure, saysSomething)
  if (failure === null && !failed) return null
  const message = find(job, spelled.failureMessage, text) ?? failure
  if (message === null) return null
  const code = find(job, spelled.failureCode, codeWord)
  return {
    message: redact(message),
    retryable: find(job, spelled.failureRetryable, flag) ?? false,
    code: code === null ? null : redact(code),
  }
}

export const readTraits = (job: unknown, { job: spelled }: Dialect): JobTraits => ({
  puppetId: find(job, spelled.puppet, idText),
  voiceId: find(job, spelled.voice, idText),
  resolution: find(job, spelled.resolution, text),
  createdAtMs: find(job, spelled.created, time),
})

interface JobContext {
  base: URL
  headers: Headers
  nowMs: number
}

/** What one 2xx answer says about a job. Pure and total; whatever it leaves out is null. */
export const readJob = (body: unknown, dialect: Dialect, { base, headers, nowMs }: JobContext): JobReport => {
  const { job: spelled } = dialect
  const job = unwrap(body, dialect)
  const word = find(job, spelled.status, text)
  const status = word === null ? null : statusOf(word, dialect)
  const link = readLink(job, spelled.link, base)
  return {
    jobId: readJobId(body, headers, dialect),
    status,
    backendStatus: word === null ? null : redact(word),
    progress: dialect.progress && find(job, dialect.progress.at, progress(dialect.progress.unit)),
    // No contract says how long these links live; the alternate's download link does, and only there.
    link: link === null ? null : { url: link, expiresAtMs: endOfLink(link, nowMs) },
    failure: readFailure(job, status === 'failed', spelled),
    thumbnailUrl: readLink(job, spelled.thumbnail, base),
    durationSeconds: find(job, spelled.duration, duration(dialect.durations)),
    durationEstimateSeconds: find(job, spelled.durationEstimate, duration(dialect.durations)),
    nextPollAtMs: latestHint(headers, body, { hints: spelled.hints, hintsUnder: dialect.error.hintsUnder }, nowMs),
    made: readTraits(job, dialect),
    verbatim: verbatim(body),
  }
}

/** As `readJob`; null if the answer says nothing about the job, so that asking has failed. */
export const readStatus = (body: unknown, dialect: Dialect, context: JobContext): JobReport | null => {
  const report = readJob(body, dialect, context)
  const said = [report.backendStatus, report.progress, report.link, report.failure]
  return said.some((value) => value !== null) ? report : null
}

export type Noun = 'voices' | 'puppets' | 'videos'

const items = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null)

/** The items of a list: `data`, else `items`, `results`, the plural noun, or the body itself; null if it is no list. */
export const readItems = (body: unknown, noun: Noun, { list }: Dialect): readonly unknown[] | null => {
  const spellings = [...list.items, noun]
  return find(body, spellings, items) ?? items(body) ?? find(find(body, ['data'], asObject), spellings, items)
}

/** Voices that have an id, with languages and genders in normalized form; null if the body holds no list. */
export const readVoices = (body: unknown, base: URL, dialect: Dialect): Voice[] | null => {
  const { voice } = dialect
  const listed = readItems(body, 'voices', dialect)
  if (listed === null) return null
  return listed.flatMap((item) => {
    const id = find(item, voice.id, idText)
    if (id === null) return []
    const languageCode = find(item, voice.languageCode, locale)
    return {
      id,
      name: find(item, voice.name, text),
      provider: find(item, voice.provider, text),
      language: find(item, voice.language, text) ?? (languageCode === null ? null : languageName(languageCode)),
      languageCode,
      gender: find(item, voice.gender, text)?.toLowerCase() ?? null,
      previewUrl: find(item, voice.preview, absoluteUrl(base)),
    }
  })
}

/** A puppet without a kind counts as custom. */
const puppetType = (item: unknown, { puppet }: Dialect): Puppet['type'] =>
  find(item, puppet.type, text)?.toLowerCase() === 'stock' ? 'stock' : 'custom'

const puppetOf = (item: unknown, base: URL, dialect: Dialect): Puppet | null => {
  const { puppet } = dialect
  const id = find(item, puppet.id, idText)
  if (id === null) return null
  return {
    id,
    name: find(item, puppet.name, text),
    type: puppetType(item, dialect),
    imageUrl: find(item, puppet.image, absoluteUrl(base)),
    thumbnailUrl: find(item, puppet.thumbnail, absoluteUrl(base)),
    createdAtMs: find(item, puppet.created, time),
    verbatim: verbatim(item),
  }
}

/** The puppet itself, or what is in its wrapper. */
export const unwrapPuppet = (body: unknown, { puppet }: Dialect): unknown =>
  unwrapBy(body, ['puppet', 'data'], puppet.id, idText)

/** One puppet; null if the body names none. */
export const readPuppet = (body: unknown, base: URL, dialect: Dialect): Puppet | null =>
  puppetOf(unwrapPuppet(body, dialect), base, dialect)

/** Puppets that have an id; null if the body holds no list. */
export const readPuppets = (body: unknown, base: URL, dialect: Dialect): Puppet[] | null =>
  readItems(body, 'puppets', dialect)?.flatMap((item) => puppetOf(item, base, dialect) ?? []) ?? null

const MAX_PAGES = 1000

/** The page after this one, if a `pagination` object speaks of it (alternate contract, "Pagination"). */
export const nextPage = (body: unknown, cursor: string | null, { list }: Dialect): string | null => {
  const page = find(body, list.page, count)
  const totalPages = find(body, list.totalPages, count)
  if (page === null || totalPages === null || page >= Math.min(totalPages, MAX_PAGES)) return null
  // A backend that ignores `page` would answer the first one for ever.
  return String(page) === (cursor ?? '1') ? String(page + 1) : null
}

/** The cursor of the next page, where an answer names one; one that leads to itself would page for ever. */
export const nextCursor = (body: unknown, cursor: string | null, { list }: Dialect): string | null => {
  const next = find(body, list.nextCursor, idText)
  return next === cursor ? null : next
}

/** A moment, or as many seconds from now. */
const expiry = (body: unknown, at: readonly string[], inSeconds: readonly string[], nowMs: number): number | null => {
  const seconds = find(body, inSeconds, duration('seconds'))
  return find(body, at, time) ?? (seconds === null ? null : secondsFrom(nowMs, seconds))
}

/** Headers of the connection: the sender of the file makes them. */
const OF_THE_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
const HEADERS_AT_MOST = 20
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7E]{0,1000}$/

/** The headers of the PUT, in lower case: those that the answer names, and the type that was reserved. */
const putHeaders = (body: unknown, contentType: string): Record<string, string> => {
  const told = Object.entries(find(body, UPLOAD.headers, asObject) ?? {})
    .slice(0, HEADERS_AT_MOST)
    .flatMap(([name, value]): [string, string][] => {
      const header = name.toLowerCase()
      const fits = HEADER_NAME.test(header) && typeof value === 'string' && HEADER_VALUE.test(value)
      return fits && !OF_THE_CONNECTION.has(header) ? [[header, value]] : []
    })
  return Object.fromEntries([['content-type', contentType], ...told])
}

export const unwrapUpload = (body: unknown): unknown => unwrapBy(body, ['data', 'upload', 'audio'], UPLOAD.upload, text)

/** Both links of a reservation (primary contract, "Hosted audio upload"), or null if one is missing. Pure and total. */
export const readUpload = (body: unknown, contentType: string, { base, nowMs }: Moment): HostedUpload | null => {
  const upload = unwrapUpload(body)
  const uploadUrl = find(upload, UPLOAD.upload, absoluteUrl(base))
  const audioUrl = find(upload, UPLOAD.read, absoluteUrl(base))
  if (uploadUrl === null || audioUrl === null) return null
  return {
    uploadUrl,
    // "A short-lived signed PUT URL".
    method: 'PUT',
    headers: putHeaders(upload, contentType),
    audioUrl,
    expiresAtMs: expiry(upload, UPLOAD.expires, UPLOAD.expiresIn, nowMs),
    verbatim: verbatim(body),
  }
}

export const unwrapSpeech = (body: unknown): unknown => unwrapBy(body, ['data', 'speech', 'result'], SPEECH.link, text)

/** The contract says of every clip that it is a WAV. */
const SPEECH_TYPE = 'audio/wav'

/** A clip (primary contract, "Speech result"), or null if it has no link. Pure and total. */
export const readSpeech = (body: unknown, { base, nowMs }: Moment): SpeechClip | null => {
  const speech = unwrapSpeech(body)
  const audioUrl = find(speech, SPEECH.link, absoluteUrl(base))
  if (audioUrl === null) return null
  return {
    audioUrl,
    expiresAtMs: expiry(speech, SPEECH.expires, SPEECH.expiresIn, nowMs),
    durationSeconds: find(speech, SPEECH.duration, duration('seconds')),
    contentType: find(speech, SPEECH.type, text) ?? SPEECH_TYPE,
    verbatim: verbatim(speech),
  }
}

export const unwrapUsage = (body: unknown): unknown =>
  unwrapBy(body, ['data', 'usage'], [...USAGE.remaining, ...USAGE.used, ...USAGE.readiness], something)

const something = (value: unknown): unknown => number(value) ?? asObject(value)
const PACKS_AT_MOST = 100

/** What an account has left (primary contract, "Usage"), or null if the answer does not say. Pure and total. */
export const readUsage = (
  body: unknown,
  headers: Headers,
  { nowMs }: Moment,
  { error }: Pick<Dialect, 'error'>,
): AccountUsage | null => {
  const usage = unwrapUsage(body)
  const readiness = find(usage, USAGE.readiness, asObject) ?? usage
  const canCreate = find(readiness, VIDEO_GENERATION.can_create, flag)
  const reason = find(readiness, VIDEO_GENERATION.reason, text)
  const packs = find(usage, USAGE.packs, (value) => (Array.isArray(value) ? (value as unknown[]) : null))
  const left: Omit<AccountUsage, 'verbatim'> = {
    creditsRemaining: find(usage, USAGE.remaining, number),
    creditsUsedMonth: find(usage, USAGE.used, number),
    creditsIncluded: find(usage, USAGE.included, number),
    creditsPurchased: find(usage, USAGE.purchased, number),
    checkoutAvailable: find(usage, USAGE.checkout, flag),
    creditPacks: packs?.slice(0, PACKS_AT_MOST) ?? null,
    canCreate,
    blockedReason: canCreate === true || reason === null ? null : redact(reason),
    retryAtMs: null,
    activeJobs: find(readiness, VIDEO_GENERATION.active_jobs, count),
    freeSlots: find(readiness, VIDEO_GENERATION.available_slots, count),
  }
  if (Object.values(left).every((value) => value === null)) return null
  const retryAtMs = canCreate === true ? null : latestHint(headers, usage, error, nowMs)
  return { ...left, retryAtMs, verbatim: verbatim(body) }
}
