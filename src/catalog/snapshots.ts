import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/time/clock.ts'
import type { Cursors } from '../core/api/cursor.ts'
import { Problem } from '../core/errors.ts'
import type { NewId } from '../core/ids.ts'
import type { List } from '../core/api/videos.ts'

const KEPT_MS = 10 * 60_000
/** Of all snapshots together, and of those of one client. */
const ITEMS_AT_MOST = 200_000
const ITEMS_OF_ONE_AT_MOST = 50_000

/** A list as it was; `note` is what its reader must be told of it with every page. */
interface Snapshot<T extends object> {
  items: readonly T[]
  note: string | null
}

interface Paged<T extends object> {
  page: List<T>
  note: string | null
}

/**
 * Pages through a list as it was when its first page was asked for, for ten minutes. `scope` names the list, the client
 * and the filters; a cursor of another one, a tampered one and one whose snapshot is gone are all `invalid_cursor`.
 * However much one client asks for, it pushes out its own snapshots, and not those of others that keep fewer.
 */
export const createSnapshots = <T extends object = object>({
  clock,
  cursors,
  newId,
}: {
  clock: Clock
  cursors: Cursors
  newId: NewId
}) => {
  const kept = new Map<string, LRUCache<string, Snapshot<T>>>()

  const ofClient = (client: string): LRUCache<string, Snapshot<T>> => {
    const known = kept.get(client)
    if (known) return known
    const made = new LRUCache<string, Snapshot<T>>({
      maxSize: ITEMS_OF_ONE_AT_MOST,
      sizeCalculation: ({ items }) => Math.max(1, items.length),
      ttl: KEPT_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now() },
    })
    kept.set(client, made)
    return made
  }

  const makeRoom = (): void => {
    const all = [...kept.values()]
    const sizeOf = (): number => all.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0)
    if (sizeOf() <= ITEMS_AT_MOST) return
    for (const one of all) one.purgeStale()
    while (sizeOf() > ITEMS_AT_MOST) all.toSorted((a, b) => b.calculatedSize - a.calculatedSize)[0]?.pop()
  }

  const keep = (client: string, snapshot: Snapshot<T>): string => {
    const id = newId('snap')
    ofClient(client).set(id, snapshot)
    makeRoom()
    return id
  }

  const pageOf = (scope: string, { items, note }: Snapshot<T>, offset: number, limit: number, id: () => string) => {
    const end = offset + limit
    const more = end < items.length
    const page: List<T> = {
      object: 'list',
      data: items.slice(offset, end),
      has_more: more,
      next_cursor: more ? cursors.seal(scope, `${id()}/${end}`) : null,
    }
    return { page, note }
  }

  return {
    first: (client: string, scope: string, snapshot: Snapshot<T>, limit: number): Paged<T> =>
      pageOf(scope, snapshot, 0, limit, () => keep(client, snapshot)),
    next(client: string, scope: string, cursor: string, limit: number): Paged<T> {
      const [id = '', offset = ''] = cursors.open(scope, cursor)?.split('/') ?? []
      const snapshot = kept.get(client)?.get(id)
      if (!snapshot) throw new Problem('invalid_cursor', 'this cursor is not valid, or is too old', { param: 'cursor' })
      return pageOf(scope, snapshot, Number(offset), limit, () => id)
    },
  }
}
export type Snapshots<T extends object = object> = ReturnType<typeof createSnapshots<T>>
