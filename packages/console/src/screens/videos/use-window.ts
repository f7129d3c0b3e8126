import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows from `first` up to `last`, without it. */
export interface Range {
  first: number
  last: number
}

/** Rows beyond what is seen, so that a little scrolling shows no gap. */
const BEYOND = 10
/** A new range for so many rows, and not for each. */
const STEP = 5

/** Which rows of a long list are seen, in a page that scrolls as a whole. All have one height. */
export const useWindow = (count: number, rowPx: number) => {
  const list = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState<Range>({ first: 0, last: 40 })
  const measure = (): void => {
    const box = list.current
    if (!box) return
    const top = box.getBoundingClientRect().top
    const first = Math.floor(Math.max(0, -top / rowPx) / STEP) * STEP - BEYOND
    const last = Math.ceil((window.innerHeight - top) / rowPx / STEP) * STEP + BEYOND
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
  }
  useLayoutEffect(measure, [count, rowPx])
  useEffect(() => {
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [rowPx])

  /** Scrolls no more than it takes to see a row. */
  const reveal = (row: number): void => {
    const box = list.current
    if (!box) return
    const top = box.getBoundingClientRect().top + row * rowPx
    const below = top + rowPx - window.innerHeight
    if (top < 0) window.scrollBy({ top: top - rowPx })
    else if (below > 0) window.scrollBy({ top: below + rowPx })
  }
  const shown = { first: Math.max(0, range.first), last: Math.min(count, Math.max(0, range.last)) }
  return { list, range: shown, reveal }
}

const NARROW = '(max-width: 720px)'

/** Cards are higher than rows. As `videos.css` has them. */
export const useRowHeight = (): number => {
  const [isNarrow, setNarrow] = useState(matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const hear = (): void => setNarrow(query.matches)
    query.addEventListener('change', hear)
    return () => query.removeEventListener('change', hear)
  }, [])
  return isNarrow ? 148 : 56
}
