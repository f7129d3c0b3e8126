-- concurrently
-- For values that the planner does not know, this index costs as much as the one of a single client. So a client's search
-- could read what all clients wrote. "POSIX" orders as the column's "C" does, but only a query that names it uses the index.
CREATE INDEX CONCURRENTLY metadata_of_all_clients ON video_metadata (value COLLATE "POSIX", created_at, video_id, key);
DROP INDEX CONCURRENTLY IF EXISTS metadata_of_all;
