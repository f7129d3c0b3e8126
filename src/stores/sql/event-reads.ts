import {
  type Db,
  int,
  intOrNull,
  inTurn,
  type List,
  listOf,
  merged,
  type Reader,
  type Row,
  text,
  type Value,
  where,
  withId,
  eventFrom,
  numberOf,
  orNull,
  attemptFrom,
  deliveryFrom,
  ENDPOINT,
  endpointFrom,
} from './db.ts'
import type {
  AllEventsQuery,
  AllEventsStore,
  EventSpan,
  EventStore,
  LinePlaces,
  PlacedEvent,
  DeliveryStore,
  RecordedAttempt,
  DeliveriesQuery,
  PastEventsQuery,
  PlacedDelivery,
  WebhookStore,
} from '../../core/store/webhooks.ts'
import type { EventRecord } from '../../core/video.ts'
import type { EndedDeliveriesQuery, EndedDelivery, EventsOfAllQuery } from '../../core/store/admin.ts'
import { NO_VIDEO, droppedEvents } from './outbox.ts'
import { MAX_PENDING_COUNTED } from '../../core/endpoints.ts'
import { DEFAULT_EVENT_TYPES } from '../../core/vocabulary.ts'
import { DELIVERY } from './work-verbs.ts'
import { findEndpoint } from './webhook-verbs.ts'

const GONE_AT = 'events_gone_at'
const KEEP = `INSERT INTO meta (key, value) VALUES (?1, CAST(CAST(?2 AS BIGINT) AS TEXT))
  ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE CAST(meta.value AS BIGINT) < CAST(?2 AS BIGINT)`

/** The time of the newest event that was removed, or was about to be; 0: none was. */
export const goneAt = async (db: Reader): Promise<number> =>
  int((await db.get('SELECT CAST(value AS BIGINT) AS at FROM meta WHERE key = ?', GONE_AT)) ?? { at: 0 }, 'at')

/** Of a copy: whatever was written since then is not in it. */
export const goneUpTo = async (db: Db, atMs: number): Promise<void> => {
  await db.run(KEEP, GONE_AT, atMs)
}

/** Before events are removed that these ids lead to, by `column`. */
export const keepGoneAt = async (db: Db, column: 'id' | 'video_id', list: List): Promise<void> => {
  const row = await db.get(`SELECT max(at) AS at FROM events WHERE ${column} IN (${list.sql})`, ...list.values)
  const at = intOrNull(row ?? { at: null }, 'at')
  if (at !== null) await db.run(KEEP, GONE_AT, at)
}

/** How many places one call reads: with a filter, only few of them may match. */
const SCANNED = 1_000

const COLUMNS = 'e.type, e.client, e.video_id, e.sequence, e.at, e.body'

/** Of any type (null), or of so many, whose places begin with `?first`. */
const ofTypes = (types: number | null, first: number): string => {
  const given = Array.from({ length: types ?? 0 }, (_, n) => `?${n + first}`)
  return types === null ? '' : types === 0 ? 'AND 1 = 0' : `AND e.type IN (${given.join(', ')})`
}

const eventsOf = (types: number | null): string => {
  const wanted = ofTypes(types, 5)
  const told = `
  SELECT e.id AS event_id, e.place, ${COLUMNS} FROM events e
  WHERE e.client = ?1 AND e.place > ?2 AND e.place <= ?3 ${wanted}`
  const toldAgain = `
  SELECT e.id, r.place, ${COLUMNS} FROM resends r CROSS JOIN events e
  WHERE e.id = r.event_id AND r.client = ?1 AND r.place > ?2 AND r.place <= ?3 ${wanted}`
  return `${merged([told, toldAgain], 'place', '?4')} ORDER BY place LIMIT ?4`
}

const FIRST = `
  SELECT min(place) AS place FROM (
    SELECT min(place) AS place FROM events WHERE client = ?1 AND place > ?2
    UNION ALL SELECT min(place) FROM resends WHERE client = ?1 AND place > ?2) AS places`

