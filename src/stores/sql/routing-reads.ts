import { MAX_COUNTED, type EndedVideo, type RoutingStore, type SplitState } from '../../core/store/routing.ts'
import { TERMINAL } from '../../core/vocabulary.ts'
import { int, intOrNull, listOf, text, textOrNull, type Reader, type Row } from './db.ts'
import { oneOf } from './rows.ts'

/** `data` was written by `changeSplit` alone, from a SplitState. */
const splitFrom = (row: Row): SplitState => JSON.parse(text(row, 'data')) as SplitState

const endedFrom = (row: Row): EndedVideo => ({
  id: text(row, 'id'),
  backend: text(row, 'backend'),
  rule: textOrNull(row, 'rule'),
  status: oneOf(TERMINAL, text(row, 'status'), 'status'),
  createdAtMs: int(row, 'created_at'),
  endedAtMs: int(row, 'ended_at'),
  credits: intOrNull(row, 'credits'),
  isWarned: int(row, 'warned') === 1,
})

const OF_SIDE = `phase = 'ended' AND rule IS NOT NULL AND rule = ?1 AND backend = ?2`
/** Out of the index alone. */
const COUNT = `
  SELECT count(*) AS videos, count(*) FILTER (WHERE status = 'failed') AS failed FROM (
    SELECT status FROM videos INDEXED BY videos_of_rules
    WHERE ${OF_SIDE} AND ended_at > ?3 AND status IN ('completed', 'failed')
    ORDER BY ended_at DESC, id DESC LIMIT ${MAX_COUNTED}) AS latest`

const ENDED = `SELECT id, backend, status, created_at, ended_at, rule, charged AS credits, warned FROM videos`
const PAGE = `AND source <> 'import' ORDER BY ended_at DESC, id DESC`
const ENDED_OF_ALL = `${ENDED} INDEXED BY videos_ended
  WHERE phase = 'ended' AND ended_at > ?1 AND (ended_at, id) < (?2, ?3) ${PAGE} LIMIT ?4`
const ENDED_OF_SIDE = `${ENDED} INDEXED BY videos_of_rules
  WHERE ${OF_SIDE} AND ended_at > ?3 AND (ended_at, id) < (?4, ?5) ${PAGE} LIMIT ?6`

const NEWEST = { endedAtMs: Number.MAX_SAFE_INTEGER, id: '' }

/** Reads by index, as those of `reads.ts`. */
export const createRoutingReads = (db: Reader): Pick<RoutingStore, 'splits' | 'countOf' | 'ended'> => ({
  splits: async (keys) => {
    const list = listOf(keys)
    return (await db.all(`SELECT data FROM splits WHERE key IN (${list.sql})`, ...list.values)).map(splitFrom)
  },
  async countOf({ rule, backend }, sinceMs) {
    const row = (await db.get(COUNT, rule, backend, sinceMs)) ?? {}
    return { videos: int(row, 'videos'), failed: int(row, 'failed') }
  },
  async ended({ sinceMs, side, before, limit }) {
    const { endedAtMs, id } = before ?? NEWEST
    const rows = side
      ? await db.all(ENDED_OF_SIDE, side.rule, side.backend, sinceMs, endedAtMs, id, limit)
      : await db.all(ENDED_OF_ALL, sinceMs, endedAtMs, id, limit)
    return rows.map(endedFrom)
  },
})
