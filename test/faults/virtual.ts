import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createClock } from '../../src/core/time/clock.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import type { DepsOptions } from '../../src/deps.ts'
import { startGateway, type Gateway } from '../../src/gateway.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '@talkbridge/sandbox'
import { fakeClock, lateMsOf, ringNext, type FakeClock } from '../fakes/clock.ts'
import { bearer, gatewayConfig, SECRET_KEY, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { watchQuiet } from '../fakes/quiet.ts'
import { expectInjected, postFault } from '../fakes/sandbox-faults.ts'

/** Five clients that may queue as many videos as they like. */
export const CLIENTS = ['anna', 'bert', 'carl', 'dora', 'emil'] as const
export type ClientName = (typeof CLIENTS)[number]
const keyOf = (client: ClientName): string => `tb_${client}_0123456789abcdef`

export const MAIN = { image_url: 'https://example.com/anna.png', text: 'Hello.' }
export const ALT = { backend: 'alt', puppet_id: 'pup_ada', text: 'Hello.' }

export interface Answered {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

interface Restart extends Pick<DepsOptions, 'isRestored'> {
  /** Called while no gateway runs. */
  meanwhile?: () => void
}

export interface VirtualStage {
  /** True time, and the sandbox's. */
  clock: FakeClock
  sandbox: Sandbox
  readonly gateway: Gateway
  readonly store: Store
  /** Sets the wall clock of the gateway's machine, and no other. */
  setGatewayClock(ms: number): void
  /** Of the store of the gateway. */
  path: string
  /**
   * Stops the gateway and starts another on the same file and port, whose own time begins anew; `routing`: with this.
   * If it does not start, that may be tried again.
   */
  restart(routing?: ConfigDraft['routing'], how?: Restart): Promise<void>
  post(body: object, client?: ClientName, key?: string): Promise<Answered>
  /** Creates one, which must be accepted with 202; answers its id. */
  create(body: object, client?: ClientName, key?: string): Promise<string>
  record(id: string): Promise<VideoRecord>
  /** What happens to coming requests of a backend. The test fails if they do not come. */
  fault(from: 'primary' | 'alternate', fault: object): Promise<void>
  clearFaults(): Promise<void>
  /** Lets time pass, timer by timer, each only when everything that the one before began is done: see `ringNext`. */
  pass(ms: number): Promise<void>
  /** Lets time pass until it is so; throws when it is not within `ms`. */
  passUntil(ms: number, isSo: () => boolean | Promise<boolean>): Promise<void>
  allEnded(ids: readonly string[]): Promise<boolean>
}

/** Sandbox and gateway in one process, over real sockets and a real store, on one clock that the test moves. */
export const virtualStage = async (
  options: {
    /** Of the sandbox, and of others beside it. */
    clock?: FakeClock
    sandbox?: Partial<SandboxOptions>
    config?: ConfigDraft
    startMs?: number
    mainUrl?: string
  } & Pick<DepsOptions, 'storeRoom'> & { /** The backends cannot call back. */ isUnreachable?: boolean } = {},
): Promise<VirtualStage> => {
  const clock = options.clock ?? fakeClock(options.startMs)
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const quiet = watchQuiet()
  onTestFinished(() => quiet.close())
  const sandbox = await startSandbox({ clock, speed: 1, unlimitedCredits: true, ...options.sandbox })
  onTestFinished(() => sandbox.close())
  onTestFinished(() => expectInjected(sandbox.primaryUrl))
  const config = { ...options.config }
  const urls = { main: options.mainUrl ?? sandbox.primaryUrl, alt: sandbox.alternateUrl }
  let setMs = 0
  const configOf = (port: number) =>
    gatewayConfig(dir, urls, {
      clients: CLIENTS.map((id) => ({ id, key: keyOf(id), limits: { queued_videos: 10_000 } })),
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
      ...config,
      server: { port, ...config.server },
      engine: { poll: { min_interval: '1s' }, ...config.engine },
      backends: {
        ...config.backends,
        main: { api_key: sandbox.primaryKey, slots: 2, requests_per_minute: 10, ...config.backends?.['main'] },
        alt: { api_key: sandbox.alternateKey, requests_per_minute: 60, ...config.backends?.['alt'] },
      },
    })
  // As `createSystemClock` is made, of this time.
  const start = (port: number, isRestored = false): Promise<Gateway> =>
    startGateway({
      config: configOf(port),
      clock: createClock({ wall: () => clock.now() + setMs, monotonic: clock.elapsed, setTimer: clock.after }),
      log: pino({ level: 'silent' }),
      secretKey: SECRET_KEY,
      random: () => 0,
      isRestored,
      backendsAreLocal: !options.isUnreachable,
      silentTimeoutMs: 0,
      ...(options.storeRoom && { storeRoom: options.storeRoom }),
      wrapStore: quiet.counted,
    })
  let gateway = await start(0)
  onTestFinished(async () => {
    const state = { closed: false }
    const closing = gateway.close().then(() => (state.closed = true))
    while (!state.closed) await clock.advance(1_000)
    await closing
  })

  const { settle } = quiet
  const passUntil = async (ms: number, isSo: () => boolean | Promise<boolean>): Promise<void> => {
    const endMs = clock.now() + ms
    for (;;) {
      await settle()
      if (await isSo()) return
      if (clock.now() >= endMs) throw new Error(`not so within ${ms} ms of virtual time`)
      await ringNext(clock, endMs, Math.max(1, lateMsOf(ms)))
    }
  }
  const call = async (url: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(url, init)
    const body: unknown = response.status === 204 ? {} : await response.json()
    return { status: response.status, body: body as Record<string, unknown>, headers: response.headers }
  }
  const post: VirtualStage['post'] = (body, client = 'anna', key) =>
    call(`${gateway.url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer(keyOf(client)), 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    })

  return {
    clock,
    sandbox,
    get gateway() {
      return gateway
    },
    get store() {
      return gateway.deps.store
    },
    setGatewayClock(ms) {
      setMs += ms
    },
    path: configOf(0).store.path,
    async restart(routing, { meanwhile, isRestored } = {}) {
      if (routing) config.routing = routing
      const { port } = new URL(gateway.url)
      await settle()
      if (!(await gateway.close())) throw new Error('the gateway did not stop in time')
      meanwhile?.()
      gateway = await start(Number(port), isRestored)
    },
    post,
    passUntil,
    async create(body, client, key) {
      const { status, body: answer } = await post(body, client, key)
      if (status !== 202) throw new Error(`a create answered ${status}: ${JSON.stringify(answer)}`)
      return String(answer['id'])
    },
    record: async (id) => must(await gateway.deps.store.video(id)),
    fault: (from, fault) => postFault(sandbox[`${from}Url`], fault),
    async clearFaults() {
      await expectInjected(sandbox.primaryUrl)
      await call(`${sandbox.primaryUrl}/sandbox/faults`, { method: 'DELETE' })
    },
    async pass(ms) {
      const endMs = clock.now() + ms
      await passUntil(ms, () => clock.now() >= endMs)
    },
    async allEnded(ids) {
      for (const id of ids) if ((await gateway.deps.store.video(id))?.phase !== 'ended') return false
      return true
    },
  }
}
