/** As src/stores/sqlite/replica-schema.ts. */
export const REPLICAS = `
  ALTER TABLE leases ADD COLUMN holder TEXT COLLATE "C";
  CREATE TABLE facts (
    kind TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
  ) WITH (fillfactor = 50);
  CREATE TABLE served_accounts (account TEXT COLLATE "C" PRIMARY KEY, is_closed BIGINT NOT NULL);
  CREATE TABLE configurations (mark TEXT COLLATE "C" PRIMARY KEY, n BIGINT NOT NULL);
`
