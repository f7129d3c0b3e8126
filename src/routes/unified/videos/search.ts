import { z } from 'zod'
import type { VideoRowListView, VideoRowView } from '../../../core/api/videos.ts'
import { fieldProblem } from '../../../core/errors.ts'
import {
  type Found,
  type FoundPage,
  MOST_FOUND,
  type SearchPage,
  type SearchQuery,
  type WebhookState,
} from '../../../core/store/videos.ts'
import { iso } from '../../../core/time/clock.ts'
import type { Phase } from '../../../core/video.ts'
import { type Status, STATUSES, TERMINAL } from '../../../core/vocabulary.ts'
import { knownBackend, namesUnder } from '../../../engine/index.ts'
import { json } from '../../openapi/operation.ts'
import { DocumentedAs, Instant, PAGE } from '../../parse.ts'
import { AdminVideosQuery, ListVideosQuery, withMetadata } from '../input.ts'
import { listScope, openCursor, operation, type Ports, staleCursor, type Whose, whose } from '../operation.ts'

const OF_END = {
  ended_since: Instant('Only videos that ended at this time or later').optional(),
  ended_before: Instant('Only videos that ended before this time').optional(),
}

const PHASE_FILTERS = {
  waiting: ['waiting'],
  running: ['dispatching', 'accepted'],
  in_doubt: ['doubtful'],
} as const satisfies Record<string, readonly Phase[]>

const SearchVideosQuery = z.strictObject({
  ...PAGE,
  status: DocumentedAs(
    z
      .string()
      .max(100)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(STATUSES)))
      .optional(),
    {
      type: 'string',
      maxLength: 100,
      description: 'Only videos of these statuses, separated by commas',
      example: 'failed,canceled',
    },
  ),
  phase: z
    .enum(['waiting', 'running', 'in_doubt'])
    .optional()
    .describe('Only open videos that are so, as `videos` of the overview counts them'),
  backend: ListVideosQuery.shape.backend,
  created_after: ListVideosQuery.shape.created_after,
  created_before: ListVideosQuery.shape.created_before,
  ...OF_END,
  error_code: z.string().min(1).max(100).optional().describe('Only videos that failed with this code'),
  webhook: z
    .enum(['delivered', 'pending', 'failed', 'none'])
    .optional()
    .describe(
      'Only videos whose `webhook` is so. A page may be short while `has_more` is true. Not with `sort=longest` and `total`',
    ),
  metadata: ListVideosQuery.shape.metadata,
  sort: z
    .enum(['newest', 'longest'])
    .optional()
    .describe('`longest`: ended videos by the time that they took, of the newest 10,000. Default: `newest`'),
  total: z.literal('true').optional().describe('Also counts how many there are'),
})
const AdminSearchVideosQuery = SearchVideosQuery.extend({ client: AdminVideosQuery.shape.client })
type Query = z.output<typeof SearchVideosQuery>

const OPEN = ['queued', 'processing'] as const

const isEnded = (status: Status): boolean => TERMINAL.some((one) => one === status)

/** What is found by how it ended is found by when. Throws `invalid_request` where the filters exclude each other. */
const searchOf = ({ backends }: Ports, of: Whose, asked: Query): SearchQuery => {
  const { phase, status, error_code: code = null, sort, ended_since: endedSince, ended_before: endedBefore } = asked
  const { created_after: after, created_before: before, backend } = asked
  const byEnd = code !== null || sort === 'longest' || endedSince !== undefined || endedBefore !== undefined
  const byCreation = after !== undefined || before !== undefined
  if (byEnd && phase !== undefined) throw fieldProblem('invalid_request', 'phase', 'no video of this phase has ended')
  if (byEnd && byCreation)
    throw fieldProblem('invalid_request', 'created_after', 'cannot be combined with what is about the end')
  const all = [...OPEN, ...TERMINAL]
  const statuses = (status ?? all).filter((one) =>
    byEnd ? isEnded(one) && (code === null || one === 'failed') : phase === undefined || !isEnded(one),
  )
  for (const [name, isGiven] of Object.entries({ sort: sort === 'longest', total: asked.total !== undefined }))
    if (isGiven && (asked.webhook ?? asked.metadata) !== undefined)
      throw fieldProblem('invalid_request', name, 'cannot be combined with webhook or metadata')
  if (asked.metadata && (byEnd || phase !== undefined || asked.webhook !== undefined || (status ?? []).length > 1))
    throw fieldProblem(
      'invalid_request',
      'metadata',
      'can be combined only with one status, backend, created_after and created_before',
    )
  return {
    client: of === 'all' ? null : of.client,
    statuses: [...new Set(statuses)],
    phases: phase === undefined ? null : PHASE_FILTERS[phase],
    backends: backend === undefined ? null : namesUnder(backend, backends),
    sinceMs: byEnd ? (endedSince ?? null) : after === undefined ? null : after + 1,
    untilMs: (byEnd ? endedBefore : before) ?? null,
    code,
    at: byEnd ? 'ended_at' : 'created_at',
    webhook: asked.webhook ?? null,
  }
}

