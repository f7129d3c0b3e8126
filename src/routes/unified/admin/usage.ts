import { once } from 'node:events'
import type { Request, Response, Router } from 'express'
import type { ClientUsageView } from '../../../core/api/admin.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { fieldProblem } from '../../../core/errors.ts'
import type { UsageQuery, UsageRow } from '../../../core/store/admin.ts'
import type { Store } from '../../../core/store/index.ts'
import { iso, type Clock } from '../../../core/time/clock.ts'
import { STATUSES } from '../../../core/vocabulary.ts'
import type { Resources } from '../../../resources/index.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { acceptsJson } from '../../middleware/request.ts'
import { parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { csvLine } from './csv.ts'
import { AdminUsageQuery } from './queries.ts'

interface AdminUsageRoutesDeps {
  store: Pick<Store, 'usage'>
  resources: Pick<Resources, 'requests'>
  clock: Clock
  cursors: Cursors
}

const CSV_PAGE = 500
const COLUMNS = ['month', 'client', 'backend', ...STATUSES, 'credits_charged', 'requests']

/** Sums of what backends charge, without what adding them up in binary leaves behind. */
const rounded = (credits: number): number => Math.round(credits * 1e6) / 1e6 || 0

const viewOf =
  (month: string) =>
  ({ client, backend, videos, creditsCharged, requests }: UsageRow): ClientUsageView => ({
    object: 'client_usage',
    month,
    client,
    backend,
    videos: { ...videos },
    credits_charged: rounded(creditsCharged),
    requests,
  })

const lineOf = ({ month, client, backend, videos, credits_charged: credits, requests }: ClientUsageView): string =>
  csvLine([month, client, backend, ...STATUSES.map((status) => videos[status]), credits, requests])

const after = ({ client, backend }: UsageRow): string => `${client} ${backend ?? ''}`
const placeOf = (opened: string | null): UsageQuery['after'] => {
  if (opened === null) return null
  const [client = '', backend] = opened.split(' ')
  return { client, backend: backend || null }
}

/** The reader took what was written, or left. Nothing of the wait stays behind: a file has as many as it has pages. */
const taken = async (res: Response): Promise<void> => {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() => over.abort())
}

/** What each client did on each backend in a month: a read of counters, whatever was made. */
export const adminUsageRoutes = ({ store, resources, clock, cursors }: AdminUsageRoutesDeps): Router => {
  /** The whole month, read as fast as it is taken. */
  const file = async (res: Response, asked: Omit<UsageQuery, 'after' | 'limit'>, isHead: boolean): Promise<void> => {
    const read = (after: UsageRow | null) => store.usage({ ...asked, after, limit: CSV_PAGE })
    // Before the head goes out: what cannot be read at all is a problem, and no part of a file.
    let rows = await read(null)
    res.status(200)
    res.setHeader('content-type', 'text/csv; charset=utf-8; header=present')
    res.setHeader('content-disposition', `attachment; filename="usage-${asked.month}.csv"`)
    if (isHead) return void res.end()
    const view = viewOf(asked.month)
    res.write(csvLine(COLUMNS))
    for (;;) {
      const isTaken = res.write(rows.map((row) => lineOf(view(row))).join(''))
      if (!isTaken && !res.destroyed) await taken(res)
      const last = rows.at(-1)
      if (!last || rows.length < CSV_PAGE || res.destroyed) return void res.end()
      rows = await read(last)
    }
  }

  const usage = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, format, month = iso(clock.now()).slice(0, 7), ...filters } = parseQuery(AdminUsageQuery, req)
    const asked = { month, client: filters.client ?? null, backend: filters.backend ?? null }
    // This process's own counts are stored now and then; those of others may be 10 seconds old.
    await resources.requests.flush()
    if (format === 'csv') {
      for (const name of ['limit', 'cursor'] as const)
        if (req.query[name] !== undefined) throw fieldProblem('invalid_request', name, 'a CSV file has no pages')
      return file(res, asked, req.method === 'HEAD')
    }
    const scope = JSON.stringify(['admin usage', asked])
    const found = await store.usage({ ...asked, after: placeOf(openCursor(cursors, scope, cursor)), limit: limit + 1 })
    res.json(pageOf(found, { cursors, scope, limit, view: viewOf(month), after }))
  }

  const router = createRouter()
  router
    .route('/admin/usage')
    .get(
      needs('admin'),
      // Of a file, whoever asked for it by its format accepts it.
      (req, res, next) => (req.query['format'] === 'csv' ? next() : acceptsJson(req, res, next)),
      usage,
    )
    .all(onlyMethods('GET', 'HEAD'))
  return router
}
