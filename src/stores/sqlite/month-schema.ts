const isUnpriced = (row: 'NEW' | 'OLD'): string =>
  `(${row}.status IN ('queued', 'processing') AND ${row}.source <> 'import' AND ${row}.charged IS NULL)`

const monthOf = (row: 'NEW' | 'OLD'): string => `strftime('%Y-%m', ${row}.created_at / 1000, 'unixepoch')`

const COUNTED = `
    INSERT INTO months (client, month, status, videos, credits, unpriced) VALUES (NEW.client, ${monthOf('NEW')}, NEW.status, 1,
      coalesce(NEW.charged, 0), ${isUnpriced('NEW')})
    ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits, unpriced = unpriced + excluded.unpriced;`
const UNCOUNTED = `
    UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.charged, 0), unpriced = unpriced - ${isUnpriced('OLD')}
    WHERE client = OLD.client AND month = ${monthOf('OLD')} AND status = OLD.status;`

/** The counts of a month go by a column: each write of a video parsed the old and the new record for them. */
export const MONTHS_BY_COLUMN = `
  DROP TRIGGER IF EXISTS months_opened;
  DROP TRIGGER IF EXISTS months_moved;
  DROP TRIGGER IF EXISTS months_discarded;
  CREATE TRIGGER months_opened AFTER INSERT ON videos BEGIN ${COUNTED}
  END;
  CREATE TRIGGER months_moved AFTER UPDATE OF status, charged ON videos
    WHEN OLD.status <> NEW.status OR OLD.charged IS NOT NEW.charged BEGIN ${UNCOUNTED}${COUNTED}
  END;
  CREATE TRIGGER months_discarded AFTER DELETE ON videos WHEN OLD.phase <> 'ended' BEGIN ${UNCOUNTED}
  END;
`
