import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api.ts'
import type { Read } from '../reads.ts'
import { createSignal } from '../signal.ts'
import { Button } from './button.tsx'
import { useEffect, useState } from 'preact/hooks'

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm'

export const Badge = ({ tone = 'calm', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

const TONES: readonly (readonly [Tone, readonly string[]])[] = [
  ['good', ['completed', 'up', 'delivered', 'succeeded', 'enabled', 'active']],
  ['busy', ['processing', 'pending']],
  ['warn', ['degraded', 'held', 'suspended']],
  ['bad', ['failed', 'down', 'dead', 'disabled', 'revoked']],
]

/** The API's own word, with the colour that it has everywhere. */
export const Status = ({ of }: { of: string }) => (
  <Badge tone={TONES.find(([, words]) => words.includes(of))?.[0] ?? 'calm'}>{of.replaceAll('_', ' ')}</Badge>
)

/** `value`: 0 to 1; null: it runs, and nobody knows how far it is. */
export const Progress = ({ value, label }: { value: number | null; label: string }) => (
  <progress class="progress" aria-label={label} max={1} {...(value !== null && { value })} />
)

interface MeterProps {
  used: number
  limit: number
  label: string
  /** To use all of it is the aim. */
  isAim?: boolean
}

/** How much of something is used: `label` says of what, in words. */
export const Meter = ({ used, limit, label, isAim = false }: MeterProps) => (
  <div class="meter" role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={limit} aria-valuenow={used}>
    <span
      data-full={used >= limit && !isAim}
      ref={(bar) => {
        if (bar) bar.style.width = `${Math.min(100, (100 * used) / (limit || 1))}%`
      }}
    />
  </div>
)

/** Grey lines where rows will be, so that nothing jumps when they come. `what`: in words that follow "Loading". */
export const Skeleton = ({ rows = 5, what }: { rows?: number | undefined; what: string }) => (
  <div class="skeleton stack" role="status">
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
  updated: 'Reload: the gateway was updated',
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

interface LoadedProps<T> {
  read: Pick<Read<T>, 'data' | 'error' | 'isLoading' | 'reload'>
  what: string
  rows?: number
  children: (data: T) => ComponentChildren
}

/** What was read; until then that it comes, and why it could not be read. */
export const Loaded = <T,>({ read: { data, error, isLoading, reload }, what, rows, children }: LoadedProps<T>) => (
  <>
    {error && <Failure error={error} retry={reload} />}
    {isLoading && <Skeleton what={what} rows={rows} />}
    {data !== null && children(data)}
  </>
)

export const Note = ({ kind = 'info', children }: { kind?: 'info' | 'warn' | 'good'; children: ComponentChildren }) => (
  <div class={`note ${kind}`}>{children}</div>
)

const SHOWN_MS = 5_000

const { tell, hear } = createSignal<[text: string]>()
/** Says shortly that something was done. */
export const toast = tell

export const Toasts = () => {
  const [texts, setTexts] = useState<{ id: number; text: string }[]>([])
  useEffect(() => {
    let next = 0
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const end = hear((text) => {
      const id = (next += 1)
      setTexts((before) => [...before, { id, text }])
      timers.add(setTimeout(() => setTexts((before) => before.filter((one) => one.id !== id)), SHOWN_MS))
    })
    return () => {
      end()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {texts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}

const WAITS: Readonly<Record<string, string>> = {
  no_free_slot: 'a free slot',
  no_budget: 'a request of the window',
  backend_rate_limited: 'the end of a rate limit',
  backend_unavailable: 'the backend',
  audio_transfer: 'its audio',
  backend_paused: 'the end of a pause',
}

/** What a video waits for, in words. */
export const waitsFor = (reason: string): string => WAITS[reason] ?? reason
