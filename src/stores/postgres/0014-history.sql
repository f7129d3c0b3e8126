-- SQLite's (src/stores/sqlite/0041-history.sql says what they are for) in this engine's words.
CREATE TABLE history (
  account TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  place TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  data TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX history_by_age ON history (account, created_at, place, id);
CREATE INDEX history_by_status ON history (account, status, created_at, place, id);

CREATE TABLE history_walks (account TEXT COLLATE "C" PRIMARY KEY, data TEXT COLLATE "C" NOT NULL);
