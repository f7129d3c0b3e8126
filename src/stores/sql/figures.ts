import { MOST_COUNTED, type FigureStore } from '../../core/store/figures.ts'
import { PHASES } from '../../core/video.ts'
import { accountIdOf } from '../../core/vocabulary.ts'
import { int, intOrNull, text, type Reader } from './db.ts'

const OPEN_PHASES = PHASES.filter((phase) => phase !== 'ended')

const OPEN =
  'SELECT backend, phase, sum(n) AS n FROM open_videos WHERE n > 0 GROUP BY backend, phase ORDER BY backend, phase'
/** One step through the index for each account. */
const OLDEST = `
  SELECT account, (SELECT min(created_at) FROM videos WHERE account = o.account AND phase = 'waiting') AS oldest
  FROM (SELECT DISTINCT account FROM open_videos WHERE phase = 'waiting' AND n > 0) o ORDER BY account`
/** Ordered, so that no planner reads the table for it. */
const PENDING = `
  SELECT count(*) AS n, min(next_attempt_at) AS first FROM (
    SELECT next_attempt_at FROM deliveries WHERE status = 'pending' ORDER BY next_attempt_at, n LIMIT ?) p`

/** What triggers count, and the ends of indexes. */
export const createFigures = (db: Reader, freeBytes: () => number | null): FigureStore => ({
  async figures() {
    const [open, oldest, pending] = await Promise.all([db.all(OPEN), db.all(OLDEST), db.get(PENDING, MOST_COUNTED)])
    return {
      open: open.flatMap((row) => {
        const phase = OPEN_PHASES.find((one) => one === text(row, 'phase'))
        return phase ? [{ backend: text(row, 'backend'), phase, videos: int(row, 'n') }] : []
      }),
      waiting: oldest.flatMap((row) => {
        const oldestAtMs = intOrNull(row, 'oldest')
        return oldestAtMs === null ? [] : [{ account: accountIdOf(text(row, 'account')), oldestAtMs }]
      }),
      deliveries: {
        pending: int(pending ?? { n: 0 }, 'n'),
        firstDueAtMs: pending ? intOrNull(pending, 'first') : null,
      },
      freeBytes: freeBytes(),
    }
  },
})
