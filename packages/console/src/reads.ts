import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
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

interface State<T> {
  key: string
  data: T | null
  error: ApiError | null
  isLoading: boolean
}

/**
 * Reads when `key` is new, and whenever `reload` is called. An answer that comes after a later one is dropped.
 * `everyMs`: also read again so often while the page is visible.
 */
export const useRead = <T>(key: string, read: () => Promise<T>, everyMs?: number): Read<T> => {
  const empty = { key, data: null, error: null, isLoading: true }
  const [state, setState] = useState<State<T>>(empty)
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

  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && settled.current === asked.current) reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [reload, everyMs])

  const set = useCallback(
    (data: T) => {
      // What was asked before may not know of it yet.
      settled.current = asked.current
      setState({ key, data, error: null, isLoading: false })
    },
    [key],
  )
  const { data, error, isLoading } = state.key === key ? state : empty
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

interface Pages<T> {
  rows: T[]
  /** How many are new at the top since they were last shown: `show` brings them. Until then nothing moves. */
  fresh: number
  show: () => void
  error: ApiError | null
  isLoading: boolean
  hasMore: boolean
  isLoadingMore: boolean
  more: () => void
  /** Reads again from the beginning, and shows what is new immediately. */
  restart: () => void
  /** Reads the first page again: rows change where they are, new ones wait. */
  refresh: () => void
}

interface Rest<T> {
  key: string
  /** The rows after the first page, and the cursor of the next one. */
  rows: T[]
  cursor: string | null | undefined
  /** The ids that are shown of the first page; null: all of it. */
  pinned: ReadonlySet<string> | null
  /** What was shown of it last: it stays, also where new rows push it off the page. */
  shown: T[]
  /** A page that is being read again, and is not the one to stay with. */
  old: Page<T> | null
}

/**
 * A list page by page. `key`: what is listed, with its filters. Read again (`everyMs`, `refresh`), its rows are brought
 * up to date where they are; rows that came meanwhile are only counted.
 */
export const usePages = <T extends Item>(
  key: string,
  read: (cursor: string | undefined) => Promise<{ data?: Page<T> }>,
  everyMs?: number,
): Pages<T> => {
  const none: Rest<T> = { key, rows: [], cursor: undefined, pinned: null, shown: [], old: null }
  const [state, setState] = useState<Rest<T>>(none)
  const rest = state.key === key ? state : none
  const { data, error, isLoading, reload } = useRead(key, () => ask(read(undefined)), everyMs)

  const firstRows = data?.data ?? []
  // What is shown first stays, until somebody asks for what is new.
  if (data && data !== rest.old && rest.pinned === null)
    setState({
      ...rest,
      pinned: new Set(firstRows.map(({ id }) => id)),
      shown: firstRows,
      cursor: data.next_cursor,
      old: null,
    })
  const latest = new Map(firstRows.map((row) => [row.id, row]))
  const isShown = ({ id }: T): boolean => rest.pinned === null || rest.pinned.has(id)
  const kept = rest.pinned === null ? firstRows : rest.shown.map((row) => latest.get(row.id) ?? row)
  const ids = new Set(kept.map(({ id }) => id))
  const rows = [...kept, ...rest.rows.filter(({ id }) => !ids.has(id)).map((row) => latest.get(row.id) ?? row)]
  const cursor = rest.cursor === undefined ? (data?.next_cursor ?? null) : rest.cursor
  const behind = new Set(rest.rows.map(({ id }) => id))
  const fresh = firstRows.filter((row) => !isShown(row) && !behind.has(row.id)).length

  const {
    run,
    isRunning,
    error: moreError,
  } = useAction(async () => {
    if (cursor === null) return
    const page = await ask(read(cursor))
    setState((before) =>
      // Another list is shown by now, or its newest rows.
      before.key === key && before.pinned === rest.pinned
        ? { ...before, rows: [...before.rows, ...page.data], cursor: page.next_cursor }
        : before,
    )
  })
  const show = (): void => setState(none)
  return {
    rows,
    fresh,
    show,
    error: error ?? moreError,
    isLoading,
    hasMore: cursor !== null,
    isLoadingMore: isRunning,
    more: () => void run(),
    restart: () => {
      setState({ ...none, old: data })
      reload()
    },
    refresh: reload,
  }
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
