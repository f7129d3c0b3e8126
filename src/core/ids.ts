import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { Clock } from './time/clock.ts'

/** Makes ids `<prefix>_<ULID>`: opaque, URL-safe, and ordered by time within one process. */
export type NewId = (prefix: string) => string

/** The platform's secure source, asked for many bytes at a time: an id of 16 random letters is 16 numbers. */
const createRandom = (): (() => number) => {
  const bytes = new Uint8Array(1_024)
  let used = bytes.length
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes)
      used = 0
    }
    const byte = bytes[used] ?? 0
    used += 1
    return byte / 256
  }
}

/** `random` answers a number in [0, 1); tests pass a seeded one. Default: the platform's secure source. */
export const createIds = (clock: Clock, random = createRandom()): NewId => {
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
  key: 'a key',
}

/** What the gateway uses ids of this form for (`a video`); null: the id may be a backend's. */
export const ownKindOf = (id: string): string | null => {
  const [, prefix = ''] = /^([a-z]+)_(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{26})$/.exec(id) ?? []
  return Object.hasOwn(OURS, prefix) ? (OURS[prefix] ?? null) : null
}

const SEGMENT = /^[A-Za-z0-9_~:@=+-][A-Za-z0-9._~:@=+-]{0,199}$/
/**
 * Whether an id may be put into a backend's path as it is: it starts with no dot and has at most 200 characters. No
 * backend gives out any other, so no backend is asked for one.
 */
export const fitsInPath = (id: string): boolean => SEGMENT.test(id)
