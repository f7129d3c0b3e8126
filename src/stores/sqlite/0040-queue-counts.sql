-- A place in a queue is counted where it is asked for (positionsSql): queues are no longer kept in parts.
DROP TRIGGER queue_opened;
DROP TRIGGER queue_entered;
DROP TRIGGER queue_left;
DROP TRIGGER queue_gone;
DROP TABLE queue_parts;

CREATE TRIGGER queue_opened AFTER INSERT ON videos WHEN NEW.phase = 'waiting' BEGIN
  INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
  ON CONFLICT DO UPDATE SET waiting = waiting + 1, first = coalesce(min(first, excluded.first), excluded.first);
END;
CREATE TRIGGER queue_entered AFTER UPDATE OF phase ON videos WHEN NEW.phase = 'waiting' AND OLD.phase <> 'waiting' BEGIN
  INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
  ON CONFLICT DO UPDATE SET waiting = waiting + 1, first = coalesce(min(first, excluded.first), excluded.first);
END;
CREATE TRIGGER queue_left AFTER UPDATE OF phase ON videos WHEN OLD.phase = 'waiting' AND NEW.phase <> 'waiting' BEGIN
  UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
    SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
  WHERE account = OLD.account AND client = OLD.client;
END;
CREATE TRIGGER queue_gone AFTER DELETE ON videos WHEN OLD.phase = 'waiting' BEGIN
  UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
    SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
  WHERE account = OLD.account AND client = OLD.client;
END;
