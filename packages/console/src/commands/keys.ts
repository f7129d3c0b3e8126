import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useSession } from '../session.ts'
import { lettersFor, screensFor } from '../shell/screens.ts'

export interface Visited {
  path: string
  title: string
}
const MOST = 6

/** The latest pages of this session, the newest first. They go when somebody signs out. */
export const useVisited = (path: string, title: string): readonly Visited[] => {
  const visited = useRef<Visited[]>([])
  if (visited.current[0]?.path !== path)
    visited.current = [{ path, title }, ...visited.current.filter((one) => one.path !== path)].slice(0, MOST)
  return visited.current
}

export const isMac = navigator.userAgent.includes('Mac')

/** After `g`, for its letter. */
const LETTER_MS = 1_500

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]') !== null)

const seen = (selector: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility())

const ROWS = 'main .table tbody tr, main li.card, .video-row'
const FIRST = 'a[href], button'
const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** From row to row of those that something can be done with; the first is the first that is seen. */
const move = (by: number): void => {
  const rows = seen(ROWS).filter((row) => row.querySelector(FIRST) !== null)
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = at === -1 ? rows.find((one) => one.getBoundingClientRect().top >= 0) : rows[at + by]
  row?.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** A button or link that has this key (`data-key`), as a screen gives it. */
const press = (key: string): boolean => {
  const [button] = seen(`[data-key="${CSS.escape(key)}"]`)
  button?.click()
  return button !== undefined
}

const copyId = (): void => {
  const row = document.activeElement?.closest(ROWS)
  const copy = row?.querySelector<HTMLElement>('.copy') ?? seen('main .copy')[0]
  copy?.click()
}

/** The keys of every page: Ctrl-K, and letters wherever nobody is typing. `open`: the search, or the sheet of keys. */
export const useKeys = (open: (what: 'search' | 'keys') => void): void => {
  const session = useSession()
  const { route } = useLocation()
  const goneAtMs = useRef(-LETTER_MS)
  const latest = useRef((_event: KeyboardEvent): boolean => false)
  const search = (): void => {
    const [field] = seen('main [role=search] input, main input[type=search]')
    if (field) field.focus()
    else open('search')
  }
  const create = (): void => {
    const path = '/console/playground'
    if (!press('c') && screensFor(session).some((screen) => screen.path === path)) route(path)
  }
  const deeds: Readonly<Record<string, () => void>> = {
    '/': search,
    '?': () => open('keys'),
    c: create,
    y: copyId,
    e: () => press('e'),
    u: () => press('u'),
    g: () => (goneAtMs.current = performance.now()),
  }
  latest.current = ({ key }) => {
    const isLetter = performance.now() - goneAtMs.current < LETTER_MS
    goneAtMs.current = -LETTER_MS
    const place = isLetter ? lettersFor(session).find(({ letter }) => letter === key) : undefined
    const by = STEPS[key]
    // Arrows scroll the page, unless a row has the focus.
    const isMove = by !== undefined && (key.length === 1 || Boolean(document.activeElement?.closest(ROWS)))
    if (place) route(place.path)
    else if (isMove) move(by)
    else deeds[key]?.()
    return place !== undefined || isMove || Object.hasOwn(deeds, key)
  }
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const isCommand = event.ctrlKey || event.metaKey
      if (event.altKey || (isCommand ? event.shiftKey || event.key.toLowerCase() !== 'k' : isBusy(event.target))) return
      if (isCommand) open('search')
      if (isCommand || latest.current(event)) event.preventDefault()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
