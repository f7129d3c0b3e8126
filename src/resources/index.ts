import { createKeyed, type ResourcesDeps } from './keyed.ts'
import { createPuppets, createSpeech, createUploadLookup, createUploads } from './assets.ts'
import { createRequestCounts, createUsage } from './usage.ts'
import { createThrough } from './through.ts'

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
    usage: createUsage(deps, requests.of),
    requests,
  }
}
export type Resources = ReturnType<typeof createResources>
export type { Caller } from './keyed.ts'
