/** A part of a queue is split when it has grown to twice this. */
const PART = 128

const trigger = (name: string, event: string, when: string | null, action: string): string =>
  `
  CREATE TRIGGER ${name} AFTER ${event}${when === null ? '' : ` WHEN ${when}`} BEGIN${action}
  END;`

type Row = 'NEW' | 'OLD'

const monthOf = (row: Row): string => `strftime('%Y-%m', ${row}.created_at / 1000, 'unixepoch')`
const MONTH_CHANGED = 'OLD.status <> NEW.status OR OLD.charged IS NOT NEW.charged'

const OPENED = `
    INSERT INTO open_videos (account, backend, phase, n) VALUES (NEW.account, NEW.backend, NEW.phase, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;`
const CLOSED = `
    UPDATE open_videos SET n = n - 1 WHERE account = OLD.account AND backend = OLD.backend AND phase = OLD.phase;`

const partOf = (row: Row): string =>
  `account = ${row}.account AND client = ${row}.client AND first = (
      SELECT max(first) FROM queue_parts WHERE account = ${row}.account AND client = ${row}.client AND first <= ${row}.id)`
const QUEUED = `
    INSERT INTO turns (account, client, turn, waiting, first) VALUES (NEW.account, NEW.client, 0, 1, NEW.id)
    ON CONFLICT DO UPDATE SET waiting = waiting + 1, first = coalesce(min(first, excluded.first), excluded.first);
    INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, NEW.id, 0 WHERE NOT EXISTS (
      SELECT 1 FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first <= NEW.id);
    UPDATE queue_parts SET n = n + 1 WHERE ${partOf('NEW')};`
const UNQUEUED = `
    UPDATE turns SET waiting = waiting - 1, first = CASE first WHEN OLD.id THEN (
      SELECT min(id) FROM videos WHERE account = OLD.account AND client = OLD.client AND phase = 'waiting') ELSE first END
    WHERE account = OLD.account AND client = OLD.client;
    UPDATE queue_parts SET n = n - 1 WHERE ${partOf('OLD')};`

const unpriced = (row: Row): string =>
  `(${row}.status IN ('queued', 'processing') AND ${row}.source <> 'import' AND ${row}.charged IS NULL)`
const COUNTED = `
    INSERT INTO months (client, month, status, videos, credits, unpriced)
    VALUES (NEW.client, ${monthOf('NEW')}, NEW.status, 1, coalesce(NEW.charged, 0), ${unpriced('NEW')})
    ON CONFLICT DO UPDATE SET videos = videos + 1, credits = credits + excluded.credits, unpriced = unpriced + excluded.unpriced;`
const UNCOUNTED = `
    UPDATE months SET videos = videos - 1, credits = credits - coalesce(OLD.charged, 0), unpriced = unpriced - ${unpriced('OLD')}
    WHERE client = OLD.client AND month = ${monthOf('OLD')} AND status = OLD.status;`

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const
const forEach = (part: (status: string) => string): string => STATUSES.map(part).join(', ')
const isOf = (row: Row, status: string): string => `(${row}.status = '${status}')`
const BACKEND_MONTH_OF_OLD = `month = ${monthOf('OLD')} AND client = OLD.client AND backend = OLD.backend`
const BACKEND_COUNTED = `
    INSERT INTO backend_months (month, client, backend, ${STATUSES.join(', ')}, credits)
    VALUES (${monthOf('NEW')}, NEW.client, NEW.backend, ${forEach((status) => isOf('NEW', status))}, coalesce(NEW.charged, 0))
    ON CONFLICT DO UPDATE SET ${forEach((status) => `${status} = ${status} + excluded.${status}`)},
      credits = credits + excluded.credits;`
const BACKEND_MOVED = `
    UPDATE backend_months SET ${forEach((status) => `${status} = ${status} + ${isOf('NEW', status)} - ${isOf('OLD', status)}`)},
      credits = credits + coalesce(NEW.charged, 0) - coalesce(OLD.charged, 0)
    WHERE ${BACKEND_MONTH_OF_OLD};`
