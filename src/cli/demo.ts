import { writeFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { iso, sleepUntil, type Clock, createSystemClock } from '../core/time/clock.ts'
import { type Sandbox, startSandbox } from '@talkbridge/sandbox'
import {
  type Service,
  type DemoClient,
  type DemoTimeline,
  type DemoVideo,
  type Delivery,
  type DemoReceiver,
  alternateFilm,
  primaryFilm,
  type Film,
  createDemoClient,
  startDemoReceiver,
  loadVerifier,
} from './demo-clients.ts'
import {
  bar,
  kilobytes,
  seconds,
  shortened,
  type Screen,
  CliError,
  type CliContext,
  type Register,
  createScreen,
} from './context.ts'
import { z } from 'zod'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { startGateway } from '../gateway.ts'
import { createLifecycle, type Lifecycle } from '../lifecycle.ts'
import { createLog } from '../log.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './config-file.ts'

interface Patience {
  /** Aborts when nothing has moved for the limit. */
  readonly signal: AbortSignal
  /** Something moved: the limit starts anew. */
  moved(): void
  end(): void
}

/** A limit on standing still, not on the whole: what is slow is waited for, and what hangs is not. */
export const createPatience = (limitMs: number): Patience => {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), limitMs)
  return {
    signal: stalled.signal,
    moved: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}

/** What the steps share. Each step throws with a message that says what was not as promised. */
interface Stage {
  readonly client: DemoClient
  readonly receiver: DemoReceiver
  /** Where the client's requests go, and its key there. */
  readonly gateway: Service
  readonly sandbox: Pick<Sandbox, 'ledger' | 'primaryUrl' | 'alternateUrl'>
  readonly screen: Screen
  readonly clock: Clock
  readonly signal: AbortSignal
  /** To be told whenever something moves. */
  readonly moved: () => void
  /** A folder that exists: absolute, and as it is shown. */
  readonly output: { readonly path: string; readonly shown: string }
  /** What the sandbox says of its files. */
}

interface Plan {
  readonly label: string
  /** Names the file. */
  readonly name: string
  readonly body: Record<string, unknown>
  readonly ends: 'completed' | 'failed'
}

/** One of the demo's videos: what was asked, and how it stands. */
interface Scene extends Plan {
  readonly idempotencyKey: string
  readonly video: DemoVideo
}

const IMAGE_URL = 'https://example.com/anna.png'
const plans = (puppetId: string, webhookUrl: string): Plan[] => [
  {
    label: 'primary interface',
    name: 'primary',
    body: { backend: 'main', image_url: IMAGE_URL, text: 'Hello from the primary interface.', webhook_url: webhookUrl },
    ends: 'completed',
  },
  {
    label: 'alternate interface',
    name: 'alternate',
    body: { puppet_id: puppetId, text: 'Hello from the alternate interface.', webhook_url: webhookUrl },
    ends: 'completed',
  },
  {
    label: 'one that fails',
    name: 'failing',
    body: { backend: 'main', image_url: IMAGE_URL, text: '[[fail]] on purpose.', webhook_url: webhookUrl },
    ends: 'failed',
  },
]

/** The same request body for both backends, but for the portrait, which only one takes by URL. */
const createAll = async ({ client, receiver, screen }: Stage): Promise<Scene[]> => {
  const puppetId = await client.firstPuppet('alt')
  screen.heading('Three videos', 'POST /unified/v1/videos, each with a webhook_url')
  return Promise.all(
    plans(puppetId, receiver.url).map(async (plan): Promise<Scene> => {
      const idempotencyKey = `demo-${plan.name}`
      const { video } = await client.create(plan.body, idempotencyKey)
      return { ...plan, idempotencyKey, video }
    }),
  )
}

const LABEL_CHARS = 20
const isOver = ({ status }: DemoVideo): boolean => status === 'completed' || status === 'failed'

const state = ({ video }: Scene, { paint }: Screen): string => {
  if (video.status === 'completed') return paint('green', 'completed')
  if (video.status === 'failed')
    return `${paint('red', 'failed')} ${paint('dim', `(${video.error?.code ?? 'no code'})`)}`
  return video.progress === null ? video.status : `${video.status} ${Math.round(video.progress * 100)} %`
}

const barLine = (scene: Scene, screen: Screen, tick: number): string => {
  const { video, label } = scene
  const drawing = bar(video.status === 'failed' ? 0 : video.progress, tick)
  const colour = video.status === 'completed' ? 'green' : video.status === 'failed' ? 'red' : 'cyan'
  return `${label.padEnd(LABEL_CHARS)} ${screen.paint(colour, drawing)}  ${state(scene, screen)}`
}

const FRAME_MS = 120

