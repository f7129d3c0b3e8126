/**
 * What is no video: creates under an idempotency key, uploads, puppets, and counts by month. Triggers keep `months`, so
 * that no write of a video can forget to. A video that moves to another status takes its credits with it. A discarded
 * video no longer counts; one that is purged after its end still does.
 */
export const RESOURCES = `
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
  CREATE TABLE requests (
    client TEXT NOT NULL,
    month TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (client, month)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE months (
    client TEXT NOT NULL,
    month TEXT NOT NULL,
    status TEXT NOT NULL,
    videos INTEGER NOT NULL,
    credits REAL NOT NULL,
    PRIMARY KEY (client, month, status)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO months
    SELECT client, strftime('%Y-%m', created_at / 1000, 'unixepoch'), status, count(*),
           sum(coalesce(data ->> '$.credits.charged', 0))
    FROM videos GROUP BY 1, 2, 3;
  CREATE TRIGGER months_opened AFTER INSERT ON videos BEGIN
    INSERT INTO months VALUES (NEW.client, strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.status, 1,
      coalesce(NEW.data ->> '$.credits.charged', 0))
    ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits;
  END;
  CREATE TRIGGER months_moved AFTER UPDATE ON videos
    WHEN OLD.status <> NEW.status OR OLD.data ->> '$.credits.charged' IS NOT NEW.data ->> '$.credits.charged' BEGIN
    UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.data ->> '$.credits.charged', 0)
    WHERE client = OLD.client AND month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND status = OLD.status;
    INSERT INTO months VALUES (NEW.client, strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.status, 1,
      coalesce(NEW.data ->> '$.credits.charged', 0))
    ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits;
  END;
  CREATE TRIGGER months_discarded AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN
    UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.data ->> '$.credits.charged', 0)
    WHERE client = OLD.client AND month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND status = OLD.status;
  END;
`
