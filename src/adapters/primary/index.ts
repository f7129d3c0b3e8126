import type { Adapter } from '../../core/adapter.ts'
import type { AdapterAccount, Interface, Operation } from '../shared/account.ts'
import { readPuppets, readVoices } from '../shared/catalog.ts'
import { catalogDrift } from '../shared/drift.ts'
import type { Dialect } from '../shared/outcome.ts'
import { notFoundHere } from '../shared/outcome.ts'
import { find, idText } from '../shared/read.ts'
import { createSpeaker } from '../shared/speaker.ts'
import { LIST } from '../shared/spellings.ts'
import { translateBy } from '../shared/translate.ts'
import { ERRORS, LOST } from './errors.ts'
import { resourceCalls } from './resources.ts'
import {
  CAPABILITIES,
  capabilitiesFor,
  createRequest,
  JOB_ID_SPELLINGS,
  LANGUAGE_SPELLINGS,
  statusOf,
  VIDEO_FIELDS,
} from './wire.ts'

const PUPPETS_PER_PAGE = 100

const DIALECT: Dialect = {
  rows: ERRORS,
  // Every answer of this interface may carry the window's end: on a 429 without code or hint it proves no hint.
  resetIsHint: false,
  jobId: JOB_ID_SPELLINGS,
  statusOf,
  videoFields: VIDEO_FIELDS,
  namesOurJob: [409],
  errorsMayBeEmpty: false,
  isLost: (errorCode) => errorCode === LOST,
}

/** The primary interface (paths under `/api/v1`), spoken for one account. */
const create = (account: AdapterAccount): Adapter => {
  const speaker = createSpeaker(account, DIALECT)
  const { base } = speaker

  const job = (jobId: string, operation: Operation) => speaker.job('/api/v1/videos', jobId, operation)

  return {
    capabilities: CAPABILITIES,
    translate: (order, unsupported) => translateBy(order, unsupported, 'primary', capabilitiesFor(order)),
    createRequest,
    create: speaker.create,
    status: (jobId) => job(jobId, 'getVideo'),
    /** There is no download call: the job is read again for its `video_url`, whose lifetime is not shown. */
    async download(jobId) {
      const outcome = await job(jobId, 'getVideoDownload')
      if (!outcome.ok) return outcome
      const { value: report, rate } = outcome
      if (report.link) return { ok: true, value: report.link, rate }
      return {
        ...notFoundHere('video_not_completed', 'The backend has no link to this video yet'),
        rate,
      }
    },
    /** This contract has no list of jobs, and no callbacks. */
    list: async () => notFoundHere('capability_not_supported', 'The primary interface lists no jobs'),
    callbackJobId: () => null,
    voices: () =>
      speaker.ask({
        operation: 'listVoices',
        path: '/api/v1/voices/service',
        read: (body) => readVoices(body, base, LANGUAGE_SPELLINGS),
        drift: (body) => catalogDrift(body, 'voices', 'listVoices'),
        aboutJob: false,
      }),
    puppets(cursor) {
      const query = new URLSearchParams({ limit: String(PUPPETS_PER_PAGE), ...(cursor !== null && { cursor }) })
      return speaker.ask({
        operation: 'listPuppets',
        path: `/api/v1/puppets?${query.toString()}`,
        read: (body) => {
          const next = find(body, LIST.nextCursor, idText)
          // A cursor that leads to itself would page for ever.
          return readPuppets(body, base, next === cursor ? null : next)
        },
        drift: (body) => catalogDrift(body, 'puppets', 'listPuppets'),
        aboutJob: false,
      })
    },
    ...resourceCalls(speaker),
  }
}

export const primary = {
  create,
  capabilities: CAPABILITIES,
  defaults: { slots: 2, requestsPerMinute: 10 },
} satisfies Interface
