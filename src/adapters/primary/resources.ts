import type { Adapter, Puppet, WriteOutcome } from '../../core/adapter.ts'
import { fitsInPath } from '../../core/ids.ts'
import { readPuppet, unwrapPuppet } from '../shared/catalog.ts'
import { namesIn, unknownFields } from '../shared/drift.ts'
import { readSpeech, readUpload, readUsage, unwrapSpeech, unwrapUpload, unwrapUsage } from '../shared/hosted.ts'
import { notFoundHere } from '../shared/outcome.ts'
import type { Speaker } from '../shared/speaker.ts'
import { SPEECH, UPLOAD, USAGE } from '../shared/spellings-account.ts'
import { puppetPath, puppetRequest, speechRequest, uploadRequest } from './wire.ts'

const SPEECH_FIELDS = namesIn(SPEECH)
const UPLOAD_FIELDS = namesIn(UPLOAD)
const USAGE_FIELDS = namesIn(USAGE)

type Resources = 'puppet' | 'createPuppet' | 'deletePuppet' | 'createUpload' | 'createSpeech' | 'usage'

/** What an account has besides videos: saved portraits, hosted audio, speech and credits. */
export const resourceCalls = (speaker: Speaker): Pick<Adapter, Resources> => {
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
     * delete cannot be told from a first one here.
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
        read: (body, headers) => readUsage(body, headers, moment()),
        drift: (body) => unknownFields([unwrapUsage(body)], USAGE_FIELDS, 'getUsage'),
      }),
  }
}
