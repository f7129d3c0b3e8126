import { monthOf, trigger } from './triggers.ts'

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const
const NAMES = STATUSES.join(', ')

const isOf = (row: 'NEW' | 'OLD' | 'v', status: string): string =>
  `(CASE WHEN ${row}.status = '${status}' THEN 1 ELSE 0 END)`
const OF_OLD = `month = ${monthOf('OLD')} AND client = OLD.client AND backend = OLD.backend`

const COUNTED = `
    INSERT INTO backend_months (month, client, backend, ${NAMES}, credits)
    VALUES (${monthOf('NEW')}, NEW.client, NEW.backend, ${STATUSES.map((status) => isOf('NEW', status)).join(', ')}, coalesce(NEW.charged, 0))
    ON CONFLICT (month, client, backend) DO UPDATE SET
      ${STATUSES.map((status) => `${status} = backend_months.${status} + excluded.${status}`).join(', ')},
      credits = backend_months.credits + excluded.credits;`
const MOVED = `
    UPDATE backend_months SET ${STATUSES.map((status) => `${status} = ${status} + ${isOf('NEW', status)} - ${isOf('OLD', status)}`).join(', ')},
      credits = credits + coalesce(NEW.charged, 0) - coalesce(OLD.charged, 0)
    WHERE ${OF_OLD};`
const DISCARDED = `
    UPDATE backend_months SET ${STATUSES.map((status) => `${status} = ${status} - ${isOf('OLD', status)}`).join(', ')},
      credits = credits - coalesce(OLD.charged, 0)
    WHERE ${OF_OLD};`

/** As src/stores/sqlite/admin-schema.ts. `at + 0` and `n + 0` keep other lists off these indexes (`numberOf`). */
export const ADMIN = `
  -- No video is written between the counting and the triggers that go on with it.
  LOCK TABLE videos IN SHARE ROW EXCLUSIVE MODE;
  CREATE INDEX videos_of_all ON videos (created_at, id);
  CREATE INDEX videos_of_status ON videos (status, created_at, id);
  CREATE INDEX videos_of_both ON videos (backend, status, created_at, id);
  CREATE INDEX events_of_all ON events ((at + 0), client, place);
  CREATE INDEX events_of_type ON events (type, at, client, place);
  CREATE INDEX deliveries_of_status ON deliveries (status, (n + 0));
  CREATE INDEX requests_by_month ON requests (month, client);

  CREATE TABLE quota_warnings (
    client TEXT COLLATE "C" NOT NULL,
    month TEXT COLLATE "C" NOT NULL,
    quota TEXT COLLATE "C" NOT NULL,
    threshold BIGINT NOT NULL,
    quota_limit BIGINT NOT NULL,
    PRIMARY KEY (client, month, quota, threshold)
  );

  CREATE TABLE backend_months (
    month TEXT COLLATE "C" NOT NULL,
    client TEXT COLLATE "C" NOT NULL,
    backend TEXT COLLATE "C" NOT NULL,
    ${STATUSES.map((status) => `${status} BIGINT NOT NULL,`).join(' ')}
    credits DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (month, client, backend)
  ) WITH (fillfactor = 50);
  INSERT INTO backend_months
    SELECT ${monthOf('v')}, client, backend, ${STATUSES.map((status) => `sum${isOf('v', status)}`).join(', ')},
      coalesce(sum(charged), 0)
    FROM videos v GROUP BY 1, 2, 3;
  INSERT INTO backend_months
    SELECT m.month, m.client, '', ${STATUSES.map((status) => `sum(CASE WHEN m.status = '${status}' THEN m.videos - coalesce(b.${status}, 0) ELSE 0 END)`).join(', ')},
      round((sum(m.credits) - coalesce(max(b.credits), 0))::numeric, 6)
    FROM months m LEFT JOIN (
        SELECT month, client, ${STATUSES.map((status) => `sum(${status}) AS ${status}`).join(', ')}, sum(credits) AS credits
        FROM backend_months GROUP BY 1, 2) AS b ON b.month = m.month AND b.client = m.client
    GROUP BY 1, 2 HAVING sum(m.videos) > max(coalesce(b.${STATUSES.join(' + b.')}, 0));
  ${trigger('backend_months_opened', 'INSERT ON videos', null, COUNTED)}
  ${trigger('backend_months_moved', 'UPDATE ON videos', 'OLD.status <> NEW.status OR OLD.charged IS DISTINCT FROM NEW.charged', MOVED)}
  ${trigger('backend_months_discarded', 'DELETE ON videos', `OLD.phase <> 'ended'`, DISCARDED)}
`
