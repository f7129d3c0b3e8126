import { baseOf, checkedCount, checkedKey, checkedMs, type TalkbridgeOptions } from './error.ts'
import { createRaw, type Raw } from './raw.ts'
import type { Connection, Runtime } from './send.ts'
import { createVideos, type Videos } from './videos.ts'

export interface Talkbridge extends Raw {
  videos: Videos
}

/** As `createTalkbridge`, in a time of the caller's. */
export const talkbridgeIn = (runtime: Runtime, options: TalkbridgeOptions): Talkbridge => {
  const { key, timeoutMs = 60_000, maxRetries = 4 } = options
  if (key !== undefined && typeof key !== 'function') checkedKey(key)
  const connection: Connection = {
    base: baseOf(options.url),
    key: async () => (key === undefined ? undefined : checkedKey(typeof key === 'function' ? await key() : key)),
    // The platform's own is looked up late, so that what replaces it later is used, and is called without a `this`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: checkedMs('timeoutMs', timeoutMs),
    maxRetries: checkedCount('maxRetries', maxRetries),
    runtime,
  }
  const raw = createRaw(connection)
  const { GET, POST, PATCH, DELETE } = raw
  return { videos: createVideos(connection, raw), GET, POST, PATCH, DELETE }
}
