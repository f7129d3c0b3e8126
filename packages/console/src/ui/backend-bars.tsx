import type { ComponentChildren } from 'preact'
import type { Schema } from '../api.ts'
import { Paused } from './pause.tsx'
import { Meter, Status } from './states.tsx'
import { Time, useNow } from './time.tsx'

type Backend = Schema<'Backend'>

const secondsUntil = (at: string, nowMs: number): number => Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 1_000))

/** What is spent of the window, and when a new one begins. */
export const WindowBar = ({ budget }: { budget: Backend['budget'] }) => {
  const now = useNow()
  const { limit, remaining, resets_at: resetsAt } = budget
  return (
    <div class="measure">
      <div class="measure-words">
        <span>Requests</span>
        <span>
          {remaining} of {limit} left
          {resetsAt !== null && <span class="muted">, all again in {secondsUntil(resetsAt, now)} s</span>}
        </span>
      </div>
      <Meter used={limit - remaining} limit={limit} label="Requests used in the window" />
    </div>
  )
}

export const SlotsBar = ({ slots }: { slots: Backend['slots'] }) => (
  <div class="measure">
    <div class="measure-words">
      <span>Slots</span>
      <span>
        {slots.used} {slots.limit === null ? 'in use, no limit' : `of ${slots.limit} in use`}
      </span>
    </div>
    {slots.limit !== null && <Meter used={slots.used} limit={slots.limit} label="Slots in use" isAim />}
  </div>
)

const REASONS: Readonly<Record<string, string>> = {
  circuit_open: 'It did not answer this process, which sends it nothing for a while',
  backend_credentials_rejected: 'It refuses the key',
  backend_unavailable: 'It could not be reached',
  backend_timeout: 'It did not answer in time',
  backend_error: 'It answered with errors',
}

/** A reason in words; one that is not known as it is. */
export const reasonOf = (reason: string): string => REASONS[reason] ?? reason

/** `up`, or since when it is not, and why. */
export const Health = ({ health }: { health: Backend['health'] }) => (
  <span class="health">
    <Status of={health.status} />
    {health.status !== 'up' && (
      <span class="small">
        {health.reason !== null && `${reasonOf(health.reason)} `}
        {health.since !== null && (
          <span class="muted">
            (<Time at={health.since} />)
          </span>
        )}
      </span>
    )}
  </span>
)

interface BackendBarsProps {
  backend: Backend
  /** It was resumed. */
  onDone: () => void
  children: ComponentChildren
}

/** One backend among others: its health, and what is spent of it. */
export const BackendBars = ({ backend, onDone, children }: BackendBarsProps) => (
  <section class="card" aria-label={`Backend ${backend.name}`}>
    <div class="card-head">
      <h2>
        <a href={`/console/backends/${encodeURIComponent(backend.name)}`}>{backend.name}</a>
      </h2>
      <Health health={backend.health} />
    </div>
    <Paused backend={backend} onDone={onDone} />
    <WindowBar budget={backend.budget} />
    <SlotsBar slots={backend.slots} />
    {children}
  </section>
)
