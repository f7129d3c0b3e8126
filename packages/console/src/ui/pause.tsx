import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../api.ts'
import { useAction } from '../reads.ts'
import { useSession } from '../session.ts'
import { Button } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Field, Select } from './field.tsx'
import { Failure, Note, toast } from './states.tsx'
import { Time } from './time.tsx'

type Backend = Pick<Schema<'Backend'>, 'name' | 'paused'>

interface PauseProps {
  backend: Backend
  onDone: () => void
}

const MINUTE_MS = 60_000
const UNTIL = [
  ['', 'Somebody resumes it'],
  [String(15 * MINUTE_MS), 'In 15 minutes'],
  [String(60 * MINUTE_MS), 'In 1 hour'],
  [String(240 * MINUTE_MS), 'In 4 hours'],
] as const

const WHAT = [
  ['creates', 'Creates only'],
  ['both', 'Creates and polls'],
] as const

const PauseDialog = ({ backend: { name }, onDone, onClose }: PauseProps & { onClose: () => void }) => {
  const [what, setWhat] = useState<string>('creates')
  const [until, setUntil] = useState('')
  const [reason, setReason] = useState('')
  const act = async (): Promise<void> => {
    const body = {
      creates: true,
      polls: what === 'both',
      until: until === '' ? null : new Date(Date.now() + Number(until)).toISOString(),
      reason,
    }
    await ask(api.POST('/unified/v1/admin/backends/{name}/pause', { params: { path: { name } }, body }))
    toast(`${name} is paused`)
    onDone()
  }
  return (
    <Confirm title={`Pause ${name}?`} confirm={`Pause ${name}`} isDanger act={act} onClose={onClose}>
      <p>
        New videos go to other backends where they can, and wait here otherwise. Jobs that run continue. It takes effect
        on every replica within two seconds.
      </p>
      <Select label="What to pause" value={what} options={WHAT} onChange={setWhat} />
      <Select label="The pause ends" value={until} options={UNTIL} onChange={setUntil} />
      <Field label="Reason" hint="Clients and the audit log see it">
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            maxLength={500}
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
      </Field>
    </Confirm>
  )
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
  const resume = useAction(async () => {
    await ask(api.POST('/unified/v1/admin/backends/{name}/resume', { params: { path: { name } } }))
    toast(`${name} is resumed`)
    onDone()
  })
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
      {resume.error && <Failure error={resume.error} />}
      {isAdmin && (
        <Button isBusy={resume.isRunning} onClick={() => void resume.run()}>
          Resume {name}
        </Button>
      )}
    </Note>
  )
}
