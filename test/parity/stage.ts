import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Agent, ClientRequest } from 'node:http'
import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { createClock } from '../../src/core/time/clock.ts'
import { startGateway, type Gateway } from '../../src/gateway.ts'
import {
  startSandbox,
  VARIANTS,
  type Decisions,
  type Sandbox,
  type SandboxOptions,
  type VariantName,
} from '@talkbridge/sandbox'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { layEmptyStore } from '../fakes/empty-store.ts'
import { gatewayConfig, SECRET_KEY, temporaryFolder } from '../fakes/gateway.ts'
import { watchQuiet, type Quiet } from '../fakes/quiet.ts'
import { seededRandom } from '../fakes/random.ts'
import { startReceiver, type Receiver } from '../fakes/receiver.ts'
import type { Origins } from './compare.ts'
import { createAgent, exchange, textAt, type Answer, type Ask } from './exchange.ts'
import { ALIASES } from './inputs.ts'
import { CLIENTS, SCOPES, type ClientName, type LaneName, type Surface } from './vocabulary.ts'

/** One way to the same service. */
export interface Lane {
  readonly name: LaneName
  readonly origins: Origins
  /** A broken connection is an answer, too: of status 0, which no contract knows. */
  ask(client: ClientName, ask: Ask): Promise<Answer>
}

/** The lanes of one surface on one clock, which only `pass` moves. */
export interface Stage {
  readonly surface: Surface
  /** Of one key, by the service. */
  readonly requestsPerMinute: number
  readonly direct: Lane
  readonly gateways: readonly Lane[]
  /** Where callbacks of all lanes go. */
  readonly receiver: Receiver
  /** The time of all lanes. */
  now(): number
  /** Whether nobody in this process but the asker has a request under way, nor a store a verb. */
  isIdle(): boolean
  /** Whether something waits for a moment within the next `ms`. */
  isDue(ms: number): boolean
  /** Lets time pass, timer by timer, each only when everything that the one before began is done. */
  pass(ms: number): Promise<void>
  /** Lets what is under way end. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface StageOptions {
  readonly surface: Surface
  readonly seed: number
  /** The slots and credits of the contract hold, not only its rate. */
  readonly isLimited: boolean
  /** What the services answer where the contracts do not show it. All but `standard` have no lane with the other one behind. */
  readonly variant: VariantName
  /** The gateway has an account like the client's, with its rate; links to videos end soon. */
  readonly isReal: boolean
}

/** Jobs last as long as their speech says, with nothing of chance: that of two services would not be one. */
const decisionsOf = (variant: VariantName, isReal = false): Decisions => {
  const { timing, primary, ...rest } = VARIANTS[variant].decisions
  const links = isReal && { videoLinkMs: 90_000 }
  return { ...rest, timing: { ...timing, sigma: 0 }, primary: { ...primary, ...links } }
}

/** The primary's are the contract's ("Limits"). */
const requestsPerMinuteOf = (surface: Surface, variant: VariantName): number =>
  surface === 'primary' ? 10 : VARIANTS[variant].decisions.alternate.requestsPerMinute

/** Half a second past: windows of rates end on whole seconds, and nothing is asked in the moment when one does. */
const START_MS = Date.parse('2026-11-20T10:00:00.500Z')

const sandboxOn = (
  clock: FakeClock,
  seed: number,
  { variant = 'standard', ...more }: Partial<SandboxOptions>,
): Promise<Sandbox> =>
  startSandbox({ clock, speed: 1, random: seededRandom(seed), decisions: decisionsOf(variant), ...more })

const urlOf = (sandbox: Sandbox, surface: Surface): string =>
  surface === 'primary' ? sandbox.primaryUrl : sandbox.alternateUrl

const laneOf = (name: LaneName, agent: Agent, origins: Origins, keys: Readonly<Record<ClientName, string>>): Lane => ({
  name,
  origins,
  ask: (client, ask) =>
    exchange(agent, origins.own, ask, keys[client]).catch((cause: unknown) => {
      const told = cause instanceof Error ? cause.message : String(cause)
      return { status: 0, headers: [], body: Buffer.from(told) }
    }),
})