/** Shows how the videos move until all have ended. Reads cost the backends nothing, so it reads as often as it draws. */
const watch = async ({ client, screen, clock, signal, moved }: Stage, created: readonly Scene[]): Promise<Scene[]> => {
  const said = new Map<string, string>()
  for (let tick = 0; ; tick += 1) {
    const scenes = await Promise.all(
      created.map(async (scene) => ({ ...scene, video: await client.video(scene.video.id) })),
    )
    if (screen.live) screen.draw(scenes.map((scene) => barLine(scene, screen, tick)))
    for (const scene of scenes) {
      const now = state(scene, screen)
      if (said.get(scene.name) === now) continue
      said.set(scene.name, now)
      moved()
      if (!screen.live) screen.line(`${scene.label.padEnd(LABEL_CHARS)} ${now}`)
    }
    if (scenes.every(({ video }) => isOver(video))) return scenes
    await sleepUntil(clock, clock.now() + FRAME_MS, signal)
  }
}

/** Each video ended as it was meant to. */
const checkEnds = (scenes: readonly Scene[]): void => {
  for (const { label, ends, video } of scenes) {
    if (video.status === ends) continue
    throw new Error(
      `"${label}" should end as ${ends}, and ended as ${video.status} (${video.error?.code ?? 'no error'})`,
    )
  }
}

/** One terminal event a video, its signature valid. */
const checkWebhooks = async (stage: Stage, scenes: readonly Scene[]): Promise<Map<string, Delivery>> => {
  const { receiver, screen, signal } = stage
  screen.heading('Webhooks', 'verified with the npm package standardwebhooks')
  const deliveries = await receiver.received(scenes.length, signal)
  for (const { type, eventId, refused } of deliveries) {
    if (refused !== null) throw new Error(`the webhook ${eventId} (${type}) did not verify: ${refused}`)
  }
  const byVideo = new Map(deliveries.map((delivery) => [delivery.videoId, delivery]))
  for (const { label, ends, video } of scenes) {
    const delivery = byVideo.get(video.id)
    if (delivery?.type !== `video.${ends}`) {
      throw new Error(`"${label}" should be announced as video.${ends}, and was as ${delivery?.type ?? 'nothing'}`)
    }
    screen.line(
      `${label.padEnd(LABEL_CHARS)} ${screen.paint('green', '✓')} ${delivery.type.padEnd(16)} ${screen.paint('dim', delivery.eventId)}`,
    )
  }
  return byVideo
}

/** An MP4 starts with a box of type `ftyp` (ISO/IEC 14496-12, 4.3). */
export const isMp4 = (bytes: Buffer): boolean => bytes.toString('latin1', 4, 8) === 'ftyp'

const download = async ({ client, screen, output }: Stage, scenes: readonly Scene[]): Promise<void> => {
  screen.heading('Files', 'through content_url: no key, and it does not die')
  for (const { label, name, ends, video } of scenes) {
    if (ends !== 'completed') continue
    const bytes = await client.file(video.content_url)
    if (!isMp4(bytes)) throw new Error(`what the content_url of "${label}" leads to is no MP4`)
    await writeFile(join(output.path, `${name}.mp4`), bytes)
    screen.line(
      `${label.padEnd(LABEL_CHARS)} ${screen.paint('green', '✓')} ${output.shown}/${name}.mp4  ${screen.paint('dim', `${kilobytes(bytes.length)}, MP4`)}`,
    )
  }
}

const DETAIL_CHARS = 46

/** A video's history with its webhook as the last line, times relative to its creation. */
export const timelineLines = (timeline: DemoTimeline, delivery: Delivery | undefined): string[] => {
  const announced = delivery && { at: iso(delivery.atMs), type: 'webhook delivered', detail: delivery.type }
  const entries = [...timeline, ...(announced ? [announced] : [])]
  const startMs = Date.parse(entries[0]?.at ?? '')
  return entries.map(({ at, type, detail }) =>
    `${seconds(Date.parse(at) - startMs)}  ${type.padEnd(17)}  ${shortened(detail ?? '', DETAIL_CHARS)}`.trimEnd(),
  )
}

const showTimelines = async (
  { client, screen }: Stage,
  scenes: readonly Scene[],
  deliveries: ReadonlyMap<string, Delivery>,
): Promise<void> => {
  screen.heading('Timelines', 'GET /unified/v1/videos/{id}?expand=timeline, and the receiver')
  for (const { label, video } of scenes) {
    screen.line(`${label}  ${screen.paint('dim', video.id)}`)
    for (const line of timelineLines(await client.timeline(video.id), deliveries.get(video.id))) screen.line(line)
  }
}

