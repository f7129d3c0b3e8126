import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Failure, Note } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'

const HOUR_MS = 3_600_000
const OWN = 'own'
const RANGES = [
  [String(HOUR_MS), 'The last hour'],
  [String(24 * HOUR_MS), 'The last 24 hours'],
  [String(7 * 24 * HOUR_MS), 'The last 7 days'],
  [OWN, 'Another time'],
] as const

interface ReplayProps {
  id: string
  onAsked: () => void
  onClose: () => void
}

const Instant = ({ label, value, set }: { label: string; value: string; set: (value: string) => void }) => (
  <Field label={label}>
    {(id) => (
      <input id={id} type="datetime-local" required value={value} onInput={(event) => set(event.currentTarget.value)} />
    )}
  </Field>
)

/** What the form says, as the API takes it. */
const bodyOf = (range: string, since: string, until: string, onlyFailed: boolean) => {
  const [from, to] =
    range === OWN ? [Date.parse(since), Date.parse(until)] : [Date.now() - Number(range), Date.now() + HOUR_MS]
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), only_failed: onlyFailed }
}

export const Replay = ({ id, onAsked, onClose }: ReplayProps) => {
  const [range, setRange] = useState<string>(RANGES[0][0])
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const [isNone, setNone] = useState(false)
  const { run, isRunning, error } = useAction(async () => {
    setNone(false)
    const body = bodyOf(range, since, until, onlyFailed)
    const { events } = await ask(
      api.POST('/unified/v1/webhook_endpoints/{id}/replay', { params: { path: { id } }, body }),
    )
    if (events === 0) {
      setNone(true)
      return
    }
    toast(`${events.toLocaleString('en')} events will be sent`)
    onAsked()
    onClose()
  })
  return (
    <Dialog title="Replay events to this endpoint" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <p>
          The gateway sends each event again, under its own id, in the order in which they happened. At most 10,000 at a
          time.
        </p>
        <Select label="Events from" value={range} options={RANGES} onChange={setRange} />
        {range === OWN && (
          <>
            <Instant label="From" value={since} set={setSince} />
            <Instant label="Until" value={until} set={setUntil} />
          </>
        )}
        <label>
          <input
            type="checkbox"
            checked={onlyFailed}
            onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
          />{' '}
          Only events that the gateway gave up
        </label>
        {isNone && <Note kind="warn">There is no event in this time. Nothing is sent.</Note>}
        {error && <Failure error={error} />}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isRunning}>
            Replay
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
