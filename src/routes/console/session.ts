import type { Request, Response, RequestHandler, Router } from 'express'
import { Problem } from '../../core/errors.ts'
import { z } from 'zod'
import { iso, onTheWall } from '../../core/time/clock.ts'
import { VERSION } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import { jsonBodyOf, parseOr400 } from '../parse.ts'
import { admitAs, callerOf } from '../middleware/request.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import type { Caller } from '../clients.ts'

/** Below it is everything of the console, and its cookie goes nowhere else. */
export const CONSOLE = '/console'
/** Behind it the operations of the unified API, at their own paths. */
const CONSOLE_API = `${CONSOLE}/api`

/** What requests of the console are called in metrics, beside the operations (`paths`) that it asks for. */
export const CONSOLE_PATHS = (paths: readonly string[]): string[] => [
  CONSOLE,
  `${CONSOLE}/session`,
  `${CONSOLE}/assets/{file}`,
  ...['videos', 'voices', 'puppets'].map((kind) => `${CONSOLE}/media/${kind}/{id}`),
  ...paths.filter((path) => path.startsWith('/unified/v1/')).map((path) => CONSOLE_API + path),
  // Pages, by how deep they are: what they are called is the page's own affair.
  `${CONSOLE}/{page}`,
  `${CONSOLE}/{page}/{part}`,
  `${CONSOLE}/{page}/{part}/{part}`,
]

const COOKIE = 'talkbridge_session'

/** What the browser holds; null: nothing, or several, of which somebody else may have set one. */
const tokenOf = (req: Request): string | null => {
  const found = (req.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return name === COOKIE ? [value.join('=')] : []
  })
  const [token] = found
  return found.length === 1 && token !== undefined && token !== '' ? token : null
}

/**
 * No script reads it, no other site sends it, and it goes to the console only. It ends with the browser: the session
 * behind it ends sooner or later by itself. `Secure` wherever people come by https.
 */
const optionsOf = (req: Request, publicUrl: string | null) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: CONSOLE,
  secure: req.secure || publicUrl?.startsWith('https:') === true,
})

const giveCookie = (req: Request, res: Response, publicUrl: string | null, token: string): void =>
  void res.cookie(COOKIE, token, optionsOf(req, publicUrl))

const takeCookie = (req: Request, res: Response, publicUrl: string | null): void =>
  void res.clearCookie(COOKIE, optionsOf(req, publicUrl))

/** No form can send it, and no page of another origin without being asked for it first, which is refused. */
const HEADER = 'x-talkbridge-console'

/**
 * Throws `invalid_request` for a change that the console's own page did not ask for: its cookie by itself says nothing
 * of who makes the browser send it. `Sec-Fetch-Site` is the browser's own word (Fetch Metadata); older ones say
 * nothing.
 */
export const fromOwnPage: RequestHandler = (req, _res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next()
  const site = req.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') {
    throw new Problem('invalid_request', 'only the page of the console may send this request')
  }
  if (req.get(HEADER) !== '1') throw new Problem('invalid_request', 'send the header `X-Talkbridge-Console: 1`')
  next()
}

type SessionDeps = Pick<Deps, 'config' | 'clients' | 'access' | 'clock' | 'log' | 'console'>

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
  /** Also of a session whose key is no longer valid. */
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
