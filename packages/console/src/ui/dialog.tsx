import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAction } from '../reads.ts'
import { Button, Code } from './button.tsx'
import { Select } from './field.tsx'
import { Failure, Note, toast } from './states.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. Shown for as long as it is rendered. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    const shown = dialog.current
    shown?.showModal()
    // It goes by not being rendered any more. Nobody else gives the focus back, but somebody may have taken it.
    return () => {
      const now = document.activeElement
      const isFree = now === null || now === document.body || shown?.contains(now)
      if (isFree && before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** What the button says: a verb, and of what. */
  confirm: string
  isDanger?: boolean
  /** What will happen. */
  children: ComponentChildren
  act: () => Promise<unknown>
  /** What a toast says when it was done. */
  said?: string
  onDone?: () => void
  onClose: () => void
}

/** Asks before something is done, with the fields that it needs. Stays open, with the error, if it failed. */
export const Confirm = ({ title, confirm, isDanger, children, act, said, onDone, onClose }: ConfirmProps) => {
  const { run, isRunning, error } = useAction(act)
  const submit = (event: Event): void => {
    event.preventDefault()
    void run().then((isDone) => {
      if (!isDone) return
      if (said !== undefined) toast(said)
      onDone?.()
      onClose()
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {children}
        {error && <Failure error={error} />}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" isBusy={isRunning}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface SecretProps extends Omit<DialogProps, 'children'> {
  secret: string
  /** What it is. */
  label: string
  use: string
}

/** A secret that no read ever answers again. It lives in this part of the page only. */
export const SecretDialog = ({ secret, label, use, ...dialog }: SecretProps) => (
  <Dialog {...dialog}>
    <Note kind="warn">
      <strong>Copy it now.</strong>
      <p>It is shown this once. {use}</p>
    </Note>
    <Code text={secret} label={label} />
    <div class="actions">
      <Button kind="primary" onClick={dialog.onClose}>
        I have copied it
      </Button>
    </div>
  </Dialog>
)

const OVERLAPS = [
  ['0', 'Ends immediately'],
  ['3600', 'One hour'],
  ['86400', 'One day'],
  ['604800', 'Seven days'],
  ['2592000', '30 days'],
] as const

interface RotateProps extends Pick<ConfirmProps, 'title' | 'confirm' | 'children' | 'onClose'> {
  /** What is rotated. */
  label: string
  act: (overlapSeconds: number) => Promise<unknown>
}

/** A new secret in place of the old one, which works for a while beside it. */
export const Rotate = ({ label, act, children, ...dialog }: RotateProps) => {
  const [seconds, setSeconds] = useState('86400')
  return (
    <Confirm {...dialog} act={() => act(Number(seconds))}>
      {children}
      <Select label={`The old ${label} works for`} value={seconds} options={OVERLAPS} onChange={setSeconds} />
    </Confirm>
  )
}
