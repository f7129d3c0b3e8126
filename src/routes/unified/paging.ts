import type { Cursors } from '../../core/api/signed.ts'
import { Problem } from '../../core/errors.ts'
import type { List } from '../../core/api/videos.ts'

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

interface Paging<T, V> {
  cursors: Cursors
  scope: string
  limit: number
  view: (item: T) => V
  /** What the cursor behind an item says. */
  after: (item: T) => string
}

/** Of `found`, which is one more than `limit` where there is another page. */
export const pageOf = <T, V>(found: readonly T[], { cursors, scope, limit, view, after }: Paging<T, V>): List<V> => {
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    object: 'list',
    data: page.map(view),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursors.seal(scope, after(last)),
  }
}
