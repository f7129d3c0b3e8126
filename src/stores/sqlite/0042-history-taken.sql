-- A job that a video has is nobody's older one, whichever came first.
CREATE TRIGGER history_opened AFTER INSERT ON videos WHEN NEW.job_id IS NOT NULL BEGIN
  DELETE FROM history WHERE account = NEW.account AND id = NEW.job_id;
END;
CREATE TRIGGER history_taken AFTER UPDATE OF job_id ON videos WHEN NEW.job_id IS NOT NULL BEGIN
  DELETE FROM history WHERE account = NEW.account AND id = NEW.job_id;
END;
DELETE FROM history WHERE EXISTS (SELECT 1 FROM videos v WHERE v.account = history.account AND v.job_id = history.id);
