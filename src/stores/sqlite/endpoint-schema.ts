/** What an endpoint's own row tells of its health, and how far the replay has come that was asked for last (JSON). */
export const ENDPOINT_HEALTH = `
  ALTER TABLE endpoints ADD COLUMN last_delivered_at INTEGER;
  ALTER TABLE endpoints ADD COLUMN last_failed_at INTEGER;
  ALTER TABLE endpoints ADD COLUMN replay TEXT;
`
