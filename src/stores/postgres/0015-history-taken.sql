-- A job that a video has is nobody's older one, whichever came first.
LOCK TABLE videos, history IN ACCESS EXCLUSIVE MODE;
CREATE FUNCTION history_taken() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$ BEGIN
  DELETE FROM history WHERE account = NEW.account AND id = NEW.job_id;
  RETURN NULL;
END $body$;
CREATE TRIGGER history_taken AFTER INSERT OR UPDATE OF job_id ON videos FOR EACH ROW
  WHEN (NEW.job_id IS NOT NULL) EXECUTE FUNCTION history_taken();
DELETE FROM history WHERE EXISTS (SELECT 1 FROM videos v WHERE v.account = history.account AND v.job_id = history.id);
