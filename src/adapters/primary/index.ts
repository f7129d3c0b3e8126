import type { Adapter, Puppet, WriteOutcome } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import {
  readPuppet,
  unwrapPuppet,
  readSpeech,
  readUpload,
  readUsage,
  unwrapSpeech,
  unwrapUpload,
  unwrapUsage,
  nextCursor,
} from '../shared/answers.ts'
import { type Speaker, createSpeaker, namesIn, unknownFields, usualCalls } from '../shared/speaker.ts'
import { notFoundHere } from '../shared/outcome.ts'
import {
  SPEECH,
  UPLOAD,
  USAGE,
  type AdapterAccount,
  type Interface,
  ENDS,
  type Dialect,
  ERROR,
  bearer,
  JOB,
  LIST,
  PUPPET,
  VOICE,
} from '../shared/dialect.ts'
import {
  ERRORS,
  JOB_ID_SPELLINGS,
  LOST,
  createRequest,
  puppetPath,
  puppetRequest,
  speechRequest,
  uploadRequest,
} from './wire.ts'

const SPEECH_FIELDS = namesIn(SPEECH)
const UPLOAD_FIELDS = namesIn(UPLOAD)
const USAGE_FIELDS = namesIn(USAGE)

type Resources = 'puppet' | 'createPuppet' | 'deletePuppet' | 'createUpload' | 'createSpeech' | 'usage'

/** What an account has besides videos: saved portraits, hosted audio, speech and credits. */
const resourceCalls = (speaker: Speaker): Pick<Adapter, Resources> => {
  const { base, moment, dialect } = speaker
  const puppetFields = namesIn(dialect.puppet)
  const noSuchPuppet = () => notFoundHere('puppet_not_found', 'This cannot be the id of a puppet')
  const gone: WriteOutcome<null> = { kind: 'refused', problem: noSuchPuppet().problem, rate: null }

  return {
    async puppet(id) {
      if (!fitsInPath(id)) return noSuchPuppet()
      return speaker.ask({
        operation: 'getPuppet',
        path: puppetPath(id),
        read: (body) => readPuppet(body, base, dialect),
        drift: (body) => unknownFields([unwrapPuppet(body, dialect)], puppetFields, 'getPuppet'),
        missing: 'puppet_not_found',
      })
    },
    createPuppet: (request, idempotencyKey) =>
      speaker.write<Puppet>({
        operation: 'createPuppet',
        wire: puppetRequest(request, idempotencyKey),
        read(body) {
          const puppet = readPuppet(body, base, dialect)
          // A record may be no more than an id: the rest is as it was asked for.
          return (
            puppet && { ...puppet, imageUrl: puppet.imageUrl ?? request.imageUrl, name: puppet.name ?? request.name }
          )
        },
        drift: (body) => unknownFields([unwrapPuppet(body, dialect)], puppetFields, 'createPuppet'),
      }),
    /**
     * The backend's own 404 is as good as a 204: what a client made and deletes is gone either way, and a repeated
     * delete cannot be distinguished from a first one here.
     */
    async deletePuppet(id) {
      if (!fitsInPath(id)) return gone
      const outcome = await speaker.write<true>({
        operation: 'deletePuppet',
        wire: { method: 'DELETE', path: puppetPath(id), headers: {}, body: null },
        read: () => true,
        drift: () => [],
        missing: 'puppet_not_found',
        mayBeEmpty: true,
      })
      if (outcome.kind === 'done') return { ...outcome, value: null }
      const isGone = outcome.kind === 'refused' && outcome.problem.code === 'puppet_not_found'
      return isGone ? { kind: 'done', value: null, rate: outcome.rate } : outcome
    },
    createUpload: (request, idempotencyKey) =>
      speaker.write({
        operation: 'createUpload',
        wire: uploadRequest(request, idempotencyKey),
        read: (body) => readUpload(body, request.contentType, moment()),
        drift: (body) => unknownFields([unwrapUpload(body)], UPLOAD_FIELDS, 'createUpload'),
      }),
    createSpeech: (request) =>
      speaker.write({
        operation: 'createSpeech',
        wire: speechRequest(request),
        read: (body) => readSpeech(body, moment()),
        drift: (body) => unknownFields([unwrapSpeech(body)], SPEECH_FIELDS, 'createSpeech'),
        missing: 'voice_not_found',
      }),
    usage: () =>
      speaker.ask({
        operation: 'getUsage',
        path: '/api/v1/usage',
        read: (body, headers) => readUsage(body, headers, moment(), dialect),
        drift: (body) => unknownFields([unwrapUsage(body)], USAGE_FIELDS, 'getUsage'),
      }),
  }
}

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
  credential: bearer,
  rows: ERRORS,
  // Every answer of this interface may carry the window's end: on a 429 without code or hint it proves no hint.
  resetIsHint: false,
  error: ERROR,
  statusPath: '/api/v1/videos/{id}',
  // Contract, "States and transitions".
  statuses: { ...ENDS, queued: 'queued', processing: 'processing' },
  progress: { at: ['progress'], unit: 'fraction' },
  durations: 'seconds',
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
