/**
 * Registered endpoints. `events` and `deliveries` are made again: an event need not belong to a video any more. A
 * delivery has its client, its place among that client's (`n`), and where it stands in its schedule (`tried`). `target`
 * is a `webhook_url`, or the id of an endpoint, which may be deleted. `asked_at`: when it was last asked for after its
 * event; 0 if it was held then.
 */
export const WEBHOOKS = `
  CREATE TABLE events_now (
    id TEXT PRIMARY KEY,
    video_id TEXT REFERENCES videos (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    place INTEGER,
    type TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO events_now SELECT id, video_id, client, place, type, sequence, at, body FROM events ORDER BY rowid;
  CREATE TABLE deliveries_now (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    event_id TEXT NOT NULL REFERENCES events_now (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    video_id TEXT,
    sequence INTEGER NOT NULL,
    target_kind TEXT NOT NULL,
    target TEXT NOT NULL,
    url TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    tried INTEGER NOT NULL,
    next_attempt_at INTEGER,
    asked_at INTEGER,
    lease_token TEXT,
    lease_until INTEGER
  ) STRICT;
  INSERT INTO deliveries_now (id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts, tried,
      next_attempt_at, lease_token, lease_until)
    SELECT d.id, d.event_id, e.client, d.video_id, d.sequence, d.target_kind, d.target_url, d.target_url, d.status, d.attempts,
      d.attempts, d.next_attempt_at, d.lease_token, d.lease_until
    FROM deliveries d JOIN events e ON e.id = d.event_id ORDER BY d.rowid;
  CREATE TABLE attempts_now (
    delivery_id TEXT NOT NULL REFERENCES deliveries_now (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    response_body TEXT,
    next_attempt_at INTEGER,
    lease TEXT
  ) STRICT;
  INSERT INTO attempts_now SELECT delivery_id, at, duration_ms, status, error, response_body, next_attempt_at, lease
    FROM attempts ORDER BY rowid;
  DROP TABLE attempts;
  DROP TABLE deliveries;
  DROP TABLE events;
  ALTER TABLE events_now RENAME TO events;
  ALTER TABLE deliveries_now RENAME TO deliveries;
  ALTER TABLE attempts_now RENAME TO attempts;

  CREATE INDEX events_by_video ON events (video_id, at, place);
  CREATE INDEX events_by_client ON events (client, place, type);
  CREATE INDEX events_by_time ON events (client, at, place);
  CREATE INDEX events_by_type ON events (client, type, at, place);
  CREATE INDEX events_of_none ON events (at) WHERE video_id IS NULL;
  CREATE TRIGGER events_gone AFTER DELETE ON events BEGIN
    UPDATE event_spans SET gone = max(gone, OLD.place) WHERE client = OLD.client;
  END;
  CREATE INDEX deliveries_by_event ON deliveries (event_id);
  CREATE INDEX deliveries_by_video ON deliveries (video_id, sequence);
  CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';
  CREATE INDEX deliveries_by_client ON deliveries (client, n);
  CREATE INDEX deliveries_by_status ON deliveries (client, status, n) WHERE status <> 'delivered';
  CREATE INDEX deliveries_by_endpoint ON deliveries (target, n) WHERE target_kind = 'endpoint';
  CREATE INDEX deliveries_of_endpoint ON deliveries (target, status, n) WHERE target_kind = 'endpoint' AND status <> 'delivered';
  CREATE INDEX attempts_by_delivery ON attempts (delivery_id);
  CREATE UNIQUE INDEX attempts_once ON attempts (delivery_id, lease) WHERE lease IS NOT NULL;

  CREATE TABLE endpoints (
    id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    description TEXT,
    disabled_reason TEXT,
    disabled_at INTEGER,
    failures INTEGER NOT NULL,
    failing_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX endpoints_by_client ON endpoints (client, id);
  CREATE TABLE webhook_secrets (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    keeper TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at INTEGER
  ) STRICT;
  CREATE INDEX webhook_secrets_by_keeper ON webhook_secrets (keeper, n);
  CREATE INDEX webhook_secrets_past ON webhook_secrets (expires_at) WHERE expires_at IS NOT NULL;
  INSERT INTO webhook_secrets (keeper, value) SELECT 'client:' || client, value FROM secrets;
  DROP TABLE secrets;
  CREATE TABLE replays (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    client TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    types TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    only_failed INTEGER NOT NULL,
    done INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX replays_by_client ON replays (client);
`

/**
 * Attempts by the number of their delivery. Numbers rise, so attempts of one commit are neighbours in the index. Ids
 * are hashes, and each attempt would change a page of its own. No lease: written before leases were stored.
 */
export const ATTEMPTS_BY_NUMBER = `
  CREATE TABLE attempts_now (
    delivery INTEGER NOT NULL REFERENCES deliveries (n) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    response_body TEXT,
    next_attempt_at INTEGER,
    lease TEXT,
    UNIQUE (delivery, lease)
  ) STRICT;
  INSERT INTO attempts_now (delivery, at, duration_ms, status, error, response_body, next_attempt_at, lease)
    SELECT d.n, a.at, a.duration_ms, a.status, a.error, a.response_body, a.next_attempt_at, a.lease
    FROM attempts a JOIN deliveries d ON d.id = a.delivery_id ORDER BY a.rowid;
  DROP TABLE attempts;
  ALTER TABLE attempts_now RENAME TO attempts;
`

/** What a target is sent in place of the event's own body: as it was first sent, however often it is sent again. */
export const OWN_BODIES = `ALTER TABLE deliveries ADD COLUMN body TEXT;`

const isHeld = (row: 'NEW' | 'OLD'): string => `(${row}.status = 'held' AND ${row}.target_kind = 'endpoint')`

/**
 * `endpoints.held`: how many deliveries are held for it, counted as they are written, by triggers, so that no write can
 * forget it. An endpoint is read, and held for, without a walk through them.
 */
export const HELD_COUNTED = `
  ALTER TABLE endpoints ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
  UPDATE endpoints SET held = h.n FROM (
      SELECT target, count(*) AS n FROM deliveries WHERE status = 'held' AND target_kind = 'endpoint' GROUP BY target) AS h
    WHERE h.target = endpoints.id;
  CREATE TRIGGER held_owed AFTER INSERT ON deliveries WHEN ${isHeld('NEW')} BEGIN
    UPDATE endpoints SET held = held + 1 WHERE id = NEW.target;
  END;
  CREATE TRIGGER held_moved AFTER UPDATE OF status ON deliveries WHEN ${isHeld('OLD')} <> ${isHeld('NEW')} BEGIN
    UPDATE endpoints SET held = held + ${isHeld('NEW')} - ${isHeld('OLD')} WHERE id = NEW.target;
  END;
  CREATE TRIGGER held_gone AFTER DELETE ON deliveries WHEN ${isHeld('OLD')} BEGIN
    UPDATE endpoints SET held = held - 1 WHERE id = OLD.target;
  END;
`
