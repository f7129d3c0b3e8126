import express, { type Express } from 'express'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSystemClock } from '../../../src/core/time/clock.ts'
import { buildDeps, type Deps } from '../../../src/deps.ts'
import { createHandThrough, createLines } from '../../../src/http/hand-through.ts'
import { createLog } from '../../../src/log.ts'
import type { Client } from '../../../src/routes/clients.ts'
import { authenticate, callerOf, limitRate, receive, setEveryHeader } from '../../../src/routes/middleware/request.ts'
import { answerProblem, notFound } from '../../../src/routes/middleware/problems.ts'
import {
  createPassthrough,
  type Passthrough,
  type PassthroughDeps,
  type To,
} from '../../../src/routes/dropin/passthrough.ts'
import { layEmptyStore } from '../../fakes/empty-store.ts'
import { bearer, BACKEND_KEYS, gatewayConfig, KEYS, SECRET_KEY, temporaryFolder } from '../../fakes/gateway.ts'
import { must } from '../../fakes/must.ts'
import { seededRandom } from '../../fakes/random.ts'

/** A request as the backend got it. */
export interface Got {
  method: string
  url: string
  /** Every header, with each value that it came with. */
  headers: NodeJS.Dict<string[]>
  body: string
}

export type Play = (req: IncomingMessage, res: ServerResponse, body: string) => void

export interface Behind {
  server: Server
  url: string
  got: Got[]
  /** Requests whose connection broke before they were answered whole. */
  broken: () => number
  /** How many connections were opened. */
  connections: () => number
  play: Play
}

export const listenLocally = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const read = async (req: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString()
}

/** A backend that does as a test plays it; `raw` writes bytes that no server would. */
const startBehind = async (): Promise<Behind> => {
  let opened = 0
  let broken = 0
  const behind: Behind = {
    server: createServer((req, res) => {
      res.sendDate = false
      res.on('close', () => void (res.writableFinished || (broken += 1)))
      read(req).then(
        (body) => {
          behind.got.push({ method: must(req.method), url: must(req.url), headers: req.headersDistinct, body })
          behind.play(req, res, body)
        },
        () => undefined,
      )
    }),
    url: '',
    got: [],
    broken: () => broken,
    connections: () => opened,
    play: (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}'),
  }
  behind.server.on('connection', () => (opened += 1))
  behind.url = await listenLocally(behind.server)
  return behind
}

/** Answers with these bytes, whatever HTTP thinks of them, and hangs up. */
export const raw =
  (...lines: string[]): Play =>
  (req) =>
    void req.socket.end(Buffer.from(lines.join('\r\n'), 'latin1'))

/** Apart from the surfaces, so that problems are worded as everywhere. */
export const VOICES = '/handed/voices/service'
export const SPEECH = '/handed/tts/service'
export const MAX_SPEECH_BYTES = 100

export interface Stage {
  url: string
  behind: Behind
  deps: Deps
  logs: string[]
  passthrough: Passthrough
  /** As anna, unless told otherwise. */
  get(path: string, init?: { method?: string; headers?: Record<string, string> }): Promise<Response>
  say(body: string, headers?: Record<string, string>): Promise<Response>
  /** Sends bytes as they are; answers all that came back until the connection ended. */
  bytes(...lines: string[]): Promise<string>
}

export interface StageOptions {
  backend?: Record<string, unknown>
  /** After the base URL's origin. */
  prefix?: string
  to?: Partial<To>
  /** Connections to the backend at once. */
  maxSockets?: number
  clients?: Record<string, unknown>[]
  mount?: (app: Express, stage: Pick<Stage, 'deps' | 'passthrough'> & { targets: PassthroughDeps['targets'] }) => void
}

/** Two operations of a surface, handed through by a real engine's budget to a backend of the test's. */
export const stage = async ({
  backend,
  prefix = '',
  to = {},
  maxSockets = 10,
  clients,
  mount,
}: StageOptions = {}): Promise<Stage> => {
  const dir = await temporaryFolder()
  const behind = await startBehind()
  onTestFinished(() => shut(behind.server))
  const base = behind.url + prefix
  const config = gatewayConfig(
    dir,
    { main: base, alt: base },
    {
      backends: { main: { timeout: '30s', ...backend } },
      ...(clients && { clients }),
    },
  )
  layEmptyStore(join(dir, 'talkbridge.db'))
  const logs: string[] = []
  const log = createLog({ level: 'info', format: 'json' }, { write: (line) => void logs.push(line) }, false)
  const clock = createSystemClock()
  const deps = await buildDeps({ config, clock, log, secretKey: SECRET_KEY, random: seededRandom(1) })
  const targets = (name: string) => {
    const { base_url: baseUrl, api_key: apiKey } = must(config.backends[name])
    return { baseUrl, apiKey }
  }
  const lines = createLines({ maxSockets })
  const handThrough = createHandThrough()(lines)
  const passthrough = createPassthrough({ ...deps, handThrough, through: deps.resources.through, targets })

  const app = express()
  app.disable('x-powered-by').set('etag', false).enable('case sensitive routing').enable('strict routing')
  const received = receive({ ...deps, routeOf: () => null })
  app.use((req, res, next) =>
    received(req, res, (requestId) => {
      setEveryHeader(res, requestId)
      next()
    }),
  )
  const authenticated = [authenticate(deps.clients), limitRate(deps)]
  const common = (client: Client) => ({
    backend: must(client.visible.get('main')),
    reader: client.id,
    credentials: true,
  })
  app.get(VOICES, ...authenticated, (req, res, next) =>
    passthrough.forward(req, res, next, {
      ...common(callerOf(res)),
      path: VOICES,
      budget: 'read',
      operation: null,
      maxBodyBytes: 0,
      ...to,
    }),
  )
  app.post(SPEECH, ...authenticated, (req, res, next) =>
    passthrough.forward(req, res, next, {
      ...common(callerOf(res)),
      path: SPEECH,
      budget: 'create',
      operation: 'createSpeech',
      maxBodyBytes: MAX_SPEECH_BYTES,
      ...to,
    }),
  )
  mount?.(app, { deps, passthrough, targets })
  app.use(notFound)
  app.use(answerProblem(deps))
  const server = createServer(app)
  const url = await listenLocally(server)

  onTestFinished(async () => {
    await shut(server)
    lines.close()
    await deps.lifecycle.close()
    await rm(dir, { recursive: true, force: true })
  })
  return {
    url,
    behind,
    deps,
    logs,
    passthrough,
    get: (path, init = {}) =>
      fetch(url + path, { redirect: 'manual', ...init, headers: { ...bearer(KEYS.anna), ...init.headers } }),
    say: (body, headers = {}) =>
      fetch(url + SPEECH, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...bearer(KEYS.anna), 'content-type': 'application/json', ...headers },
        body,
      }),
    bytes: (...lines) => talk(url, lines.join('\r\n')),
  }
}

const talk = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.write(Buffer.from(bytes, 'latin1'))
  })

export const AUTHORIZATION = `Bearer ${KEYS.anna}`
export const BACKEND_KEY = BACKEND_KEYS.main

/** What a problem says, as the error middleware of the unified surface words it. */
export const problemOf = async (
  response: Response,
): Promise<{ status: number; code: unknown; retryAfter: string | null }> => {
  const body: unknown = await response.json()
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
}
