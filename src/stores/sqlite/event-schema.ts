/**
 * The order of a client's events, in a column of its own: a rowid may be used again. `event_spans` counts on when the
 * newest are gone, and knows up to where some may be: a trigger keeps it, so that no removal can forget it.
 */
export const EVENT_PLACES = `
  ALTER TABLE events ADD COLUMN place INTEGER;
  UPDATE events SET place = p.place
    FROM (SELECT id, row_number() OVER (PARTITION BY client ORDER BY rowid) AS place FROM events) AS p WHERE p.id = events.id;
  CREATE INDEX events_by_client ON events (client, place, type);
  CREATE TABLE event_spans (
    client TEXT PRIMARY KEY,
    last INTEGER NOT NULL,
    gone INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO event_spans SELECT client, max(place), 0 FROM events GROUP BY client;
  CREATE TRIGGER events_gone AFTER DELETE ON events BEGIN
    UPDATE event_spans SET gone = max(gone, OLD.place) WHERE client = OLD.client;
  END;
`

/**
 * Events that were asked for once more, at their newest place in the history: streams tell them again. One place each, so
 * that asking often leaves no more behind.
 */
export const RESENDS = `
  CREATE TABLE resends (
    event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    place INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX resends_by_client ON resends (client, place);
`
