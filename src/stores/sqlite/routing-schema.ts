/**
 * Splits as they stand, and who changed what. Videos that ended are found by time in an order that pages can go on in,
 * and by the rule that sent them to their backend. Only new videos name one.
 */
export const ROUTING = `
  CREATE TABLE splits (key TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE audit (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_by_subject ON audit (subject, n);
  CREATE INDEX audit_by_age ON audit (at);
  DROP INDEX videos_ended;
  CREATE INDEX videos_ended ON videos (ended_at, id) WHERE phase = 'ended';
  CREATE INDEX videos_of_rules ON videos (data ->> '$.routing.rule', backend, ended_at, id, status)
    WHERE phase = 'ended' AND data ->> '$.routing.rule' IS NOT NULL;
`
