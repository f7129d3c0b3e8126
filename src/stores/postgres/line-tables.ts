/** As src/stores/sqlite/line-schema.ts. */
export const LINES = `
  ALTER TABLE events ADD COLUMN line TEXT COLLATE "C";
  ALTER TABLE events ADD COLUMN n BIGINT;
  CREATE INDEX events_in_line ON events (line, n, place, type) WHERE line IS NOT NULL;
  ALTER TABLE resends ADD COLUMN line TEXT COLLATE "C";
  ALTER TABLE resends ADD COLUMN n BIGINT;
  CREATE INDEX resends_in_line ON resends (line, n) WHERE line IS NOT NULL;
`

/**
 * As src/stores/sqlite/line-schema.ts. Of an older video with a character that PostgreSQL cannot read out of JSON (NUL, half
 * a pair) nothing is read: it is not found by its metadata.
 */
export const METADATA = `
  CREATE TABLE video_metadata (
    video_id TEXT COLLATE "C" NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    client TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (video_id, key)
  );
  -- No video is written between the reading of those that are there and the commit: its process may know no metadata table.
  LOCK TABLE videos IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO video_metadata (video_id, key, value, client, created_at)
    SELECT v.id, m.key, m.value, v.client, v.created_at
    FROM videos v CROSS JOIN LATERAL json_each_text(
      CASE WHEN v.data ~* '\\\\u(0000|d[89a-f])' THEN '{}' ELSE coalesce(v.data::json -> 'metadata', '{}') END) AS m
    WHERE m.value IS NOT NULL;
  CREATE INDEX metadata_by_client ON video_metadata (client, value, created_at, video_id, key);
  CREATE INDEX metadata_of_all ON video_metadata (value, created_at, video_id, key);
`
