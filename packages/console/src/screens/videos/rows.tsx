import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useSession } from '../../session.ts'
import { Cut } from '../../ui/button.tsx'
import { Badge, Progress, Status } from '../../ui/states.tsx'
import { durationOf, Time, useNow } from '../../ui/time.tsx'
import { type Feed, type FeedState, type Row, tookMs } from './feed.ts'

/** Rows from `first` up to `last`, without it. */
interface Range {
  first: number
  last: number
}

/** Rows beyond what is seen, so that a little scrolling shows no gap. */
const BEYOND = 10
/** A new range for so many rows, and not for each. */
const STEP = 5

/** Which rows of a long list are seen, in a page that scrolls as a whole. All have one height. */
const useWindow = (count: number, rowPx: number) => {
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
const useRowHeight = (): number => {
  const [isNarrow, setNarrow] = useState(matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const hear = (): void => setNarrow(query.matches)
    query.addEventListener('change', hear)
    return () => query.removeEventListener('change', hear)
  }, [])
  return isNarrow ? 88 : 32
}

/** When so few rows are left below, more are asked for. */
const AHEAD = 40

const percent = (value: number): string => `${Math.round(value * 100)} %`

const State = ({ row: { status, progress, in_doubt: isInDoubt } }: { row: Row }) => (
  <span class="row-state" role="cell">
    {isInDoubt ? <Badge tone="warn">in doubt</Badge> : <Status of={status} />}
    {status === 'processing' && (
      <>
        <Progress value={progress} label="Progress" />
        {progress !== null && <span class="muted small">{percent(progress)}</span>}
      </>
    )}
  </span>
)

const HOOK_WORDS = {
  delivered: ['good', '✓ arrived'],
  pending: ['busy', 'pending'],
  failed: ['bad', '✗ given up'],
} as const

const Hook = ({ of }: { of: Row['webhook'] }) => (
  <span class={`video-webhook ${of === null ? '' : HOOK_WORDS[of][0]}`} role="cell">
    {of !== null && HOOK_WORDS[of][1]}
  </span>
)

const Running = ({ row }: { row: Row }) => <>{durationOf(tookMs(row, useNow()))}</>

interface OneProps {
  row: Row
  at: number
  rowPx: number
  isActive: boolean
  isAdmin: boolean
  isChosen: boolean
  choose: (id: string) => void
  onFocus: () => void
}

/** A name that is too long for its column is whole on hover. */
const Name = ({ of, what }: { of: string | null; what: string }) => (
  <span class={`video-${what}`} role="cell" title={of ?? ''}>
    {of}
  </span>
)

