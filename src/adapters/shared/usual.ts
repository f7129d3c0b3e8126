import type { Adapter } from '../../core/adapter.ts'
import { notFoundHere, notSupportedHere } from './outcome.ts'
import type { Speaker } from './speaker.ts'
import { translateBy, type Takes } from './translate.ts'

/**
 * The port as far as its capabilities and its dialect tell it. What an interface does otherwise, or has besides (a list, a
 * download, callbacks, resources), is spread over it; whatever is left says that there is no such operation.
 */
export const usualCalls = (
  name: string,
  takes: Takes,
  speaker: Speaker,
): Omit<Adapter, 'createRequest' | 'voices' | 'puppets'> => {
  const none = `The ${name} interface does not have this operation`
  const unread = async () => notFoundHere('capability_not_supported', none)
  const unwritten = async () => notSupportedHere(none)
  return {
    scheme: speaker.dialect.scheme,
    capabilities: takes.capabilities,
    maxTextCharacters: takes.maxTextCharacters,
    maxCreateBytes: takes.maxCreateBytes,
    translate: (order, unsupported) => translateBy(name, takes, order, unsupported),
    create: speaker.create,
    status: (jobId) => speaker.job(jobId, 'getVideo'),
    download: speaker.linkOfJob,
    list: unread,
    callbackJobId: () => null,
    puppet: unread,
    createPuppet: unwritten,
    deletePuppet: unwritten,
    createUpload: unwritten,
    createSpeech: unwritten,
    usage: unread,
    handedThrough: speaker.handedThrough,
  }
}
