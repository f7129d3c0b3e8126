-- An update that changes no indexed column writes no index (HOT), where its page has room. So no index is over the counter of
-- open_videos, nor over the lease of a delivery. Tables of a few rows that are rewritten for ever are vacuumed by the number
-- of their dead rows, large ones at a hundredth of their rows.
LOCK TABLE open_videos, turns, budgets, commits, deliveries, videos, attempts IN SHARE UPDATE EXCLUSIVE MODE;
LOCK TABLE open_videos, deliveries IN ACCESS EXCLUSIVE MODE;
DROP INDEX open_accounts;
DROP INDEX deliveries_leased;
ALTER TABLE deliveries SET (fillfactor = 80);
ALTER TABLE open_videos SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE turns SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE budgets SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE commits SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE videos SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE attempts SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
