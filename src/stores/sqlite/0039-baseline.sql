-- The tables and their indexes at version 39, which no release changed: later files bring a store from there to the newest.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- "data" is the record as JSON; what statements search by is a column of its own.
-- "change": numbered by account in the order of writing, so that a reader asks for what it has not seen.
-- "doubt": "open" while the gateway looks for the outcome of a create, "given_up" until an operator answered.
-- "late_ms": for how long the job may have been over before that was noticed.
-- Each set of filters of a list has an index in the order of that list: a page reads no more rows than it answers.
-- "videos_sent": an earlier create of a lane may have left a job that looks like that of a later one.
CREATE TABLE videos (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  account TEXT NOT NULL,
  backend TEXT NOT NULL,
  phase TEXT NOT NULL,
  status TEXT NOT NULL,
  version INTEGER NOT NULL,
  due_at INTEGER,
  lease_until INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  data TEXT NOT NULL,
  lane TEXT,
  job_id TEXT,
  accepted_at INTEGER,
  last_hint_at INTEGER,
  has_webhook INTEGER NOT NULL DEFAULT 0,
  source TEXT NOT NULL DEFAULT 'text',
  link_owed INTEGER NOT NULL DEFAULT 0,
  change INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER,
  second_job_at INTEGER,
  rule TEXT,
  charged REAL,
  warned INTEGER NOT NULL DEFAULT 0,
  doubt TEXT,
  late_ms INTEGER,
  trace TEXT
) STRICT;
CREATE UNIQUE INDEX videos_by_job ON videos (account, job_id) WHERE job_id IS NOT NULL;
CREATE INDEX videos_by_client ON videos (client, created_at, id);
CREATE INDEX videos_by_status ON videos (client, status, created_at, id);
CREATE INDEX videos_by_backend ON videos (client, backend, created_at, id);
CREATE INDEX videos_by_both ON videos (client, backend, status, created_at, id);
CREATE INDEX videos_running ON videos (account, id) WHERE phase IN ('dispatching', 'doubtful', 'accepted');
CREATE INDEX videos_undecided ON videos (account, lane, id) WHERE phase IN ('dispatching', 'doubtful');
CREATE INDEX videos_waiting ON videos (account, client, id, due_at, lane) WHERE phase = 'waiting';
CREATE INDEX videos_due ON videos (account, due_at) WHERE phase = 'waiting' AND due_at IS NOT NULL;
CREATE INDEX videos_aging ON videos (account, created_at, id) WHERE phase = 'waiting';
CREATE INDEX videos_transfers ON videos (account, client, id) WHERE phase = 'waiting' AND due_at IS NULL;
CREATE INDEX videos_changes ON videos (account, change);
CREATE INDEX videos_ended ON videos (ended_at, id) WHERE phase = 'ended';
CREATE INDEX videos_recorded ON videos (backend, created_at, id);
CREATE INDEX videos_sent ON videos (account, lane, sent_at) WHERE lane IS NOT NULL AND sent_at IS NOT NULL;
CREATE INDEX videos_second_jobs ON videos (account, second_job_at) WHERE second_job_at IS NOT NULL;
CREATE INDEX videos_of_rules ON videos (rule, backend, ended_at, id, status) WHERE phase = 'ended' AND rule IS NOT NULL;
CREATE INDEX videos_of_all ON videos (created_at, id);
CREATE INDEX videos_of_status ON videos (status, created_at, id);
CREATE INDEX videos_of_both ON videos (backend, status, created_at, id);
CREATE INDEX videos_in_doubt ON videos (doubt, created_at, id) WHERE doubt IS NOT NULL;
CREATE INDEX videos_ends ON videos (status, ended_at, late_ms) WHERE phase = 'ended';
CREATE INDEX videos_ends_of_client ON videos (client, status, ended_at, late_ms) WHERE phase = 'ended';