/** A key each; all but the first have an account of their own. */
const sandboxKeys = async (agent: Agent, sandbox: Sandbox, surface: Surface): Promise<Record<ClientName, string>> => {
  const make = async (client: ClientName): Promise<readonly [ClientName, string]> => {
    if (client === 'anna') return [client, surface === 'primary' ? sandbox.primaryKey : sandbox.alternateKey]
    const scopes = SCOPES[client]
    const wanted = { interface: surface, ...(surface === 'primary' && scopes && { scopes }) }
    const headers = [['Content-Type', 'application/json']] as const
    const ask = { method: 'POST', path: '/sandbox/keys', headers, body: JSON.stringify(wanted) }
    return [client, textAt(await exchange(agent, sandbox.primaryUrl, ask, null), 'key') ?? '']
  }
  const [anna, bert, reader, maker] = await Promise.all(CLIENTS.map(make))
  return { anna: anna?.[1] ?? '', bert: bert?.[1] ?? '', reader: reader?.[1] ?? '', maker: maker?.[1] ?? '' }
}

/** A sandbox that is asked itself. */
export const sandboxLane = async (name: LaneName, agent: Agent, sandbox: Sandbox, surface: Surface): Promise<Lane> => {
  const own = urlOf(sandbox, surface)
  return laneOf(name, agent, { own, files: [own] }, await sandboxKeys(agent, sandbox, surface))
}

const gatewayKey = (client: ClientName, lane: LaneName): string => `tb_${client}_${lane}_0123456789abcdef`

/** The backend behind a lane, by its name in the configuration. */
const behind = (surface: Surface, lane: LaneName): 'main' | 'alt' =>
  (surface === 'primary') === (lane === 'same') ? 'main' : 'alt'

const GATEWAY_LANES = ['same', 'other'] as const

