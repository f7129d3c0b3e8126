import type { Cursors } from '../../../core/api/signed.ts'
import type { List, VideoView } from '../../../core/api/videos.ts'
import type { Store } from '../../../core/store/index.ts'
import type { ListQuery } from '../../../core/store/videos.ts'
import type { Doubt, VideoRecord } from '../../../core/video.ts'
import type { Status } from '../../../core/vocabulary.ts'
import type { Videos } from '../../../engine/index.ts'
import type { MetadataWish } from '../metadata-filter.ts'
import { openCursor } from '../paging.ts'
import { placeBehind, placeOf } from './place.ts'

interface ListedDeps {
  videos: Pick<Videos, 'renderAll'>
  store: Pick<Store, 'list' | 'listOfAll' | 'withMetadata' | 'doubts'>
  cursors: Cursors
}

interface Wanted<V> {
  /** Null: of all. */
  client: string | null
  /** Names the list and its filters. */
  scope: string
  limit: number
  cursor?: string | undefined
  filters: {
    status?: Status | undefined
    backend?: string | undefined
    created_after?: number | undefined
    created_before?: number | undefined
    metadata?: MetadataWish | undefined
    /** Of all clients, without other filters. */
    doubt?: Doubt | undefined
  }
  view: (video: VideoRecord, view: VideoView) => V
}

/** A page of a client's videos, or of all. Throws `invalid_cursor`. */
export const listedVideos = async <V>(
  { videos, store, cursors }: ListedDeps,
  { client, scope, limit, cursor, filters, view }: Wanted<V>,
): Promise<List<V>> => {
  const query: ListQuery = {
    limit,
    before: placeOf(openCursor(cursors, scope, cursor)),
    status: filters.status ?? null,
    backend: filters.backend ?? null,
    createdAfterMs: filters.created_after ?? null,
    createdBeforeMs: filters.created_before ?? null,
  }
  const read = async () => {
    if (filters.metadata) return store.withMetadata({ ...query, client, metadata: filters.metadata })
    const one = { ...query, limit: limit + 1 }
    const found = await (filters.doubt
      ? store.doubts({ limit: one.limit, before: one.before, doubt: filters.doubt })
      : client === null
        ? store.listOfAll(one)
        : store.list(client, one))
    return { videos: found.slice(0, limit), next: found.length > limit ? (found[limit - 1] ?? null) : null }
  }
  const { videos: page, next } = await read()
  const views = await videos.renderAll(page)
  return {
    object: 'list',
    data: page.flatMap((video, n) => (views[n] ? [view(video, views[n])] : [])),
    has_more: next !== null,
    next_cursor: next && cursors.seal(scope, placeBehind(next)),
  }
}