/** The same requests once more: the same videos, no new job, no charge; on the interface without keys of its own too. */
const replay = async (stage: Stage, scenes: readonly Scene[]): Promise<void> => {
  const { client, screen, sandbox } = stage
  screen.heading('Replays', 'the same requests again, each with its Idempotency-Key')
  const before = sandbox.ledger()
  for (const { label, body, idempotencyKey, video } of scenes) {
    const again = await client.create(body, idempotencyKey)
    if (again.video.id !== video.id) throw new Error(`the replay of "${label}" made another video`)
    if (!again.replayed) throw new Error(`the replay of "${label}" was not marked Idempotency-Replayed`)
    screen.line(`${label.padEnd(LABEL_CHARS)} ${screen.paint('green', '✓')} the same video`)
  }
  const after = sandbox.ledger()
  if (after.requests_total !== before.requests_total) throw new Error('a replay reached a backend')
  if (after.charges.length !== before.charges.length) throw new Error('a replay was charged')
  screen.line(screen.paint('dim', 'no request reached a backend, nothing was charged'))
}

/** What the backends themselves have on record. */
const prove = ({ sandbox, screen, client, receiver }: Stage, scenes: readonly Scene[]): void => {
  screen.heading('Proof', 'the ledger of the sandbox: what the backends saw')
  const { jobs, charges, requests_total: requests } = sandbox.ledger()
  if (jobs.length !== scenes.length)
    throw new Error(`the backends have ${jobs.length} jobs for ${scenes.length} videos`)
  if (receiver.deliveries.length !== scenes.length) {
    throw new Error(`${receiver.deliveries.length} webhooks came for ${scenes.length} videos`)
  }
  const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
  screen.line(
    `${scenes.length * 2} creates sent to the gateway → ${jobs.length} jobs, ${credits} credits (primary), ${receiver.deliveries.length} webhooks`,
  )
  screen.line(`${client.reads()} reads of the gateway → ${requests} requests to the backends in all`)
}

const Key = z.object({ key: z.string() })

/** A customer's own account at the sandbox: the one behind the gateway is the gateway's alone. */
const accountAt = async (url: string, name: string, signal: AbortSignal): Promise<Service> => {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ interface: name }), signal }
  return { url, key: Key.parse(await (await fetch(`${url}/sandbox/keys`, init)).json()).key }
}

/** Each customer's film, from the service itself and from the gateway. */
const makeFilms = async (stage: Stage): Promise<[label: string, url: string, film: Promise<Film>][]> => {
  const { sandbox, gateway, receiver, signal } = stage
  const primary = await accountAt(sandbox.primaryUrl, 'primary', signal)
  const alternate = await accountAt(sandbox.alternateUrl, 'alternate', signal)
  return [
    ['primary interface', `${primary.url}/api/v1`, primaryFilm(primary, stage)],
    ['  at the gateway', `${gateway.url}/api/v1`, primaryFilm(gateway, stage, { webhook_url: receiver.url })],
    ['alternate interface', `${alternate.url}/v1`, alternateFilm(alternate, stage)],
    ['  at the gateway', `${gateway.url}/v1`, alternateFilm(gateway, stage)],
  ]
}

/** Clients of the services themselves, run where they were and then at the gateway: the same code, the same result. */
const showDropIn = async (stage: Stage): Promise<void> => {
  const { screen, receiver, moved } = stage
  screen.heading('Drop-in', 'clients of the two services: another URL and another key, the same code')
  const announced = receiver.deliveries.length + 1
  const films = await makeFilms(stage)
  await Promise.all(films.map(([, , film]) => film.then(moved)))
  for (const [label, url, making] of films) {
    const { id, status, file } = await making
    if (status !== 'completed') throw new Error(`the film of ${url} ended as ${status}`)
    if (!isMp4(file)) throw new Error(`what ${url} gave as the film ${id} is no MP4`)
    screen.line(
      `${label.padEnd(LABEL_CHARS)} ${screen.paint('green', '✓')} ${status}, ${kilobytes(file.length)} MP4  ${id}  ${screen.paint('dim', url)}`,
    )
  }
  await showWebhook(stage, announced)
}

/** The gateway announces a film of the interface that announces none. */
const showWebhook = async ({ receiver, screen, signal }: Stage, announced: number): Promise<void> => {
  const delivery = (await receiver.received(announced, signal))[announced - 1]
  if (delivery?.type !== 'video.completed') throw new Error(`the film was announced as ${delivery?.type ?? 'nothing'}`)
  if (delivery.refused !== null) throw new Error(`the webhook ${delivery.eventId} did not verify: ${delivery.refused}`)
  screen.line(
    `${'webhook (primary)'.padEnd(LABEL_CHARS)} ${screen.paint('green', '✓')} ${delivery.type}  ${screen.paint('dim', delivery.eventId)}`,
  )
}

const OUTPUT_DIR = 'demo-output'
/** So long may nothing move: what hangs is a failure too. The whole takes about six seconds. */
const STILL_MS = 120_000

