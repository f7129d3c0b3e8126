import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api.ts'
import { Button } from './button.tsx'

/** `what`: in words that follow "Loading". */
export const Loading = ({ what }: { what: string }) => (
  <div class="loading" role="status">
    <span class="spinner" aria-hidden="true" />
    Loading {what}…
  </div>
)

/** Grey lines where rows will be, so that nothing jumps when they come. */
export const Skeleton = ({ rows = 5, what }: { rows?: number; what: string }) => (
  <div class="skeleton" role="status">
    <span class="only-read">Loading {what}…</span>
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} class="bone" aria-hidden="true" />
    ))}
  </div>
)

/** There is nothing to show. The children say what to do next. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

const TITLES: Readonly<Record<string, string>> = {
  unreachable: 'No connection',
  rate_limited: 'Too many requests',
  insufficient_scope: 'Your key may not do this',
}

/** What failed, and the id by which the gateway's log has it. */
export const Failure = ({ error, retry }: { error: ApiError; retry?: () => void }) => (
  <div class="note bad" role="alert">
    <strong>{TITLES[error.code] ?? 'That did not work'}</strong>
    <p>{error.message}</p>
    <p class="muted small">
      <code>{error.code}</code>
      {error.requestId !== null && (
        <>
          {' · request '}
          <code>{error.requestId}</code>
        </>
      )}
    </p>
    {retry && <Button onClick={retry}>Try again</Button>}
  </div>
)

export const Note = ({ kind = 'info', children }: { kind?: 'info' | 'warn' | 'good'; children: ComponentChildren }) => (
  <div class={`note ${kind}`}>{children}</div>
)
