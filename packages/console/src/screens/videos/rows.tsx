import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useSession } from '../../session.ts'
import { Cut } from '../../ui/button.tsx'
import { Badge, Progress, Status } from '../../ui/states.tsx'
import { durationOf, Time, useNow } from '../../ui/time.tsx'
import { type Row, tookMs, type VideoPages } from './search.ts'

/** Rows beyond what is seen, so that a little scrolling shows no gap. */
const BEYOND = 10
/** A new range for so many rows, and not for each. */
const STEP = 5

/** Which rows of a long list are seen, up to `last` and without it, in a page that scrolls as a whole. */
const useWindow = (count: number) => {
  const list = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 40 })
  const measure = (): void => {
    if (!list.current) return
    const { top, height } = list.current.getBoundingClientRect()
    const rowPx = Math.max(1, height / Math.max(1, count))
    const first = Math.floor(Math.max(0, -top / rowPx) / STEP) * STEP - BEYOND
    const last = Math.ceil((window.innerHeight - top) / rowPx / STEP) * STEP + BEYOND
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
  }
  useLayoutEffect(measure, [count])
  useEffect(() => {
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [count])
  return { list, first: Math.max(0, range.first), last: Math.min(count, Math.max(0, range.last)) }
}

/** When so few rows are left below, more are asked for. */
const AHEAD = 40

const State = ({ row: { status, progress, in_doubt: isInDoubt } }: { row: Row }) => (
  <span class="row-state" role="cell">
    {isInDoubt ? <Badge tone="warn">in doubt</Badge> : <Status of={status} />}
    {status === 'processing' && (
      <>
        <Progress value={progress} label="Progress" />
        {progress !== null && <span class="muted small">{Math.round(progress * 100)} %</span>}
      </>
    )}
  </span>
)

const HOOK_WORDS = {
  delivered: ['good', '✓ arrived'],
  pending: ['busy', 'pending'],
  failed: ['bad', '✗ given up'],
} as const

const Running = ({ row }: { row: Row }) => <>{durationOf(tookMs(row, useNow()))}</>

interface OneProps {
  row: Row
  at: number
  isActive: boolean
  isAdmin: boolean
  isSelected: boolean
  select: (id: string) => void
}

/** A name that is too long for its column is whole on hover. */
const Name = ({ of, what, tone = '' }: { of: string | null; what: string; tone?: string }) => (
  <span class={`video-${what} ${tone}`} role="cell" title={of ?? ''}>
    {of}
  </span>
)

const One = ({ row, at, isActive, isAdmin, isSelected, select }: OneProps) => {
  const [tone, hook] = row.webhook === null ? ['', null] : HOOK_WORDS[row.webhook]
  const tabIndex = isActive ? 0 : -1
  return (
    // The first row of the table has the names of its columns.
    <div
      class="video-row"
      role="row"
      aria-rowindex={at + 2}
      data-selected={isSelected}
      style={{ top: `calc(${at} * var(--row))` }}
    >
      <span class="video-select" role="cell">
        <label>
          <input
            type="checkbox"
            tabIndex={tabIndex}
            aria-label={`Choose ${row.id}`}
            checked={isSelected}
            onChange={() => select(row.id)}
          />
        </label>
      </span>
      <State row={row} />
      <span class="video-name" role="cell">
        <a class="id" href={`/console/videos/${row.id}`} data-video={row.id} title={row.id} tabIndex={tabIndex}>
          <Cut of={row.id} />
        </a>{' '}
        <bdi class="video-text">{row.text}</bdi>
      </span>
      {isAdmin && <Name of={row.client} what="client" />}
      <Name of={row.backend} what="backend" />
      <Name of={row.error_code} what="code" />
      <Name of={hook} what="webhook" tone={tone} />
      <span class="video-took" role="cell">
        {row.took_seconds === null ? <Running row={row} /> : durationOf(tookMs(row, 0))}
      </span>
      <span class="video-time" role="cell">
        <Time at={row.created_at} />
      </span>
    </div>
  )
}

interface HeadProps {
  isSorted: boolean
  sort: (isSorted: boolean) => void
}

const Head = ({ isAdmin, isSorted, sort }: HeadProps & { isAdmin: boolean }) => (
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

const rowAt = (target: EventTarget | null): string | undefined =>
  (target as HTMLElement).closest('.video-row')?.querySelector<HTMLElement>('[data-video]')?.dataset['video']

interface RowsProps extends HeadProps {
  pages: VideoPages
  selected: ReadonlySet<string>
  select: (id: string) => void
}

/** However many videos there are, only the rows that are seen are in the page. */
export const Rows = ({ pages, selected, select, ...order }: RowsProps) => {
  const { rows, hasMore, isLoadingMore, error, more, see } = pages
  const { isAdmin } = useSession()
  const { route } = useLocation()
  const { list, first, last } = useWindow(rows.length)
  /** The row that has the focus, by its id: rows may come above it. It keeps it, however far the page is scrolled. */
  const [active, setActive] = useState<string | undefined>()
  const at = active === undefined ? -1 : rows.findIndex(({ id }) => id === active)
  useEffect(() => {
    if (last > rows.length - AHEAD && hasMore && !isLoadingMore && !error) more()
    else see(first, last)
  })
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n)
  const all = at === -1 ? drawn : [...new Set([at - 1, at, at + 1, ...drawn])].toSorted((a, b) => a - b)
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
        style={{ height: `calc(${rows.length} * var(--row))` }}
        onFocusIn={({ target }) => setActive(rowAt(target))}
        onClick={({ target }) => {
          const id = rowAt(target)
          const isMarking = String(getSelection() ?? '') !== ''
          if (id !== undefined && !isMarking && !(target as HTMLElement).closest('a, .video-select'))
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
                isActive={at === -1 ? n === first : n === at}
                isAdmin={isAdmin}
                isSelected={selected.has(row.id)}
                select={select}
              />
            )
          )
        })}
      </div>
    </div>
  )
}
