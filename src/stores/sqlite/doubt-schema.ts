/**
 * Creates whose outcome is not known: `open` while the gateway still looks, `given_up` until an operator answered. Null:
 * of all others, which the index leaves out.
 */
export const DOUBTS = `
  ALTER TABLE videos ADD COLUMN doubt TEXT;
  UPDATE videos SET doubt = 'open' WHERE phase = 'doubtful';
  UPDATE videos SET doubt = 'given_up' WHERE status = 'failed'
    AND data ->> '$.error.code' = 'create_outcome_unknown' AND data ->> '$.replacedBy' IS NULL;
  CREATE INDEX videos_in_doubt ON videos (doubt, created_at, id) WHERE doubt IS NOT NULL;
`
