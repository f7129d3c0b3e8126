import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { errorFrom, type ApiError, ask, type Page } from './api.ts'
import { useLocation } from 'preact-iso'

export interface Read<T> {
  /** What was read last: it stays while it is read again, so that nothing jumps. */
  data: T | null
  /** Why the last read failed. `data` may still be there from before. */
  error: ApiError | null
  /** The first read of this key is under way. */
  isLoading: boolean
  reload: () => void
  /** Puts something in the place of what was read, such as the answer to a change. */
  set: (data: T) => void
}

type State<T> = Pick<Read<T>, 'data' | 'error' | 'isLoading'> & { key: string }
type Every<T> = number | undefined | ((data: T | null) => number | undefined)

/** Does it so often, but not in a tab that nobody sees. Answers how to end that. */
const whileVisible = (everyMs: number | undefined, act: () => void): (() => void) => {
  if (everyMs === undefined) return () => {}
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') act()
  }, everyMs)
  return () => clearInterval(timer)
}

/**
 * Reads when `key` is new, and whenever `reload` is called. An answer that comes after a later one is dropped.
 * `everyMs`: also read again so often while the page is visible, as what was read wants it.
 */
export const useRead = <T>(key: string, read: () => Promise<T>, everyMs?: Every<T>): Read<T> => {
  const empty = { key, data: null, error: null, isLoading: true }
  const [state, setState] = useState<State<T>>(empty)
  const { data, error, isLoading } = state.key === key ? state : empty
  const asked = useRef(0)
  /** The latest question whose answer counts: an earlier one's comes too late. */
  const settled = useRef(0)
  const how = useRef(read)
  how.current = read

  const reload = useCallback(() => {
    asked.current += 1
    const mine = asked.current
    const settle = (next: Partial<State<T>>): void => {
      if (mine <= settled.current) return
      settled.current = mine
      setState((before) => ({
        data: before.key === key ? before.data : null,
        error: null,
        ...next,
        key,
        isLoading: false,
      }))
    }
    how.current().then(
      (data) => settle({ data }),
      (error: unknown) => settle({ error: errorFrom(error) }),
    )
  }, [key])

  useEffect(() => {
    reload()
    return () => {
      settled.current = asked.current
    }
  }, [reload])

  const often = typeof everyMs === 'function' ? everyMs(data) : everyMs
  useEffect(() => whileVisible(often, () => settled.current === asked.current && reload()), [reload, often])

  const set = useCallback(
    (data: T) => {
      // What was asked before may not know of it yet.
      settled.current = asked.current
      setState({ key, data, error: null, isLoading: false })
    },
    [key],
  )
  return { data, error, isLoading, reload, set }
}

export interface Action<Args extends unknown[]> {
  run: (...args: Args) => Promise<boolean>
  isRunning: boolean
  error: ApiError | null
}

