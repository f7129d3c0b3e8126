import { monotonicFactory } from 'ulid'
import type { Clock } from './time/clock.ts'

/** Makes ids `<prefix>_<ULID>`: opaque, URL-safe, and in order of their making within one process. */
export type NewId = (prefix: string) => string

/** `random` answers a number in [0, 1); tests pass a seeded one. Default: the platform's secure source. */
export const createIds = (clock: Clock, random?: () => number): NewId => {
  const next = monotonicFactory(random)
  return (prefix) => `${prefix}_${next(clock.now())}`
}

const OURS: Readonly<Record<string, string>> = {
  vid: 'a video',
  upl: 'an upload',
  we: 'a webhook endpoint',
  evt: 'an event',
  dlv: 'a delivery',
  req: 'a request',
}

/** What an id is of that has the form of the gateway's own; null where it may be anybody's. */
export const ownKindOf = (id: string): string | null => {
  const [, prefix = ''] = /^([a-z]+)_(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{26})$/.exec(id) ?? []
  return Object.hasOwn(OURS, prefix) ? (OURS[prefix] ?? null) : null
}

const SEGMENT = /^[A-Za-z0-9_~:@=+-][A-Za-z0-9._~:@=+-]{0,199}$/
/**
 * Whether an id may stand as it is in one segment of a backend's path: it starts with no dot and has at most 200
 * characters. What may not is asked for nowhere: no backend gives such a one out.
 */
export const fitsInPath = (id: string): boolean => SEGMENT.test(id)
