import type { Adapter } from '../../core/adapter.ts'
import type { AdapterAccount, Interface } from '../shared/account.ts'
import { nextCursor } from '../shared/catalog.ts'
import { ENDS, type Dialect } from '../shared/dialect.ts'
import { createSpeaker } from '../shared/speaker.ts'
import { ERROR, JOB, LIST, PUPPET, VOICE } from '../shared/spellings.ts'
import { usualCalls } from '../shared/usual.ts'
import { ERRORS, LOST } from './errors.ts'
import { resourceCalls } from './resources.ts'
import { createRequest, JOB_ID_SPELLINGS } from './wire.ts'

/** What this gateway can do on the primary interface today. */
const TAKES = {
  capabilities: {
    text_source: true,
    audio_source: true,
    image_url: true,
    puppet_id: false,
    resolution: false,
    expressiveness: true,
    language: true,
    speech: true,
    uploads: true,
    puppets_write: true,
    usage: true,
    native_webhook: false,
    native_list: false,
    native_idempotency: true,
    voice_required: false,
    progress: true,
    puppet_by_id: true,
  },
  maxTextCharacters: null,
  // Contract, "Limits".
  maxCreateBytes: 65_536,
} as const

export const DIALECT: Dialect = {
  scheme: 'Bearer',
  rows: ERRORS,
  // Every answer of this interface may carry the window's end: on a 429 without code or hint it proves no hint.
  resetIsHint: false,
  error: ERROR,
  statusPath: '/api/v1/videos/{id}',
  // Contract, "States and transitions".
  statuses: { ...ENDS, queued: 'queued', processing: 'processing' },
  progress: { at: ['progress'], unit: 'fraction' },
  job: { ...JOB, id: JOB_ID_SPELLINGS },
  voice: VOICE,
  puppet: PUPPET,
  list: LIST,
  namesOurJob: [409],
  errorsMayBeEmpty: false,
  isLost: (errorCode) => errorCode === LOST,
}

const PUPPETS_PER_PAGE = 100

/** The primary interface (paths under `/api/v1`), spoken for one account. */
const create = (account: AdapterAccount): Adapter => {
  const speaker = createSpeaker(account, DIALECT)
  return {
    ...usualCalls('primary', TAKES, speaker),
    createRequest,
    voices: () => speaker.voices('/api/v1/voices/service'),
    puppets(cursor) {
      const query = new URLSearchParams({ limit: String(PUPPETS_PER_PAGE), ...(cursor !== null && { cursor }) })
      return speaker.puppets(`/api/v1/puppets?${query.toString()}`, (body) => nextCursor(body, cursor, DIALECT))
    },
    ...resourceCalls(speaker),
  }
}

export const primary = {
  create,
  capabilities: TAKES.capabilities,
  defaults: { slots: 2, requestsPerMinute: 10 },
} satisfies Interface
