import { api, ask, type Schema } from '../../api.ts'
import { may, type Session } from '../../session.ts'
import { useRead } from '../../use-read.ts'

type Usage = Schema<'Usage'>

/** It may ask the backends. */
const EVERY_MS = 60_000

/** What the accounts have left; null while it is unknown, and where the key may not read it. */
export const useCredits = (session: Session): Usage | null => {
  const mayRead = may(session, 'videos:read')
  const { data } = useRead('credits', async () => (mayRead ? ask(api.GET('/unified/v1/usage')) : null), EVERY_MS)
  return data
}

export const creditsOf = (usage: Usage | null, backend: string): string | null => {
  const { credits_remaining: left = null, credits_included: included = null } =
    usage?.backends.find((one) => one.backend === backend) ?? {}
  if (left === null) return null
  return included === null
    ? left.toLocaleString('en')
    : `${left.toLocaleString('en')} of ${included.toLocaleString('en')}`
}
