import type { Adapter } from '../../../src/core/adapter.ts'
import type { Order } from '../../../src/core/video.ts'
import { CONTEXT } from '../harness.ts'

/** A call of the port. */
export type Use = (adapter: Adapter) => Promise<unknown>

export const create =
  (order: Order): Use =>
  (adapter) =>
    adapter.create(adapter.createRequest(order, CONTEXT))

export const createPuppet: Use = (adapter) =>
  adapter.createPuppet({ imageUrl: 'https://img.example/1.png', name: null }, 'k')
export const deletePuppet: Use = (adapter) => adapter.deletePuppet('some-id')
export const createSpeech: Use = (adapter) => adapter.createSpeech({ text: 'Hi', voiceId: 'v', speed: null })
export const createUpload: Use = (adapter) =>
  adapter.createUpload({ contentType: 'audio/wav', sizeBytes: 1, requireVideoReadiness: null }, 'k')
export const usage: Use = (adapter) => adapter.usage()
