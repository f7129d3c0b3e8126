import { IMAGE, type Ask, type Reply } from '../harness.ts'
import { rowsOf } from './parse.ts'
import type { Walk } from './walk.ts'

/** A request that its operation accepts. */
export interface Request {
  readonly path: string
  readonly ask: Ask
}

const VIDEO = { image_url: IMAGE, text: 'Hello there' }
export const UPLOAD = { mime_type: 'audio/wav', content_length: 32_044 }

/** One acceptable request of every primary operation, by the path of its section. */
export const REQUESTS: Readonly<Record<string, (w: Walk) => Promise<Request>>> = {
  'GET /api/v1/voices/service': async () => ({ path: '/api/v1/voices/service', ask: {} }),
  'GET /api/v1/puppets': async () => ({ path: '/api/v1/puppets', ask: {} }),
  'POST /api/v1/puppets': async () => ({ path: '/api/v1/puppets', ask: { body: { imageUrl: IMAGE, name: 'Me' } } }),
  'GET /api/v1/puppets/{puppetId}': async () => ({ path: '/api/v1/puppets/puppet_ada', ask: {} }),
  'DELETE /api/v1/puppets/{puppetId}': async () => ({
    path: '/api/v1/puppets/puppet_ada',
    ask: { method: 'DELETE' },
  }),
  'POST /api/v1/tts/service': async () => ({
    path: '/api/v1/tts/service',
    ask: { body: { voice_id: 'sandbox-en-us-ava', text: 'Hello there' } },
  }),
  'POST /api/v1/uploads/audio-url': async () => ({ path: '/api/v1/uploads/audio-url', ask: { body: UPLOAD } }),
  'GET /api/v1/usage': async () => ({ path: '/api/v1/usage', ask: {} }),
  'POST /api/v1/videos/text': async () => ({ path: '/api/v1/videos/text', ask: { body: VIDEO } }),
  'POST /api/v1/videos/audio': async (w) => ({
    path: '/api/v1/videos/audio',
    ask: { body: { image_url: IMAGE, audio_url: await w.uploaded() } },
  }),
  'GET /api/v1/videos/{jobId}': async (w) => ({ path: String((await w.create()).body['status_url']), ask: {} }),
}

/** operationId and scope by section: the operations table of the contract itself. */
export const OPERATIONS: ReadonlyMap<string, { readonly name: string; readonly scope: string }> = new Map(
  rowsOf('primary')
    .filter(({ cells }) => cells['operationId'] !== undefined)
    .map(({ name, cells }) => [`${cells['Method']} ${cells['Path']}`, { name, scope: cells['Required scope'] ?? '' }]),
)

export const ALL_SCOPES: readonly string[] = [...new Set([...OPERATIONS.values()].map(({ scope }) => scope))]

/** Sends the acceptable request of a section, changed by `more`. */
export const send = async (w: Walk, section: string, more: Ask = {}): Promise<Reply> => {
  const { path, ask } = await requestOf(w, section)
  return w.primary(path, { ...ask, ...more })
}

export const requestOf = (w: Walk, section: string): Promise<Request> => {
  const make = REQUESTS[section]
  if (!make) throw new Error(`No request is known for ${section}.`)
  return make(w)
}