-- To find videos by their metadata: of one client or of all, in the order of their lists.
CREATE TABLE video_metadata (
  video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  client TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (video_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX metadata_by_client ON video_metadata (client, value, created_at, video_id, key);
CREATE INDEX metadata_of_all ON video_metadata (value, created_at, video_id, key);

CREATE TABLE idempotency (
  client TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
  PRIMARY KEY (client, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_video ON idempotency (video_id);

CREATE TABLE timeline (
  video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  detail TEXT
) STRICT;
CREATE INDEX timeline_by_video ON timeline (video_id);

-- How many videos are open.
CREATE TABLE open_videos (
  account TEXT NOT NULL,
  backend TEXT NOT NULL,
  phase TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (account, backend, phase)
) STRICT, WITHOUT ROWID;

-- The last number of each line of writes, which rises in the order in which readers see writes.
CREATE TABLE changes (account TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Of each client on an account: when it was served last, how many of its videos wait, and the first of them.
CREATE TABLE turns (
  account TEXT NOT NULL,
  client TEXT NOT NULL,
  turn INTEGER NOT NULL,
  waiting INTEGER NOT NULL DEFAULT 0,
  first TEXT,
  PRIMARY KEY (account, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_last ON turns (account, turn);
CREATE INDEX turns_next ON turns (account, turn, first, waiting) WHERE waiting > 0;
CREATE INDEX turns_of_client ON turns (client, waiting) WHERE waiting > 0;

-- The queue of a client in parts: the videos from "first" up to the next part, "n" of them. A place in the queue is
-- what the parts before hold and a count within one part, however long the queue is.
CREATE TABLE queue_parts (
  account TEXT NOT NULL,
  client TEXT NOT NULL,
  first TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (account, client, first)
) STRICT, WITHOUT ROWID;

-- What a client did in a month. A video that moves to another status takes its credits with it. A discarded video no
-- longer counts; one that is purged after its end does. "unpriced": open videos that may cost something yet.
CREATE TABLE months (
  client TEXT NOT NULL,
  month TEXT NOT NULL,
  status TEXT NOT NULL,
  videos INTEGER NOT NULL,
  credits REAL NOT NULL,
  unpriced INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (client, month, status)
) STRICT, WITHOUT ROWID;

-- What each client did on each backend in a month.
CREATE TABLE backend_months (
  month TEXT NOT NULL,
  client TEXT NOT NULL,
  backend TEXT NOT NULL,
  queued INTEGER NOT NULL,
  processing INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  canceled INTEGER NOT NULL,
  credits REAL NOT NULL,
  PRIMARY KEY (month, client, backend)
) STRICT, WITHOUT ROWID;

-- Which warning a client was sent in a month, and of which limit.
CREATE TABLE quota_warnings (
  client TEXT NOT NULL,
  month TEXT NOT NULL,
  quota TEXT NOT NULL,
  threshold INTEGER NOT NULL,
  quota_limit INTEGER NOT NULL,
  PRIMARY KEY (client, month, quota, threshold)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  client TEXT NOT NULL,
  month TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (client, month)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_by_month ON requests (month, client);

CREATE TABLE leases (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  token TEXT NOT NULL,
  until INTEGER NOT NULL,
  holder TEXT,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE durations (source TEXT PRIMARY KEY, recent TEXT NOT NULL) STRICT;

-- The windows of requests of each account, which outlive a restart.
CREATE TABLE budgets (
  account TEXT PRIMARY KEY,
  data TEXT NOT NULL,
  at INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Creates under an idempotency key that make no video.
CREATE TABLE keyed (
  client TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  account TEXT NOT NULL,
  backend TEXT NOT NULL,
  resource TEXT,
  done INTEGER NOT NULL,
  token TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (client, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX keyed_expired ON keyed (expires_at);
CREATE INDEX keyed_open ON keyed (done) WHERE done = 0;

CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  unsigned_url TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX uploads_by_url ON uploads (unsigned_url);
CREATE INDEX uploads_by_age ON uploads (created_at);

CREATE TABLE puppets (
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

-- "place": the order of the events of a client; a rowid may be used again. "line" and "n": the order of the events of all
-- clients. A line is the account of the video of the event, or "events" where it has none.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  video_id TEXT REFERENCES videos (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  place INTEGER,
  type TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  line TEXT,
  n INTEGER
) STRICT;
CREATE INDEX events_by_video ON events (video_id, at, place);
CREATE INDEX events_by_client ON events (client, place, type);
CREATE INDEX events_by_time ON events (client, at, place);
CREATE INDEX events_by_type ON events (client, type, at, place);
CREATE INDEX events_of_none ON events (at) WHERE video_id IS NULL;
CREATE INDEX events_of_all ON events (at, client, place);
CREATE INDEX events_of_type ON events (type, at, client, place);
CREATE INDEX events_in_line ON events (line, n, place, type) WHERE line IS NOT NULL;

-- The last place, also when the newest events are removed, and up to where events may be gone.
CREATE TABLE event_spans (
  client TEXT PRIMARY KEY,
  last INTEGER NOT NULL,
  gone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Events that were sent once more, at their newest place in the history, so that streams tell them again.
CREATE TABLE resends (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  place INTEGER NOT NULL,
  line TEXT,
  n INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX resends_by_client ON resends (client, place);
CREATE INDEX resends_in_line ON resends (line, n) WHERE line IS NOT NULL;

-- "tried": where it stands in its schedule. "target": a "webhook_url", or the id of an endpoint, which may be deleted.
-- "asked_at": when it was last asked for after its event; 0 if it was held then. "body": what this target is sent in
-- place of the body of the event. "event_at": a replay finds its deliveries by the time of their event.
CREATE TABLE deliveries (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
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
  lease_until INTEGER,
  event_at INTEGER NOT NULL DEFAULT 0,
  body TEXT
) STRICT;
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_client ON deliveries (client, n);
CREATE INDEX deliveries_by_status ON deliveries (client, status, n);
CREATE INDEX deliveries_by_endpoint ON deliveries (client, target, n) WHERE target_kind = 'endpoint';
CREATE INDEX deliveries_of_endpoint ON deliveries (client, target, status, n) WHERE target_kind = 'endpoint';
CREATE INDEX deliveries_by_video ON deliveries (video_id, n);
CREATE INDEX deliveries_untried ON deliveries (video_id, target, sequence) WHERE status = 'pending' AND attempts = 0;
CREATE INDEX deliveries_failed ON deliveries (client, target, event_at, n) WHERE target_kind = 'endpoint' AND status = 'failed';
CREATE INDEX deliveries_leased ON deliveries (target) WHERE lease_until IS NOT NULL;
CREATE INDEX deliveries_of_status ON deliveries (status, n);

-- By the number of the delivery: numbers rise, so attempts of one commit are neighbours in the index.
CREATE TABLE attempts (
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

-- "held": how many deliveries are held for it. "replay": how far the last replay has come (JSON).
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
  updated_at INTEGER NOT NULL,
  held INTEGER NOT NULL DEFAULT 0,
  last_delivered_at INTEGER,
  last_failed_at INTEGER,
  replay TEXT
) STRICT;
CREATE INDEX endpoints_by_client ON endpoints (client, id);
CREATE INDEX endpoints_enabled ON endpoints (client, events) WHERE disabled_at IS NULL;
CREATE INDEX endpoints_disabled ON endpoints (disabled_at, id) WHERE disabled_at IS NOT NULL AND disabled_reason <> 'client';

-- What changes of endpoints left to do. "free_at": when the next held event may go.
CREATE TABLE endpoint_backlogs (
  endpoint TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  free_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX endpoint_backlogs_due ON endpoint_backlogs (due_at);

CREATE TABLE webhook_secrets (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  keeper TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX webhook_secrets_by_keeper ON webhook_secrets (keeper, n);
CREATE INDEX webhook_secrets_past ON webhook_secrets (expires_at) WHERE expires_at IS NOT NULL;

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

-- Splits as they stand.
CREATE TABLE splits (key TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  actor_key TEXT,
  address TEXT,
  request_id TEXT
) STRICT;
CREATE INDEX audit_by_subject ON audit (subject, n);
CREATE INDEX audit_by_age ON audit (at);
CREATE INDEX audit_by_actor ON audit (actor, n);
CREATE INDEX audit_by_action ON audit (action, n);

-- What creates would have been elsewhere.
CREATE TABLE shadows (
  video_id TEXT PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  verdict TEXT NOT NULL,
  kinds TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX shadows_by_pair ON shadows (source, target, at, video_id);

-- Creates that left no video, by day. Codes and fields are closed sets, so that a day has few rows.
CREATE TABLE refusals (
  backend TEXT NOT NULL,
  day TEXT NOT NULL,
  code TEXT NOT NULL,
  field TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (backend, day, code, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX refusals_by_day ON refusals (day);

-- What processes tell each other.
CREATE TABLE facts (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

-- Which accounts take new videos.
CREATE TABLE served_accounts (account TEXT PRIMARY KEY, is_closed INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Those that were in force, the latest with the highest number.
CREATE TABLE configurations (mark TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Issued keys. "change": the number of the last write, which rises over both tables ("changes"), so that every process
-- reads only what is new to it.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  change INTEGER NOT NULL,
  ended_at INTEGER,
  used_at INTEGER,
  data TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_client ON api_keys (client, id);
CREATE INDEX api_keys_by_change ON api_keys (change);
CREATE INDEX api_keys_ended ON api_keys (ended_at) WHERE ended_at IS NOT NULL;

-- Clients beside those of the configuration.
CREATE TABLE api_clients (
  id TEXT PRIMARY KEY,
  change INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_clients_by_change ON api_clients (change);

-- Who signed in to the console. "key": the id of the key.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_client ON sessions (client, created_at, id);
CREATE INDEX sessions_ended ON sessions (ends_at);

-- Counts that no write can forget to keep, since each would cost by the number of videos or deliveries. A part of a queue
-- is split when it has grown to 256.
CREATE TRIGGER events_gone AFTER DELETE ON events BEGIN
  UPDATE event_spans SET gone = max(gone, OLD.place) WHERE client = OLD.client;
END;
CREATE TRIGGER videos_opened AFTER INSERT ON videos WHEN NEW.phase <> 'ended' BEGIN
  INSERT INTO open_videos (account, backend, phase, n) VALUES (NEW.account, NEW.backend, NEW.phase, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER videos_left AFTER UPDATE OF phase ON videos WHEN OLD.phase <> NEW.phase AND OLD.phase <> 'ended' BEGIN
  UPDATE open_videos SET n = n - 1 WHERE account = OLD.account AND backend = OLD.backend AND phase = OLD.phase;
END;
CREATE TRIGGER videos_entered AFTER UPDATE OF phase ON videos WHEN OLD.phase <> NEW.phase AND NEW.phase <> 'ended' BEGIN
  INSERT INTO open_videos (account, backend, phase, n) VALUES (NEW.account, NEW.backend, NEW.phase, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER videos_gone AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN
  UPDATE open_videos SET n = n - 1 WHERE account = OLD.account AND backend = OLD.backend AND phase = OLD.phase;
END;
CREATE TRIGGER queue_opened AFTER INSERT ON videos WHEN NEW.phase = 'waiting' BEGIN
  INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
  ON CONFLICT DO UPDATE SET waiting = waiting + 1, first = coalesce(min(first, excluded.first), excluded.first);
  INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, NEW.id, 0 WHERE NOT EXISTS (
    SELECT 1 FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first <= NEW.id);
  UPDATE queue_parts SET n = n + 1 WHERE account = NEW.account AND client = NEW.client AND first = (
    SELECT max(first) FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first <= NEW.id);
END;
CREATE TRIGGER queue_entered AFTER UPDATE OF phase ON videos WHEN NEW.phase = 'waiting' AND OLD.phase <> 'waiting' BEGIN
  INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
  ON CONFLICT DO UPDATE SET waiting = waiting + 1, first = coalesce(min(first, excluded.first), excluded.first);
  INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, NEW.id, 0 WHERE NOT EXISTS (
    SELECT 1 FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first <= NEW.id);
  UPDATE queue_parts SET n = n + 1 WHERE account = NEW.account AND client = NEW.client AND first = (
    SELECT max(first) FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first <= NEW.id);
END;
CREATE TRIGGER queue_left AFTER UPDATE OF phase ON videos WHEN OLD.phase = 'waiting' AND NEW.phase <> 'waiting' BEGIN
  UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
    SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
  WHERE account = OLD.account AND client = OLD.client;
  UPDATE queue_parts SET n = n - 1 WHERE account = OLD.account AND client = OLD.client AND first = (
    SELECT max(first) FROM queue_parts WHERE account = OLD.account AND client = OLD.client AND first <= OLD.id);
END;
CREATE TRIGGER queue_gone AFTER DELETE ON videos WHEN OLD.phase = 'waiting' BEGIN
  UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
    SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
  WHERE account = OLD.account AND client = OLD.client;
  UPDATE queue_parts SET n = n - 1 WHERE account = OLD.account AND client = OLD.client AND first = (
    SELECT max(first) FROM queue_parts WHERE account = OLD.account AND client = OLD.client AND first <= OLD.id);
END;
CREATE TRIGGER queue_parts_grown AFTER UPDATE ON queue_parts WHEN NEW.n >= 256 BEGIN
  INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, id, NEW.n - 128 FROM videos
    WHERE account = NEW.account AND client = NEW.client AND phase = 'waiting' AND id >= NEW.first
    ORDER BY id LIMIT 1 OFFSET 128;
  UPDATE queue_parts SET n = 128 WHERE account = NEW.account AND client = NEW.client AND first = NEW.first;
END;
CREATE TRIGGER queue_parts_emptied AFTER UPDATE ON queue_parts WHEN NEW.n = 0 BEGIN
  DELETE FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first = NEW.first;
END;
CREATE TRIGGER held_owed AFTER INSERT ON deliveries WHEN (NEW.status = 'held' AND NEW.target_kind = 'endpoint') BEGIN
  UPDATE endpoints SET held = held + 1 WHERE id = NEW.target;
END;
CREATE TRIGGER held_moved AFTER UPDATE OF status ON deliveries WHEN (OLD.status = 'held' AND OLD.target_kind = 'endpoint') <> (NEW.status = 'held' AND NEW.target_kind = 'endpoint') BEGIN
  UPDATE endpoints SET held = held + (NEW.status = 'held' AND NEW.target_kind = 'endpoint') - (OLD.status = 'held' AND OLD.target_kind = 'endpoint') WHERE id = NEW.target;
END;
CREATE TRIGGER held_gone AFTER DELETE ON deliveries WHEN (OLD.status = 'held' AND OLD.target_kind = 'endpoint') BEGIN
  UPDATE endpoints SET held = held - 1 WHERE id = OLD.target;
END;
CREATE TRIGGER backend_months_opened AFTER INSERT ON videos BEGIN
  INSERT INTO backend_months (month, client, backend, queued, processing, completed, failed, canceled, credits)
  VALUES (strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.client, NEW.backend, (NEW.status = 'queued'), (NEW.status = 'processing'), (NEW.status = 'completed'), (NEW.status = 'failed'), (NEW.status = 'canceled'), coalesce(NEW.charged, 0))
  ON CONFLICT DO UPDATE SET queued = queued + excluded.queued, processing = processing + excluded.processing, completed = completed + excluded.completed, failed = failed + excluded.failed, canceled = canceled + excluded.canceled,
    credits = credits + excluded.credits;
END;
CREATE TRIGGER backend_months_moved AFTER UPDATE ON videos WHEN OLD.status <> NEW.status OR OLD.charged IS NOT NEW.charged BEGIN
  UPDATE backend_months SET queued = queued + (NEW.status = 'queued') - (OLD.status = 'queued'), processing = processing + (NEW.status = 'processing') - (OLD.status = 'processing'), completed = completed + (NEW.status = 'completed') - (OLD.status = 'completed'), failed = failed + (NEW.status = 'failed') - (OLD.status = 'failed'), canceled = canceled + (NEW.status = 'canceled') - (OLD.status = 'canceled'),
    credits = credits + coalesce(NEW.charged, 0) - coalesce(OLD.charged, 0)
  WHERE month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND client = OLD.client AND backend = OLD.backend;
END;
CREATE TRIGGER backend_months_discarded AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN
  UPDATE backend_months SET queued = queued - (OLD.status = 'queued'), processing = processing - (OLD.status = 'processing'), completed = completed - (OLD.status = 'completed'), failed = failed - (OLD.status = 'failed'), canceled = canceled - (OLD.status = 'canceled'),
    credits = credits - coalesce(OLD.charged, 0)
  WHERE month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND client = OLD.client AND backend = OLD.backend;
END;
CREATE TRIGGER months_opened AFTER INSERT ON videos BEGIN
  INSERT INTO months (client, month, status, videos, credits, unpriced)
  VALUES (NEW.client, strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.status, 1, coalesce(NEW.charged, 0), (NEW.status IN ('queued', 'processing') AND NEW.source <> 'import' AND NEW.charged IS NULL))
  ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits, unpriced = unpriced + excluded.unpriced;
END;
CREATE TRIGGER months_moved AFTER UPDATE OF status, charged ON videos WHEN OLD.status <> NEW.status OR OLD.charged IS NOT NEW.charged BEGIN
  UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.charged, 0), unpriced = unpriced - (OLD.status IN ('queued', 'processing') AND OLD.source <> 'import' AND OLD.charged IS NULL)
  WHERE client = OLD.client AND month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND status = OLD.status;
  INSERT INTO months (client, month, status, videos, credits, unpriced)
  VALUES (NEW.client, strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.status, 1, coalesce(NEW.charged, 0), (NEW.status IN ('queued', 'processing') AND NEW.source <> 'import' AND NEW.charged IS NULL))
  ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits, unpriced = unpriced + excluded.unpriced;
END;
CREATE TRIGGER months_discarded AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN
  UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.charged, 0), unpriced = unpriced - (OLD.status IN ('queued', 'processing') AND OLD.source <> 'import' AND OLD.charged IS NULL)
  WHERE client = OLD.client AND month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND status = OLD.status;
END;
