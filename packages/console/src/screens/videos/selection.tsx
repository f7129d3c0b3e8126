import { may, useSession } from '../../session.ts'
import { useAction } from '../../reads.ts'
import { Button } from '../../ui/button.tsx'
import { Failure, toast } from '../../ui/states.tsx'
import { doSoon } from '../../ui/undo.tsx'
import { cancel, sendEventsAgain } from '../video/again.tsx'
import type { Row } from './search.ts'

const COLUMNS: readonly (readonly [string, (row: Row) => string | number | null | undefined])[] = [
  ['id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['client', ({ client }) => client],
  ['backend', ({ backend }) => backend],
  ['error', ({ error_code: code }) => code],
  ['created_at', ({ created_at: at }) => at],
  ['took_seconds', ({ took_seconds: took }) => took],
  ['webhook', ({ webhook }) => webhook],
  ['text', ({ text }) => text],
]

/** A program that opens the file would run what begins like a formula. */
const cellOf = (value: string | number | null | undefined): string => {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[\u0022,\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The rows as CSV (RFC 4180). Pure. */
export const csvOf = (rows: readonly Row[]): string =>
  [COLUMNS.map(([name]) => name), ...rows.map((row) => COLUMNS.map(([, of]) => cellOf(of(row))))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

const download = (rows: readonly Row[]): void => {
  const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'videos.csv' })
  link.click()
  URL.revokeObjectURL(url)
}

/** One after the other, as a single caller does. What cannot be done is counted, and stops nothing. */
const forEach = async (rows: readonly Row[], act: (row: Row) => Promise<unknown>): Promise<{ failed: number }> => {
  let failed = 0
  for (const row of rows)
    await act(row).catch(() => {
      failed += 1
    })
  return { failed }
}

const videos = (count: number): string => `${count} ${count === 1 ? 'video' : 'videos'}`
const without = (failed: number): string => (failed === 0 ? '' : `; ${failed} could not`)

interface SelectionProps {
  rows: readonly Row[]
  selected: ReadonlySet<string>
  clear: () => void
  /** Rows are other than they were. */
  changed: () => void
}

/** What can be done with the selected rows; with none selected, all that are read can be kept as CSV. */
export const Selection = ({ rows, selected, clear, changed }: SelectionProps) => {
  const session = useSession()
  const some = rows.filter(({ id }) => selected.has(id))
  const waiting = some.filter((row) => row.status === 'queued' && !row.in_doubt)
  const ended = some.filter(({ took_seconds: took }) => took !== null)
  const again = useAction(async () => {
    const { failed } = await forEach(ended, ({ id }) => sendEventsAgain(id, session))
    toast(`The events of ${videos(ended.length - failed)} are sent again${without(failed)}`)
  })
  const cancelAll = (): void => {
    doSoon({
      key: `cancel ${waiting.map(({ id }) => id).join(' ')}`,
      text: `Cancel ${videos(waiting.length)}: nothing is paid for ${waiting.length === 1 ? 'it' : 'them'} yet`,
      act: async () => {
        const { failed } = await forEach(waiting, ({ id }) => cancel(id, session))
        toast(`${videos(waiting.length - failed)} canceled${without(failed)}`)
        changed()
      },
    })
    clear()
  }
  if (rows.length === 0) return null
  if (some.length === 0) return <Button onClick={() => download(rows)}>Save as CSV</Button>
  return (
    <div class="row" role="group" aria-label="The chosen videos">
      <strong>{some.length} chosen</strong>
      {waiting.length > 0 && (session.isAdmin || may(session, 'videos:create')) && (
        <Button kind="danger" onClick={cancelAll}>
          Cancel {waiting.length}
        </Button>
      )}
      {ended.length > 0 && (session.isAdmin || may(session, 'webhooks:write')) && (
        <Button isBusy={again.isRunning} onClick={() => void again.run()}>
          Send events again
        </Button>
      )}
      <Button onClick={() => download(some)}>Save as CSV</Button>
      <Button kind="quiet" onClick={clear}>
        Choose none
      </Button>
      {again.error && <Failure error={again.error} />}
    </div>
  )
}
