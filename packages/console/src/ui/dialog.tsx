import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { ApiError } from '../api.ts'
import { useAction } from '../reads.ts'
import { Button, Code } from './button.tsx'
import { Failure, Note } from './states.tsx'

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
    dialog.current?.showModal()
    // It goes by not being rendered any more: then nobody else gives the focus back.
    return () => {
      if (before instanceof HTMLElement) before.focus()
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
  onClose: () => void
}

/** Asks before something is done that cannot be taken back. Stays open, with the error, if it failed. */
export const Confirm = ({ title, confirm, isDanger = false, children, act, onClose }: ConfirmProps) => {
  const { run, isRunning, error }: { run: () => Promise<boolean>; isRunning: boolean; error: ApiError | null } =
    useAction(act)
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={isDanger ? 'danger' : 'primary'}
          isBusy={isRunning}
          onClick={() => void run().then((isDone) => isDone && onClose())}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}

/** A secret that no read ever answers again. It lives in this part of the page only. */
export const SecretOnce = ({ secret, label, use }: { secret: string; label: string; use: string }) => (
  <div class="stack">
    <Note kind="warn">
      <strong>Copy it now.</strong>
      <p>It is shown this once. {use}</p>
    </Note>
    <Code text={secret} label={label} />
  </div>
)
