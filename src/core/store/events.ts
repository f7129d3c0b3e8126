import type { EventRecord } from '../video.ts'
import type { VideoEventType } from '../vocabulary.ts'

/**
 * An event at its place in its client's history: places rise by one with every event and are never used again. One that
 * was asked for once more has a second place, the newest of those.
 */
export interface PlacedEvent {
  place: number
  event: EventRecord
}

export interface EventsQuery {
  /** Exclusive; 0: from the oldest that is kept. */
  after: number
  limit: number
  /** null: every type. */
  types: readonly VideoEventType[] | null
}

export interface EventPage {
  events: PlacedEvent[]
  /** Nothing that was asked for lies between `after` and here, except `events`: ask on from here. */
  upTo: number
  /** There may be more behind it. */
  more: boolean
}

/** How far a client's history goes. */
export interface EventSpan {
  /** The place of its newest event, whether kept or not; 0: it has none. */
  last: number
  /** Up to here events may be gone, with videos that are past their retention. */
  gone: number
}

/** The part of `Store` about what happened, in the order in which it was written. */
export interface EventStore {
  // Reads, each indexed.
  /** A client's events in order, oldest first, those that were redelivered at both of their places; however many there are, one call looks at a bounded number of them. */
  eventsOf(client: string, query: EventsQuery): Promise<EventPage>
  eventSpan(client: string): Promise<EventSpan>
}
