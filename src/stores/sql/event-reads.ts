import type { EventPage, EventSpan, EventStore, EventsQuery, PlacedEvent } from '../../core/store/events.ts'
import { int, intOrNull, merged, type Reader, type Row } from './db.ts'
import { eventFrom } from './rows.ts'

/** How many places one call reads: with a filter, only few of them may match. */
const SCANNED = 1_000

/** Of any type, or of these. */
const eventsOf = (types: number | null): string => {
  const given = Array.from({ length: types ?? 0 }, (_, n) => `?${n + 5}`)
  const wanted = types === null ? '' : types === 0 ? 'AND 1 = 0' : `AND e.type IN (${given.join(', ')})`
  const told = `
  SELECT e.id AS event_id, e.place, e.type, e.client, e.video_id, e.sequence, e.at, e.body FROM events e
  WHERE e.client = ?1 AND e.place > ?2 AND e.place <= ?3 ${wanted}`
  const toldAgain = `
  SELECT e.id, r.place, e.type, e.client, e.video_id, e.sequence, e.at, e.body
  FROM resends r CROSS JOIN events e
  WHERE e.id = r.event_id AND r.client = ?1 AND r.place > ?2 AND r.place <= ?3 ${wanted}`
  return `${merged([told, toldAgain], 'place', '?4')} ORDER BY place LIMIT ?4`
}

const FIRST = `
  SELECT min(place) AS place FROM (
    SELECT min(place) AS place FROM events WHERE client = ?1 AND place > ?2
    UNION ALL SELECT min(place) FROM resends WHERE client = ?1 AND place > ?2) AS places`

export const placedFrom = (row: Row): PlacedEvent => ({ place: int(row, 'place'), event: eventFrom(row) })

/** Reads by index, as those of `reads.ts`. */
export const createEventReads = (db: Reader): EventStore => {
  const spanOf = async (client: string): Promise<EventSpan> => {
    const row = await db.get('SELECT last, gone FROM event_spans WHERE client = ?', client)
    return row ? { last: int(row, 'last'), gone: int(row, 'gone') } : { last: 0, gone: 0 }
  }

  const page = async (client: string, { after, limit, types }: EventsQuery): Promise<EventPage> => {
    const { last } = await spanOf(client)
    // Skips removed events in one step.
    const first = intOrNull((await db.get(FIRST, client, after)) ?? {}, 'place')
    if (first === null) return { events: [], upTo: Math.max(after, last), more: false }
    const end = Math.min(last, first - 1 + SCANNED)
    const sql = eventsOf(types?.length ?? null)
    const events = (await db.all(sql, client, after, end, limit, ...(types ?? []))).map(placedFrom)
    const lastOf = events.length === limit ? events.at(-1)?.place : undefined
    const upTo = lastOf ?? end
    return { events, upTo, more: upTo < last }
  }

  return {
    eventSpan: spanOf,
    eventsOf: page,
  }
}
