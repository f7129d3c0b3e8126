import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { z } from 'zod'
import type { Cursors } from '../../core/api/signed.ts'
import type { List } from '../../core/api/videos.ts'
import { Problem, type ProblemCode } from '../../core/errors.ts'
import type { Scope } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import type { Client } from '../clients.ts'
import { callerOf, needs } from '../middleware/request.ts'
import { BODIES, type BodyName } from '../openapi/components.ts'
import type { Operation, Spec, TagName, UnifiedNames } from '../openapi/operation.ts'
import {
  type Check,
  NoQuery,
  idempotencyKey,
  jsonBody,
  noBody,
  optionalJsonBody,
  parseOr400,
  parseQuery,
} from '../parse.ts'
import type { Streams } from '../sse.ts'
import type { ShownVideos } from './videos/read.ts'

export const staleCursor = (): Problem =>
  new Problem('invalid_cursor', 'this cursor does not belong to this list: use next_cursor of its previous page', {
    param: 'cursor',
  })

/** What a cursor of this list says; null: from the start. Throws `invalid_cursor`. */
export const openCursor = (cursors: Cursors, scope: string, cursor: string | undefined): string | null => {
  if (cursor === undefined) return null
  const opened = cursors.open(scope, cursor)
  if (opened !== null) return opened
  throw staleCursor()
}

/** What a cursor says that is a number. */
export const numberOrNull = (said: string | null): number | null => (said === null ? null : Number(said))

/** What a page is asked with. */
export interface PageWish {
  limit: number
  cursor?: string | undefined
}

/** Of `found`, which is one more than `limit` where there is another page. */
const listOf = <T, V>(found: readonly T[], data: V[], limit: number, cursorBehind: (item: T) => string): List<V> => {
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    object: 'list',
    data,
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursorBehind(last),
  }
}

interface Ordered<T, V> {
  /** At most `limit` items behind what the cursor says; null: from the start. */
  read: (behind: string | null, limit: number) => Promise<readonly T[]>
  views: (page: readonly T[]) => V[] | Promise<V[]>
  /** What the cursor behind an item says. */
  after: (item: T) => string
}

/** A page of a list in an order that a cursor can name. Throws `invalid_cursor`. */
export const pageOf = async <T, V>(
  { cursors }: { cursors: Cursors },
  scope: string,
  { limit, cursor }: PageWish,
  { read, views, after }: Ordered<T, V>,
): Promise<List<V>> => {
  const found = await read(openCursor(cursors, scope, cursor), limit + 1)
  return listOf(found, await views(found.slice(0, limit)), limit, (last) => cursors.seal(scope, after(last)))
}

/** The last item that was read, and how many was up to it then. */
interface Place {
  upTo: number
  mark: string
}

interface Listing<T> {
  cursors: Cursors
  /** Names the list, the client and the filters. */
  scope: string
  limit: number
  /** What reports an item from all others of its list, whatever becomes of it. */
  keyOf: (item: T) => string
}

const PLACE = /^(\d{1,9})\/([\w-]{22})$/

const markOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22)

/** The place that a cursor names; null: the beginning. Throws `invalid_cursor`. */
export const openPlace = (cursors: Cursors, scope: string, cursor: string | undefined): Place | null => {
  const opened = openCursor(cursors, scope, cursor)
  if (opened === null) return null
  const [, upTo, mark] = PLACE.exec(opened) ?? []
  if (upTo === undefined || mark === undefined) throw staleCursor()
  return { upTo: Number(upTo), mark }
}

/**
 * Where the list continues behind a place; null if its item is gone. Most lists are as they were, so that is looked at
 * first.
 */
export const behind = <T>(items: readonly T[], { upTo, mark }: Place, keyOf: (item: T) => string): number | null => {
  const isIt = (item: T | undefined): boolean => item !== undefined && markOf(keyOf(item)) === mark
  if (isIt(items[upTo - 1])) return upTo
  const at = items.findIndex(isIt)
  return at === -1 ? null : at + 1
}

/**
 * A page of a list that is in no order that a cursor could name (a backend's catalogue, say). The cursor names the last
 * item, and the list continues behind it as it is now: any process can tell the next page, and none keeps anything. If
 * that item is gone, the page begins one item earlier: an item may come twice, but none is left out because of it.
 */
export const listPage = <T>(
  items: readonly T[],
  place: Place | null,
  { cursors, scope, limit, keyOf }: Listing<T>,
): List<T> => {
  const from = place === null ? 0 : (behind(items, place, keyOf) ?? Math.max(0, place.upTo - 1))
  const found = items.slice(from, from + limit + 1)
  return listOf(found, found.slice(0, limit), limit, (last) =>
    cursors.seal(scope, `${from + limit}/${markOf(keyOf(last))}`),
  )
}

/** Nothing is dropped silently: a list that lacks something says so with every page (`Talkbridge-Warning`). */

