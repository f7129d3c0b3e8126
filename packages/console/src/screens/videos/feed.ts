import type { ApiError, Page, Schema } from '../../api.ts'
import type { LiveEvent } from '../../live.ts'

export type Row = Schema<'Video'> & { client?: string }

/** A page as it was read: which rows it stands for, and whether they may have changed unheard. */
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
  /** The first page is there. */
  isRead: boolean
}

export interface Feed {
  state(): FeedState
  listen(hear: () => void): () => void
  /** The first page, or the next one behind what is there. */
  more(): Promise<void>
  /** Takes in what is new. */
  takeIn(): Promise<void>
  hear(event: LiveEvent): void
  /** Something may have been missed. */
  doubt(): void
  /** These rows are looked at: what is doubtful of them is read again. */
  see(first: number, last: number): void
  end(): void
}

interface FeedDeps {
  read: (cursor: string | null) => Promise<Page<Row>>
  wants: (event: LiveEvent) => boolean
  errorFrom: (thrown: unknown) => ApiError
}

const EMPTY: FeedState = { rows: [], fresh: new Set(), hasMore: true, isLoading: false, error: null, isRead: false }
/** What an event lacks or leaves out is kept. */
const LEFT_OUT = ['input', 'video_url', 'video_url_expires_at', 'sequence', 'timing']

const changesIn = (data: Record<string, unknown>): Partial<Row> =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !LEFT_OUT.includes(name)))

const byIds = (rows: readonly Row[]): ReadonlyMap<string, Row> => new Map(rows.map((row) => [row.id, row]))

/** A list that grows at its end as it is scrolled, and changes in place as events come. Knows nothing of the page. */
export const createFeed = ({ read, wants, errorFrom }: FeedDeps): Feed => {
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

  const startWith = (page: Page<Row>): void => {
    blocks = [{ cursor: null, from: 0, count: page.data.length, isOld: false }]
    next = page.next_cursor
    set({ rows: page.data, fresh: new Set(), hasMore: page.has_more, isRead: true })
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
      const newest = state.rows[0]?.created_at ?? ''
      if (!wants(event) || String(event.data['created_at']) < newest) return
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
