import { useCallback, useEffect, useState } from 'preact/hooks'
import { ErrorBoundary, LocationProvider } from 'preact-iso'
import { ApiError, whenSignedOut } from '../api.ts'
import { live } from '../live.ts'
import { readVisit, SessionContext, signIn, signOut, type Visit } from '../session.ts'
import { Failure, Skeleton, toast, Toasts, Note } from '../ui/states.tsx'
import { Frame } from './frame.tsx'
import { useAction } from '../reads.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { doNow, dropDeeds, Undos } from '../ui/undo.tsx'

const useVisit = () => {
  const [visit, setVisit] = useState<Visit | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  /** There was a session, and nobody ended it. */
  const [isOver, setOver] = useState(false)

  const begin = useCallback(() => {
    setError(null)
    readVisit()
      // The key of the sandbox is not secret: sign in with it.
      .then((found) => (found.session || !found.sandboxKey ? found : signIn(found.sandboxKey)))
      .then(setVisit, (thrown: unknown) => setError(thrown instanceof ApiError ? thrown : null))
  }, [])
  useEffect(begin, [begin])

  const session = visit?.session ?? null
  useEffect(() => {
    if (session) live.start(session)
    else live.end()
  }, [session])
  const end = useCallback((byItself: boolean) => {
    setOver(byItself)
    dropDeeds()
    setVisit((before) => before && { ...before, session: null })
  }, [])
  useEffect(() => whenSignedOut(() => end(true)), [end])
  return { visit, error, isOver, begin, end, setVisit }
}

export const App = () => {
  const { visit, error, isOver, begin, end, setVisit } = useVisit()
  if (error) return <Failure error={error} retry={begin} />
  if (!visit) return <Skeleton what="the console" />
  if (!visit.session) {
    return <SignIn isOver={isOver} sandboxKey={visit.sandboxKey} onDone={setVisit} />
  }
  const leave = (): void => {
    void doNow()
      .then(signOut)
      .then(
        () => end(false),
        () => toast('You are still signed in: the gateway did not get the request'),
      )
  }
  return (
    <LocationProvider scope="/console">
      <SessionContext.Provider value={visit.session}>
        <ErrorBoundary>
          <Frame leave={leave} />
        </ErrorBoundary>
        <Undos />
        <Toasts />
      </SessionContext.Provider>
    </LocationProvider>
  )
}

interface SignInProps {
  /** There was a session, and it ended. */
  isOver: boolean
  sandboxKey: string | null
  onDone: (visit: Visit) => void
}

const SignIn = ({ isOver, sandboxKey, onDone }: SignInProps) => {
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
