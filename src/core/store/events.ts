import type { EventRecord } from '../video.ts'
import type { EndpointEventType } from '../vocabulary.ts'

/**
 * An event at its place in its client's history. Places rise by one with every event and are never used again. An event
 * that was sent once more has a second place; the newest counts.
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
  types: readonly EndpointEventType[] | null
}

export interface EventPage {
  events: PlacedEvent[]
  /** All matching events between `after` and here are in `events`: go on from here. */
  upTo: number
  /** There may be more behind it. */
  more: boolean
}

/** How far a client's history goes. */
export interface EventSpan {
  /** The place of its newest event, even if that is removed; 0: it had none. */
  last: number
  /** Events up to here may have been removed with their videos, after `retention_days`. */
  gone: number
}

/** The part of `Store` about what happened, in the order in which it was written. */
export interface EventStore {
  // Reads, each indexed.
  /** A client's events, oldest first; redelivered ones at both of their places. One call reads a bounded number. */
  eventsOf(client: string, query: EventsQuery): Promise<EventPage>
  eventSpan(client: string): Promise<EventSpan>
}

/**
 * How far a reader of everybody's events is, by line (an account's videos, or what is of no video): everything is told
 * before the event of this number and place. A line that is not named: nothing.
 */
export type LinePlaces = ReadonlyMap<string, { n: number; place: number }>

export interface AllEventsQuery extends Omit<EventsQuery, 'after'> {
  after: LinePlaces
}

export interface AllEventsPage {
  /** Each with where to go on behind it. */
  events: { event: EventRecord; upTo: LinePlaces }[]
  upTo: LinePlaces
  more: boolean
}

/** How far everybody's events go. */
export interface AllEventsSpan {
  last: LinePlaces
  /** Events of up to this time may have been removed; 0: none was. */
  goneAtMs: number
}

/** The part of `Store` about everybody's events. */
export interface AllEventsStore {
  // Reads, each indexed.
  /**
   * Events of all clients. Those of one video come in order; others nearly, by their time. One call reads a bounded
   * number.
   */
  eventsOfAll(query: AllEventsQuery): Promise<AllEventsPage>
  eventSpanOfAll(): Promise<AllEventsSpan>
}
