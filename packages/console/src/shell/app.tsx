import { useCallback, useEffect, useState } from 'preact/hooks'
import { ErrorBoundary, LocationProvider } from 'preact-iso'
import { ApiError, whenSignedOut } from '../api.ts'
import { live } from '../live.ts'
import { readVisit, SessionContext, signIn, signOut, type Visit } from '../session.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { toast, Toasts } from '../ui/toast.tsx'
import { Frame } from './frame.tsx'
import { SignIn } from './sign-in.tsx'

const useVisit = () => {
  const [visit, setVisit] = useState<Visit | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  /** There was a session, and nobody ended it. */
  const [isOver, setOver] = useState(false)

  const begin = useCallback(() => {
    setError(null)
    readVisit()
      // The key of the sandbox is no secret: the page is there at once.
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
    setVisit((before) => before && { ...before, session: null })
  }, [])
  useEffect(() => whenSignedOut(() => end(true)), [end])
  return { visit, error, isOver, begin, end, setVisit }
}

export const App = () => {
  const { visit, error, isOver, begin, end, setVisit } = useVisit()
  if (error) return <Failure error={error} retry={begin} />
  if (!visit) return <Loading what="the console" />
  if (!visit.session) {
    return <SignIn isOver={isOver} sandboxKey={visit.sandboxKey} onDone={setVisit} />
  }
  const leave = (): void => {
    void signOut().then(
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
        <Toasts />
      </SessionContext.Provider>
    </LocationProvider>
  )
}
