/** Who signed in to the console. `key`: with which key, and no word of the key itself. */
export const SESSIONS = `
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
`
