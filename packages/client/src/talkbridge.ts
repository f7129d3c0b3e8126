import { baseOf, checkedCount, checkedKey, checkedMs } from './error.ts'
import { createRaw, type Raw } from './raw.ts'
import { createResources, type Resources } from './resources.ts'
import type { Connection, Runtime, TalkbridgeOptions } from './send.ts'
import { createVideos, type Videos } from './videos.ts'

export interface Talkbridge extends Raw, Resources {
  videos: Videos
}

/** As `createTalkbridge`, in a time of the caller's. */
export const talkbridgeIn = (runtime: Runtime, options: TalkbridgeOptions): Talkbridge => {
  const { key, timeoutMs = 60_000, maxRetries = 4, logger } = options
  if (key !== undefined && typeof key !== 'function') checkedKey(key)
  const connection: Connection = {
    base: baseOf(options.url),
    key: async () => (key === undefined ? undefined : checkedKey(typeof key === 'function' ? await key() : key)),
    // The platform's own is looked up late, so that what replaces it later is used, and is called without a `this`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: checkedMs('timeoutMs', timeoutMs),
    maxRetries: checkedCount('maxRetries', maxRetries),
    log(attempt) {
      try {
        logger?.(attempt)
      } catch {
        // A video may have been made: what only watches must not lose it.
      }
    },
    runtime,
  }
  const raw = createRaw(connection)
  const videos = createVideos(connection, raw)
  return { ...raw, videos, ...createResources(connection, raw, videos) }
}
