import { once } from 'node:events'
import type { RequestHandler, Response } from 'express'
import type { ClientUsageView } from '../../core/api/admin.ts'
import { fieldProblem } from '../../core/errors.ts'
import type { UsageQuery, UsageRow } from '../../core/store/admin.ts'
import { iso } from '../../core/time/clock.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { namesUnder } from '../../engine/index.ts'
import { acceptsJson } from '../middleware/request.ts'
import { json } from '../openapi/operation.ts'
import { AdminUsageQuery } from './input.ts'
import { type Ports, operation, pageOf } from './operation.ts'

type Cell = string | number | null

/** What a spreadsheet would take for a formula, or for the end of one. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * One cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it, which
 * spreadsheets do not show. Numbers are numbers.
 */
const cellOf = (value: Cell): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record, with its end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`

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

/** The whole month, read as fast as it is taken. */
const writeFile = async (
  { store }: Ports,
  res: Response,
  filters: Omit<UsageQuery, 'after' | 'limit'>,
  isHead: boolean,
): Promise<void> => {
  const read = (after: UsageRow | null) => store.usage({ ...filters, after, limit: CSV_PAGE })
  // Before the head goes out: what cannot be read at all is a problem, and no part of a file.
  let rows = await read(null)
  res.status(200)
  res.setHeader('content-type', 'text/csv; charset=utf-8; header=present')
  res.setHeader('content-disposition', `attachment; filename="usage-${filters.month}.csv"`)
  if (isHead) return void res.end()
  const view = viewOf(filters.month)
  res.write(csvLine(COLUMNS))
  for (;;) {
    const isTaken = res.write(rows.map((row) => lineOf(view(row))).join(''))
    if (!isTaken && !res.destroyed) await taken(res)
    const last = rows.at(-1)
    if (!last || rows.length < CSV_PAGE || res.destroyed) return void res.end()
    rows = await read(last)
  }
}

/** Of a file, the one that asked for it by its format accepts it. */
const acceptsFormat: RequestHandler = (req, res, next) =>
  req.query['format'] === 'csv' ? next() : acceptsJson(req, res, next)

const NONE = { queued: 0, processing: 0, completed: 0, failed: 0, canceled: 0 }
const OF = { object: 'client_usage', month: '2026-11', client: 'acme' } as const
const ROWS: readonly ClientUsageView[] = [
  { ...OF, backend: null, videos: NONE, credits_charged: 0, requests: 1_204 },
  {
    ...OF,
    backend: 'main',
    videos: { ...NONE, processing: 1, completed: 90, failed: 1 },
    credits_charged: 91,
    requests: null,
  },
]

export const ADMIN_USAGE_OPERATIONS = [
  operation('Administration', {
    id: 'getAdminUsage',
    at: ['get', '/unified/v1/admin/usage'],
    summary: 'Show a month’s usage by client and backend',
    description:
      'Shows the videos and credits of each client and backend, and the requests of each client. The order is by client, then by backend. The row without a backend comes first. A video counts in the month of its creation, even after it was removed. Requests may be 10 seconds late.\n\nWith `format=csv` the answer is the whole month as one file (RFC 4180, with a header). There, an apostrophe precedes a text that a spreadsheet would read as a formula.',
    scope: 'admin',
    query: AdminUsageQuery,
    answers: {
      200: {
        ...json('A page of rows, or the whole file.', 'ClientUsageList', {
          object: 'list',
          data: ROWS,
          has_more: false,
          next_cursor: null,
        }),
        raw: {
          mediaType: 'text/csv',
          example:
            'month,client,backend,queued,processing,completed,failed,canceled,credits_charged,requests\r\n2026-11,acme,,0,0,0,0,0,0,1204\r\n2026-11,acme,main,0,1,90,1,0,91,\r\n',
        },
      },
    },
    problems: ['invalid_cursor'],
    accepts: acceptsFormat,
    handle: async (ports, { req, res, query: { format, ...given } }) => {
      const { store, resources, clock, backends } = ports
      const { month = iso(clock.now()).slice(0, 7) } = given
      const names = given.backend === undefined ? null : namesUnder(given.backend, backends)
      const filters = { month, client: given.client ?? null, backends: names }
      // This process's own counts are stored now and then; those of others may be 10 seconds old.
      await resources.requests.flush()
      if (format === 'csv') {
        for (const name of ['limit', 'cursor'] as const)
          if (req.query[name] !== undefined) throw fieldProblem('invalid_request', name, 'a CSV file has no pages')
        return writeFile(ports, res, filters, req.method === 'HEAD')
      }
      return pageOf(ports, JSON.stringify(['admin usage', filters]), given, {
        read: (place, limit) => store.usage({ ...filters, after: placeOf(place), limit }),
        views: (rows) => rows.map(viewOf(month)),
        after,
      })
    },
  }),
]
