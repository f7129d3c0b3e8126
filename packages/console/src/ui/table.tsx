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
}

interface BarsProps {
  /** What it shows, in a sentence: it represents the picture where nobody sees it. */
  label: string
  /** What a bar means, as the title of a column. */
  each: string
  bars: readonly Bar[]
  /** Under the first and the last bar. */
  ends: readonly [string, string]
  /** Lines across, at a part of the whole width. */
  marks?: readonly { at: number; title: string }[]
}

const WIDTH = 600
const HEIGHT = 120
const GAP = 0.16
const WIDEST = 60

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0)

/** One bar, its parts on top of each other. */
const BarParts = ({ bar, at, width, most }: { bar: Bar; at: number; width: number; most: number }) => {
  const wide = Math.min(WIDEST, width * (1 - GAP))
  let y = HEIGHT
  return (
    <g>
      <title>{`${bar.title}: ${bar.parts.map(({ name, value }) => `${value} ${name}`).join(', ')}`}</title>
      {bar.parts.map(({ name, value, tone }) => {
        const height = (HEIGHT * value) / most
        y -= height
        return (
          <rect key={name} class={`bar ${tone}`} x={(at + 0.5) * width - wide / 2} y={y} width={wide} height={height} />
        )
      })}
    </g>
  )
}

/** Bars in a row, and the same as a table for anyone who wants numbers. */
export const Bars = ({ label, each, bars, ends, marks = [] }: BarsProps) => {
  const most = Math.max(1, ...bars.map(totalOf))
  const width = WIDTH / Math.max(1, bars.length)
  const names = bars[0]?.parts.map(({ name }) => name) ?? []
  const columns: Column<Bar>[] = [
    { title: each, cell: ({ title }) => title },
    ...names.map((name): Column<Bar> => ({
      title: name,
      isNumber: true,
      cell: ({ parts }) => parts.find((part) => part.name === name)?.value ?? 0,
    })),
  ]
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((bar, at) => (
          <BarParts key={bar.key} bar={bar} at={at} width={width} most={most} />
        ))}
        {marks.map(({ at, title }) => (
          <line key={at} class="mark" x1={at * WIDTH} x2={at * WIDTH} y1={0} y2={HEIGHT}>
            <title>{title}</title>
          </line>
        ))}
      </svg>
      <div class="bars-ends small muted" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>most: {most}</span>
        <span>{ends[1]}</span>
      </div>
      <details>
        <summary class="small">As a table</summary>
        <Table
          caption={label}
          columns={columns}
          rows={bars.filter((bar) => totalOf(bar) > 0)}
          keyOf={({ key }) => key}
        />
      </details>
    </figure>
  )
}
