/**
 * The order of a client's events, in a column of its own, since a rowid may be used again. `event_spans` keeps the last
 * place, also when the newest events are removed, and up to where events may be gone. A trigger keeps it, so that no
 * removal can forget to.
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
 * Events that were sent once more, at their newest place in the history, so that streams tell them again. One row an
 * event, however often it is sent.
 */
export const RESENDS = `
  CREATE TABLE resends (
    event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    place INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX resends_by_client ON resends (client, place);
`