type Step = <T>(name: string, work: () => T | Promise<T>) => Promise<T>

/** Sandbox, gateway and receiver on free ports, their data in a folder that goes when they close. */
const setUp = async (
  context: CliContext,
  signal: AbortSignal,
  moved: Patience['moved'],
  closers: Lifecycle,
): Promise<Stage> => {
  const output = { path: resolve(context.cwd, OUTPUT_DIR), shown: `./${OUTPUT_DIR}` }
  await mkdir(output.path, { recursive: true })
  const clock = createSystemClock()
  const verifierOf = await loadVerifier()
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-demo-'))
  closers.onClose('temporary folder', () => rm(dataDir, { recursive: true, force: true }))
  // Twice as fast as usual: there are two rounds of films.
  const sandbox = await startSandbox({ clock, speed: 20 })
  closers.onClose('sandbox', () => sandbox.close())
  // Not the environment: a variable meant for a real gateway must not point the demo at its store.
  const config = sandboxConfig({ ...sandbox, port: 0, dataDir, logLevel: 'silent' }, {})
  const log = createLog(config.log, pino.destination({ fd: 1, sync: false }), false)
  const gateway = await startGateway({
    config,
    clock,
    log,
    secretKey: null,
    random: Math.random,
    backendsAreLocal: true,
  })
  closers.onClose('gateway', async () => void (await gateway.close()))
  const service = { url: gateway.url, key: SANDBOX_CLIENT_KEY }
  const client = createDemoClient({ gatewayUrl: service.url, key: service.key, signal })
  const receiver = await startDemoReceiver(verifierOf(await client.webhookSecret()), clock.now, moved)
  closers.onClose('receiver', () => receiver.close())

  const screen = createScreen(context)
  screen.heading('Talkbridge', 'one API, two backends, signed webhooks')
  screen.line(`gateway              ${gateway.url}/unified/v1`)
  screen.line(`sandbox, primary     ${sandbox.primaryUrl}`)
  screen.line(`sandbox, alternate   ${sandbox.alternateUrl}`)
  screen.line(`webhook receiver     ${receiver.url}`)
  return { client, gateway: service, receiver, sandbox, screen, clock, signal, moved, output }
}

const play = async (stage: Stage, step: Step): Promise<void> => {
  const created = await step('create the videos', () => createAll(stage))
  const scenes = await step('wait for the videos', () => watch(stage, created))
  await step('check how they ended', () => checkEnds(scenes))
  const deliveries = await step('verify the webhooks', () => checkWebhooks(stage, scenes))
  await step('download the videos', () => download(stage, scenes))
  await step('read the timelines', () => showTimelines(stage, scenes, deliveries))
  await step('replay the creates', () => replay(stage, scenes))
  await step('count the jobs', () => prove(stage, scenes))
  await step('run clients of the services themselves', () => showDropIn(stage))
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // `fetch failed` says nothing; its cause does.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const failure = (error: unknown, step: string, { signal }: CliContext, stalled: AbortSignal): CliError => {
  if (error instanceof CliError) return error
  if (signal.aborted) return new CliError(1, `talkbridge demo: interrupted at: ${step}`, { cause: error })
  const reason = stalled.aborted ? `nothing moved for ${STILL_MS / 1000} s` : reasonOf(error)
  return new CliError(1, `talkbridge demo: FAILED at: ${step}: ${reason}`, { cause: error })
}

const runDemo = async (context: CliContext): Promise<void> => {
  const startedMs = performance.now()
  const patience = createPatience(STILL_MS)
  const signal = AbortSignal.any([context.signal, patience.signal])
  const unheard = (): void => undefined
  const error = ({ closer }: Record<string, unknown>): void =>
    context.stderr(`talkbridge demo: could not close the ${String(closer)}\n`)
  const closers = createLifecycle({ info: unheard, warn: unheard, error })
  let current = ''
  const step: Step = (name, work) => {
    current = name
    signal.throwIfAborted()
    patience.moved()
    return Promise.resolve(work())
  }
  try {
    const stage = await step('start sandbox, gateway and receiver', () =>
      setUp(context, signal, patience.moved, closers),
    )
    await play(stage, step)
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(1)
    context.stdout(`\n${stage.screen.paint('green', '✓')} everything works, in ${tookS} s\n`)
  } catch (error) {
    throw failure(error, current, context, patience.signal)
  } finally {
    patience.end()
    await closers.close()
  }
}

/** `talkbridge demo`: the main job, end to end, on this machine. */
export const demoCommand: Register = (program, context) => {
  program
    .command('demo')
    .description('make a video on each backend of a sandbox, verify the webhooks, and keep the files in ./demo-output')
    .action(() => runDemo(context))
}
