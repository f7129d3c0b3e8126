/** Every attempt of a webhook reads the trace of its video: the whole record was read for it. */
export const TRACES = `
  ALTER TABLE videos ADD COLUMN trace TEXT;
  UPDATE videos SET trace = data ->> 'trace' WHERE data ->> 'trace' IS NOT NULL;
`
