/**
 * The order of the events of all clients. `line`: the account of the event's video, or `events` where it is of none, or
 * is told once more; `n`: its number in that line, of `changes`, which rises in the order in which readers see writes.
 * One number for all would let no two writes go on at once. Events from before this have none: nobody has a place
 * before them.
 */
export const LINES = `
  ALTER TABLE events ADD COLUMN line TEXT;
  ALTER TABLE events ADD COLUMN n INTEGER;
  CREATE INDEX events_in_line ON events (line, n, place, type) WHERE line IS NOT NULL;
  ALTER TABLE resends ADD COLUMN line TEXT;
  ALTER TABLE resends ADD COLUMN n INTEGER;
  CREATE INDEX resends_in_line ON resends (line, n) WHERE line IS NOT NULL;
`

/** The metadata of each video, to find it by: of one client or of all, in the order of their lists. */
export const METADATA = `
  CREATE TABLE video_metadata (
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    client TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (video_id, key)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO video_metadata (video_id, key, value, client, created_at)
    SELECT v.id, m.key, m.value, v.client, v.created_at FROM videos v, json_each(v.data, '$.metadata') m WHERE m.type = 'text';
  CREATE INDEX metadata_by_client ON video_metadata (client, value, created_at, video_id, key);
  CREATE INDEX metadata_of_all ON video_metadata (value, created_at, video_id, key);
`
