import { rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { buildApp, buildRoutes } from '../../src/app.ts'
import { createRates } from '../../src/core/limits/rates.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { buildDeps, type Deps } from '../../src/deps.ts'
import { createLog } from '../../src/log.ts'
import { receive, setEveryHeader, createRouteOf } from '../../src/routes/middleware/request.ts'
import { OPERATIONS } from '../../src/routes/openapi/document.ts'
import { createGatewayServer } from '../../src/server.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { testPostgres } from '../fakes/databases.ts'
import { gatewayConfig, SECRET_KEY, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'
import { video } from '../fakes/records.ts'

/** One gateway twice over the same store: with the short way of reads, and with its routes alone. */

/** What a side shows to anybody: bytes on the connection, its log, what it measured and counted. */
export interface Shown {
  answer: string
  log: string[]
  observed: unknown[]
  counted: string[]
}

interface Side {
  ask(request: string): Promise<Shown>
  /** How often its routes looked a video up. */
  finds(): number
  leave(): void
}

export interface Stage {
  clock: FakeClock
  deps: Deps
  short: Side
  plain: Side
  /** From now on verbs of the store fail. */
  breakStore(isBroken: boolean): void
  /** A video of anna's, as one of the makers of records makes it; its id. */
  put(make?: (given: Partial<VideoRecord>) => VideoRecord, given?: Partial<VideoRecord>): Promise<string>
}

const ROOMY = { queue: 1_000, client: 1_000, videosPerMonth: null, creditsPerMonth: null }

/** The bytes of all answers that come to `request`, which is one text, until the connection ends. */
const talk = async (port: number, request: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  socket.write(request)
  await once(socket, 'close')
  return text.replaceAll(/(HTTP\/1\.1 [^\r]*)\r\n(.*?)\r\n\r\n/gs, (_, status: string, head: string) => {
    // Their order says nothing, and the date is node's own.
    const headers = head.split('\r\n').filter((line) => !/^date:/i.test(line))
    return [status, ...headers.toSorted(), '', ''].join('\r\n')
  })
}

/** The same routes, with nothing before them. */
const routesAlone = (deps: Deps, leaving: AbortSignal): RequestListener => {
  const routes = buildRoutes(deps, leaving)
  const received = receive({ ...deps, routeOf: createRouteOf(OPERATIONS.map(({ path }) => path)) })
  return (req, res) =>
    received(req, res, (requestId) => {
      setEveryHeader(res, requestId)
      routes(req, res)
    })
}

const sideOf = async (base: Deps, build: (deps: Deps, leaving: AbortSignal) => RequestListener): Promise<Side> => {
  const shown = { log: [] as string[], observed: [] as unknown[], counted: [] as string[] }
  let finds = 0
  let ids = 0
  const leaving = new AbortController()
  const deps: Deps = {
    ...base,
    log: createLog({ level: 'info', format: 'json' }, { write: (line) => void shown.log.push(line) }, false),
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
    tally: { ...base.tally, observe: (...seen) => void shown.observed.push(seen) },
    rates: createRates(base.clock),
    resources: {
      ...base.resources,
      requests: { ...base.resources.requests, count: (id) => void shown.counted.push(id) },
    },
    videos: {
      ...base.videos,
      find: (...args) => {
        finds += 1
        return base.videos.find(...args)
      },
    },
  }
  const handle = build(deps, leaving.signal)
  const { stopping } = deps
  const { server } = createGatewayServer({ ...deps, handle, leaving: leaving.signal, stopping: stopping.signal })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    async ask(request) {
      for (const list of Object.values(shown)) list.length = 0
      const answer = await talk(port, request)
      const log = shown.log.map((line) => line.replace(/"time":"[^"]*",/, ''))
      return { answer, log, observed: [...shown.observed], counted: [...shown.counted] }
    },
    finds: () => finds,
    leave: () => leaving.abort(),
  }
}

export const stage = async (driver: 'sqlite' | 'postgres', config: ConfigDraft = {}): Promise<Stage> => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const clock = fakeClock()
  const usual = gatewayConfig(dir, { main: 'http://127.0.0.1:1', alt: 'http://127.0.0.1:1' }, config)
  const url = driver === 'postgres' ? (await testPostgres()).url : ''
  const state = { isBroken: false }
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get(target, name: keyof Store) {
        if (name === 'writeCount') return () => (state.isBroken ? null : target.writeCount())
        const verb = target[name] as (...args: unknown[]) => Promise<unknown>
        return async (...args: unknown[]) => {
          if (state.isBroken) throw new Error('the store is away')
          return verb(...args)
        }
      },
    })
  const deps = await buildDeps({
    config: driver === 'sqlite' ? usual : { ...usual, store: { ...usual.store, driver, url } },
    clock,
    log: createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false),
    secretKey: SECRET_KEY,
    random: () => 0.5,
    wrapStore,
  })
  onTestFinished(() => {
    state.isBroken = false
    return deps.lifecycle.close()
  })
  deps.origin.url = 'https://gateway.example'
  return {
    clock,
    deps,
    short: await sideOf(deps, buildApp),
    plain: await sideOf(deps, routesAlone),
    breakStore: (isBroken) => void (state.isBroken = isBroken),
    async put(make = video, given = {}) {
      const id = deps.newId('vid')
      const record = make({ id, client: 'anna', createdAtMs: clock.now(), ...given })
      await deps.store.open({ video: record, events: [], notes: [] }, null, ROOMY, null)
      return id
    },
  }
}
