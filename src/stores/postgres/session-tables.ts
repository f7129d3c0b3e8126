/** As src/stores/sqlite/session-schema.ts. */
export const SESSIONS = `
  CREATE TABLE sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    client TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX sessions_by_client ON sessions (client, created_at, id);
  CREATE INDEX sessions_ended ON sessions (ends_at);
`
