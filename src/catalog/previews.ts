import type { Voice } from '../core/adapter.ts'
import { Problem } from '../core/errors.ts'
import type { Clock } from '../core/time/clock.ts'

/** Anybody may ask, without a key: a backend that fails is asked once in this time for all of them. */
const PAUSE_MS = 60_000

/**
 * Whether a URL is the sample of one of a backend's voices, by what `load` answers. Voices that were read before are
 * looked through at once.
 */
export const previews = (clock: Pick<Clock, 'now'>, load: (backend: string) => Promise<readonly Voice[]>) => {
  const pauses = new Map<string, number>()
  const known = new WeakMap<readonly Voice[], ReadonlySet<string>>()
  const urlsOf = (voices: readonly Voice[]): ReadonlySet<string> => {
    const urls = known.get(voices) ?? new Set(voices.flatMap(({ previewUrl }) => previewUrl ?? []))
    known.set(voices, urls)
    return urls
  }
  return async (backend: string, url: string): Promise<boolean> => {
    if (clock.now() < (pauses.get(backend) ?? 0)) return false
    try {
      return urlsOf(await load(backend)).has(url)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      pauses.set(backend, clock.now() + PAUSE_MS)
      return false
    }
  }
}
