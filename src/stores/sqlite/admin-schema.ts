const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const
const NAMES = STATUSES.join(', ')

const isOf = (row: 'NEW' | 'OLD' | 'v', status: string): string => `(${row}.status = '${status}')`
const monthOf = (row: 'NEW' | 'OLD' | 'v'): string => `strftime('%Y-%m', ${row}.created_at / 1000, 'unixepoch')`
const OF_OLD = `month = ${monthOf('OLD')} AND client = OLD.client AND backend = OLD.backend`

/**
 * What operators read of all clients together.
 * - Lists of all clients, each set of filters with an index in the order of its list.
 * - `backend_months`: what each client did on each backend in a month, kept by triggers like `months`. What is left of
 *   videos that were removed before it was counted stands under the backend ''.
 * - `quota_warnings`: which warning a client was told in a month, and of which limit.
 */
export const ADMIN = `
  CREATE INDEX videos_of_all ON videos (created_at, id);
  CREATE INDEX videos_of_status ON videos (status, created_at, id);
  CREATE INDEX videos_of_both ON videos (backend, status, created_at, id);
  CREATE INDEX events_of_all ON events (at, client, place);
  CREATE INDEX events_of_type ON events (type, at, client, place);
  CREATE INDEX deliveries_of_status ON deliveries (status, n);
  CREATE INDEX requests_by_month ON requests (month, client);

  CREATE TABLE quota_warnings (
    client TEXT NOT NULL,
    month TEXT NOT NULL,
    quota TEXT NOT NULL,
    threshold INTEGER NOT NULL,
    quota_limit INTEGER NOT NULL,
    PRIMARY KEY (client, month, quota, threshold)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE backend_months (
    month TEXT NOT NULL,
    client TEXT NOT NULL,
    backend TEXT NOT NULL,
    ${STATUSES.map((status) => `${status} INTEGER NOT NULL,`).join(' ')}
    credits REAL NOT NULL,
    PRIMARY KEY (month, client, backend)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO backend_months
    SELECT ${monthOf('v')}, client, backend, ${STATUSES.map((status) => `sum${isOf('v', status)}`).join(', ')},
      coalesce(sum(charged), 0.0)
    FROM videos v GROUP BY 1, 2, 3;
  INSERT INTO backend_months
    SELECT m.month, m.client, '', ${STATUSES.map((status) => `sum(CASE WHEN m.status = '${status}' THEN m.videos - coalesce(b.${status}, 0) ELSE 0 END)`).join(', ')},
      round(sum(m.credits) - coalesce(b.credits, 0), 6)
    FROM months m LEFT JOIN (
        SELECT month, client, ${STATUSES.map((status) => `sum(${status}) AS ${status}`).join(', ')}, sum(credits) AS credits
        FROM backend_months GROUP BY 1, 2) AS b ON b.month = m.month AND b.client = m.client
    GROUP BY 1, 2 HAVING sum(m.videos) > max(coalesce(b.${STATUSES.join(' + b.')}, 0));

  CREATE TRIGGER backend_months_opened AFTER INSERT ON videos BEGIN
    INSERT INTO backend_months (month, client, backend, ${NAMES}, credits)
    VALUES (${monthOf('NEW')}, NEW.client, NEW.backend, ${STATUSES.map((status) => isOf('NEW', status)).join(', ')}, coalesce(NEW.charged, 0))
    ON CONFLICT DO UPDATE SET ${STATUSES.map((status) => `${status} = ${status} + excluded.${status}`).join(', ')},
      credits = credits + excluded.credits;
  END;
  CREATE TRIGGER backend_months_moved AFTER UPDATE ON videos
    WHEN OLD.status <> NEW.status OR OLD.charged IS NOT NEW.charged BEGIN
    UPDATE backend_months SET ${STATUSES.map((status) => `${status} = ${status} + ${isOf('NEW', status)} - ${isOf('OLD', status)}`).join(', ')},
      credits = credits + coalesce(NEW.charged, 0) - coalesce(OLD.charged, 0)
    WHERE ${OF_OLD};
  END;
  CREATE TRIGGER backend_months_discarded AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN
    UPDATE backend_months SET ${STATUSES.map((status) => `${status} = ${status} - ${isOf('OLD', status)}`).join(', ')},
      credits = credits - coalesce(OLD.charged, 0)
    WHERE ${OF_OLD};
  END;
`
