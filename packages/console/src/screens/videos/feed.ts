import { type LiveEvent, useLive } from '../../live.ts'
import { type ApiError, type Page, type Schema, api, ask, errorFrom } from '../../api.ts'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useSession } from '../../session.ts'

/** The filters, as they stand in the URL; empty: none. Times are ISO 8601. */
export interface Asked {
  /** Several are separated by commas. */
  status: string
  /** `waiting`, `running` or `in_doubt`. */
  phase: string
  backend: string
  /** For operators. */
  client: string
  /** A metadata value, or `key=value`. */
  find: string
  from: string
  to: string
  error_code: string
  /** What is about the end excludes the phase and the times of creation. */
  ended_since: string
  ended_before: string
  /** `took`: the slowest first. */
  sort: string
}

export const NOTHING = {
  status: '',
  phase: '',
  backend: '',
  client: '',
  find: '',
  from: '',
  to: '',
  error_code: '',
  ended_since: '',
  ended_before: '',
  sort: '',
} as const satisfies Asked

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** With a client's key only its own videos are listed, also if the URL names another client. */
export const askedOf = (filters: Readonly<Record<string, string>>, isAdmin: boolean): Asked => {
  const of = (name: keyof Asked): string => filters[name] ?? ''
  const time = (name: 'from' | 'to' | 'ended_since' | 'ended_before'): string =>
    isTime(of(name)) ? new Date(of(name)).toISOString() : ''
  return {
    status: of('status'),
    phase: of('phase'),
    backend: of('backend'),
    client: isAdmin ? of('client') : '',
    find: of('find').trim(),
    from: time('from'),
    to: time('to'),
    error_code: of('error_code'),
    ended_since: time('ended_since'),
    ended_before: time('ended_before'),
    sort: of('sort') === 'took' ? 'took' : '',
  }
}

export const statusesOf = ({ status }: Pick<Asked, 'status'>): string[] => status.split(',').filter(Boolean)

const VIDEO_ID = /^vid_[0-9A-HJKMNP-TV-Z]{26}$/i
/** The whole id of a video, which is somewhere to go to and nothing to look for; null: it is none. */
export const videoIdIn = (typed: string): string | null => {
  const text = typed.trim()
  return VIDEO_ID.test(text) ? `vid_${text.slice(4).toUpperCase()}` : null
}

const PAIR = /^([\w.-]{1,40})=(.*)$/s

/** `1001`: under any key. `order=1001`: under this one. `=a=b`: the value `a=b`, under any. */
const metadataIn = (find: string): { key: string | null; value: string } => {
  const [, key, value] = PAIR.exec(find) ?? []
  if (key !== undefined && value !== undefined) return { key, value }
  return { key: null, value: find.startsWith('=') ? find.slice(1) : find }
}

