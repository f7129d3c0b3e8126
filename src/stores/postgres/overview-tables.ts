/** As src/stores/sqlite/overview-schema.ts. */
export const OVERVIEW = `
  ALTER TABLE videos ADD COLUMN late_ms BIGINT;
  CREATE INDEX videos_ends ON videos (status, ended_at, late_ms) WHERE phase = 'ended';
  CREATE INDEX videos_ends_of_client ON videos (client, status, ended_at, late_ms) WHERE phase = 'ended';
  CREATE INDEX endpoints_disabled ON endpoints (disabled_at, id) WHERE disabled_at IS NOT NULL AND disabled_reason <> 'client';
`
