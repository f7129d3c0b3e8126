/** As src/stores/sqlite/access-schema.ts. */
export const ACCESS = `
  CREATE TABLE api_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    client TEXT COLLATE "C" NOT NULL,
    change BIGINT NOT NULL,
    ended_at BIGINT,
    used_at BIGINT,
    data TEXT COLLATE "C" NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX api_keys_by_client ON api_keys (client, id);
  CREATE INDEX api_keys_by_change ON api_keys (change);
  CREATE INDEX api_keys_ended ON api_keys (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE api_clients (
    id TEXT COLLATE "C" PRIMARY KEY,
    change BIGINT NOT NULL,
    data TEXT COLLATE "C" NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX api_clients_by_change ON api_clients (change);
  ALTER TABLE audit ADD COLUMN actor_key TEXT COLLATE "C";
  ALTER TABLE audit ADD COLUMN address TEXT COLLATE "C";
  ALTER TABLE audit ADD COLUMN request_id TEXT COLLATE "C";
  CREATE INDEX audit_by_actor ON audit (actor, (n + 0));
  CREATE INDEX audit_by_action ON audit (action, (n + 0));
`
