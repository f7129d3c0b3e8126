/** A part of a queue is split when it has grown to twice this. */
const PART = 128

const isUnpriced = (row: 'NEW' | 'OLD' | 'v'): string =>
  `(${row}.status IN ('queued', 'processing') AND ${row}.source <> 'import' AND ${row}.data ->> '$.credits.charged' IS NULL)`

const monthOf = (row: 'NEW' | 'OLD' | 'v'): string => `strftime('%Y-%m', ${row}.created_at / 1000, 'unixepoch')`

const COUNTED = `
    INSERT INTO months (client, month, status, videos, credits, unpriced) VALUES (NEW.client, ${monthOf('NEW')}, NEW.status, 1,
      coalesce(NEW.data ->> '$.credits.charged', 0), ${isUnpriced('NEW')})
    ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits, unpriced = unpriced + excluded.unpriced;`
const UNCOUNTED = `
    UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.data ->> '$.credits.charged', 0),
      unpriced = unpriced - ${isUnpriced('OLD')}
    WHERE client = OLD.client AND month = ${monthOf('OLD')} AND status = OLD.status;`

const OPENED = `
    INSERT INTO open_videos (account, backend, phase, n) VALUES (NEW.account, NEW.backend, NEW.phase, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;`
const CLOSED = `
    UPDATE open_videos SET n = n - 1 WHERE account = OLD.account AND backend = OLD.backend AND phase = OLD.phase;`

const partOf = (row: 'NEW' | 'OLD'): string =>
  `account = ${row}.account AND client = ${row}.client AND first = (
      SELECT max(first) FROM queue_parts WHERE account = ${row}.account AND client = ${row}.client AND first <= ${row}.id)`

const QUEUED = `
    INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
    ON CONFLICT DO UPDATE SET waiting = waiting + 1, first = coalesce(min(first, excluded.first), excluded.first);
    INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, NEW.id, 0 WHERE NOT EXISTS (
      SELECT 1 FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first <= NEW.id);
    UPDATE queue_parts SET n = n + 1 WHERE ${partOf('NEW')};`
const UNQUEUED = `
    UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
      SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
    WHERE account = OLD.account AND client = OLD.client;
    UPDATE queue_parts SET n = n - 1 WHERE ${partOf('OLD')};`

/**
 * Counts that would otherwise cost by the number of open videos. Triggers keep them, so that no write can forget to.
 * - `open_videos`: by account, backend and phase.
 * - `turns`: of each client on an account, when it was served last, how many of its videos wait, and the first of them.
 * - `queue_parts`: a client's queue in parts, each the videos from `first` up to the next part's, `n` of them: a place in
 *   the queue is what the parts before hold and a count within one part, however long the queue is.
 * - `months.unpriced`: open videos that may cost something yet.
 * - `videos.change`: numbered by account in the order of writing, so that a reader asks for what it has not seen.
 * There is one index of open videos for each query.
 */
