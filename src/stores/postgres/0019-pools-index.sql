-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS videos_in_pool ON videos (pool, client, low_until, id, account, lane)
  WHERE pool IS NOT NULL AND phase = 'waiting' AND sent_at IS NULL;
