import type { DatabaseSync } from 'node:sqlite'
import { ACCESS } from './access-schema.ts'
import { ADMIN } from './admin-schema.ts'
import { DOUBTS } from './doubt-schema.ts'
import { BACKLOG } from './backlog-schema.ts'
import { COLUMNS } from './columns-schema.ts'
import { OVERVIEW } from './overview-schema.ts'
import { ENDPOINT_HEALTH } from './endpoint-schema.ts'
import { MONTHS_BY_COLUMN } from './month-schema.ts'
import { RECORDED } from './recorded-schema.ts'
import { RESOURCES } from './resource-schema.ts'
import { REPLICAS } from './replica-schema.ts'
import { ROUTING } from './routing-schema.ts'
import { TRACES } from './trace-schema.ts'
import { SESSIONS } from './session-schema.ts'
import { BOUNDED } from './bounded-schema.ts'
import { LINES, METADATA } from './line-schema.ts'
import { EVENT_PLACES, RESENDS } from './event-schema.ts'
import { ATTEMPTS_BY_NUMBER, HELD_COUNTED, OWN_BODIES, WEBHOOKS } from './webhook-schema.ts'

/** Links of a video that was given up to the one that took up its job. Older videos have none. */
const REPLACEMENTS = `
  UPDATE videos SET data = json_insert(data, '$.replaces', NULL, '$.replacedBy', NULL);
`

/**
 * Windows outlive a restart: stores when each was written, which limit was configured, and which one the backend told.
 * Of an older limit nobody knows which it was, so the next answer of the backend decides.
 */
const WINDOWS_KEPT = `
  ALTER TABLE budgets ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
  UPDATE budgets SET data = json_insert(data, '$.configured', data -> '$.limit', '$.toldLimit', NULL, '$.asks', json('false'));
`

/**
 * Before windows outlived a restart, each start removed rows of an older shape, so no migration updated them. They are
 * removed here.
 */
const WINDOWS_OF_THIS_SHAPE = `
  DELETE FROM budgets WHERE json_type(data, '$.late') IS NOT 'array' OR json_type(data, '$.reads') IS NULL
    OR json_type(data, '$.readRefusedIn') IS NULL OR json_type(data, '$.lengthMs') IS NULL;
`

const WINDOWS_DISTRUSTED = `UPDATE budgets SET data = json_insert(data, '$.distrusted', 0);`

/**
 * Creates of a lane by when they were sent: an earlier one may have left a job that looks like a later one's. The
 * second condition keeps the planner from using this index to find free lanes.
 */
const SENT_IN_LANES = `
  CREATE INDEX videos_sent ON videos (account, lane, data ->> 'dispatchedAtMs')
    WHERE lane IS NOT NULL AND data ->> 'dispatchedAtMs' IS NOT NULL;
`

/** Jobs that are over, and of which only the link is still to be asked for. */
const LINKS_OWED = `
  ALTER TABLE videos ADD COLUMN link_owed INTEGER NOT NULL DEFAULT 0;
  UPDATE videos SET data = json_insert(data, '$.linkOwed', json('false')) WHERE json_type(data, '$.linkOwed') IS NULL;
`

/** What callbacks name beside a video's own job is read by whoever acts for the account. */
const SECOND_JOBS = `
  CREATE INDEX videos_second_jobs ON videos (account, data ->> 'secondJobAtMs') WHERE data ->> 'secondJobAtMs' IS NOT NULL;
`

/** The field of the last poll has the name that is said everywhere. */
const POLLS_BY_NAME = `
  UPDATE videos SET data = json_set(json_remove(data, '$.lastLookAtMs'), '$.lastPollAtMs', data -> '$.lastLookAtMs')
    WHERE json_type(data, '$.lastLookAtMs') IS NOT NULL;
`

/** Jobs that callbacks had named before a record said when to read them. */
const SECOND_JOBS_OF_BEFORE = `
  UPDATE videos SET data = json_set(data, '$.secondJobAtMs',
      (SELECT min(n.value ->> 'atMs') FROM json_each(data, '$.search.named') n WHERE n.value ->> 'state' = 'pending'))
    WHERE phase IN ('accepted', 'ended') AND data ->> 'secondJobAtMs' IS NULL
      AND EXISTS (SELECT 1 FROM json_each(data, '$.search.named') n WHERE n.value ->> 'state' = 'pending');
`