export const BACKLOG = `
  CREATE TABLE open_videos (
    account TEXT NOT NULL,
    backend TEXT NOT NULL,
    phase TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (account, backend, phase)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE queue_parts (
    account TEXT NOT NULL,
    client TEXT NOT NULL,
    first TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (account, client, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE changes (account TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  ALTER TABLE turns ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turns ADD COLUMN first TEXT;
  ALTER TABLE months ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE videos ADD COLUMN change INTEGER NOT NULL DEFAULT 0;

  DROP INDEX videos_open;
  DROP INDEX videos_waiting;
  DROP INDEX videos_turns;
  DROP INDEX videos_transfers;
  CREATE INDEX videos_running ON videos (account, id) WHERE phase IN ('dispatching', 'doubtful', 'accepted');
  CREATE INDEX videos_undecided ON videos (account, lane, id) WHERE phase IN ('dispatching', 'doubtful');
  CREATE INDEX videos_waiting ON videos (account, client, id, due_at, lane) WHERE phase = 'waiting';
  CREATE INDEX videos_due ON videos (account, due_at) WHERE phase = 'waiting' AND due_at IS NOT NULL;
  CREATE INDEX videos_aging ON videos (account, created_at, id) WHERE phase = 'waiting';
  CREATE INDEX videos_transfers ON videos (account, client, id) WHERE phase = 'waiting' AND due_at IS NULL;
  CREATE INDEX videos_changes ON videos (account, change);
  CREATE INDEX turns_last ON turns (account, turn);
  CREATE INDEX turns_next ON turns (account, turn, first, waiting) WHERE waiting > 0;
  CREATE INDEX turns_of_client ON turns (client, waiting) WHERE waiting > 0;

  INSERT INTO open_videos SELECT account, backend, phase, count(*) FROM videos WHERE phase <> 'ended' GROUP BY 1, 2, 3;
  INSERT INTO turns (account, client, turn, waiting, first)
    SELECT account, client, 0, count(*), min(id) FROM videos WHERE phase = 'waiting' GROUP BY account, client
    ON CONFLICT DO UPDATE SET waiting = excluded.waiting, first = excluded.first;
  INSERT INTO queue_parts SELECT account, client, min(id), count(*) FROM (
      SELECT account, client, id, (row_number() OVER (PARTITION BY account, client ORDER BY id) - 1) / ${PART} AS part
      FROM videos WHERE phase = 'waiting')
    GROUP BY account, client, part;
  UPDATE months SET unpriced = u.n FROM (
      SELECT client, ${monthOf('v')} AS month, status, count(*) AS n FROM videos v WHERE phase <> 'ended' AND ${isUnpriced('v')}
      GROUP BY 1, 2, 3) AS u
    WHERE u.client = months.client AND u.month = months.month AND u.status = months.status;

  CREATE TRIGGER videos_opened AFTER INSERT ON videos WHEN NEW.phase <> 'ended' BEGIN ${OPENED}
  END;
  CREATE TRIGGER videos_left AFTER UPDATE OF phase ON videos WHEN OLD.phase <> NEW.phase AND OLD.phase <> 'ended' BEGIN ${CLOSED}
  END;
  CREATE TRIGGER videos_entered AFTER UPDATE OF phase ON videos WHEN OLD.phase <> NEW.phase AND NEW.phase <> 'ended' BEGIN ${OPENED}
  END;
  CREATE TRIGGER videos_gone AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN ${CLOSED}
  END;

  CREATE TRIGGER queue_opened AFTER INSERT ON videos WHEN NEW.phase = 'waiting' BEGIN ${QUEUED}
  END;
  CREATE TRIGGER queue_entered AFTER UPDATE OF phase ON videos WHEN NEW.phase = 'waiting' AND OLD.phase <> 'waiting' BEGIN ${QUEUED}
  END;
  CREATE TRIGGER queue_left AFTER UPDATE OF phase ON videos WHEN OLD.phase = 'waiting' AND NEW.phase <> 'waiting' BEGIN ${UNQUEUED}
  END;
  CREATE TRIGGER queue_gone AFTER DELETE ON videos WHEN OLD.phase = 'waiting' BEGIN ${UNQUEUED}
  END;
  CREATE TRIGGER queue_parts_grown AFTER UPDATE ON queue_parts WHEN NEW.n >= ${2 * PART} BEGIN
    INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, id, NEW.n - ${PART} FROM videos
      WHERE account = NEW.account AND client = NEW.client AND phase = 'waiting' AND id >= NEW.first
      ORDER BY id LIMIT 1 OFFSET ${PART};
    UPDATE queue_parts SET n = ${PART} WHERE account = NEW.account AND client = NEW.client AND first = NEW.first;
  END;
  CREATE TRIGGER queue_parts_emptied AFTER UPDATE ON queue_parts WHEN NEW.n = 0 BEGIN
    DELETE FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first = NEW.first;
  END;

  DROP TRIGGER months_opened;
  DROP TRIGGER months_moved;
  DROP TRIGGER months_discarded;
  CREATE TRIGGER months_opened AFTER INSERT ON videos BEGIN ${COUNTED}
  END;
  CREATE TRIGGER months_moved AFTER UPDATE ON videos
    WHEN OLD.status <> NEW.status OR OLD.data ->> '$.credits.charged' IS NOT NEW.data ->> '$.credits.charged' BEGIN ${UNCOUNTED}${COUNTED}
  END;
  CREATE TRIGGER months_discarded AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN ${UNCOUNTED}
  END;
`
