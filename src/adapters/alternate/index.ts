import type { Adapter, Page, Puppet, ReadOutcome } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import type { AdapterAccount, Interface } from '../shared/account.ts'
import { readNextPage, readPuppets, readVoices } from '../shared/catalog.ts'
import { catalogDrift, namesIn, unknownFields } from '../shared/drift.ts'
import { readLink } from '../shared/job.ts'
import { noSuchJob, notFoundHere, notSupportedHere, type Dialect } from '../shared/outcome.ts'
import { find, time } from '../shared/read.ts'
import { createSpeaker } from '../shared/speaker.ts'
import { DOWNLOAD } from '../shared/spellings.ts'
import { translateBy } from '../shared/translate.ts'
import { ERRORS } from './errors.ts'
import { JOBS_PER_PAGE, listDrift, readCallbackJobId, readJobs } from './list.ts'
import {
  CAPABILITIES,
  createRequest,
  JOB_ID_SPELLINGS,
  LANGUAGE_SPELLINGS,
  statusOf,
  tooLong,
  VIDEO_FIELDS,
} from './wire.ts'

const DIALECT: Dialect = {
  rows: ERRORS,
  resetIsHint: true,
  jobId: JOB_ID_SPELLINGS,
  statusOf,
  videoFields: VIDEO_FIELDS,
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
  const { base } = speaker

  /** The contract shows no pages here: the first is asked for plainly, more only if a `pagination` object says so. */
  const puppets = (cursor: string | null): Promise<ReadOutcome<Page<Puppet>>> =>
    speaker.ask({
      operation: 'listPuppets',
      path: cursor === null ? '/v1/puppets' : `/v1/puppets?${new URLSearchParams({ page: cursor }).toString()}`,
      read: (body) => readPuppets(body, base, readNextPage(body, cursor)),
      drift: (body) => catalogDrift(body, 'puppets', 'listPuppets'),
      aboutJob: false,
    })

  return {
    capabilities: CAPABILITIES,
    translate: (order, unsupported) => tooLong(order) ?? translateBy(order, unsupported, 'alternate', CAPABILITIES),
    createRequest,
    create: speaker.create,
    status: (jobId) => speaker.job('/v1/videos', jobId, 'getVideo'),
    async download(jobId) {
      if (!fitsInPath(jobId)) return noSuchJob()
      return speaker.ask({
        operation: 'getVideoDownload',
        path: `/v1/videos/${encodeURIComponent(jobId)}/download`,
        read: (body) => {
          const url = readLink(body, DOWNLOAD.link, base)
          return url === null ? null : { url, expiresAtMs: find(body, DOWNLOAD.expires, time) }
        },
        drift: (body) => unknownFields([body], DOWNLOAD_FIELDS, 'getVideoDownload'),
        // A 404 may also mean that the video is not ready: no evidence that the job is gone.
        aboutJob: false,
      })
    },
    list: (page) =>
      speaker.ask({
        operation: 'listVideos',
        path: `/v1/videos?${new URLSearchParams({ page: String(page), limit: String(JOBS_PER_PAGE) }).toString()}`,
        read: (body, headers) => readJobs(body, headers, DIALECT),
        drift: (body) => listDrift(body, DIALECT),
        aboutJob: false,
      }),
    callbackJobId: (body) => readCallbackJobId(body, DIALECT),
    voices: () =>
      speaker.ask({
        operation: 'listVoices',
        path: '/v1/voices',
        read: (body) => readVoices(body, base, LANGUAGE_SPELLINGS),
        drift: (body) => catalogDrift(body, 'voices', 'listVoices'),
        aboutJob: false,
      }),
    puppets,
    // The engine looks for one in the list, a ticket a page.
    readsPuppets: false,
    puppet: async () => notFoundHere('capability_not_supported', 'The alternate interface has no such operation'),
    createPuppet: async () => notSupportedHere('The alternate interface has no such operation'),
    deletePuppet: async () => notSupportedHere('The alternate interface has no such operation'),
    createUpload: async () => notSupportedHere('The alternate interface has no such operation'),
    createSpeech: async () => notSupportedHere('The alternate interface has no such operation'),
    usage: async () => notFoundHere('capability_not_supported', 'The alternate interface has no such operation'),
  }
}

export const alternate = {
  create,
  capabilities: CAPABILITIES,
  defaults: { slots: null, requestsPerMinute: 10 },
} satisfies Interface
