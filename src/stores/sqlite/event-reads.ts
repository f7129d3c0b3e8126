import type { EventPage, EventSpan, EventStore, EventsQuery, PlacedEvent } from '../../core/store/events.ts'
import { int, intOrNull, type Db, type Row } from './db.ts'
import { eventFrom } from './rows.ts'

/** Places that one call looks at: with a filter, few events of many may be asked for. */
const SCANNED = 1_000

const WANTED = '(?4 IS NULL OR e.type IN (SELECT value FROM json_each(?4)))'
const EVENTS = `
  SELECT e.id AS event_id, e.place, e.type, e.client, e.video_id, e.sequence, e.at, e.body FROM events e
  WHERE e.client = ?1 AND e.place > ?2 AND e.place <= ?3 AND ${WANTED}
  UNION ALL
  SELECT e.id, r.place, e.type, e.client, e.video_id, e.sequence, e.at, e.body
  FROM resends r CROSS JOIN events e ON e.id = r.event_id
  WHERE r.client = ?1 AND r.place > ?2 AND r.place <= ?3 AND ${WANTED}
  ORDER BY place LIMIT ?5`

const FIRST = `
  SELECT min(place) AS place FROM (
    SELECT min(place) AS place FROM events WHERE client = ?1 AND place > ?2
    UNION ALL SELECT min(place) FROM resends WHERE client = ?1 AND place > ?2)`

export const placedFrom = (row: Row): PlacedEvent => ({ place: int(row, 'place'), event: eventFrom(row) })

/** Synchronous reads by index, as those of `reads.ts`. */
export const createEventReads = (db: Db): EventStore => {
  const spanOf = (client: string): EventSpan => {
    const row = db.get('SELECT last, gone FROM event_spans WHERE client = ?', client)
    return row ? { last: int(row, 'last'), gone: int(row, 'gone') } : { last: 0, gone: 0 }
  }

  const page = (client: string, { after, limit, types }: EventsQuery): EventPage => {
    const { last } = spanOf(client)
    // Past what is gone in one step.
    const first = intOrNull(db.get(FIRST, client, after) ?? {}, 'place')
    if (first === null) return { events: [], upTo: Math.max(after, last), more: false }
    const end = Math.min(last, first - 1 + SCANNED)
    const wanted = types === null ? null : JSON.stringify(types)
    const events = db.all(EVENTS, client, after, end, wanted, limit).map(placedFrom)
    const lastOf = events.length === limit ? events.at(-1)?.place : undefined
    const upTo = lastOf ?? end
    return { events, upTo, more: upTo < last }
  }

  return {
    eventSpan: async (client) => spanOf(client),
    eventsOf: async (client, query) => page(client, query),
  }
}
