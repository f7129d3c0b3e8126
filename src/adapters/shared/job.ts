import type { JobReport, JobTraits } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import { latestHint, type Headers } from './hints.ts'
import { absoluteUrl, asObject, codeWord, duration, find, flag, idText, progress, redact, text, time } from './read.ts'
import { VIDEO, WRAPPERS } from './spellings.ts'

export type JobStatus = NonNullable<JobReport['status']>

/** How one interface names jobs and their states. */
export interface JobDialect {
  /** Spellings of the job id in a body. */
  jobId: readonly string[]
  /** Null: a word outside the adapter's table. */
  statusOf(word: string): JobStatus | null
  /** Top-level fields of a job that the adapter has been told of. */
  videoFields: ReadonlySet<string>
}

const jobId = (value: unknown): string | null => {
  const id = idText(value)
  return id !== null && fitsInPath(id) ? id : null
}

/** The resource itself, or what is in its wrapper if only that has an id, or else a status. */
export const unwrap = (body: unknown, ids: readonly string[]): unknown => {
  const layers = [body, ...WRAPPERS.map((name) => find(body, [name], asObject))]
  return (
    layers.find((layer) => find(layer, ids, jobId) !== null) ??
    layers.find((layer) => find(layer, VIDEO.status, text) !== null) ??
    body
  )
}

/** `…/videos/{id}`: the status URL of both contracts; any other path names no job. */
const STATUS_PATH = /\/videos\/([^/?#]+)\/?(?:[?#].*)?$/

/** The job that an answer's headers name (primary contract, "Shared response headers"), or null. */
export const jobIdFromHeaders = (headers: Headers): string | null =>
  jobId(headers['service-operation-id']) ??
  jobId(headers['x-service-operation-id']) ??
  jobId(STATUS_PATH.exec(headers.location ?? '')?.[1])

/** The job that an answer names: in its body, else in its headers. */
export const readJobId = (body: unknown, headers: Headers, dialect: JobDialect): string | null =>
  find(unwrap(body, dialect.jobId), dialect.jobId, jobId) ?? jobIdFromHeaders(headers)

/** The link of a finished job: present or not, never probed. */
export const readLink = (body: unknown, spellings: readonly string[], base: URL): string | null =>
  find(body, spellings, absoluteUrl(base))

/** An object that says something, or text, under a name for errors; beside a failed status also a bare message. */
const readFailure = (job: unknown, failed: boolean): JobReport['failure'] => {
  const saysSomething = (value: unknown): string | null =>
    text(value) ?? (Object.keys(asObject(value) ?? {}).length > 0 ? 'The backend reported an error' : null)
  const failure = find(job, VIDEO.failure, saysSomething)
  if (failure === null && !failed) return null
  const message = find(job, VIDEO.failureMessage, text) ?? failure
  if (message === null) return null
  const code = find(job, VIDEO.failureCode, codeWord)
  return {
    message: redact(message),
    retryable: find(job, VIDEO.failureRetryable, flag) ?? false,
    code: code === null ? null : redact(code),
  }
}

export const readTraits = (job: unknown): JobTraits => ({
  puppetId: find(job, VIDEO.puppet, idText),
  voiceId: find(job, VIDEO.voice, idText),
  resolution: find(job, VIDEO.resolution, text),
  createdAtMs: find(job, VIDEO.created, time),
})

export interface JobContext {
  base: URL
  headers: Headers
  nowMs: number
}

/** What one 2xx answer says about a job. Pure and total; whatever it leaves out is null. */
export const readJob = (body: unknown, dialect: JobDialect, { base, headers, nowMs }: JobContext): JobReport => {
  const job = unwrap(body, dialect.jobId)
  const word = find(job, VIDEO.status, text)
  const status = word === null ? null : dialect.statusOf(word)
  const link = readLink(job, VIDEO.link, base)
  return {
    jobId: readJobId(body, headers, dialect),
    status,
    backendStatus: word === null ? null : redact(word),
    progress: find(job, VIDEO.progress, progress),
    // No contract says how long these links live; the alternate's download link does, and only there.
    link: link === null ? null : { url: link, expiresAtMs: null },
    failure: readFailure(job, status === 'failed'),
    thumbnailUrl: readLink(job, VIDEO.thumbnail, base),
    durationSeconds: find(job, VIDEO.duration, duration),
    durationEstimateSeconds: find(job, VIDEO.durationEstimate, duration),
    nextPollAtMs: latestHint(headers, body, nowMs),
    made: readTraits(job),
  }
}

/** As `readJob`; null if the answer says nothing about the job, so that asking has failed. */
export const readStatus = (body: unknown, dialect: JobDialect, context: JobContext): JobReport | null => {
  const report = readJob(body, dialect, context)
  const said = [report.backendStatus, report.progress, report.link, report.failure]
  return said.some((value) => value !== null) ? report : null
}

/** Of an answer that names a job and says nothing else that could be read. */
export const bareReport = (id: string, nextPollAtMs: number | null): JobReport => ({
  jobId: id,
  status: null,
  backendStatus: null,
  progress: null,
  link: null,
  failure: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  nextPollAtMs,
  made: { puppetId: null, voiceId: null, resolution: null, createdAtMs: null },
})

/** Status words as the tables hold them: lower case, `_` between their parts. */
export const plainWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