const One = ({ row, at, rowPx, isActive, isAdmin, isChosen, choose, onFocus }: OneProps) => (
  // The first row of the table has the names of its columns.
  <div class="video-row" role="row" aria-rowindex={at + 2} data-chosen={isChosen} style={{ top: `${at * rowPx}px` }}>
    <span class="video-choice" role="cell">
      <label>
        <input
          type="checkbox"
          tabIndex={isActive ? 0 : -1}
          aria-label={`Choose ${row.id}`}
          checked={isChosen}
          onChange={() => choose(row.id)}
        />
      </label>
    </span>
    <State row={row} />
    <span class="video-name" role="cell">
      <a
        class="id"
        href={`/console/videos/${row.id}`}
        data-video={row.id}
        title={row.id}
        tabIndex={isActive ? 0 : -1}
        onFocus={onFocus}
      >
        <Cut of={row.id} />
      </a>{' '}
      <bdi class="video-text">{row.text}</bdi>
    </span>
    {isAdmin && <Name of={row.client} what="client" />}
    <Name of={row.backend} what="backend" />
    <Name of={row.error_code} what="code" />
    <Hook of={row.webhook} />
    <span class="video-took" role="cell">
      {row.took_seconds === null ? <Running row={row} /> : durationOf(tookMs(row, 0))}
    </span>
    <span class="video-time" role="cell">
      <Time at={row.created_at} />
    </span>
  </div>
)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog, [contenteditable]') !== null

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** Keys that go from row to row. Arrows scroll the page, unless a row has the focus. */
const useKeys = (move: (by: number) => void): void => {
  const latest = useRef(move)
  latest.current = move
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const by = STEPS[event.key]
      const { target } = event
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return
      const isInList = target instanceof HTMLElement && target.dataset['video'] !== undefined
      if (event.key.length > 1 && !isInList) return
      event.preventDefault()
      latest.current(by)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Which row the keys are at, by its id: rows may come above it. */
const useActive = (rows: readonly Row[], reveal: (row: number) => void, first: number) => {
  const [active, setActive] = useState<string | null>(null)
  /** As of the latest key, which may come before the one before it is drawn. */
  const current = useRef<string | null>(null)
  const wish = useRef(false)
  const placeOf = (video: string | null): number => (video === null ? -1 : rows.findIndex(({ id }) => id === video))
  const activate = (video: string): void => {
    current.current = video
    setActive(video)
  }
  useEffect(() => {
    if (!wish.current || current.current === null) return
    const row = document.querySelector<HTMLElement>(`[data-video="${CSS.escape(current.current)}"]`)
    if (!row) return
    wish.current = false
    row.focus({ preventScroll: true })
  })
  useKeys((by) => {
    const from = placeOf(current.current)
    const to = from === -1 ? first : Math.min(rows.length - 1, Math.max(0, from + by))
    const row = rows[to]
    if (!row) return
    wish.current = true
    activate(row.id)
    reveal(to)
  })
  return { at: placeOf(active), activate }
}

interface HeadProps {
  isAdmin: boolean
  isSorted: boolean
  sort: (isSorted: boolean) => void
}

const Head = ({ isAdmin, isSorted, sort }: HeadProps) => (
  <div role="rowgroup">
    <div class="video-head muted small" role="row" aria-rowindex={1}>
      <span role="columnheader">
        <span class="only-read">Choice</span>
      </span>
      {['Status', 'Video', ...(isAdmin ? ['Client'] : []), 'Backend', 'Error', 'Webhook'].map((name) => (
        <span key={name} class={`video-${name.toLowerCase()}`} role="columnheader">
          {name}
        </span>
      ))}
      <span class="video-took" role="columnheader" aria-sort={isSorted ? 'descending' : 'none'}>
        <button type="button" class="video-sort" title="The slowest first" onClick={() => sort(!isSorted)}>
          Took{isSorted ? ' ↓' : ''}
        </button>
      </span>
      <span role="columnheader" aria-sort={isSorted ? 'none' : 'descending'}>
        Created
      </span>
    </div>
  </div>
)

interface RowsProps extends Omit<HeadProps, 'isAdmin'> {
  feed: Feed
  state: FeedState
  chosen: ReadonlySet<string>
  choose: (id: string) => void
}

/** However many videos there are, only the rows that are seen are in the page. */
export const Rows = ({ feed, state, chosen, choose, ...order }: RowsProps) => {
  const { rows, hasMore, isLoading, error } = state
  const { isAdmin } = useSession()
  const { route } = useLocation()
  const rowPx = useRowHeight()
  const { list, range, reveal } = useWindow(rows.length, rowPx)
  const { at, activate } = useActive(rows, reveal, range.first)
  useEffect(() => {
    if (range.last > rows.length - AHEAD && hasMore && !isLoading && !error) void feed.more()
    else feed.see(range.first, range.last)
  })
  const shown = Array.from({ length: Math.max(0, range.last - range.first) }, (_, n) => range.first + n)
  // The row that has the focus keeps it, however far the page is scrolled.
  const all = at !== -1 && !shown.includes(at) ? [at, ...shown] : shown
  return (
    <div
      class="videos"
      data-admin={isAdmin}
      role="table"
      aria-label="Videos"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
    >
      <Head isAdmin={isAdmin} {...order} />
      <div
        class="video-rows"
        role="rowgroup"
        ref={list}
        style={{ height: `${rows.length * rowPx}px` }}
        onClick={(event) => {
          const row = (event.target as HTMLElement).closest('.video-row')
          const id = row?.querySelector<HTMLElement>('[data-video]')?.dataset['video']
          const isMarking = String(getSelection() ?? '') !== ''
          if (id !== undefined && !isMarking && !(event.target as HTMLElement).closest('a, .video-choice'))
            route(`/console/videos/${id}`)
        }}
      >
        {all.map((n) => {
          const row = rows[n]
          return (
            row && (
              <One
                key={row.id}
                row={row}
                at={n}
                rowPx={rowPx}
                isActive={at === -1 ? n === range.first : n === at}
                isAdmin={isAdmin}
                isChosen={chosen.has(row.id)}
                choose={choose}
                onFocus={() => activate(row.id)}
              />
            )
          )
        })}
      </div>
    </div>
  )
}
