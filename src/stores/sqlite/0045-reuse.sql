-- "input_hash": of whom and what a video is made for and from, where another video of exactly that may have its file.
ALTER TABLE videos ADD COLUMN input_hash TEXT;
CREATE INDEX videos_reusable ON videos (input_hash, ended_at) WHERE input_hash IS NOT NULL AND status = 'completed';
