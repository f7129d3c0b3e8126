import { createHash } from 'node:crypto'

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
