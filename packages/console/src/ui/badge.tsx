import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm'

export const Badge = ({ tone = 'calm', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

const TONES: Readonly<Record<string, Tone>> = {
  queued: 'calm',
  processing: 'busy',
  completed: 'good',
  failed: 'bad',
  canceled: 'calm',
  up: 'good',
  degraded: 'warn',
  down: 'bad',
  delivered: 'good',
  succeeded: 'good',
  pending: 'busy',
  dead: 'bad',
  enabled: 'good',
  disabled: 'bad',
  held: 'warn',
  active: 'good',
  suspended: 'warn',
  revoked: 'bad',
}

/** The API's own word, with the colour that it has everywhere. */
export const Status = ({ of }: { of: string }) => <Badge tone={TONES[of] ?? 'calm'}>{of.replaceAll('_', ' ')}</Badge>

/** `value`: 0 to 1; null: it runs, and nobody knows how far it is. */
export const Progress = ({ value, label }: { value: number | null; label: string }) => (
  <progress class="progress" aria-label={label} max={1} {...(value !== null && { value })} />
)

/** How much of something is used: `label` says of what, in words. */
export const Meter = ({ used, limit, label }: { used: number; limit: number; label: string }) => (
  <div class="meter" role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={limit} aria-valuenow={used}>
    <span
      data-full={used >= limit}
      ref={(bar) => {
        if (bar) bar.style.width = `${Math.min(100, (100 * used) / Math.max(1, limit))}%`
      }}
    />
  </div>
)
