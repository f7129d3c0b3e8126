import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ApiError, errorOf, OUR_HEADERS, unreachable } from './api.ts'

/** Whose session this is, and what its key may do. */
export interface Session {
  client: string
  keyId: string
  scopes: readonly string[]
  /** Its key sees all clients. */
  isAdmin: boolean
}

export interface Visit {
  /** Null: nobody is signed in. */
  session: Session | null
  /** Only in the sandbox, which prints its key. */
  sandboxKey: string | null
}

const PATH = '/console/session'

/** Throws `ApiError`. */
const request = async (method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { ...OUR_HEADERS, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const response = await fetch(PATH, { method, headers, ...sent }).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw await errorOf(response)
  return response.status === 204 ? null : response.json()
}

interface Answer {
  client: string | null
  key_id: string | null
  scopes: string[]
  is_admin: boolean
  sandbox_key: string | null
}

const visitOf = (answer: unknown): Visit => {
  const { client, key_id: keyId, scopes, is_admin: isAdmin, sandbox_key: sandboxKey } = answer as Answer
  return { session: client === null ? null : { client, keyId: keyId ?? '', scopes, isAdmin }, sandboxKey }
}

/** Who is signed in, if anybody is. */
export const readVisit = async (): Promise<Visit> => visitOf(await request('GET'))
export const isReachable = (): Promise<boolean> =>
  readVisit().then(
    () => true,
    (thrown: unknown) => thrown instanceof ApiError && thrown.code !== 'unreachable',
  )
/** Whether nobody is signed in any more. Where that cannot be asked, somebody is. */
export const hasEnded = (): Promise<boolean> =>
  readVisit().then(
    ({ session }) => session === null,
    () => false,
  )
export const signIn = async (key: string): Promise<Visit> => visitOf(await request('POST', { key }))
export const signOut = (): Promise<unknown> => request('DELETE')

export const SessionContext = createContext<Session | null>(null)

/** The session of the user of a screen. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('a screen is shown to somebody who is signed in')
  return session
}

export const may = ({ scopes }: Session, scope: string): boolean => scopes.includes(scope) || scopes.includes('*')

/** What a screen is handed by the router. */
export interface ScreenProps {
  /** The id or name in the path. */
  id?: string
}