/** Whose items are not in it, and why. */
export const missingNote = (missing: readonly { backend: string; code: ProblemCode }[]): string | null =>
  missing.length === 0
    ? null
    : missing.map(({ backend, code }) => `incomplete; backend=${backend}; reason=${code}`).join(', ')

/** A backend's own list is followed so far and no further. */
export const cutNote = (backend: string): string => `incomplete; backend=${backend}; reason=too_long`

export const warn = (res: Response, note: string | null): void => {
  if (note !== null) res.set('talkbridge-warning', note)
}

/** What operations work with: the parts of the gateway, and what is held open. `ending`: aborts when it should end. */
export type Ports = Omit<Deps, 'ending'> & {
  streams: Streams
  shown: ShownVideos
  ending: AbortSignal
  reports: { isBusy: boolean }
}

/** A list of everybody's is asked for by name: a value that is missing must not list everybody. */
export type Whose = 'all' | { readonly client: string }
export const whose = (client: string | undefined): Whose => (client === undefined ? 'all' : { client })
/** What cursors of such a list are sealed for: its filters are those of all its pages. */
export const listScope = (name: string, of: Whose, query: Partial<PageWish> = {}): string => {
  const { limit: _limit, cursor: _cursor, ...filters } = query
  return JSON.stringify([name, ...(of === 'all' ? [] : [of.client]), filters])
}

/** A request, parsed. */
interface Given<Q extends z.ZodObject, B extends BodyName> {
  req: Request
  res: Response
  /** The caller. */
  client: Client
  /** Of the path: `{id}` or `{name}`. */
  id: string
  query: z.output<Q>
  body: z.output<(typeof BODIES)[B]>
  /** Its `Idempotency-Key`. */
  key: string | null
}

interface Described<Q extends z.ZodObject, B extends BodyName> extends Omit<Spec<UnifiedNames>, 'query' | 'body'> {
  id: string
  query?: Q
  /** The query to parse, if it is not the request's own. */
  rawQuery?: (req: Request) => { query: unknown }
  /** `across` and `later`: as `parseOr400` takes them. */
  body?: Omit<NonNullable<Spec<UnifiedNames>['body']>, 'name'> & {
    name: B
    across?: Check
    later?: (client: Client) => Check
  }
  /** In place of `scope`, if it depends on the request. */
  scopeOf?: (req: Request) => Scope
  /** In place of `acceptsJson`. */
  accepts?: RequestHandler
  /**
   * Resolves to the JSON of the answer, or to nothing if it has answered by itself. The status is the success that the
   * operation has, if it has one. Absent: it is mounted by itself.
   */
  handle?: (ports: Ports, given: Given<Q, B>) => unknown
}

/** An operation that the loop below mounts. */
export type ServedOperation = Operation<UnifiedNames> & {
  accepts?: RequestHandler
  /** Behind `authenticate`. */
  serve: ((ports: Ports) => RequestHandler[]) | null
}

/** One operation: what it is asked, what it answers, and how; the document and the router are made of it. */
export const operation = <Q extends z.ZodObject = typeof NoQuery, B extends BodyName = never>(
  tag: TagName,
  { at: [method, path], scopeOf, rawQuery, handle, ...spec }: Described<Q, B>,
): ServedOperation => {
  const { query = NoQuery, body, scope, accepts, requestHeaders } = spec
  const statuses = Object.keys(spec.answers)
    .map(Number)
    .filter((status) => status < 300)
  const success = statuses.length === 1 ? statuses[0] : undefined
  const hasKey = requestHeaders?.includes('Idempotency-Key') ?? false

  const serve = (ports: Ports): RequestHandler[] => {
    const scoped: RequestHandler = (req, res, next) => {
      const needed = scopeOf?.(req) ?? scope
      if (needed === null) next()
      else needs(needed)(req, res, next)
    }
    // What is asked without a query, nearly always, is parsed once.
    const unasked = rawQuery ? null : (query.safeParse({}).data ?? null)
    const queryOf = (req: Request) =>
      unasked !== null && !req.url.includes('?') ? unasked : parseQuery(query, rawQuery?.(req) ?? req)
    const reads = body ? [body.optional ? optionalJsonBody : jsonBody] : method === 'post' ? [noBody] : []
    const run: RequestHandler = async (req, res) => {
      const client = callerOf(res)
      const given = {
        req,
        res,
        client,
        id: String(req.params['id'] ?? req.params['name'] ?? ''),
        key: hasKey ? idempotencyKey(req) : null,
        query: queryOf(req),
        body: body && parseOr400(BODIES[body.name], req.body, body.across, body.later?.(client)),
      }
      const result = await handle?.(ports, given as Given<Q, B>)
      if (success === 204 && !res.headersSent) return void res.status(204).end()
      if (result === undefined) return
      if (success !== undefined) res.status(success)
      res.json(result)
    }
    return [scoped, ...(accepts ? [accepts] : []), ...reads, run]
  }
  return { ...spec, tag, method, path, serve: handle ? serve : null }
}
