-- "pool": which pool's members may make it, as long as it was never sent. Then it may move to another of their accounts.
LOCK TABLE videos IN ACCESS EXCLUSIVE MODE;
ALTER TABLE videos ADD COLUMN pool TEXT COLLATE "C";
CREATE FUNCTION backend_months_rerouted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$ BEGIN
  UPDATE backend_months SET queued = queued - 1
  WHERE month = to_char(to_timestamp(OLD.created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM') AND client = OLD.client AND backend = OLD.backend;
  INSERT INTO backend_months (month, client, backend, queued, processing, completed, failed, canceled, credits)
  VALUES (to_char(to_timestamp(NEW.created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM'), NEW.client, NEW.backend, 1, 0, 0, 0, 0, 0)
  ON CONFLICT (month, client, backend) DO UPDATE SET queued = backend_months.queued + 1;
  RETURN NULL;
END $body$;
CREATE TRIGGER backend_months_rerouted AFTER UPDATE OF backend ON videos FOR EACH ROW
  WHEN (OLD.backend <> NEW.backend AND NEW.status = 'queued') EXECUTE FUNCTION backend_months_rerouted();
