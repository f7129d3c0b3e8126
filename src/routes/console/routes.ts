import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response, Router } from 'express'
import { z } from 'zod'
import { firstRead } from '../../catalog/index.ts'
import { Problem } from '../../core/errors.ts'
import { isExpected } from '../../core/log.ts'
import type { MediaKind } from '../../core/media.ts'
import { iso, onTheWall } from '../../core/time/clock.ts'
import type { VideoRecord } from '../../core/video.ts'
import { VERSION } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import { namedBy } from '../../engine/index.ts'
import { type Caller, type Client, demand } from '../clients.ts'
import { createRouter, notFound, onlyMethods } from '../middleware/problems.ts'
import { admitAs, callerOf, keyEnds, notStored } from '../middleware/request.ts'
import { jsonBodyOf, parseOr400 } from '../parse.ts'
import { BUILT, type Served, readFolder, send } from '../served.ts'
import { acceptsEvents } from '../sse.ts'
import { asCaller } from '../unified/resources.ts'
import { type Entrance, unifiedRoutes } from '../unified/routes.ts'
import { unknownVideo } from '../unified/videos/read.ts'

/** Below it is everything of the console, and its cookie goes nowhere else. */
const CONSOLE = '/console'
/** Behind it the operations of the unified API, at their own paths. */
const CONSOLE_API = `${CONSOLE}/api`