export const placedFrom = (row: Row): PlacedEvent => ({ place: int(row, 'place'), event: eventFrom(row) })

/** Reads by index, as those of `reads.ts`. */
export const createEventReads = (db: Reader): EventStore => {
  const spanOf = async (client: string): Promise<EventSpan> => {
    const row = await db.get('SELECT last, gone FROM event_spans WHERE client = ?', client)
    return row ? { last: int(row, 'last'), gone: int(row, 'gone') } : { last: 0, gone: 0 }
  }

  return {
    eventSpan: spanOf,
    async eventsOf(client, { after, limit, types }) {
      const { last } = await spanOf(client)
      // Skips removed events in one step.
      const first = intOrNull((await db.get(FIRST, client, after)) ?? {}, 'place')
      if (first === null) return { events: [], upTo: Math.max(after, last), more: false }
      const end = Math.min(last, first - 1 + SCANNED)
      const sql = eventsOf(types?.length ?? null)
      const events = (await db.all(sql, client, after, end, limit, ...(types ?? []))).map(placedFrom)
      const upTo = (events.length === limit ? events.at(-1)?.place : undefined) ?? end
      return { events, upTo, more: upTo < last }
    },
  }
}

/** How many numbers of a line one call reads: with a filter, only few of them may match. */
const LINE_SCANNED = 1_000

/** What is reported again is in one line. */
const eventsIn = (line: string, types: number | null): string => {
  const wanted = ofTypes(types, 6)
  const told = `
  SELECT e.id AS event_id, e.n, e.place, ${COLUMNS} FROM events e
  WHERE e.line = ?1 AND (e.n, e.place) > (?2, ?3) AND e.n <= ?4 ${wanted}`
  const order = 'n, place'
  if (line !== NO_VIDEO) return `${told} ORDER BY ${order} LIMIT ?5`
  const toldAgain = `
  SELECT e.id, r.n, r.place, ${COLUMNS} FROM resends r CROSS JOIN events e
  WHERE e.id = r.event_id AND r.line = ?1 AND (r.n, r.place) > (?2, ?3) AND r.n <= ?4 ${wanted}`
  return `${merged([told, toldAgain], order, '?5')} ORDER BY ${order} LIMIT ?5`
}

const FIRST_IN_LINE = `
  SELECT min(n) AS n FROM (
    SELECT min(n) AS n FROM events WHERE line = ?1 AND n >= ?2
    UNION ALL SELECT min(n) FROM resends WHERE line = ?1 AND n >= ?2) AS numbers`

interface Told {
  event: EventRecord
  n: number
  place: number
}

/** A line's next events. `end`: all up to there are among them. */
interface Ahead {
  line: string
  events: Told[]
  end: { n: number; place: number }
  more: boolean
}

const toldFrom = (row: Row): Told => ({ event: eventFrom(row), n: int(row, 'n'), place: int(row, 'place') })

/** Everything up to the number. Places begin at 1. */
const behind = (n: number): { n: number; place: number } => ({ n: n + 1, place: 0 })

/** By their time, each line in its order. */
const inOneOrder = (lines: readonly Ahead[]): (Told & { line: string })[] => {
  const rest = lines.map(({ line, events }) => ({ line, events: [...events] }))
  const all: (Told & { line: string })[] = []
  for (;;) {
    const [next] = rest
      .filter(({ events }) => events.length > 0)
      .toSorted((a, b) => (a.events[0]?.event.atMs ?? 0) - (b.events[0]?.event.atMs ?? 0))
    const told = next?.events.shift()
    if (!next || !told) return all
    all.push({ ...told, line: next.line })
  }
}