const BACKEND_UNCOUNTED = `
    UPDATE backend_months SET ${forEach((status) => `${status} = ${status} - ${isOf('OLD', status)}`)},
      credits = credits - coalesce(OLD.charged, 0)
    WHERE ${BACKEND_MONTH_OF_OLD};`

const isHeld = (row: Row): string => `(${row}.status = 'held' AND ${row}.target_kind = 'endpoint')`
const held = (row: Row, by: string): string => `
    UPDATE endpoints SET held = held ${by} WHERE id = ${row}.target;`

/** Counts that no write can forget to keep, since each would cost by the number of videos or deliveries. */
export const TRIGGERS = [
  trigger(
    'events_gone',
    'DELETE ON events',
    null,
    `
    UPDATE event_spans SET gone = max(gone, OLD.place) WHERE client = OLD.client;`,
  ),

  trigger('videos_opened', 'INSERT ON videos', `NEW.phase <> 'ended'`, OPENED),
  trigger('videos_left', 'UPDATE OF phase ON videos', `OLD.phase <> NEW.phase AND OLD.phase <> 'ended'`, CLOSED),
  trigger('videos_entered', 'UPDATE OF phase ON videos', `OLD.phase <> NEW.phase AND NEW.phase <> 'ended'`, OPENED),
  trigger('videos_gone', 'DELETE ON videos', `OLD.phase <> 'ended'`, CLOSED),

  trigger('queue_opened', 'INSERT ON videos', `NEW.phase = 'waiting'`, QUEUED),
  trigger('queue_entered', 'UPDATE OF phase ON videos', `NEW.phase = 'waiting' AND OLD.phase <> 'waiting'`, QUEUED),
  trigger('queue_left', 'UPDATE OF phase ON videos', `OLD.phase = 'waiting' AND NEW.phase <> 'waiting'`, UNQUEUED),
  trigger('queue_gone', 'DELETE ON videos', `OLD.phase = 'waiting'`, UNQUEUED),
  trigger(
    'queue_parts_grown',
    'UPDATE ON queue_parts',
    `NEW.n >= ${2 * PART}`,
    `
    INSERT INTO queue_parts (account, client, first, n) SELECT NEW.account, NEW.client, id, NEW.n - ${PART} FROM videos
      WHERE account = NEW.account AND client = NEW.client AND phase = 'waiting' AND id >= NEW.first
      ORDER BY id LIMIT 1 OFFSET ${PART};
    UPDATE queue_parts SET n = ${PART} WHERE account = NEW.account AND client = NEW.client AND first = NEW.first;`,
  ),
  trigger(
    'queue_parts_emptied',
    'UPDATE ON queue_parts',
    'NEW.n = 0',
    `
    DELETE FROM queue_parts WHERE account = NEW.account AND client = NEW.client AND first = NEW.first;`,
  ),

  trigger('held_owed', 'INSERT ON deliveries', isHeld('NEW'), held('NEW', '+ 1')),
  trigger(
    'held_moved',
    'UPDATE OF status ON deliveries',
    `${isHeld('OLD')} <> ${isHeld('NEW')}`,
    held('NEW', `+ ${isHeld('NEW')} - ${isHeld('OLD')}`),
  ),
  trigger('held_gone', 'DELETE ON deliveries', isHeld('OLD'), held('OLD', '- 1')),

  trigger('backend_months_opened', 'INSERT ON videos', null, BACKEND_COUNTED),
  trigger('backend_months_moved', 'UPDATE ON videos', MONTH_CHANGED, BACKEND_MOVED),
  trigger('backend_months_discarded', 'DELETE ON videos', `OLD.phase <> 'ended'`, BACKEND_UNCOUNTED),

  trigger('months_opened', 'INSERT ON videos', null, COUNTED),
  trigger('months_moved', 'UPDATE OF status, charged ON videos', MONTH_CHANGED, UNCOUNTED + COUNTED),
  trigger('months_discarded', 'DELETE ON videos', `OLD.phase <> 'ended'`, UNCOUNTED),
].join('')