/** Something that is done on a click: never twice at the same time. `run` answers whether it went well. */
export const useAction = <Args extends unknown[]>(act: (...args: Args) => Promise<unknown>): Action<Args> => {
  const [error, setError] = useState<ApiError | null>(null)
  const [isRunning, setRunning] = useState(false)
  const busy = useRef(false)
  const run = async (...args: Args): Promise<boolean> => {
    if (busy.current) return false
    busy.current = true
    setRunning(true)
    setError(null)
    try {
      await act(...args)
      return true
    } catch (thrown) {
      setError(errorFrom(thrown))
      return false
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return { run, isRunning, error }
}

interface Item {
  id: string
}

/** `X`: what a page has besides. */
interface List<T, X> {
  /** The first page, as it was read last. */
  first: X | null
  rows: readonly T[]
  /** The ids of what is newer than the rows. */
  fresh: ReadonlySet<string>
  /** The cursor of the next page. */
  next: string | null
  error: ApiError | null
  isLoadingMore: boolean
}

const createPages = <T extends Item, X>(
  read: (cursor: string | undefined) => Promise<Page<T> & X>,
  draw: () => void,
) => {
  let list: List<T, X> = { first: null, rows: [], fresh: new Set(), next: null, error: null, isLoadingMore: false }
  let isOver = false
  let isReading = false
  let turn = Promise.resolve()
  /** By the id of a row, the cursor of the page that it came with; empty: of the first. */
  const pageOf = new Map<string, string>()
  /** Pages that may have changed. */
  const old = new Set<string>()

  const set = (changes: Partial<List<T, X>>): void => {
    list = { ...list, ...changes }
    if (!isOver) draw()
  }
  const newIn = ({ data }: Page<T>, cursor: string): T[] => {
    const rows = data.filter(({ id }) => !pageOf.has(id))
    for (const { id } of rows) pageOf.set(id, cursor)
    return rows
  }
  /** One request at a time. */
  const reading = (cursorNow: () => string, take: (page: Page<T> & X, cursor: string) => Partial<List<T, X>>): void => {
    turn = turn.then(async () => {
      if (isOver) return
      isReading = true
      try {
        const cursor = cursorNow()
        set({ error: null, ...take(await read(cursor || undefined), cursor) })
      } catch (thrown) {
        set({ error: errorFrom(thrown), isLoadingMore: false })
      }
      isReading = false
    })
  }

  const restart = (): void =>
    reading(
      () => '',
      (first, cursor) => {
        pageOf.clear()
        old.clear()
        return { first, rows: newIn(first, cursor), fresh: new Set(), next: first.next_cursor }
      },
    )
  const again = (page: string): void =>
    reading(
      () => page,
      ({ data }) => {
        const now = new Map(data.map((row) => [row.id, row]))
        const rows = list.rows.map((row) => now.get(row.id) ?? row)
        if (page !== '') return { rows }
        const known = data.findIndex(({ id }) => pageOf.has(id))
        return { rows, fresh: new Set(data.slice(0, known === -1 ? data.length : known).map(({ id }) => id)) }
      },
    )

  const refresh = (): void => {
    if (isReading) return
    if (list.first === null) restart()
    else again('')
  }

  return {
    list: () => list,
    restart,
    refresh,
    more(): void {
      if (list.next === null || list.isLoadingMore) return
      set({ isLoadingMore: true })
      reading(
        () => list.next ?? '',
        (page, cursor) => ({
          rows: [...list.rows, ...newIn(page, cursor)],
          next: page.next_cursor,
          isLoadingMore: false,
        }),
      )
    },
    change(id: string, how: (row: T) => T): boolean {
      const at = list.rows.findIndex((row) => row.id === id)
      const row = list.rows[at]
      if (row) set({ rows: list.rows.with(at, how(row)) })
      return row !== undefined
    },
    announce(id: string): void {
      if (list.first !== null) set({ fresh: new Set([...list.fresh, id]) })
    },
    doubt(): void {
      for (const page of pageOf.values()) old.add(page)
      if (list.rows.length === 0 && list.first !== null) again('')
      set({})
    },
    see(first: number, last: number): void {
      if (old.size === 0 || isReading) return
      const page = list.rows
        .slice(first, last)
        .map(({ id }) => pageOf.get(id) ?? '')
        .find((one) => old.has(one))
      if (page === undefined) return
      old.delete(page)
      again(page)
    },
    end(): void {
      isOver = true
    },
  }
}
type Actions<T extends Item> = Omit<ReturnType<typeof createPages<T, unknown>>, 'list' | 'end'>

/**
 * A list page by page.
 *
 * - `fresh`: how many are newer than its rows; until `restart` reads them they are only counted, and nothing moves.
 * - `refresh`, and `everyMs`: reads the first page again, and rows change where they are.
 * - `change`, `announce`: what came by itself: a row that is other now, or a new one.
 * - `doubt`: any page may be other by now; those that are seen (`see`) are read again.
 */
export interface Pages<T extends Item, X = unknown> extends Omit<List<T, X>, 'fresh' | 'next'>, Actions<T> {
  fresh: number
  isLoading: boolean
  hasMore: boolean
}

/** `key`: what is listed, with its filters. */
export const usePages = <T extends Item, X = unknown>(
  key: string,
  read: (cursor: string | undefined) => Promise<{ data?: Page<T> & X }>,
  everyMs?: number,
): Pages<T, X> => {
  const [, draw] = useState({})
  const { list, end, ...actions } = useMemo(
    () =>
      createPages<T, X>(
        (cursor) => ask(read(cursor)),
        () => draw({}),
      ),
    [key],
  )
  useEffect(() => {
    actions.restart()
    return end
  }, [end])
  useEffect(() => whileVisible(everyMs, actions.refresh), [actions.refresh, everyMs])
  const { fresh, next, ...now } = list()
  const isLoading = now.first === null && now.error === null
  return { ...now, ...actions, fresh: fresh.size, isLoading, hasMore: next !== null }
}

type Filters = Readonly<Record<string, string>>

export const queryOf = (filters: Filters): string => {
  const text = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  return text === '' ? '' : `?${text}`
}

/** Filters live in the URL, so that a view can be sent to a colleague. `set` with an empty text takes one out. */
export const useFilters = (): { filters: Filters; set: (changes: Filters) => void; clear: () => void } => {
  const { path, query, route } = useLocation()
  return {
    filters: query,
    set: (changes) => route(`${path}${queryOf({ ...query, ...changes })}`, true),
    clear: () => route(path, true),
  }
}