/** Reads by index, as those of `reads.ts`. */
export const createLineReads = (db: Reader): AllEventsStore => {
  const lastOf = async (): Promise<LinePlaces> =>
    new Map(
      (await db.all('SELECT account, n FROM changes')).map((row) => [text(row, 'account'), behind(int(row, 'n'))]),
    )

  const ahead = async (
    line: string,
    from: { n: number; place: number },
    last: number,
    { limit, types }: AllEventsQuery,
  ): Promise<Ahead> => {
    // Skips numbers without an event in one step.
    const first = intOrNull((await db.get(FIRST_IN_LINE, line, from.n)) ?? {}, 'n')
    if (first === null) return { line, events: [], end: behind(last), more: false }
    const end = Math.min(last, first - 1 + LINE_SCANNED)
    const sql = eventsIn(line, types?.length ?? null)
    const events = (await db.all(sql, line, from.n, from.place, end, limit, ...(types ?? []))).map(toldFrom)
    const cut = events.length === limit ? events.at(-1) : undefined
    return { line, events, end: cut ?? behind(end), more: cut !== undefined || end < last }
  }

  return {
    async eventsOfAll(query) {
      const moved = [...(await lastOf())].flatMap(([line, { n }]) => {
        const from = query.after.get(line) ?? { n: 0, place: 0 }
        return from.n < n ? [{ line, from, last: n - 1 }] : []
      })
      const lines = await inTurn(moved, ({ line, from, last }) => ahead(line, from, last, query))
      const all = inOneOrder(lines)
      const told = all.slice(0, query.limit)
      let upTo = query.after
      const events = told.map(({ event, line, n, place }) => {
        upTo = new Map(upTo).set(line, { n, place })
        return { event, upTo }
      })
      // A line is through if the last of its events was reported: those of it that are not, are among what is left.
      const left = new Set(all.slice(query.limit).map(({ line }) => line))
      const through = lines
        .filter(({ line }) => !left.has(line))
        .map(({ line, end: { n, place } }) => [line, { n, place }] as const)
      return {
        events,
        upTo: new Map([...upTo, ...through]),
        more: left.size > 0 || lines.some(({ more }) => more),
      }
    },
    eventSpanOfAll: async () => ({ last: await lastOf(), goneAtMs: await goneAt(db) }),
  }
}

export const EVENT = 'SELECT id AS event_id, place, type, client, video_id, sequence, at, body FROM events'

/** Past events of a client, or of all (null), newest first, by the narrowest index. */
export const eventsSql = (client: string | null, query: PastEventsQuery | EventsOfAllQuery) => {
  const { type, videoId, sinceMs, untilMs, before, limit } = query
  const [whole, ofType] = client === null ? ['events_of_all', 'events_of_type'] : ['events_by_time', 'events_by_type']
  // Named, because by itself SQLite may choose another one when a time has two bounds. A video has few events.
  const index = videoId !== null ? 'events_by_video' : type === null ? whole : ofType
  // PostgreSQL would take the list of everything for that of a type, and go through it for a rare one.
  const at = index === 'events_of_all' ? numberOf('at') : 'at'
  // A video's events are of one client.
  const place = client === null && videoId === null ? 'client, place' : 'place'
  const wanted = where([
    videoId === null ? ['client = ?', client] : withId('video_id', 'videos', videoId, client),
    ['type = ?', type],
    [`${at} >= ?`, sinceMs],
    // An index uses one of two upper bounds: the cursor, which is lower.
    [`${at} < ?`, before ? null : untilMs],
    before && place !== 'place' && 'client' in before
      ? [`(${at}, client, place) < (?, ?, ?)`, before.atMs, before.client, before.place]
      : before && [`(${at}, place) < (?, ?)`, before.atMs, before.place],
  ])
  const order = [at, ...place.split(', ')].map((column) => `${column} DESC`).join(', ')
  return {
    sql: `${EVENT} INDEXED BY ${index} WHERE ${wanted.sql} ORDER BY ${order} LIMIT ?`,
    values: [...wanted.values, limit],
  }
}

/**
 * Deliveries of a client, or of all (null), by the narrowest index: an event's or a video's, which are few; otherwise an
 * endpoint's; otherwise the client's. The index of an endpoint begins with the client, because deliveries outlive their
 * endpoint. `numberOf` is what the indexes of a client and of a status hold; all are in the order of their bare numbers.
 */
