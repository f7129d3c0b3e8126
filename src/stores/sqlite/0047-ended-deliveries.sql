-- Lists of deliveries that ended, and of those that were given up by their last answer, in the order of their end.
CREATE INDEX deliveries_ended ON deliveries (status, settled_at, n, took_ms, client) WHERE settled_at IS NOT NULL;
CREATE INDEX deliveries_ended_of_client ON deliveries (client, status, settled_at, n, took_ms, target_kind, target)
  WHERE settled_at IS NOT NULL;
CREATE INDEX deliveries_ended_of_endpoint ON deliveries (client, target, status, settled_at, n)
  WHERE settled_at IS NOT NULL AND target_kind = 'endpoint';
CREATE INDEX deliveries_given_up ON deliveries (coalesce(answer, 0), settled_at, n)
  WHERE settled_at IS NOT NULL AND status = 'failed';
CREATE INDEX deliveries_given_up_of_client ON deliveries (client, coalesce(answer, 0), settled_at, n)
  WHERE settled_at IS NOT NULL AND status = 'failed';
CREATE INDEX deliveries_given_up_of_endpoint ON deliveries (client, target, coalesce(answer, 0), settled_at, n)
  WHERE settled_at IS NOT NULL AND status = 'failed' AND target_kind = 'endpoint';
DROP INDEX deliveries_settled;
DROP INDEX deliveries_settled_of_client;
