/**
 * What an overview counts, each out of one index. `late_ms`: for how long the job of a video may have been over before it
 * was found (`uncertaintyMs`). Of videos that ended before it was kept it is unknown: it is asked of the last day only.
 */
export const OVERVIEW = `
  ALTER TABLE videos ADD COLUMN late_ms INTEGER;
  CREATE INDEX videos_ends ON videos (status, ended_at, late_ms) WHERE phase = 'ended';
  CREATE INDEX videos_ends_of_client ON videos (client, status, ended_at, late_ms) WHERE phase = 'ended';
  CREATE INDEX endpoints_disabled ON endpoints (disabled_at, id) WHERE disabled_at IS NOT NULL AND disabled_reason <> 'client';
`
