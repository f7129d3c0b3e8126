/**
 * What processes tell each other, who holds which lease, and which accounts take new videos. `configurations`:
 * those that were in force, the latest with the highest number.
 */
export const REPLICAS = `
  ALTER TABLE leases ADD COLUMN holder TEXT;
  CREATE TABLE facts (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE served_accounts (account TEXT PRIMARY KEY, is_closed INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE configurations (mark TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
