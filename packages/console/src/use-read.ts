import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { errorFrom, type ApiError } from './api.ts'

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

/** Something that is done on a click: never twice at once. `run` answers whether it went well. */
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