const startGatewayOn = (
  clock: FakeClock,
  quiet: Quiet,
  dir: string,
  sandbox: Sandbox,
  { surface, isLimited, isReal, variant }: StageOptions,
): Promise<Gateway> => {
  const clients = GATEWAY_LANES.flatMap((lane) =>
    CLIENTS.map((client) => ({
      id: `${client}-${lane}`,
      key: gatewayKey(client, lane),
      scopes: SCOPES[client] ?? ['*'],
      backends: [behind(surface, lane)],
      limits: { requests_per_minute: requestsPerMinuteOf(surface, variant), queued_videos: 10_000 },
    })),
  )
  const limited = {
    requests_per_minute: isReal ? requestsPerMinuteOf('primary', variant) : 100_000,
    slots: isLimited ? 2 : null,
  }
  const config = gatewayConfig(
    dir,
    { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
    {
      clients,
      aliases: ALIASES,
      engine: { poll: { min_interval: '1s' } },
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
      backends: {
        main: { api_key: sandbox.primaryKey, ...limited },
        alt: {
          api_key: sandbox.alternateKey,
          ...(isReal && { requests_per_minute: requestsPerMinuteOf('alternate', variant) }),
        },
      },
    },
  )
  layEmptyStore(config.store.path)
  return startGateway({
    config,
    clock: createClock({ wall: clock.wall, monotonic: clock.elapsed, setTimer: clock.after }),
    log: pino({ level: 'silent' }),
    secretKey: SECRET_KEY,
    random: () => 0,
    backendsAreLocal: true,
    silentTimeoutMs: 0,
    wrapStore: quiet.counted,
  })
}

/** Requests of node's own client: the asker's, and what a gateway hands through. */
const watchAsking = () => {
  const running = new Set<ClientRequest>()
  const start = (message: unknown): void => {
    const { request } = message as { request: ClientRequest }
    running.add(request)
    request.once('close', () => running.delete(request))
  }
  subscribe('http.client.request.start', start)
  return {
    underWay: () => running.size,
    close: () => void unsubscribe('http.client.request.start', start),
  }
}

const dueOn =
  (clock: FakeClock) =>
  (ms: number): boolean =>
    (clock.nextAtMs() ?? Infinity) <= clock.now() + ms

const passing =
  (clock: FakeClock, { settle }: Quiet) =>
  async (ms: number): Promise<void> => {
    const endMs = clock.now() + ms
    for (;;) {
      await settle()
      if (clock.now() >= endMs) return
      const nextMs = Math.max(clock.now() + 1, Math.min(endMs, clock.nextAtMs() ?? endMs))
      await clock.advance(nextMs - clock.now())
    }
  }

/** Closes in reverse order; what waits for the clock gets its time. */
const closing = (clock: FakeClock, closers: readonly (() => unknown)[]) => async (): Promise<void> => {
  const state = { isOver: false }
  const over = closers
    .toReversed()
    .reduce((before, close) => before.then(close), Promise.resolve<unknown>(undefined))
    .finally(() => (state.isOver = true))
  while (!state.isOver) await clock.advance(1_000)
  await over
}

const UNLIMITED = { unlimitedCredits: true, unlimitedSlots: true }

/** The service itself, and a gateway before another one: with the same interface behind, and with the other. */
export const startStage = async (options: StageOptions): Promise<Stage> => {
  const { surface, seed, isLimited, isReal, variant } = options
  const clock = fakeClock(START_MS)
  const quiet = watchQuiet()
  const asking = watchAsking()
  const agent = createAgent()
  const receiver = await startReceiver()
  const dir = await temporaryFolder()
  const limits = { ...(!isLimited && UNLIMITED), variant, decisions: decisionsOf(variant, isReal) }
  const sandbox = await sandboxOn(clock, seed, limits)
  const hidden = await sandboxOn(clock, seed + 1, { ...limits, unlimitedRate: !isReal })
  const gateway = await startGatewayOn(clock, quiet, dir, hidden, options)
  const laneBehind = (name: 'same' | 'other'): Lane => {
    const keys = Object.fromEntries(CLIENTS.map((client) => [client, gatewayKey(client, name)]))
    const files = [hidden.primaryUrl, hidden.alternateUrl, gateway.url]
    return laneOf(name, agent, { own: gateway.url, files }, { anna: '', bert: '', reader: '', maker: '', ...keys })
  }
  const closers = [
    () => rm(dir, { recursive: true, force: true }),
    () => quiet.close(),
    () => asking.close(),
    () => receiver.close(),
    () => sandbox.close(),
    () => hidden.close(),
    () => gateway.close(),
    () => agent.destroy(),
  ]
  return {
    surface,
    requestsPerMinute: requestsPerMinuteOf(surface, variant),
    direct: await sandboxLane('direct', agent, sandbox, surface),
    gateways: GATEWAY_LANES.filter((lane) => lane === 'same' || variant === 'standard').map(laneBehind),
    receiver,
    now: clock.now,
    isDue: dueOn(clock),
    isIdle: () => quiet.isQuiet() && asking.underWay() <= 1,
    pass: passing(clock, quiet),
    settle: quiet.settle,
    close: closing(clock, closers),
  }
}

/** The service beside another one, which may have decided otherwise what the contracts do not show. */
export const startTwins = async (surface: Surface, seed: number, variant?: VariantName): Promise<Stage> => {
  const clock = fakeClock(START_MS)
  const quiet = watchQuiet()
  const asking = watchAsking()
  const agent = createAgent()
  const receiver = await startReceiver()
  const sandbox = await sandboxOn(clock, seed, UNLIMITED)
  const twin = await sandboxOn(clock, seed + 1, { ...UNLIMITED, ...(variant && { variant }) })
  return {
    surface,
    requestsPerMinute: requestsPerMinuteOf(surface, 'standard'),
    direct: await sandboxLane('direct', agent, sandbox, surface),
    gateways: [await sandboxLane('same', agent, twin, surface)],
    receiver,
    now: clock.now,
    isDue: dueOn(clock),
    isIdle: () => quiet.isQuiet() && asking.underWay() <= 1,
    pass: passing(clock, quiet),
    settle: quiet.settle,
    close: closing(clock, [
      () => quiet.close(),
      () => asking.close(),
      () => receiver.close(),
      () => sandbox.close(),
      () => twin.close(),
      () => agent.destroy(),
    ]),
  }
}
