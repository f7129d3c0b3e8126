import type { Adapter } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import {
  type AdapterAccount,
  type Interface,
  ENDS,
  statusPathOf,
  type Dialect,
  DOWNLOAD,
  ERROR,
  bearer,
  JOB,
  LIST,
  PUPPET,
  VOICE,
} from '../shared/dialect.ts'
import { endOfLink, nextPage, readLink } from '../shared/answers.ts'
import { createSpeaker, namesIn, unknownFields, usualCalls } from '../shared/speaker.ts'
import { noSuchJob } from '../shared/outcome.ts'
import { find, time } from '../shared/read.ts'
import { ERRORS, JOBS_PER_PAGE, createRequest, listDrift, readCallbackJobId, readJobs } from './wire.ts'

/** What this gateway can do on the alternate interface today. */
const TAKES = {
  capabilities: {
    text_source: true,
    audio_source: false,
    image_url: false,
    puppet_id: true,
    resolution: true,
    expressiveness: false,
    language: false,
    speech: false,
    uploads: false,
    puppets_write: false,
    usage: false,
    native_webhook: true,
    native_list: true,
    native_idempotency: false,
    voice_required: false,
    progress: false,
    puppet_by_id: false,
  },
  // Contract, "Create body". What a character is, it does not say.
  maxTextCharacters: 5000,
  maxCreateBytes: null,
} as const

export const DIALECT: Dialect = {
  credential: bearer,
  rows: ERRORS,
  resetIsHint: true,
  error: ERROR,
  statusPath: '/v1/videos/{id}',
  // Contract, "States and transitions".
  statuses: { ...ENDS, processing: 'processing' },
  progress: null,
  durations: 'seconds',
  // A `request_id` here may name the request, so that it is no job id.
  job: JOB,
  // A voice's `language` is its locale (contract, "Resources and their fields").
  voice: { ...VOICE, languageCode: ['language', ...VOICE.languageCode], language: ['language_name', 'languageName'] },
  puppet: PUPPET,
  list: LIST,
  // No idempotency keys: a job named beside a refusal is somebody else's.
  namesOurJob: [],
  errorsMayBeEmpty: true,
  // What its 404 looks like is not shown: any in JSON counts, as one piece of the evidence that the engine gathers.
  isLost: () => true,
}

const DOWNLOAD_FIELDS = namesIn(DOWNLOAD)

/** The alternate interface (paths under `/v1`), spoken for one account. */
const create = (account: AdapterAccount): Adapter => {
  const speaker = createSpeaker(account, DIALECT)
  return {
    ...usualCalls('alternate', TAKES, speaker),
    createRequest,
    /** A 404 may also mean that the video is not ready: no evidence that the job is gone. */
    async download(jobId) {
      if (!fitsInPath(jobId)) return noSuchJob()
      return speaker.ask({
        operation: 'getVideoDownload',
        path: `${statusPathOf(jobId, DIALECT)}/download`,
        read: (body) => {
          const url = readLink(body, DOWNLOAD.link, speaker.base)
          if (url === null) return null
          return { url, expiresAtMs: find(body, DOWNLOAD.expires, time) ?? endOfLink(url, speaker.moment().nowMs) }
        },
        drift: (body) => unknownFields([body], DOWNLOAD_FIELDS, 'getVideoDownload'),
      })
    },
    list: (page) =>
      speaker.ask({
        operation: 'listVideos',
        path: `/v1/videos?${new URLSearchParams({ page: String(page), limit: String(JOBS_PER_PAGE) }).toString()}`,
        read: (body, headers) => readJobs(body, { ...speaker.moment(), headers }, DIALECT),
        drift: (body) => listDrift(body, DIALECT),
      }),
    callbackJobId: (body) => readCallbackJobId(body, DIALECT),
    voices: () => speaker.voices('/v1/voices'),
    /** The contract shows no pages here: the first is asked for plainly, more only if a `pagination` object says so. */
    puppets(cursor) {
      const query = cursor === null ? '' : `?${new URLSearchParams({ page: cursor }).toString()}`
      return speaker.puppets(`/v1/puppets${query}`, (body) => nextPage(body, cursor, DIALECT))
    },
  }
}

export const alternate = {
  create,
  capabilities: TAKES.capabilities,
  // The contract names no limit of running jobs.
  defaults: { slots: null, requestsPerMinute: 10 },
} satisfies Interface