const TEXT_CUT = 40

const rowOf = ({ video }: Found, webhook: WebhookState | null, isOperator: boolean): VideoRowView => ({
  id: video.id,
  status: video.status,
  in_doubt: video.phase === 'doubtful',
  progress: video.progress,
  client: isOperator ? video.client : null,
  backend: video.backend,
  text:
    video.input.text === null
      ? null
      : Array.from(video.input.text.slice(0, 2 * TEXT_CUT))
          .slice(0, TEXT_CUT)
          .join(''),
  error_code: video.error?.code ?? null,
  took_seconds: video.endedAtMs === null ? null : (video.endedAtMs - video.createdAtMs) / 1_000,
  webhook,
  created_at: iso(video.createdAtMs),
})

const placeOf = (opened: string | null): { rank: number; id: string } | null => {
  if (opened === null) return null
  const [rank, id] = opened.split(' ')
  if (id === undefined) throw staleCursor()
  return { rank: Number(rank), id }
}

/** The list of videos by their metadata, in the words of a search. */
const searchMetadata = async (
  { store }: Ports,
  { client, statuses, backends, sinceMs, untilMs }: SearchQuery,
  { limit, before }: SearchPage,
  metadata: NonNullable<Query['metadata']>,
): Promise<FoundPage> => {
  const [status = null, ...others] = statuses
  const { videos, next } = await store.withMetadata({
    client,
    metadata,
    status: others.length === 0 ? status : null,
    backends,
    createdAfterMs: sinceMs === null ? null : sinceMs - 1,
    createdBeforeMs: untilMs,
    before: before && { createdAtMs: before.rank, id: before.id },
    limit,
  })
  const found = videos.map((video) => ({ video, rank: video.createdAtMs }))
  return { found, next: next && { rank: next.createdAtMs, id: next.id } }
}

const search = async (
  ports: Ports,
  of: Whose,
  asked: Query,
  isOperator: boolean,
): Promise<z.infer<typeof VideoRowListView>> => {
  const { store, cursors } = ports
  const { total, ...filters } = asked
  const { limit, cursor, sort } = filters
  // The first page may be counted, and the next ones not.
  const scope = listScope('video rows', of, filters)
  const before = placeOf(openCursor(cursors, scope, cursor))
  const query = searchOf(ports, of, asked)
  const isNone = query.statuses.length === 0
  const page = { limit, before, longestFirst: sort === 'longest' }
  const { found, next } = isNone
    ? { found: [], next: null }
    : asked.metadata
      ? await searchMetadata(ports, query, page, asked.metadata)
      : await store.search(query, page)
  const webhooks = await store.webhookStates(found.map(({ video }) => video.id))
  const count = total === undefined ? null : isNone ? 0 : await store.countFound(query)
  return {
    object: 'list',
    data: found.map((one) => rowOf(one, webhooks.get(one.video.id) ?? null, isOperator)),
    has_more: next !== null,
    next_cursor: next && cursors.seal(scope, `${next.rank} ${next.id}`),
    total: count === null ? null : { count: Math.min(count, MOST_FOUND), complete: count <= MOST_FOUND },
  }
}

const EXAMPLE: z.infer<typeof VideoRowListView> = {
  object: 'list',
  data: [
    {
      id: 'vid_01JD2ZK7M8Q4T6V9W0X1Y2Z3A4',
      status: 'failed',
      in_doubt: false,
      progress: null,
      client: null,
      backend: 'main',
      text: 'Your parcel is on its way and arrives to',
      error_code: 'backend_failed',
      took_seconds: 75.2,
      webhook: 'delivered',
      created_at: '2026-11-20T11:58:57.000Z',
    },
  ],
  has_more: false,
  next_cursor: null,
  total: null,
}

const WHAT =
  'Lists videos in few words, for a table. The newest come first: by when they ended if a filter is about the end, otherwise by when they were created.'

export const SEARCH_OPERATION = operation('Videos', {
  id: 'searchVideos',
  at: ['get', '/unified/v1/videos/search'],
  summary: 'Search your videos, for a table',
  description: WHAT,
  scope: 'videos:read',
  query: SearchVideosQuery,
  rawQuery: withMetadata,
  answers: { 200: json('A page.', 'VideoRowList', EXAMPLE) },
  problems: ['invalid_cursor'],
  handle: (ports, { client: { id, visible }, query }) => {
    if (query.backend !== undefined) knownBackend(query.backend, visible)
    return search(ports, { client: id }, query, false)
  },
})

export const ADMIN_SEARCH_OPERATION = operation('Administration', {
  id: 'searchAdminVideos',
  at: ['get', '/unified/v1/admin/videos/search'],
  summary: 'Search the videos of all clients, for a table',
  description: '`searchVideos` of all clients, or of one `client`.',
  scope: 'admin',
  query: AdminSearchVideosQuery,
  rawQuery: withMetadata,
  answers: { 200: json('A page.', 'VideoRowList', EXAMPLE) },
  problems: ['invalid_cursor'],
  handle: (ports, { query: { client, ...query } }) => search(ports, whose(client), query, true),
})
