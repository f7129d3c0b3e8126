import type { EventPage, EventSpan, EventStore, EventsQuery, PlacedEvent } from '../../core/event-store.ts'
import { int, type Db, type Row } from './db.ts'
import { eventFrom } from './rows.ts'

/** Places that one call looks at: with a filter, few events of many may be asked for. */
const SCANNED = 1_000

const EVENTS = `
  SELECT id AS event_id, place, type, client, video_id, sequence, at, body FROM events
  WHERE client = ?1 AND place > ?2 AND place <= ?3 AND (?4 IS NULL OR type IN (SELECT value FROM json_each(?4)))
  ORDER BY place LIMIT ?5`

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
    const row = db.get('SELECT place FROM events WHERE client = ? AND place > ? ORDER BY place LIMIT 1', client, after)
    if (!row) return { events: [], upTo: Math.max(after, last), more: false }
    const end = Math.min(last, int(row, 'place') - 1 + SCANNED)
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
