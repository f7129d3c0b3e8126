import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { SecretOnce } from '../../ui/secret.tsx'
import { Failure } from '../../ui/states.tsx'
import { absolute } from '../../ui/time.tsx'

const OVERLAPS = [
  ['0', 'Ends immediately'],
  ['3600', 'One hour'],
  ['86400', 'One day'],
  ['604800', 'Seven days'],
  ['2592000', '30 days'],
] as const

interface RotateProps {
  id: string
  onRotated: () => void
  onClose: () => void
}

const overlapOf = ({ old_secret_expires_at: until }: Schema<'WebhookEndpointWithSecret'>): string =>
  until === null
    ? 'The old secret no longer signs: put this one into your receiver now.'
    : `Until ${absolute(until)} the old secret also signs events.`

export const Rotate = ({ id, onRotated, onClose }: RotateProps) => {
  const [seconds, setSeconds] = useState('86400')
  const [made, setMade] = useState<Schema<'WebhookEndpointWithSecret'> | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const body = { expire_old_in_seconds: Number(seconds) }
    setMade(await ask(api.POST('/unified/v1/webhook_endpoints/{id}/rotate_secret', { params: { path: { id } }, body })))
    onRotated()
  })
  if (made) {
    return (
      <Dialog key="made" title="The new secret" onClose={onClose}>
        <SecretOnce secret={made.secret} label="the signing secret" use={overlapOf(made)} />
        <div class="actions">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="form" title="Rotate the secret" onClose={onClose}>
      <p>
        A new secret signs events from now on. The old one also signs for a while, so that you can change your receiver.
      </p>
      <Select label="The old secret works for" value={seconds} options={OVERLAPS} onChange={setSeconds} />
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={isRunning} onClick={() => void run()}>
          Rotate
        </Button>
      </div>
    </Dialog>
  )
}
