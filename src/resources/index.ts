import type { Clock } from '../core/time/clock.ts'
import type { NewId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Store } from '../core/store/index.ts'
import type { Aliases } from '../engine/create/route.ts'
import type { Upstream } from '../engine/upstream/tickets.ts'
import { createKeyed, type KeyedDeps } from './keyed.ts'
import { createPuppets, type PuppetCatalog, createSpeech, createUploadLookup, createUploads } from './assets.ts'
import { createRequestCounts, createUsage } from './usage.ts'
import { createThrough } from './through.ts'

interface ResourcesDeps extends Pick<KeyedDeps, 'outboundKey' | 'randomKey'> {
  store: Store
  upstream: Upstream
  catalog: PuppetCatalog
  clock: Clock
  newId: NewId
  log: Log
  defaultBackend: string
  aliases: Aliases
}

/** What a backend has that is no video: puppets, speech, uploads, usage. Knows ports, no implementation of any. */
export const createResources = (deps: ResourcesDeps) => {
  const keyed = createKeyed(deps)
  const requests = createRequestCounts(deps)
  return {
    puppets: createPuppets({ ...deps, keyed }),
    uploads: createUploads({ ...deps, keyed }),
    uploadLookup: createUploadLookup(deps.store),
    createSpeech: createSpeech(deps),
    through: createThrough(deps),
    usage: createUsage({ ...deps, requestsOf: requests.of }),
    requests,
  }
}
export type Resources = ReturnType<typeof createResources>
export type { Caller } from './keyed.ts'
