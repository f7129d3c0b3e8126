import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/clock.ts'
import type { Cursors } from '../core/cursor.ts'
import { Problem } from '../core/errors.ts'
import type { NewId } from '../core/ids.ts'
import type { List } from '../core/public.ts'

const KEPT_MS = 10 * 60_000
const SNAPSHOTS_AT_MOST = 1_000

/**
 * Pages through a list as it was when its first page was asked for, for ten minutes. `scope` names the list, the client
 * and the filters; a cursor of another one, a tampered one and one whose snapshot is gone are all `invalid_cursor`.
 */
export const createSnapshots = ({ clock, cursors, newId }: { clock: Clock; cursors: Cursors; newId: NewId }) => {
  const snapshots = new LRUCache<string, object[]>({
    max: SNAPSHOTS_AT_MOST,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })

  const pageOf = (scope: string, items: object[], offset: number, limit: number, id: string | null): List<object> => {
    const end = offset + limit
    const more = end < items.length
    const kept = id ?? newId('snap')
    if (more && id === null) snapshots.set(kept, items)
    return {
      object: 'list',
      data: items.slice(offset, end),
      has_more: more,
      next_cursor: more ? cursors.seal(scope, `${kept}/${end}`) : null,
    }
  }

  return {
    first: (scope: string, items: object[], limit: number): List<object> => pageOf(scope, items, 0, limit, null),
    next(scope: string, cursor: string, limit: number): List<object> {
      const [id = '', offset = ''] = cursors.open(scope, cursor)?.split('/') ?? []
      const items = snapshots.get(id)
      if (!items) throw new Problem('invalid_cursor', 'this cursor is not valid, or is too old', { param: 'cursor' })
      return pageOf(scope, items, Number(offset), limit, id)
    },
  }
}
export type Snapshots = ReturnType<typeof createSnapshots>
