import type { Adapter, BackendProblem } from '../core/adapter.ts'
import type { Tally, UpstreamOperation } from '../core/tally.ts'
import type { Clock } from '../core/time/clock.ts'

/** An adapter that counts and times each of its requests. `backend`: the first of the account's names. */
export const metered = (adapter: Adapter, backend: string, tally: Tally, clock: Clock): Adapter => {
  const timed =
    <A extends unknown[], T extends { problem?: BackendProblem } | object>(
      operation: UpstreamOperation,
      request: (...args: A) => Promise<T>,
    ) =>
    async (...args: A): Promise<T> => {
      const beganMs = clock.now()
      const outcome = await request(...args)
      tally.observe('upstream_request', clock.now() - beganMs, { backend, operation })
      tally.count('upstream_request', { backend, operation, outcome: codeOf(outcome) })
      return outcome
    }
  return {
    ...adapter,
    create: timed('create', adapter.create),
    status: timed('status', adapter.status),
    download: timed('download', adapter.download),
    list: timed('list', adapter.list),
    voices: timed('voices', adapter.voices),
    puppets: timed('puppets', adapter.puppets),
    puppet: timed('puppet', adapter.puppet),
    createPuppet: timed('create_puppet', adapter.createPuppet),
    deletePuppet: timed('delete_puppet', adapter.deletePuppet),
    createUpload: timed('create_upload', adapter.createUpload),
    createSpeech: timed('create_speech', adapter.createSpeech),
    usage: timed('usage', adapter.usage),
    handedThrough(operation, reply) {
      const meaning = adapter.handedThrough(operation, reply)
      tally.count('upstream_request', { backend, operation: 'hand_through', outcome: meaning.problem?.code ?? 'ok' })
      return meaning
    },
  }
}

const codeOf = (outcome: { problem?: BackendProblem } | object) =>
  'problem' in outcome && outcome.problem ? outcome.problem.code : 'ok'
