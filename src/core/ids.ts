import { randomFillSync, createHash } from 'node:crypto'
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

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** Sorts the fields, and drops empty ones. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, canonical(inner)] as const)
      .filter(([, inner]) => !isEmpty(inner))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/**
 * A hash of what a request asks for. Only fields that were given count. So a field that a later version adds does not
 * change the hash of a request without it, and keys can be repeated across an upgrade.
 */
export const fingerprintOf = (request: object): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(request)))
    .digest('hex')

/**
 * The ids that the examples of the API name. The sandbox's gateway begins with a record of each, so that an example can
 * be sent as it is.
 */
export const EXAMPLE_IDS = {
  /** A video that is completed, and its job on the backend `main`. */
  video: 'vid_01M7WA9S7VF4P8S27TV0W2QQJ9',
  job: 'api_video_7Hq2',
  /** Made from the id of the video: its end, and how its `webhook_url` was notified. */
  event: 'evt_93ea97acbfc0f0feeac794302d',
  delivery: 'dlv_1d3934da18de025aa6a6ebc381',
  /** A video that was canceled: to cancel it again is no error. */
  canceledVideo: 'vid_01M7WA9S7VF4P8S27TV0W2QQJC',
  endpoint: 'we_01M7WA9S7VF4P8S27TV0W2QQJA',
  key: 'key_01M7WA9S7VF4P8S27TV0W2QQJB',
  client: 'studio',
  /** Portraits of the backend `main`, taken for the client's own: it may delete them, on one surface each. */
  puppet: 'puppet_cleo',
  dropinPuppet: 'puppet_dov',
} as const
