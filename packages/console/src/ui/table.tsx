import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'

export interface Column<T> {
  title: string
  cell: (row: T) => ComponentChildren
  /** Numbers stand right. */
  isNumber?: boolean
}

interface TableProps<T> {
  /** What the table is, for who cannot see it. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
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
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} data-label={title} class={isNumber ? 'number' : ''}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** Goes on behind what is shown. */
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