/** What both ways to list are asked with. */
const queryFor = ({ backend, client, from, to }: Asked, cursor: string | null) => ({
  limit: LIMIT,
  ...(cursor !== null && { cursor }),
  ...(backend && { backend }),
  ...(client && { client }),
  ...(from && { created_after: from }),
  ...(to && { created_before: to }),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const poolOf = ({ routing }: LiveEvent['data']): unknown =>
  typeof routing === 'object' && routing !== null && 'pool' in routing ? routing.pool : null

const hasMetadata = (given: unknown, find: string): boolean => {
  if (find === '') return true
  const { key, value } = metadataIn(find)
  const pairs = Object.entries(typeof given === 'object' && given !== null ? given : {})
  return pairs.some(([name, of]) => of === value && (key === null || key === name))
}

/** Whether the list would have the video that an event is about. */
const wants = (asked: Asked, { client, data }: LiveEvent): boolean => {
  const createdAt = textOf(data['created_at'])
  return (
    // Events say nothing of these.
    [asked.phase, asked.error_code, asked.ended_since, asked.ended_before, asked.sort].every((one) => one === '') &&
    (asked.status === '' || statusesOf(asked).includes(textOf(data['status']))) &&
    (asked.backend === '' || data['backend'] === asked.backend || poolOf(data) === asked.backend) &&
    (asked.client === '' || client === asked.client) &&
    (asked.from === '' || createdAt > asked.from) &&
    (asked.to === '' || createdAt < asked.to) &&
    hasMetadata(data['metadata'], asked.find)
  )
}

export type Row = Schema<'VideoRow'>
export type Total = Schema<'VideoRowList'>['total']
type RowPage = Page<Row> & { total: Total }

/** From its creation to its end, or until now. */
export const tookMs = ({ created_at: from, took_seconds: took }: Row, nowMs: number): number =>
  took === null ? Math.max(0, nowMs - Date.parse(from)) : took * 1_000

type Whole = Schema<'Video'> & Partial<Pick<Schema<'AdminVideo'>, 'client' | 'doubt'>>

const rowOf = (video: Whole): Row => ({
  id: video.id,
  status: video.status,
  in_doubt: video.doubt?.open ?? false,
  progress: video.progress,
  client: video.client ?? null,
  backend: video.backend,
  text: video.input.text,
  error_code: video.error?.code ?? null,
  took_seconds:
    video.completed_at === null ? null : (Date.parse(video.completed_at) - Date.parse(video.created_at)) / 1_000,
  webhook: null,
  created_at: video.created_at,
})

/** A page as it was read: which rows it represents, and whether they may have changed unheard. */
interface Block {
  cursor: string | null
  from: number
  count: number
  isOld: boolean
}

export interface FeedState {
  /** Newest first. What is new stays out until it is asked for, so that nothing moves. */
  rows: readonly Row[]
  /** Ids of videos that are newer than the list. */
  fresh: ReadonlySet<string>
  hasMore: boolean
  isLoading: boolean
  error: ApiError | null
  /** How many there are; null: nobody counted. */
  total: Total
  /** The first page is there. */
  isRead: boolean
}

export interface Feed {
  state(): FeedState
  listen(hear: () => void): () => void
  /** The first page, or the next one behind what is there. */
  more(): Promise<void>
  /** Adds new rows. */
  takeIn(): Promise<void>
  hear(event: LiveEvent): void
  /** Something may have been missed. */
  doubt(): void
  /** These rows are looked at: what is doubtful of them is read again. */
  see(first: number, last: number): void
  end(): void
}

interface FeedDeps {
  read: (cursor: string | null) => Promise<RowPage>
  wants: (event: LiveEvent) => boolean
  errorFrom: (thrown: unknown) => ApiError
}

const EMPTY: FeedState = {
  rows: [],
  fresh: new Set(),
  hasMore: true,
  isLoading: false,
  error: null,
  total: null,
  isRead: false,
}
/** What an event says of a row; the rest stays. */
const changesIn = (data: Record<string, unknown>): Partial<Row> => {
  const { status, progress, backend, error, created_at: from, completed_at: to } = data as Partial<Whole>
  return {
    ...(status && { status, in_doubt: false }),
    ...(progress !== undefined && { progress }),
    ...(backend && { backend }),
    ...(error && { error_code: error.code }),
    ...(from && to && { took_seconds: (Date.parse(to) - Date.parse(from)) / 1_000 }),
  }
}

const byIds = (rows: readonly Row[]): ReadonlyMap<string, Row> => new Map(rows.map((row) => [row.id, row]))

/** A list that grows at its end as it is scrolled, and changes in place as events come. Knows nothing of the page. */
const createFeed = ({ read, wants, errorFrom }: FeedDeps): Feed => {
  let state = EMPTY
  let blocks: readonly Block[] = []
  let next: string | null = null
  let isOver = false
  const hearers = new Set<() => void>()
  const set = (changes: Partial<FeedState>): void => {
    if (isOver) return
    state = { ...state, ...changes }
    for (const hear of hearers) hear()
  }

  const startWith = (page: RowPage): void => {
    blocks = [{ cursor: null, from: 0, count: page.data.length, isOld: false }]
    next = page.next_cursor
    set({ rows: page.data, fresh: new Set(), hasMore: page.has_more, total: page.total, isRead: true })
  }
  const append = (page: Page<Row>, cursor: string | null): void => {
    const known = byIds(state.rows)
    const rows = page.data.filter(({ id }) => !known.has(id))
    blocks = [...blocks, { cursor, from: state.rows.length, count: rows.length, isOld: false }]
    next = page.next_cursor
    set({ rows: [...state.rows, ...rows], hasMore: page.has_more })
  }

  /** One request at a time. */
  const asking = async (work: () => Promise<void>): Promise<void> => {
    if (state.isLoading || isOver) return
    set({ isLoading: true, error: null })
    try {
      await work()
      set({ isLoading: false })
    } catch (thrown) {
      set({ isLoading: false, error: errorFrom(thrown) })
    }
  }

  const more = (): Promise<void> =>
    asking(async () => {
      const cursor = next
      const page = await read(cursor)
      if (state.isRead) append(page, cursor)
      else startWith(page)
    })

  const takeIn = (): Promise<void> =>
    asking(async () => {
      const page = await read(null)
      const known = byIds(state.rows)
      const met = page.data.findIndex(({ id }) => known.has(id))
      // So much is new that the page does not reach what is shown: begin anew.
      if (met === -1 || blocks.length <= 1) return startWith(page)
      const [first, ...rest] = blocks
      const moved = rest.map((block) => ({ ...block, from: block.from + met }))
      blocks = first ? [{ ...first, count: first.count + met }, ...moved] : moved
      const now = byIds(page.data)
      const rows = [...page.data.slice(0, met), ...state.rows.map((row) => now.get(row.id) ?? row)]
      set({ rows, fresh: new Set() })
    })

  /** Reads a page again: rows change in place, and what is new in it waits. */
  const readAgain = async (block: Block): Promise<void> => {
    const page = await read(block.cursor)
    const [known, now] = [byIds(state.rows), byIds(page.data)]
    const unknown = block.cursor === null ? page.data.filter(({ id }) => !known.has(id)) : []
    set({
      rows: state.rows.map((row) => now.get(row.id) ?? row),
      fresh: new Set([...state.fresh, ...unknown.map(({ id }) => id)]),
    })
  }

  return {
    state: () => state,
    listen(hear) {
      hearers.add(hear)
      return () => void hearers.delete(hear)
    },
    more,
    takeIn,
    hear(event) {
      const id = typeof event.data['id'] === 'string' ? event.data['id'] : ''
      if (!event.type.startsWith('video.') || id === '' || !state.isRead) return
      const at = state.rows.findIndex((row) => row.id === id)
      const row = state.rows[at]
      if (row) return set({ rows: state.rows.with(at, { ...row, ...changesIn(event.data) }) })
      const createdAt = String(event.data['created_at'])
      if (!wants(event) || state.rows.some((row) => row.created_at > createdAt)) return
      set({ fresh: new Set([...state.fresh, id]) })
    },
    doubt() {
      blocks = blocks.map((block) => ({ ...block, isOld: true }))
    },
    see(first, last) {
      const old = blocks.find(({ from, count, isOld }) => isOld && from <= last && from + Math.max(1, count) > first)
      if (!old || state.isLoading) return
      blocks = blocks.map((block) => (block === old ? { ...block, isOld: false } : block))
      void asking(() => readAgain(old))
    },
    end() {
      isOver = true
      hearers.clear()
    },
  }
}

/** As many as the API answers at the same time. */
const LIMIT = 100

/** By metadata: whole videos, of which the other filters keep some. A page may be short. */
const readByMetadata = async (asked: Asked, isAdmin: boolean, cursor: string | null): Promise<RowPage> => {
  const { key, value } = metadataIn(asked.find)
  const query = { ...queryFor(asked, cursor), metadata: key === null ? value : { [key]: value } }
  const page = await (isAdmin
    ? ask(api.GET('/unified/v1/admin/videos', { params: { query } }))
    : ask(api.GET('/unified/v1/videos', { params: { query } })))
  const statuses = statusesOf(asked)
  const videos: readonly (Whole | Schema<'BackendVideo'>)[] = page.data
  const rows = videos.flatMap((video) => (video.object === 'video' ? [rowOf(video)] : []))
  const data = rows.filter(
    (row) => (statuses.length === 0 || statuses.includes(row.status)) && (asked.phase !== 'in_doubt' || row.in_doubt),
  )
  return { ...page, data, total: null }
}

const reader =
  (asked: Asked, isAdmin: boolean) =>
  async (cursor: string | null): Promise<RowPage> => {
    if (asked.find !== '') return readByMetadata(asked, isAdmin, cursor)
    const { status, phase, error_code, ended_since, ended_before, sort } = asked
    const query = {
      ...queryFor(asked, cursor),
      ...(status && { status }),
      ...(phase && { phase: phase as 'waiting' }),
      ...(error_code && { error_code }),
      ...(ended_since && { ended_since }),
      ...(ended_before && { ended_before }),
      ...(sort && { sort: 'longest' as const }),
      ...(cursor === null && { total: 'true' as const }),
    }
    return isAdmin
      ? ask(api.GET('/unified/v1/admin/videos/search', { params: { query } }))
      : ask(api.GET('/unified/v1/videos/search', { params: { query } }))
  }

/** The list that these filters ask for, live. */
export const useFeed = (asked: Asked): { feed: Feed; state: FeedState } => {
  const { isAdmin } = useSession()
  const key = JSON.stringify(asked)
  const feed = useMemo(
    () => createFeed({ read: reader(asked, isAdmin), wants: (event) => wants(asked, event), errorFrom }),
    [key, isAdmin],
  )
  const [, again] = useState({})
  useEffect(() => {
    const off = feed.listen(() => again({}))
    void feed.more()
    return () => {
      off()
      feed.end()
    }
  }, [feed])
  useLive(
    (event) => feed.hear(event),
    () => {
      feed.doubt()
      again({})
    },
  )
  return { feed, state: feed.state() }
}
