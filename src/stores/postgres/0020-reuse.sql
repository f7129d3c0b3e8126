-- SQLite's (src/stores/sqlite/0045-reuse.sql says what it is for) in this engine's words.
LOCK TABLE videos IN ACCESS EXCLUSIVE MODE;
ALTER TABLE videos ADD COLUMN input_hash TEXT COLLATE "C";
