import type { VideoRecord } from '../../../core/video.ts'
import { staleCursor } from '../paging.ts'

/** What the cursor behind a video says. */
export const placeBehind = ({ createdAtMs, id }: Pick<VideoRecord, 'createdAtMs' | 'id'>): string =>
  `${createdAtMs} ${id}`

/** What a cursor says; one of an older version says no time. */
export const placeOf = (opened: string | null): { createdAtMs: number; id: string } | null => {
  if (opened === null) return null
  const [createdAt = '', id] = opened.split(' ')
  if (id === undefined) throw staleCursor()
  return { createdAtMs: Number(createdAt), id }
}
