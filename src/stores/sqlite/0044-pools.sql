-- "pool": which pool's members may make it, as long as it was never sent. Then it may move to another of their accounts.
ALTER TABLE videos ADD COLUMN pool TEXT;
CREATE INDEX videos_in_pool ON videos (pool, client, low_until, id, account, lane)
  WHERE pool IS NOT NULL AND phase = 'waiting' AND sent_at IS NULL;

CREATE TRIGGER backend_months_rerouted AFTER UPDATE OF backend ON videos WHEN OLD.backend <> NEW.backend AND NEW.status = 'queued' BEGIN
  UPDATE backend_months SET queued = queued - 1
  WHERE month = strftime('%Y-%m', OLD.created_at / 1000, 'unixepoch') AND client = OLD.client AND backend = OLD.backend;
  INSERT INTO backend_months (month, client, backend, queued, processing, completed, failed, canceled, credits)
  VALUES (strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.client, NEW.backend, 1, 0, 0, 0, 0, 0)
  ON CONFLICT DO UPDATE SET queued = queued + 1;
END;
