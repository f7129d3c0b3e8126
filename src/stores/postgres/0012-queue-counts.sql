-- A place in a queue is counted where it is asked for (positionsSql): queues are no longer kept in parts. No release kept them.
LOCK TABLE videos, queue_parts IN ACCESS EXCLUSIVE MODE;
DROP TABLE queue_parts;
DROP FUNCTION queue_parts_grown, queue_parts_emptied;
DROP FUNCTION queue_entered, queue_gone CASCADE;

CREATE OR REPLACE FUNCTION queue_opened() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$ BEGIN
  INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
  ON CONFLICT (account, client) DO UPDATE SET waiting = turns.waiting + 1, first = least(turns.first, excluded.first);
  RETURN NULL;
END $body$;
CREATE TRIGGER queue_entered AFTER UPDATE OF phase ON videos FOR EACH ROW
  WHEN (NEW.phase = 'waiting' AND OLD.phase <> 'waiting') EXECUTE FUNCTION queue_opened();

CREATE OR REPLACE FUNCTION queue_left() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$ BEGIN
  UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
    SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
  WHERE account = OLD.account AND client = OLD.client;
  RETURN NULL;
END $body$;
CREATE TRIGGER queue_gone AFTER DELETE ON videos FOR EACH ROW WHEN (OLD.phase = 'waiting') EXECUTE FUNCTION queue_left();
