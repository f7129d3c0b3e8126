import { monotonicFactory } from 'ulid'
import type { Clock } from './clock.ts'

/** Makes ids `<prefix>_<ULID>`: opaque, URL-safe, and in order of their making within one process. */
export type NewId = (prefix: string) => string

/** `random` answers a number in [0, 1); tests pass a seeded one. Default: the platform's secure source. */
export const createIds = (clock: Clock, random?: () => number): NewId => {
  const next = monotonicFactory(random)
  return (prefix) => `${prefix}_${next(clock.now())}`
}
