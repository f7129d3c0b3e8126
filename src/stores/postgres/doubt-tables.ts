/**
 * As src/stores/sqlite/doubt-schema.ts. By the text: PostgreSQL reads no value out of JSON in which a string has a NUL. In
 * what a client said quotes are escaped, so it is not taken for these fields.
 */
export const DOUBTS = `
  ALTER TABLE videos ADD COLUMN doubt TEXT COLLATE "C";
  UPDATE videos SET doubt = 'open' WHERE phase = 'doubtful';
  UPDATE videos SET doubt = 'given_up' WHERE status = 'failed'
    AND data LIKE '%"error":{"code":"create_outcome_unknown"%' AND data NOT LIKE '%"replacedBy":"%';
  CREATE INDEX videos_in_doubt ON videos (doubt, created_at, id) WHERE doubt IS NOT NULL;
`
