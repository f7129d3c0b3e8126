-- SQLite's (src/stores/sqlite/0043-priority.sql says what they are for) in this engine's words.
LOCK TABLE videos, turns IN ACCESS EXCLUSIVE MODE;
ALTER TABLE videos ADD COLUMN low_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN low_mark TEXT COLLATE "C";
