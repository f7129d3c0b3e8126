import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../api.ts'
import { useAction } from '../reads.ts'
import { useSession } from '../session.ts'
import { Button } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Input, Select } from './field.tsx'
import { Failure, Meter, Note, Status, toast } from './states.tsx'
import { Time, useNow } from './time.tsx'

type Backend = Schema<'Backend'>

const secondsUntil = (at: string, nowMs: number): number => Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 1_000))

interface MeasureProps {
  name: string
  used: number
  /** Null: there is no limit, and nothing to draw. */
  limit: number | null
  label: string
  isAim?: boolean
  children: ComponentChildren
}

/** How much of something is used, in words and as a bar. */
export const Measure = ({ name, limit, children, ...bar }: MeasureProps) => (
  <div class="stack tight">
    <div class="row between">
      <span>{name}</span>
      <span>{children}</span>
    </div>
    {limit !== null && <Meter {...bar} limit={limit} />}
  </div>
)

/** What is spent of the window, when a new one begins, and the slots. */
export const Spent = ({ backend: { budget, slots } }: { backend: Pick<Backend, 'budget' | 'slots'> }) => {
  const now = useNow()
  const { limit, remaining, resets_at: resetsAt } = budget
  return (
    <>
      <Measure name="Requests" used={limit - remaining} limit={limit} label="Requests used in the window">
        {remaining} of {limit} left
        {resetsAt !== null && <span class="muted">, all again in {secondsUntil(resetsAt, now)} s</span>}
      </Measure>
      <Measure name="Slots" {...slots} label="Slots in use" isAim>
        {slots.used} {slots.limit === null ? 'in use, no limit' : `of ${slots.limit} in use`}
      </Measure>
    </>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  circuit_open: 'It did not answer this process, which sends it nothing for a while',
  backend_credentials_rejected: 'It refuses the key',
  backend_unavailable: 'It cannot be reached, or answers 503',
  backend_timeout: 'It did not answer in time',
  backend_error: 'It answered with errors',
}

/** A reason in words; one that is not known as it is. */
export const reasonOf = (reason: string): string => REASONS[reason] ?? reason

/** `up`, or since when it is not, and why. */
export const Health = ({ health }: { health: Backend['health'] }) => (
  <span class="row">
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

interface PauseProps {
  backend: Pick<Backend, 'name' | 'paused'>
  onDone: () => void
}

const MINUTE_MS = 60_000
const UNTIL = [
  ['', 'Somebody resumes it'],
  ['15', 'In 15 minutes'],
  ['60', 'In 1 hour'],
  ['240', 'In 4 hours'],
] as const

const WHAT = [
  ['creates', 'Creates only'],
  ['both', 'Creates and polls'],
] as const

export const PauseDialog = ({ backend: { name }, ...end }: PauseProps & { onClose: () => void }) => {
  const [what, setWhat] = useState<string>('creates')
  const [minutes, setMinutes] = useState('')
  const [reason, setReason] = useState('')
  const act = (): Promise<unknown> => {
    const until = minutes === '' ? null : new Date(Date.now() + Number(minutes) * MINUTE_MS).toISOString()
    const body = { creates: true, polls: what === 'both', until, reason }
    return ask(api.POST('/unified/v1/admin/backends/{name}/pause', { params: { path: { name } }, body }))
  }
  return (
    <Confirm title={`Pause ${name}?`} confirm={`Pause ${name}`} isDanger act={act} said={`${name} is paused`} {...end}>
      <p>
        New videos go to other backends where they can, and wait here otherwise. Jobs that run continue. It takes effect
        on every replica within two seconds.
      </p>
      <Select label="What to pause" value={what} options={WHAT} onChange={setWhat} />
      <Select label="The pause ends" value={minutes} options={UNTIL} onChange={setMinutes} />
      <Input
        label="Reason"
        hint="Clients and the audit log see it"
        required
        maxLength={500}
        value={reason}
        set={setReason}
      />
    </Confirm>
  )
}

export const resume = async (name: string): Promise<void> => {
  await ask(api.POST('/unified/v1/admin/backends/{name}/resume', { params: { path: { name } } }))
  toast(`${name} is resumed`)
}

/** For operators, while it is not paused. */
export const Pause = (props: PauseProps) => {
  const [isAsked, setAsked] = useState(false)
  if (!useSession().isAdmin || props.backend.paused !== null) return null
  return (
    <>
      <Button onClick={() => setAsked(true)}>Pause…</Button>
      {isAsked && <PauseDialog {...props} onClose={() => setAsked(false)} />}
    </>
  )
}

/** While a backend is paused: what of it, why, and the button that ends it. */
export const Paused = ({ backend: { name, paused }, onDone }: PauseProps) => {
  const { isAdmin } = useSession()
  const { run, isRunning, error } = useAction(() => resume(name).then(onDone))
  if (paused === null) return null
  const what = [paused.creates && 'creates', paused.polls && 'polls'].filter(Boolean).join(' and ')
  return (
    <Note kind="warn">
      <strong>
        {name} is paused: no {what}
      </strong>
      <p>{paused.reason}</p>
      <p class="small muted">
        by {paused.by}, <Time at={paused.since} />;{' '}
        {paused.until === null ? 'until somebody resumes it' : <>it ends {<Time at={paused.until} />}</>}
      </p>
      {error && <Failure error={error} />}
      {isAdmin && (
        <Button isBusy={isRunning} onClick={() => void run()}>
          Resume {name}
        </Button>
      )}
    </Note>
  )
}

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
    <Spent backend={backend} />
    {children}
  </section>
)
