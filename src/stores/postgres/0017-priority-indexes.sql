-- concurrently
CREATE INDEX CONCURRENTLY videos_in_turn ON videos (account, client, low_until, id, due_at, lane) WHERE phase = 'waiting';
CREATE INDEX CONCURRENTLY videos_low ON videos (account, client)
  WHERE low_until > 0 AND phase IN ('dispatching', 'doubtful', 'accepted');
