-- The overview names endpoints whose attempts fail, before they are disabled.
CREATE INDEX endpoints_failing ON endpoints (failing_since, id) WHERE failing_since IS NOT NULL AND disabled_at IS NULL;
