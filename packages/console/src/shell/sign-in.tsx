import { useEffect, useState } from 'preact/hooks'
import { signIn, type Visit } from '../session.ts'
import { useAction } from '../use-read.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Failure, Note } from '../ui/states.tsx'

interface SignInProps {
  /** There was a session, and it ended. */
  isOver: boolean
  sandboxKey: string | null
  onDone: (visit: Visit) => void
}

export const SignIn = ({ isOver, sandboxKey, onDone }: SignInProps) => {
  const [key, setKey] = useState('')
  useEffect(() => {
    document.title = 'Sign in · Talkbridge'
  }, [])
  const { run, isRunning, error } = useAction(async (given: string) => onDone(await signIn(given)))
  return (
    <main class="sign-in">
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run(key.trim())
        }}
      >
        <h1>Talkbridge</h1>
        {isOver && <Note kind="warn">Your session has ended. Sign in again to continue where you were.</Note>}
        <Field label="Gateway key" hint="An operator’s key shows all clients. A client’s key shows only that client.">
          {(id, described) => (
            <input
              id={id}
              aria-describedby={described}
              type="password"
              autocomplete="current-password"
              required
              autofocus
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        {error && <Failure error={error} />}
        <Button kind="primary" type="submit" isBusy={isRunning}>
          Sign in
        </Button>
        {sandboxKey !== null && (
          <Button type="button" onClick={() => void run(sandboxKey)}>
            Use the sandbox’s key
          </Button>
        )}
      </form>
    </main>
  )
}
