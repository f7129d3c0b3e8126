import { createHash } from 'node:crypto'

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** Its fields in one order, less those that say nothing. */
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
 * What a request asks for, as one word. Of what was given alone: a field that a later version adds changes the word of
 * no request that does not use it, so that keys can be repeated across an upgrade.
 */
export const fingerprintOf = (request: object): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(request)))
    .digest('hex')
