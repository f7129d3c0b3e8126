import type { Request, RequestHandler, Response, Router } from 'express'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { iso, onTheWall } from '../../core/time/clock.ts'
import { VERSION } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import { jsonBodyOf } from '../middleware/body.ts'
import { admitAs, callerOf } from '../middleware/locals.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { parseOr400 } from '../parse.ts'
import { createRouter } from '../router.ts'
import type { Caller } from '../clients.ts'
import { giveCookie, takeCookie, tokenOf } from './cookie.ts'

export type SessionDeps = Pick<Deps, 'config' | 'clients' | 'access' | 'clock' | 'log' | 'console'>

/** A key has 512 characters at most, and JSON may write each with six. */
const MAX_BODY_BYTES = 4_096
const SignIn = z.strictObject({ key: z.string().min(1).max(512) })

const bothHold =
  (caller: Caller, ofSession: Caller['hold']): Caller['hold'] =>
  (end) => {
    let isOver = false
    const once = (): void => {
      if (!isOver) end()
      isOver = true
    }
    const leaves = [caller.hold(once), ofSession(once)]
    return () => leaves.forEach((leave) => leave())
  }

/**
 * Throws `unauthenticated` unless the request has the cookie of a session, whose key is still good. A key that is sent
 * beside it is passed over: a proxy that asks for a password of its own has its header there.
 */
const admit = async ({ config, clients, access }: SessionDeps, req: Request, res: Response): Promise<void> => {
  const token = tokenOf(req)
  const session = token === null ? null : await access.sessions.find(token, config.console.session_idle)
  if (!session) {
    const message = token === null ? 'sign in with a gateway key' : 'this session has ended: sign in again'
    throw new Problem('unauthenticated', message)
  }
  const caller = clients.bySession(session)
  admitAs(res, { ...caller, hold: bothHold(caller, (end) => access.sessions.hold(session.id, end)) })
  res.locals.sessionEndsAtMs = session.endsAtMs
}

export const withSession =
  (deps: SessionDeps): RequestHandler =>
  async (req, res, next) => {
    await admit(deps, req, res)
    next()
  }

/** Who is signed in, for the page; nobody is no error, which a browser would show on its console. */
const viewOf = ({ locals: { client, key, sessionEndsAtMs } }: Response, { clock, console: parts }: SessionDeps) => ({
  client: client?.id ?? null,
  key_id: key?.keyId ?? null,
  scopes: [...(client?.scopes ?? [])],
  is_admin: client !== undefined && (client.scopes.has('admin') || client.scopes.has('*')),
  expires_at: sessionEndsAtMs === undefined ? null : iso(onTheWall(clock, sessionEndsAtMs)),
  sandbox_key: parts.sandboxKey ?? null,
  version: VERSION,
})

/** Sign in, who am I, sign out. `limited`: what a request passes whose client is known. */
export const sessionRoutes = (deps: SessionDeps, limited: RequestHandler): Router => {
  const { config, clients, access, log } = deps
  const { public_url: publicUrl } = config.server

  const knowKey: RequestHandler = (req, res, next) => {
    const { key } = parseOr400(SignIn, req.body)
    const { caller, mark } = clients.byKey(key)
    admitAs(res, caller)
    res.locals.keyMark = mark
    next()
  }
  const signIn = async (req: Request, res: Response): Promise<void> => {
    const { id: client } = callerOf(res)
    const before = tokenOf(req)
    const key = res.locals.keyMark?.() ?? ''
    const { token, session } = await access.sessions.begin({ client, key, idleMs: config.console.session_idle })
    if (before !== null) await access.sessions.end(before)
    giveCookie(req, res, publicUrl, token)
    res.locals.sessionEndsAtMs = session.endsAtMs
    log.info({ client, key_id: res.locals.key?.keyId }, 'somebody signed in to the console')
    res.json(viewOf(res, deps))
  }
  const whoAmI = async (req: Request, res: Response): Promise<void> => {
    await admit(deps, req, res).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'unauthenticated')) throw error
    })
    res.json(viewOf(res, deps))
  }
  /** Also of a session whose key is good no more. */
  const signOut = async (req: Request, res: Response): Promise<void> => {
    const token = tokenOf(req)
    if (token !== null) await access.sessions.end(token)
    takeCookie(req, res, publicUrl)
    res.status(204).end()
  }

  const router = createRouter()
  router
    .route('/session')
    .get(whoAmI)
    .post(jsonBodyOf(MAX_BODY_BYTES, ['application/json']), knowKey, limited, signIn)
    .delete(signOut)
    .all(onlyMethods('GET', 'HEAD', 'POST', 'DELETE'))
  return router
}
