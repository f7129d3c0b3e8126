/**
 * Issued keys, clients beside those of the configuration, and who did what from where. `change`: the number of the last
 * write, which rises over both tables (`changes`), so that every process reads only what is new to it.
 */
export const ACCESS = `
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
  CREATE TABLE api_clients (id TEXT PRIMARY KEY, change INTEGER NOT NULL, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX api_clients_by_change ON api_clients (change);
  ALTER TABLE audit ADD COLUMN actor_key TEXT;
  ALTER TABLE audit ADD COLUMN address TEXT;
  ALTER TABLE audit ADD COLUMN request_id TEXT;
  CREATE INDEX audit_by_actor ON audit (actor, n);
  CREATE INDEX audit_by_action ON audit (action, n);
`