export const readDeliveries = async (db: Reader, client: string | null, query: DeliveriesQuery) => {
  const { endpointId, videoId, eventId, status, before, limit } = query
  const isNarrow = eventId !== null || videoId !== null
  const isOfAll = client === null && !isNarrow && endpointId === null && status === null
  const n = isOfAll ? 'd.n' : numberOf('d.n')
  const plus = isNarrow ? '+' : ''
  const ofClient: Parameters<typeof where>[0][number] =
    client === null ? ['d.client = (SELECT client FROM endpoints WHERE id = ?)', endpointId] : ['d.client = ?', client]
  const wanted = where([
    isNarrow ? null : ofClient,
    withId('d.event_id', 'events', eventId, client),
    withId(`${eventId === null ? '' : '+'}d.video_id`, 'videos', videoId, client),
    [`d.target_kind = 'endpoint' AND ${plus}d.target = ?`, endpointId],
    [`${plus}d.status = ?`, status],
    [`${n} < ?`, before],
  ])
  const sql = `${DELIVERY} WHERE ${wanted.sql} ORDER BY ${n} DESC LIMIT ?`
  const rows = await db.all(sql, ...wanted.values, limit)
  return rows.map((row): PlacedDelivery => ({ place: int(row, 'n'), delivery: deliveryFrom(row) }))
}

/** Of the last answer, by an index that holds this very expression. */
const ANSWER = 'coalesce(answer, 0)'

/** The statuses that there are among a range of them: one step through an index for each. */
const answersIn = async (db: Reader, rows: string, values: readonly Value[], range: { from: number; to: number }) => {
  const found: number[] = []
  if (range.from === range.to) return [range.from]
  for (let from: number | null = range.from; from !== null;) {
    const row = await db.get(
      `SELECT min(${ANSWER}) AS answer ${rows} AND ${ANSWER} >= ? AND ${ANSWER} <= ?`,
      ...values,
      from,
      range.to,
    )
    const answer = intOrNull(row ?? { answer: null }, 'answer')
    if (answer !== null) found.push(answer)
    from = answer === null ? null : answer + 1
  }
  return found
}

/** Of each status, or each answer, in the order of an index that holds what is asked for. */
export const readEndedDeliveries = async (db: Reader, query: EndedDeliveriesQuery): Promise<EndedDelivery[]> => {
  const { client, endpointId, statuses, answer, sinceMs, untilMs, before, limit } = query
  const [index, and] = answer === null ? ['ended', ''] : ['given_up', ` AND status = 'failed'`]
  const [of, kind] =
    endpointId !== null ? ['_of_endpoint', ` AND target_kind = 'endpoint'`] : [client === null ? '' : '_of_client', '']
  const own = where([
    client === null ? ['client = (SELECT client FROM endpoints WHERE id = ?)', endpointId] : ['client = ?', client],
    ['target = ?', endpointId],
  ])
  const rows = `FROM deliveries INDEXED BY deliveries_${index}${of} WHERE settled_at IS NOT NULL${and}${kind} AND ${own.sql}`
  const within = where([
    ['settled_at >= ?', sinceMs],
    // An index uses one of two upper bounds: the cursor, which is lower.
    ['settled_at < ?', before ? null : untilMs],
    before && ['(settled_at, n) < (?, ?)', before.endedAtMs, before.place],
  ])
  const parts: readonly Value[] = answer === null ? statuses : await answersIn(db, rows, own.values, answer)
  const column = answer === null ? 'status' : ANSWER
  const sql = `SELECT id, n, settled_at ${rows} AND ${column} = ? AND ${within.sql} ORDER BY settled_at DESC, n DESC LIMIT ?`
  const found = await inTurn(parts, (part) => db.all(sql, ...own.values, part, ...within.values, limit))
  const ended = found
    .flat()
    .map((row) => ({ id: text(row, 'id'), place: int(row, 'n'), endedAtMs: int(row, 'settled_at') }))
    .toSorted((a, b) => b.endedAtMs - a.endedAtMs || b.place - a.place)
    .slice(0, limit)
  const list = listOf(ended.map(({ id }) => id))
  const deliveries = new Map(
    (await db.all(`${DELIVERY} WHERE d.id IN (${list.sql})`, ...list.values))
      .map(deliveryFrom)
      .map((one) => [one.id, one]),
  )
  return ended.flatMap(({ id, ...placed }) => {
    const delivery = deliveries.get(id)
    return delivery ? [{ ...placed, delivery }] : []
  })
}