/**
 * Numbered, forward-only: entry n takes a database from version n to n + 1. Never edit one that was released.
 * `videos.data` is the whole record as JSON; the columns beside it only serve the indexes. A partial index serves a
 * query only if the query repeats the index's condition word for word.
 * A new field of the record needs no migration (core/new-video.ts), unless a query reads it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
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
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX videos_by_client ON videos (client, id);
  CREATE INDEX videos_by_status ON videos (client, status, id);
  CREATE INDEX videos_open ON videos (account, phase, id) WHERE phase <> 'ended';
  CREATE INDEX videos_waiting ON videos (client) WHERE phase = 'waiting';
  CREATE INDEX videos_ended ON videos (ended_at) WHERE phase = 'ended';
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
  CREATE TABLE events (
    id TEXT PRIMARY KEY,
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    type TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_video ON events (video_id, sequence);
  CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    video_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    target_kind TEXT NOT NULL,
    target_url TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at INTEGER,
    lease_token TEXT,
    lease_until INTEGER
  ) STRICT;
  CREATE INDEX deliveries_by_event ON deliveries (event_id);
  CREATE INDEX deliveries_by_video ON deliveries (video_id, sequence);
  CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';
  CREATE TABLE attempts (
    delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    response_body TEXT,
    next_attempt_at INTEGER
  ) STRICT;
  CREATE INDEX attempts_by_delivery ON attempts (delivery_id);
  CREATE TABLE leases (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    token TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE secrets (client TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  // Turns on an account: the client that was served longest ago goes next.
  `
  CREATE TABLE turns (
    account TEXT NOT NULL,
    client TEXT NOT NULL,
    turn INTEGER NOT NULL,
    PRIMARY KEY (account, client)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE attempts ADD COLUMN lease TEXT;
  CREATE UNIQUE INDEX attempts_once ON attempts (delivery_id, lease) WHERE lease IS NOT NULL;
  ALTER TABLE videos ADD COLUMN lane TEXT;
  ALTER TABLE videos ADD COLUMN job_id TEXT;
  UPDATE videos SET job_id = data ->> 'backendJobId';
  ALTER TABLE videos ADD COLUMN accepted_at INTEGER;
  ALTER TABLE videos ADD COLUMN last_hint_at INTEGER;
  ALTER TABLE videos ADD COLUMN has_webhook INTEGER NOT NULL DEFAULT 0;
  UPDATE videos SET accepted_at = data ->> 'acceptedAtMs', last_hint_at = data ->> 'lastHintAtMs',
    has_webhook = data ->> 'webhookUrl' IS NOT NULL;
  CREATE TABLE durations (source TEXT PRIMARY KEY, recent TEXT NOT NULL) STRICT;
  CREATE INDEX videos_by_job ON videos (account, job_id) WHERE job_id IS NOT NULL;
  CREATE INDEX videos_turns ON videos (account, client, id) WHERE phase = 'waiting';
  `,
  // One job belongs to one video. If several recorded it, the first keeps it; the others have it in their record only.
  // Older records get the fields that were added since.
  `
  UPDATE videos SET job_id = NULL WHERE job_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM videos o WHERE o.account = videos.account AND o.job_id = videos.job_id AND o.id < videos.id);
  DROP INDEX videos_by_job;
  CREATE UNIQUE INDEX videos_by_job ON videos (account, job_id) WHERE job_id IS NOT NULL;
  CREATE TABLE budgets (account TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
  UPDATE videos SET data = json_insert(data, '$.told', json('true'), '$.search', NULL, '$.lane', NULL, '$.acceptedDateMs', NULL)
    WHERE json_type(data, '$.told') IS NULL OR json_type(data, '$.search') IS NULL OR json_type(data, '$.lane') IS NULL
      OR json_type(data, '$.acceptedDateMs') IS NULL;
  `,
  RESOURCES,
  // Waiting videos whose audio is being brought to the backend, so that no time makes them due.
  `
  CREATE INDEX videos_transfers ON videos (account, id) WHERE phase = 'waiting' AND due_at IS NULL;
  UPDATE videos SET data = json_insert(data, '$.transfer', NULL, '$.order.audioUrl', NULL)
    WHERE json_type(data, '$.transfer') IS NULL OR json_type(data, '$.order.audioUrl') IS NULL;
  `,
  EVENT_PLACES,
  // Videos whose job was made elsewhere. Older ones are all our own.
  `ALTER TABLE videos ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;`,
  WEBHOOKS,
  ATTEMPTS_BY_NUMBER,
  RESENDS,
  // What a video is made from; `import` is one case.
  `
  ALTER TABLE videos ADD COLUMN source TEXT NOT NULL DEFAULT 'text';
  UPDATE videos SET source = CASE WHEN imported = 1 THEN 'import' ELSE 'audio' END
    WHERE imported = 1 OR data ->> '$.input.text' IS NULL;
  ALTER TABLE videos DROP COLUMN imported;
  `,
  `CREATE INDEX endpoints_enabled ON endpoints (client, events) WHERE disabled_at IS NULL;`,
  WINDOWS_KEPT,
  LINKS_OWED,
  REPLACEMENTS,
  BOUNDED,
  BACKLOG,
  WINDOWS_OF_THIS_SHAPE,
  SENT_IN_LANES,
  WINDOWS_DISTRUSTED,
  SECOND_JOBS,
  HELD_COUNTED,
  POLLS_BY_NAME,
  SECOND_JOBS_OF_BEFORE,
  OWN_BODIES,
  ROUTING,
  RECORDED,
  COLUMNS,
  REPLICAS,
  ADMIN,
  ACCESS,
  SESSIONS,
  DOUBTS,
  OVERVIEW,
  ENDPOINT_HEALTH,
  LINES,
  METADATA,
  MONTHS_BY_COLUMN,
  TRACES,
]

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

/**
 * Brings the database to this program's version, in one transaction: a crash in the middle leaves the old version, whole.
 * Throws, and writes nothing, if a newer program wrote it or a step fails.
 */
export const migrate = (db: DatabaseSync, migrations = MIGRATIONS): void => {
  const version = versionOf(db)
  if (version > migrations.length) {
    throw new Error(
      `the store has schema version ${version}, this program knows ${migrations.length}: a newer Talkbridge wrote it; ` +
        'start that one, or restore the backup from before the upgrade',
    )
  }
  if (version === migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock: another handle may have done it meanwhile.
    for (const sql of migrations.slice(versionOf(db))) db.exec(sql)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * `synchronous=FULL`: a commit that returned survives a power cut. `fullfsync`: the same on macOS, whose fsync alone
 * does not guarantee it. `journal_size_limit`: the log shrinks again after a burst. `temp_store`: what a failed statement
 * goes back to is no file.
 * `wal_autocheckpoint`: the log is copied into the file when it is as long as that limit, since pages that are written
 * often are copied once each time. Of up to 4,062 pages readers search one table of their places.
 */
export const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_size_limit = 16777216;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
`
