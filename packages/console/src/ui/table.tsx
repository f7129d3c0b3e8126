import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import type { Tone } from './states.tsx'

export interface Column<T> {
  title: string
  cell: (row: T) => ComponentChildren
  /** Numbers are right-aligned. */
  isNumber?: boolean
  /** May take several lines, and break anywhere. Every other cell is one line: a name that is too long for it ends in dots. */
  isText?: boolean
}

interface TableProps<T> {
  /** What the table is, for who cannot see it. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
}

interface CellProps {
  title: string
  isNumber: boolean | undefined
  isText: boolean | undefined
  children: ComponentChildren
}

const Cell = ({ title, isNumber, isText, children }: CellProps) => (
  <td data-label={title} class={isNumber ? 'number' : isText ? 'text' : ''}>
    <div {...(!isText && typeof children === 'string' && { class: 'clip', title: children })}>{children}</div>
  </td>
)

/** A URL on two lines: its host, and the rest. */
export const Address = ({ of, href }: { of: string; href?: string }) => {
  const origin = /^[a-z]+:\/\/[^/?#]+/.exec(of)?.[0] ?? of
  const lines = (
    <>
      <span>{origin.replace('https://', '')}</span>
      <span class="small muted">{of.slice(origin.length)}</span>
    </>
  )
  return href === undefined ? (
    <span class="address" title={of}>
      {lines}
    </span>
  ) : (
    <a class="address" title={of} href={href}>
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
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, isNumber, isText }) => (
              <Cell key={title} title={title} isNumber={isNumber} isText={isText}>
                {cell(row)}
              </Cell>
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
    <figure class="bars">
      <div class="bars-plot" role="group" aria-label={label}>
        {bars.map(({ key, title, parts, href }) => {
          const text = `${title}: ${parts.map(({ name, value }) => `${value.toLocaleString('en')} ${name}`).join(', ')}`
          const pieces = parts
            .toReversed()
            .map(({ name, value, tone }) => (
              <span key={name} class={`piece ${tone}`} style={{ height: `${(100 * value) / most}%` }} />
            ))
          return href === undefined ? (
            <span key={key} class="bar" role="img" aria-label={text} title={text}>
              {pieces}
            </span>
          ) : (
            <a key={key} class="bar" href={href} aria-label={text} title={text}>
              {pieces}
            </a>
          )
        })}
        {marks.map(({ at, title }) => (
          <span key={at} class="mark" title={title} style={{ left: `${100 * at}%` }} />
        ))}
      </div>
      <div class="bars-ends small muted" aria-hidden="true">
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