/** Of each delivery those that are reported in a list, cut to what a page of them may weigh. */
const LATEST_KEPT = 20
const ANSWER_CUT = 1_000
const latestSql = (ids: string): string => `
  SELECT latest.id, latest.at, latest.duration_ms, latest.status, latest.error, latest.response_body, latest.next_attempt_at FROM (
    SELECT d.id, a.rowid AS n, a.at, a.duration_ms, a.status, a.error, a.response_body,
      a.next_attempt_at, row_number() OVER (PARTITION BY a.delivery ORDER BY a.rowid DESC) AS back
    FROM deliveries d CROSS JOIN attempts a WHERE d.id IN (${ids}) AND a.delivery = d.n) AS latest
  WHERE latest.back <= ${LATEST_KEPT} ORDER BY latest.id, latest.n`

/** Not by the store: SQLite's `substr` ends at a NUL. */
const shortened = (attempt: RecordedAttempt): RecordedAttempt => ({
  ...attempt,
  responseBody:
    attempt.responseBody === null
      ? null
      : Array.from(attempt.responseBody.slice(0, 2 * ANSWER_CUT))
          .slice(0, ANSWER_CUT)
          .join(''),
})

const latestAttempts = async (db: Reader, ids: readonly string[]): Promise<Map<string, RecordedAttempt[]>> => {
  const found = new Map<string, RecordedAttempt[]>(ids.map((id) => [id, []]))
  const list = listOf(ids)
  for (const row of await db.all(latestSql(list.sql), ...list.values))
    found.get(text(row, 'id'))?.push(shortened(attemptFrom(row)))
  return found
}

const TOLD_OF_ENDS = DEFAULT_EVENT_TYPES.map((type) => `replace(events, '"${type}"', '') <> events`).join(' OR ')
const CLIENTS_TOLD = `SELECT DISTINCT client FROM endpoints WHERE disabled_at IS NULL AND (${TOLD_OF_ENDS})`

const PENDING_FOR = `SELECT count(*) AS n FROM (
  SELECT 1 FROM deliveries WHERE client = ? AND target = ? AND target_kind = 'endpoint' AND status = 'pending' LIMIT ?) AS met`

export const createWebhookReads = (db: Reader) =>
  ({
    clientsTold: async () => (await db.all(CLIENTS_TOLD)).map((row) => text(row, 'client')),
    droppedEvents: async () => await droppedEvents(db),
    endpointOf: async (client, id) => await findEndpoint(db, client, id),
    endpointsOf: async (client) =>
      (await db.all(`${ENDPOINT} WHERE client = ? ORDER BY id DESC`, client)).map(endpointFrom),
    pendingFor: async (client, endpointId) =>
      int((await db.get(PENDING_FOR, client, endpointId, MAX_PENDING_COUNTED)) ?? {}, 'n'),
    eventOf: async (client, id) => orNull(await db.get(`${EVENT} WHERE id = ? AND client = ?`, id, client), placedFrom),
    pastEvents: async (client, query) => {
      const { sql, values } = eventsSql(client, query)
      return (await db.all(sql, ...values)).map(placedFrom)
    },
    deliveryOf: async (client, id) =>
      orNull(await db.get(`${DELIVERY} WHERE d.id = ? AND d.client = ?`, id, client), deliveryFrom),
    latestAttempts: async (ids) => await latestAttempts(db, ids),
    deliveries: async (client, query) => await readDeliveries(db, client, query),
  }) satisfies Partial<WebhookStore & DeliveryStore>
