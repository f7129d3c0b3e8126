import type { Cursors } from '../../core/api/signed.ts'
import { Problem, type ProblemCode } from '../../core/errors.ts'
import type { List } from '../../core/api/videos.ts'
import { createHash } from 'node:crypto'
import type { Response } from 'express'

export const staleCursor = (): Problem =>
  new Problem('invalid_cursor', 'this cursor does not belong to this list: use next_cursor of its previous page', {
    param: 'cursor',
  })

/** What a cursor of this list says; null: from the start. Throws `invalid_cursor`. */
export const openCursor = (cursors: Cursors, scope: string, cursor: string | undefined): string | null => {
  if (cursor === undefined) return null
  const opened = cursors.open(scope, cursor)
  if (opened !== null) return opened
  throw staleCursor()
}

/** What a cursor says that is a number. */
export const numberOrNull = (said: string | null): number | null => (said === null ? null : Number(said))

/** What a page is asked with. */
export interface PageWish {
  limit: number
  cursor?: string | undefined
}

/** Of `found`, which is one more than `limit` where there is another page. */
const listOf = <T, V>(found: readonly T[], data: V[], limit: number, cursorBehind: (item: T) => string): List<V> => {
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    object: 'list',
    data,
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursorBehind(last),
  }
}

interface Ordered<T, V> {
  /** At most `limit` items behind what the cursor says; null: from the start. */
  read: (behind: string | null, limit: number) => Promise<readonly T[]>
  views: (page: readonly T[]) => V[] | Promise<V[]>
  /** What the cursor behind an item says. */
  after: (item: T) => string
}

/** A page of a list in an order that a cursor can name. Throws `invalid_cursor`. */
export const pageOf = async <T, V>(
  { cursors }: { cursors: Cursors },
  scope: string,
  { limit, cursor }: PageWish,
  { read, views, after }: Ordered<T, V>,
): Promise<List<V>> => {
  const found = await read(openCursor(cursors, scope, cursor), limit + 1)
  return listOf(found, await views(found.slice(0, limit)), limit, (last) => cursors.seal(scope, after(last)))
}

/** The last item that was read, and how many was up to it then. */
interface Place {
  upTo: number
  mark: string
}

interface Listing<T> {
  cursors: Cursors
  /** Names the list, the client and the filters. */
  scope: string
  limit: number
  /** What reports an item from all others of its list, whatever becomes of it. */
  keyOf: (item: T) => string
}

const PLACE = /^(\d{1,9})\/([\w-]{22})$/

const markOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22)

/** The place that a cursor names; null: the beginning. Throws `invalid_cursor`. */
export const openPlace = (cursors: Cursors, scope: string, cursor: string | undefined): Place | null => {
  const opened = openCursor(cursors, scope, cursor)
  if (opened === null) return null
  const [, upTo, mark] = PLACE.exec(opened) ?? []
  if (upTo === undefined || mark === undefined) throw staleCursor()
  return { upTo: Number(upTo), mark }
}

/**
 * Where the list continues behind a place; null if its item is gone. Most lists are as they were, so that is looked at
 * first.
 */
export const behind = <T>(items: readonly T[], { upTo, mark }: Place, keyOf: (item: T) => string): number | null => {
  const isIt = (item: T | undefined): boolean => item !== undefined && markOf(keyOf(item)) === mark
  if (isIt(items[upTo - 1])) return upTo
  const at = items.findIndex(isIt)
  return at === -1 ? null : at + 1
}

/**
 * A page of a list that is in no order that a cursor could name (a backend's catalogue, say). The cursor names the last
 * item, and the list continues behind it as it is now: any process can tell the next page, and none keeps anything. If
 * that item is gone, the page begins one item earlier: an item may come twice, but none is left out because of it.
 */
export const listPage = <T>(
  items: readonly T[],
  place: Place | null,
  { cursors, scope, limit, keyOf }: Listing<T>,
): List<T> => {
  const from = place === null ? 0 : (behind(items, place, keyOf) ?? Math.max(0, place.upTo - 1))
  const found = items.slice(from, from + limit + 1)
  return listOf(found, found.slice(0, limit), limit, (last) =>
    cursors.seal(scope, `${from + limit}/${markOf(keyOf(last))}`),
  )
}

/** Nothing is dropped silently: a list that lacks something says so with every page (`Talkbridge-Warning`). */

/** Whose items are not in it, and why. */
export const missingNote = (missing: readonly { backend: string; code: ProblemCode }[]): string | null =>
  missing.length === 0
    ? null
    : missing.map(({ backend, code }) => `incomplete; backend=${backend}; reason=${code}`).join(', ')

/** A backend's own list is followed so far and no further. */
export const cutNote = (backend: string): string => `incomplete; backend=${backend}; reason=too_long`

export const warn = (res: Response, note: string | null): void => {
  if (note !== null) res.set('talkbridge-warning', note)
}
