import { z } from 'zod'
import { DOUBTS } from '../../../core/video.ts'
import { STATUSES } from '../../../core/vocabulary.ts'
import { BackendName, DocumentedAs, Instant, PAGE } from '../../parse.ts'
import { MetadataFilter } from '../metadata-filter.ts'
import { ListDeliveriesQuery, ListEventsQuery } from '../webhooks/input.ts'

/** What operators ask for. A client or backend that is gone may still have a history, so any name is taken. */

const client = z.string().min(1).max(100).optional().describe('Only what belongs to this client. Default: all clients')

export const AdminVideosQuery = z.strictObject({
  ...PAGE,
  client,
  status: z.enum(STATUSES).optional().describe('Only videos with this status'),
  backend: BackendName.optional().describe('Only videos of this backend'),
  created_after: Instant('Only videos created after this time').optional(),
  created_before: Instant('Only videos created before this time').optional(),
  doubt: z
    .enum(DOUBTS)
    .optional()
    .describe(
      'Only creates in doubt: `open` ones, or those that the gateway has `given_up` and no operator has answered. You cannot combine it with other filters',
    ),
  metadata: MetadataFilter,
})

export const AdminEventsQuery = ListEventsQuery.extend({ client })

export const AdminDeliveriesQuery = ListDeliveriesQuery.extend({
  client,
  endpoint: ListDeliveriesQuery.shape.endpoint
    .unwrap()
    .optional()
    .describe('Only deliveries to this endpoint. If it was deleted, also give its `client`'),
})

export const AdminEndpointsQuery = z.strictObject({ ...PAGE, client })

const Month = DocumentedAs(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11'), {
  type: 'string',
  pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
  description: 'The calendar month in UTC. Default: this month',
  example: '2026-11',
})

export const AdminUsageQuery = z.strictObject({
  ...PAGE,
  month: Month.optional(),
  client,
  backend: BackendName.optional().describe(
    'Only rows of this backend. Default: all rows, also those without a backend',
  ),
  format: z
    .enum(['json', 'csv'])
    .default('json')
    .describe('`csv`: the whole month as one file. `limit` and `cursor` work only with JSON'),
})
