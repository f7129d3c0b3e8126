/** As src/stores/sqlite/endpoint-schema.ts. */
export const ENDPOINT_HEALTH = `
  ALTER TABLE endpoints ADD COLUMN last_delivered_at BIGINT;
  ALTER TABLE endpoints ADD COLUMN last_failed_at BIGINT;
  ALTER TABLE endpoints ADD COLUMN replay TEXT COLLATE "C";
`
