import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, api, ask } from '../../api.ts'
import type { Body } from './form.ts'
import type { Check } from './verdict.ts'

/** After the last key. */
const DEBOUNCE_MS = 300

export interface Checked {
  /** Of the body as it is now; the last one while a new one is under way. */
  check: Check | null
  error: ApiError | null
  isChecking: boolean
}
const NOTHING: Checked = { check: null, error: null, isChecking: false }

/**
 * Asks the gateway what it would make of a body, a moment after it was last changed. It costs no backend anything. Only the
 * answer to the latest body counts, in whatever order they come. `null`: there is nothing to ask yet.
 */
export const useCheck = (body: Body | null): Checked => {
  const [checked, setChecked] = useState<Checked>(NOTHING)
  const latest = useRef(body)
  latest.current = body
  const key = body && JSON.stringify(body)
  useEffect(() => {
    if (key === null) {
      setChecked(NOTHING)
      return undefined
    }
    setChecked((before) => ({ ...before, isChecking: true }))
    const over = new AbortController()
    const settle = (next: Omit<Checked, 'isChecking'>): void => {
      if (!over.signal.aborted) setChecked({ ...next, isChecking: false })
    }
    const timer = setTimeout(() => {
      if (!latest.current) return
      ask(api.POST('/unified/v1/videos/check', { body: latest.current, signal: over.signal })).then(
        (check) => settle({ check, error: null }),
        (error: unknown) => settle({ check: null, error: error instanceof ApiError ? error : null }),
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [key])
  return checked
}
