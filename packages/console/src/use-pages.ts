import { useState } from 'preact/hooks'
import { ask, type ApiError, type Page } from './api.ts'
import { useAction, useRead } from './use-read.ts'

interface Item {
  id: string
}

export interface Pages<T> {
  rows: T[]
  /** How many are new at the top since they were last shown: `show` brings them. Until then nothing moves. */
  fresh: number
  show: () => void
  error: ApiError | null
  isLoading: boolean
  hasMore: boolean
  isLoadingMore: boolean
  more: () => void
  /** Reads again from the beginning, and shows what is new at once. */
  restart: () => void
  /** Reads the first page again: rows change where they are, new ones wait. */
  refresh: () => void
}

interface Rest<T> {
  key: string
  /** What stands behind the first page, and what gets the next one. */
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
 * A list page by page. `key`: what is listed, with its filters. Read again (`everyMs`, `refresh`), its rows are brought up to
 * date where they stand; rows that came meanwhile are only counted.
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
