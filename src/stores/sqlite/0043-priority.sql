-- "low_until": from then on a low video counts as normal; 0: it is normal. The order in which a client's videos are sent is
-- that of (low_until, id). "low_mark": the last normal video that waited when a low one of the client left its slot. It goes
-- before the next low one that counts as normal.
ALTER TABLE videos ADD COLUMN low_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN low_mark TEXT;
CREATE INDEX videos_in_turn ON videos (account, client, low_until, id, due_at, lane) WHERE phase = 'waiting';
CREATE INDEX videos_low ON videos (account, client) WHERE low_until > 0 AND phase IN ('dispatching', 'doubtful', 'accepted');
