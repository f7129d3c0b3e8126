import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { NewKey } from './issue-key.tsx'
import { keyName, type Key } from './model.ts'

const OVERLAPS = [
  ['0', 'Ends immediately'],
  ['1h', 'One hour'],
  ['24h', 'One day'],
  ['7d', 'Seven days'],
  ['30d', '30 days'],
] as const
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(OVERLAPS)

export const RotateKey = ({ of, onRotated, onClose }: { of: Key; onRotated: () => void; onClose: () => void }) => {
  const [overlap, setOverlap] = useState('24h')
  const [made, setMade] = useState<Schema<'KeyWithSecret'> | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const params = { path: { id: of.id } }
    setMade(await ask(api.POST('/unified/v1/admin/keys/{id}/rotate', { params, body: { overlap } })))
    onRotated()
  })
  if (made) {
    const use =
      overlap === '0'
        ? 'The gateway refuses the old key from now on.'
        : `The old key works for: ${WORDS[overlap] ?? ''}.`
    return <NewKey of={made} use={use} onClose={onClose} />
  }
  return (
    <Dialog key="form" title={`Rotate ${keyName(of)}`} onClose={onClose}>
      <p>
        <strong>{of.client}</strong> gets a new key with the same scopes. The old key works for a while, so that you can
        replace it.
      </p>
      <Select label="The old key works for" value={overlap} options={OVERLAPS} onChange={setOverlap} />
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={isRunning} onClick={() => void run()}>
          Rotate key
        </Button>
      </div>
    </Dialog>
  )
}