/** What requests of the console are called in metrics, beside the operations (`paths`) that it asks for. */
export const CONSOLE_PATHS = (paths: readonly string[]): string[] => [
  CONSOLE,
  `${CONSOLE}/session`,
  `${CONSOLE}/session/stream`,
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
const fromOwnPage: RequestHandler = (req, _res, next) => {
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

const withSession =
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
const sessionRoutes = (deps: SessionDeps, limited: RequestHandler): Router => {
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

/** A stream without events, for a key that may not read any. It ends with the session or the key. */
const untilItsEnd =
  ({ streams }: Pick<Entrance, 'streams'>): RequestHandler =>
  (req, res) =>
    streams.answer(req, res, callerOf(res), async function* (signal) {
      yield { id: null }
      if (!signal.aborted) await once(signal, 'abort')
    })

type MediaDeps = Pick<
  Deps,
  'config' | 'backends' | 'store' | 'videos' | 'catalog' | 'resources' | 'media' | 'clock' | 'log'
>

/** Under way at the same time, of one client and in this process. */
const OF_CLIENT = 16
const OF_ALL = 128
const FULL_RETRY_MS = 2_000

/** Of the page only, and nothing in it runs for a person who opens it by itself. */
const MEDIA_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** One part, as players ask for it. Another form asks for all. */
const partOf = (req: Request): Record<string, string> => {
  const [range, ifRange] = [req.get('range'), req.get('if-range')]
  if (range === undefined || !/^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return {}
  return { range, ...(ifRange !== undefined && ifRange.length <= 200 && { 'if-range': ifRange }) }
}

const createPlaces = ({ clock }: Pick<Deps, 'clock'>) => {
  const taken = new Map<string, number>()
  let total = 0
  return (client: string): (() => void) => {
    const own = taken.get(client) ?? 0
    if (own >= OF_CLIENT || total >= OF_ALL) {
      const message = 'too many videos, samples and pictures load at the same time: retry later'
      throw new Problem('rate_limited', message, { retryAtMs: clock.now() + FULL_RETRY_MS })
    }
    taken.set(client, own + 1)
    total += 1
    return () => {
      total -= 1
      const left = (taken.get(client) ?? 1) - 1
      if (left > 0) taken.set(client, left)
      else taken.delete(client)
    }
  }
}

const isAdmin = ({ scopes }: Client): boolean => scopes.has('admin') || scopes.has('*')

/** What to fetch for a request. */
interface Found {
  kind: MediaKind
  backend: string
  url: string
  /** Its client gave the URL to the backend. */
  isOfClient?: boolean
}

/**
 * Videos, samples and pictures for the page: they are at hosts of their backends, from where its policy lets it load
 * nothing. `ending`: when it aborts, they end.
 */
const mediaRoutes = (deps: MediaDeps, ending: AbortSignal): Router => {
  const { config, backends, store, videos, catalog, resources, media, log } = deps
  const take = createPlaces(deps)

  const carry = async (
    req: Request,
    res: Response,
    { kind, backend, url, isOfClient = false }: Found,
  ): Promise<void> => {
    const base = config.backends[backend]?.base_url
    const own = base === undefined || isOfClient ? null : new URL(base)
    const hungUp = new AbortController()
    res.once('close', () => hungUp.abort())
    // While the link was asked for.
    if (res.closed) hungUp.abort()
    const gone = AbortSignal.any([hungUp.signal, ending, keyEnds(res)])
    const found = await media({ url, own, kind, headers: partOf(req) }, gone).catch((error: unknown) => {
      if (!gone.aborted) throw error
      return null
    })
    if (found === null) return void res.destroy()
    res.status(found.status).set({ ...MEDIA_HEADERS, ...found.headers })
    if (found.body === null) return void res.end()
    if (req.method === 'HEAD') {
      res.end()
      return hungUp.abort()
    }
    await pipeline(found.body, res, { signal: gone }).catch((err: unknown) => {
      // It has begun: the reader sees that it broke off, or is gone.
      if (!gone.aborted) log[isExpected(err) ? 'info' : 'warn']({ err, backend }, 'a medium broke off')
      res.destroy()
    })
  }
  const within =
    (find: (req: Request<{ id: string }>, res: Response) => Promise<Found>): RequestHandler<{ id: string }> =>
    async (req, res) => {
      const leave = take(callerOf(res).id)
      try {
        await carry(req, res, await find(req, res))
      } finally {
        leave()
      }
    }

  const ofVideo = async (client: Client, id: string): Promise<VideoRecord> => {
    const isOperator = isAdmin(client)
    // As `GET /admin/videos/{id}`, which reports its link.
    if (!isOperator) demand(client, 'videos:read')
    const video = (await videos.find(client, id)) ?? (isOperator ? await videos.byId(id) : null)
    if (!video) throw unknownVideo(id)
    return video
  }
  const film = within(async ({ params: { id } }, res) => {
    const video = await ofVideo(callerOf(res), id)
    return { kind: 'video', backend: video.backend, url: (await videos.download(video)).url }
  })
  const sample = within(async ({ params: { id } }, res) => {
    const client = callerOf(res)
    demand(client, 'voices:read')
    const name = id.slice(0, Math.max(0, id.indexOf(':')))
    // A voice of a pool is one of any member.
    const members = namedBy(name, client.visible).map((one) => one.name)
    const read = async (backend: string) => ({ backend, voices: await catalog.of.voices(backend) })
    const { backend, voices } = members.length === 0 ? { backend: name, voices: [] } : await firstRead(members, read)
    const url = voices.find((voice) => `${name}:${voice.id}` === id)?.previewUrl ?? null
    if (url === null) throw new Problem('voice_not_found', 'there is no such voice, or it has no sample')
    return { kind: 'audio', backend, url }
  })
  const picture = within(async ({ params: { id } }, res) => {
    demand(callerOf(res), 'videos:read')
    const { backend, puppet } = await resources.puppets.get(asCaller(res), id)
    const url = puppet.thumbnailUrl ?? puppet.imageUrl
    if (url === null) throw new Problem('puppet_not_found', 'this puppet has no picture')
    const account = backends.get(backend)?.account
    const made = account ? await store.puppetMade(account.id, puppet.id) : null
    return { kind: 'image', backend, url, isOfClient: made !== null }
  })

  const router = createRouter()
  const only = onlyMethods('GET', 'HEAD')
  router.route('/videos/:id').get(film).all(only)
  router.route('/voices/:id').get(sample).all(only)
  router.route('/puppets/:id').get(picture).all(only)
  return router
}

/** Nothing from elsewhere, no script and no style but our own files, nobody frames it, no form goes anywhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
/** Its name changes with what is in it. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_EACH_TIME = 'public, no-cache'

const NOT_BUILT = Buffer.from(`<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Talkbridge console</title>
  <h1>The console is not built</h1>
  <p>In this checkout run <code>npm run build:console</code>, then load this page again. A package has it built.</p>
  <p>The API is at <a href="/docs">/docs</a>.</p>
</html>
`)

/**
 * The page, from memory, by exact names: nothing of a path ever names a file of the machine. Any other path below is
 * one of the page's own, and gets the page.
 */
const pageRoutes = (folder: string): Router => {
  let files: ReadonlyMap<string, Served> | null = null
  /** Looked for at each request until it is there: it may be built meanwhile. */
  const known = (): ReadonlyMap<string, Served> | null => (files ??= readFolder(folder))

  const page: RequestHandler = (req, res) => {
    const built = known()
    const index = built?.get('index.html')
    if (!built || !index) {
      res.status(503).set({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      res.set('content-length', String(NOT_BUILT.length))
      return void res.end(NOT_BUILT)
    }
    const name = req.path.replace(/^\/(console\/)?/, '')
    send(req, res.set('cache-control', ASK_EACH_TIME), built.get(name) ?? index)
  }
  const asset = (req: Request, res: Response): void => {
    const found = known()?.get(req.path.replace(/^\/console\//, ''))
    if (!found) throw new Problem('not_found', 'the console has no such file; load its page again')
    send(req, res.set('cache-control', FOR_EVER), found)
  }
  const withHeaders: RequestHandler = (_req, res, next) => {
    res.set(HEADERS)
    next()
  }

  const router = createRouter()
  const only = onlyMethods('GET', 'HEAD')
  router.use(CONSOLE, withHeaders)
  router.route(['/console/assets', '/console/assets/{*name}']).get(asset).all(only)
  router.route(['/console', '/console/', '/console/*path']).get(page).all(only)
  return router
}

/**
 * The console: its files, who is signed in, and the operations of the unified API for the person who is. It shows what
 * the key of the session may read, and nothing else. Off: every path of it is 404.
 */
export const consoleRoutes = (deps: Deps, entrance: Omit<Entrance, 'authenticate'>): Router => {
  const router = createRouter()
  if (!deps.config.console.enabled) {
    router.use(CONSOLE, notFound)
    return router
  }
  const toConsole: RequestHandler = (_req, res) => res.redirect(302, CONSOLE)
  router.route('/').get(toConsole)
  router.use(CONSOLE, fromOwnPage)
  const own = createRouter()
  own.use(['/session', '/api', '/media'], notStored)
  own.use(sessionRoutes(deps, entrance.limited))
  own
    .route('/session/stream')
    .get(acceptsEvents, withSession(deps), entrance.limited, untilItsEnd(entrance))
    .all(onlyMethods('GET', 'HEAD'))
  // Before all of them: some take a link that is signed in place of a key, and here there is no such way in.
  own.use('/api', withSession(deps))
  own.use('/api/unified/v1', unifiedRoutes(deps, { ...entrance, authenticate: entrance.limited }))
  own.use('/media', withSession(deps), entrance.limited, mediaRoutes(deps, entrance.ending))
  own.use(['/api', '/media'], notFound)
  router.use(CONSOLE, own)
  router.use(pageRoutes(deps.console.folder ?? BUILT))
  return router
}
