import type { JobReport, JobTraits } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import { latestHint, type Headers } from './hints.ts'
import { idInPath, statusOf, type Dialect } from './dialect.ts'
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
} from './read.ts'
import { HANDLES, WRAPPERS } from './spellings.ts'

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

/** What of a job the record holds in fields of its own, and what is the gateway's to say. */
const namesHeld = ({ job, progress }: Dialect): ReadonlySet<string> =>
  new Set([...job.id, ...job.status, ...job.link, ...(progress?.at ?? []), ...job.hints, ...HANDLES])
/** Read at every poll: dialects are few, and never change. */
const held = new WeakMap<Dialect, ReadonlySet<string>>()
const heldNames = (dialect: Dialect): ReadonlySet<string> => {
  const names = held.get(dialect) ?? namesHeld(dialect)
  held.set(dialect, names)
  return names
}

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
    link: link === null ? null : { url: link, expiresAtMs: null },
    failure: readFailure(job, status === 'failed', spelled),
    thumbnailUrl: readLink(job, spelled.thumbnail, base),
    durationSeconds: find(job, spelled.duration, duration),
    durationEstimateSeconds: find(job, spelled.durationEstimate, duration),
    nextPollAtMs: latestHint(headers, body, { hints: spelled.hints, hintsUnder: dialect.error.hintsUnder }, nowMs),
    made: readTraits(job, dialect),
    verbatim: verbatim(job, heldNames(dialect)),
  }
}

/** As `readJob`; null if the answer says nothing about the job, so that asking has failed. */
export const readStatus = (body: unknown, dialect: Dialect, context: JobContext): JobReport | null => {
  const report = readJob(body, dialect, context)
  const said = [report.backendStatus, report.progress, report.link, report.failure]
  return said.some((value) => value !== null) ? report : null
}
