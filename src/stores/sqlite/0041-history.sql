-- Jobs that stood in an account's list and that no video has: what a client made before the gateway (dropin.history). They
-- are no videos, so nothing counts, polls or removes them. "place": their order among those of one moment. "data": as a video.
CREATE TABLE history (
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  place TEXT NOT NULL,
  status TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (account, id)
) STRICT;
CREATE INDEX history_by_age ON history (account, created_at, place, id);
CREATE INDEX history_by_status ON history (account, status, created_at, place, id);

-- How far the list of each of these accounts was read.
CREATE TABLE history_walks (account TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT;
