import type { ComponentChildren } from 'preact'
import type { usePages } from '../reads.ts'
import { Button } from './button.tsx'
import { Failure, Skeleton, type Tone } from './states.tsx'

export interface Column<T> {
  title: string
  cell: (row: T) => ComponentChildren
  /** Numbers are right-aligned; null is a dash. */
  isNumber?: boolean
  /** May take several lines, and break anywhere. Every other cell is one line: a name that is too long for it ends in dots. */
  isText?: boolean
}

interface TableProps<T> {
  /** What the table is, for who cannot see it. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** Where a row may move, or keeps something. */
  keyOf?: (row: T) => string
}

const Cell = <T,>({ of: { title, cell, isNumber, isText }, row }: { of: Column<T>; row: T }) => {
  const value = cell(row)
  return (
    <td data-label={title} class={isNumber ? 'number' : isText ? 'text' : ''}>
      <div {...(!isText && typeof value === 'string' && { class: 'clip', title: value })}>
        {isNumber && typeof value === 'number' ? value.toLocaleString('en') : (value ?? '–')}
      </div>
    </td>
  )
}

/** A URL on two lines: its host, and the rest. */
export const Address = ({ of, href }: { of: string; href?: string }) => {
  const origin = /^[a-z]+:\/\/[^/?#]+/.exec(of)?.[0] ?? of
  const lines = (
    <>
      <span>{origin.replace('https://', '')}</span>
      <span class="small muted">{of.slice(origin.length)}</span>
    </>
  )
  const shown = { class: 'address', title: of }
  return href === undefined ? (
    <span {...shown}>{lines}</span>
  ) : (
    <a {...shown} href={href}>
      {lines}
    </a>
  )
}

/** Rows of facts; from 960 px down each row is a card. */
export const Table = <T,>({ caption, columns, rows, keyOf }: TableProps<T>) => (
  <div class="table-wrap">
    <table class="table">
      <caption class="only-read">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" class={isNumber ? 'number' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf?.(row) ?? at}>
            {columns.map((column) => (
              <Cell key={column.title} of={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** Loads the next page. */
export const More = ({ hasMore, isLoading, load }: { hasMore: boolean; isLoading: boolean; load: () => void }) =>
  hasMore ? (
    <div class="more">
      <Button onClick={load} isBusy={isLoading}>
        Show more
      </Button>
    </div>
  ) : null

interface ListedProps<T extends { id: string }> extends Omit<TableProps<T>, 'rows' | 'keyOf'> {
  pages: ReturnType<typeof usePages<T>>
  /** In place of no row. */
  children?: ComponentChildren
}

/** A list that is read page by page, as a table. */
export const Listed = <T extends { id: string }>({ pages, caption, columns, children }: ListedProps<T>) => (
  <>
    {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
    {pages.isLoading && <Skeleton what={caption.toLowerCase()} />}
    {!pages.isLoading && !pages.error && pages.rows.length === 0 && children}
    {pages.rows.length > 0 && <Table caption={caption} columns={columns} rows={pages.rows} keyOf={({ id }) => id} />}
    <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
  </>
)

interface FreshProps {
  count: number
  /** What they are, after the number. */
  one: string
  many: string
  show: () => void
}

/** What came meanwhile waits for a click, so that nothing moves under anybody's pointer. */
export const Fresh = ({ count, one, many, show }: FreshProps) => (
  <div class="fresh" role="status">
    {count > 0 && (
      <Button onClick={show}>
        Show {count} {count === 1 ? one : many}
      </Button>
    )}
  </div>
)

export interface Bar {
  key: string
  /** For the tooltip and the table. */
  title: string
  parts: readonly { name: string; value: number; tone: Tone }[]
  /** Where what it counts is listed. */
  href?: string
}

interface BarsProps {
  /** What it shows, in a sentence: it represents the picture where nobody sees it. */
  label: string
  bars: readonly Bar[]
  /** Under the first and the last bar. */
  ends: readonly [string, string]
  /** Lines across, at a part of the whole width. */
  marks?: readonly { at: number; title: string }[]
}

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0)

/** Bars in a row, their parts on top of each other. Each says what it counts, and may lead there. */
export const Bars = ({ label, bars, ends, marks = [] }: BarsProps) => {
  const most = Math.max(1, ...bars.map(totalOf))
  return (
    <figure class="stack tight">
      <div class="bars-plot" role="group" aria-label={label}>
        {bars.map(({ key, title, parts, href }) => {
          const text = `${title}: ${parts.map(({ name, value }) => `${value.toLocaleString('en')} ${name}`).join(', ')}`
          const pieces = parts
            .toReversed()
            .map(({ name, value, tone }) => (
              <span key={name} class={`piece ${tone}`} style={{ height: `${(100 * value) / most}%` }} />
            ))
          const shown = { class: 'bar', 'aria-label': text, title: text }
          return href === undefined ? (
            <span key={key} {...shown} role="img">
              {pieces}
            </span>
          ) : (
            <a key={key} {...shown} href={href}>
              {pieces}
            </a>
          )
        })}
        {marks.map(({ at, title }) => (
          <span key={at} class="mark" title={title} style={{ left: `${100 * at}%` }} />
        ))}
      </div>
      <div class="row between small muted" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>most: {most.toLocaleString('en')}</span>
        <span>{ends[1]}</span>
      </div>
    </figure>
  )
}

const WIDE = 100
const HIGH = 28

/** How it went, without numbers: the latest is at the right. Where nothing was measured there is no line. */
export const Trend = ({ of, from = null }: { of: readonly (number | null)[]; from?: number | null }) => {
  const known = of.filter((one) => one !== null)
  const [low, high] = [Math.min(...known, from ?? Infinity), Math.max(...known)]
  const y = (value: number): number => HIGH - 2 - ((HIGH - 4) * (value - low)) / (high - low || 1)
  const x = (n: number): number => (n * WIDE) / Math.max(1, of.length - 1)
  const path = of
    .map((value, n) => {
      if (value === null) return ''
      const isBegin = n === 0 || of[n - 1] === null
      // A single value is a dot.
      return `${isBegin ? 'M' : 'L'}${x(n).toFixed(1)} ${y(value).toFixed(1)}${isBegin ? 'h.1' : ''}`
    })
    .join('')
  return (
    <svg class="trend" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
