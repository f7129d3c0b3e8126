-- concurrently
CREATE INDEX CONCURRENTLY videos_reusable ON videos (input_hash, ended_at) WHERE input_hash IS NOT NULL AND status = 'completed';
