import type { ClientUsageView } from '../../../core/api/admin.ts'
import { json, operations } from '../../openapi/operation.ts'
import { AdminUsageQuery } from './queries.ts'

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

export const ADMIN_USAGE_OPERATIONS = operations('Administration', {
  getAdminUsage: {
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
  },
})
