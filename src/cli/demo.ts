import { once } from 'node:events'
import { writeFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { Command } from 'commander'
import { z } from 'zod'
import { startSandbox } from '@talkbridge/sandbox'
import { createTalkbridge } from '../../packages/client/src/index.ts'
import type { NewVideo, Video } from '../../packages/client/src/types.ts'
import { iso, sleepUntil, createSystemClock } from '../core/time/clock.ts'
import { batchCommand } from './batch/index.ts'
import { startGateway } from '../gateway.ts'
import { type Lifecycle, createLifecycle } from '../core/log.ts'
import { createLog } from '../log.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './config-file.ts'
import {
  bar,
  type CliContext,
  CliError,
  createScreen,
  kilobytes,
  messageOf,
  type Register,
  type Screen,
  seconds,
  shortened,
} from './context.ts'

/** All that a client of any interface is given: where the service is, and its key. */
interface Service {
  readonly url: string
  readonly key: string
}

/** One call, as an application makes it. Throws on an answer outside 2xx, and when `signal` aborts. */
const call = async ({ url, key }: Service, path: string, signal: AbortSignal, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, { headers, signal, ...init })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`)
  const json: unknown = JSON.parse(answer)
  return { json, headers: response.headers }
}

/** An MP4 starts with a box of type `ftyp` (ISO/IEC 14496-12, 4.3). */
export const isMp4 = (bytes: Buffer): boolean => bytes.toString('latin1', 4, 8) === 'ftyp'

/** The video at a link, which needs no key. */
const filmAt = async (url: string, signal: AbortSignal): Promise<Buffer> => {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!isMp4(bytes)) throw new Error(`what ${url} leads to is no MP4`)
  return bytes
}

const Event = z.object({ type: z.string(), data: z.object({ id: z.string() }) })

/** One webhook as it arrived. */
interface Delivery {
  readonly atMs: number
  readonly eventId: string
  readonly type: string
  readonly videoId: string
  /** Why it was refused; null: its signature is valid. */
  readonly refused: string | null
}

/**
 * A webhook receiver on a free port, written as an application would: verify the raw body, then answer. The verifier is
 * that of the npm package `standardwebhooks`: not our code, so that it proves something.
 */
const startDemoReceiver = async (secret: string, nowMs: () => number, onDelivery: () => void) => {
  const { Webhook } = await import('standardwebhooks')
  const webhook = new Webhook(secret)
  const deliveries: Delivery[] = []
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    let refused: string | null = null
    try {
      webhook.verify(body, headers)
    } catch (error) {
      refused = messageOf(error)
    }
    const { type, data } = Event.parse(JSON.parse(body))
    deliveries.push({ atMs: nowMs(), eventId: headers['webhook-id'] ?? '', type, videoId: data.id, refused })
    onDelivery()
    return refused === null ? 204 : 401
  }
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => {
        response.writeHead(status).end()
        server.emit('delivery')
      },
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/webhooks`,
    deliveries,
    /** Resolves once `count` have arrived, all signed by the secret; rejects when `signal` aborts. */
    async received(count: number, signal: AbortSignal): Promise<readonly Delivery[]> {
      while (deliveries.length < count) await once(server, 'delivery', { signal })
      for (const { type, eventId, refused } of deliveries)
        if (refused !== null) throw new Error(`the webhook ${eventId} (${type}) did not verify: ${refused}`)
      return deliveries
    },
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A limit on standing still, not on the whole: what is slow is waited for, and what hangs is not. */
export const createPatience = (limitMs: number) => {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), limitMs)
  return {
    /** Aborts when nothing has moved for the limit. */
    signal: stalled.signal,
    /** Something moved: the limit starts anew. */
    moved: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}

/** What the steps share. Each step throws with a message that says what was not as promised. */
type Stage = Awaited<ReturnType<typeof setUp>>

interface Plan {
  readonly label: string
  /** Names the file, and is part of the Idempotency-Key. */
  readonly name: string
  readonly body: NewVideo
  readonly ends: 'completed' | 'failed'
}

/** One of the demo's videos: what was asked, and its state. */
interface Scene extends Plan {
  readonly video: Video
}

const OUTPUT_DIR = 'demo-output'
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

const create = async ({ client, signal }: Stage, { body, name }: Plan) =>
  client.POST('/unified/v1/videos', { params: { header: { 'Idempotency-Key': `demo-${name}` } }, body, signal })

/** The same request body for both backends, but for the portrait, which only one takes by URL. */
const createAll = async (stage: Stage): Promise<Scene[]> => {
  const { client, receiver, screen, signal } = stage
  const query = { backend: 'alt', limit: 1 }
  const [puppet] = (await client.GET('/unified/v1/puppets', { params: { query }, signal })).data.data
  screen.heading('Three videos', 'POST /unified/v1/videos, each with a webhook_url')
  return Promise.all(
    plans(puppet?.id ?? '', receiver.url).map(async (plan) => ({ ...plan, video: (await create(stage, plan)).data })),
  )
}

const LABEL_CHARS = 20

/** A line of what is as it was promised. */
const fine = ({ line, paint }: Screen, label: string, what: string, note = ''): void =>
  line(`${label.padEnd(LABEL_CHARS)} ${paint('green', '✓')} ${what}${note && `  ${paint('dim', note)}`}`)

const isOver = ({ status }: Video): boolean => status === 'completed' || status === 'failed'

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

/**
 * Shows how the videos move until all have ended. Reads cost the backends nothing, so it reads as often as it draws.
 */
const watch = async ({ client, screen, clock, signal, moved }: Stage, created: readonly Scene[]): Promise<Scene[]> => {
  const said = new Map<string, string>()
  for (let tick = 0; ; tick += 1) {
    const scenes = await Promise.all(
      created.map(async (scene) => ({ ...scene, video: await client.videos.get(scene.video.id, { signal }) })),
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
  const byVideo = new Map(deliveries.map((delivery) => [delivery.videoId, delivery]))
  for (const { label, ends, video } of scenes) {
    const delivery = byVideo.get(video.id)
    if (delivery?.type !== `video.${ends}`)
      throw new Error(`"${label}" should be announced as video.${ends}, and was as ${delivery?.type ?? 'nothing'}`)
    fine(screen, label, delivery.type.padEnd('video.completed'.length), delivery.eventId)
  }
  return byVideo
}

const download = async ({ screen, folder, signal }: Stage, scenes: readonly Scene[]): Promise<void> => {
  screen.heading('Files', 'through content_url: no key, and it does not die')
  for (const { label, name, ends, video } of scenes) {
    if (ends !== 'completed') continue
    const bytes = await filmAt(video.content_url, signal)
    await writeFile(join(folder, `${name}.mp4`), bytes)
    fine(screen, label, `./${OUTPUT_DIR}/${name}.mp4`, `${kilobytes(bytes.length)}, MP4`)
  }
}

const DETAIL_CHARS = 46

/** A video's history with its webhook as the last line, times relative to its creation. */
export const timelineLines = (
  timeline: readonly { at: string; type: string; detail: string | null }[],
  delivery: Delivery | undefined,
): string[] => {
  const announced = delivery && { at: iso(delivery.atMs), type: 'webhook delivered', detail: delivery.type }
  const entries = [...timeline, ...(announced ? [announced] : [])]
  const startMs = Date.parse(entries[0]?.at ?? '')
  return entries.map(({ at, type, detail }) =>
    `${seconds(Date.parse(at) - startMs)}  ${type.padEnd(17)}  ${shortened(detail ?? '', DETAIL_CHARS)}`.trimEnd(),
  )
}

const showTimelines = async (
  { client, screen, signal }: Stage,
  scenes: readonly Scene[],
  deliveries: ReadonlyMap<string, Delivery>,
): Promise<void> => {
  screen.heading('Timelines', 'GET /unified/v1/videos/{id}?expand=timeline, and the receiver')
  for (const { label, video } of scenes) {
    screen.line(`${label}  ${screen.paint('dim', video.id)}`)
    const { timeline = [] } = await client.videos.get(video.id, { expand: 'timeline', signal })
    for (const line of timelineLines(timeline, deliveries.get(video.id))) screen.line(line)
  }
}

/** The same requests again: the same videos, no new job, no charge; on the interface without keys of its own too. */
const replay = async (stage: Stage, scenes: readonly Scene[]): Promise<void> => {
  const { screen, sandbox } = stage
  screen.heading('Replays', 'the same requests again, each with its Idempotency-Key')
  const before = sandbox.ledger()
  for (const scene of scenes) {
    const { label, video } = scene
    const { data: again, response } = await create(stage, scene)
    if (again.id !== video.id) throw new Error(`the replay of "${label}" made another video`)
    if (response.headers.get('idempotency-replayed') !== 'true')
      throw new Error(`the replay of "${label}" was not marked Idempotency-Replayed`)
    fine(screen, label, 'the same video')
  }
  const after = sandbox.ledger()
  if (after.requests_total !== before.requests_total) throw new Error('a replay reached a backend')
  if (after.charges.length !== before.charges.length) throw new Error('a replay was charged')
  screen.line(screen.paint('dim', 'no request reached a backend, nothing was charged'))
}

/** What the backends themselves have on record. */
const prove = ({ sandbox, screen, reads, receiver }: Stage, scenes: readonly Scene[]): void => {
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
  screen.line(`${reads()} reads of the gateway → ${requests} requests to the backends in all`)
}

interface Film {
  readonly id: string
  readonly status: string
  readonly file: Buffer
}

const PrimaryJob = z.object({
  id: z.string(),
  status: z.string(),
  status_url: z.string(),
  video_url: z.string().optional(),
})

/** A customer of the primary interface: creates, polls `status_url` when Retry-After says so, fetches `video_url`. */
const primaryFilm = async (service: Service, { clock, signal }: Stage, more: object = {}): Promise<Film> => {
  let answer = await call(service, '/api/v1/videos/text', signal, { image_url: IMAGE_URL, text: 'Hello.', ...more })
  let job = PrimaryJob.parse(answer.json)
  while (job.status === 'queued' || job.status === 'processing') {
    await sleepUntil(clock, clock.now() + Number(answer.headers.get('retry-after')) * 1000, signal)
    answer = await call(service, job.status_url, signal)
    job = PrimaryJob.parse(answer.json)
  }
  return { id: job.id, status: job.status, file: await filmAt(job.video_url ?? '', signal) }
}

const AlternateVideo = z.object({ id: z.string(), status: z.string() })
const Link = z.object({ download_url: z.string() })
const Puppets = z.object({ data: z.tuple([z.object({ id: z.string() })], z.unknown()) })
/** The alternate contract names no pace. */
const POLL_MS = 250

/** A customer of the alternate interface: creates with the first puppet, polls, fetches the video by a signed link. */
const alternateFilm = async (service: Service, { clock, signal }: Stage): Promise<Film> => {
  const [puppet] = Puppets.parse((await call(service, '/v1/puppets', signal)).json).data
  const body = { puppet_id: puppet.id, script: 'Hello.' }
  let video = AlternateVideo.parse((await call(service, '/v1/videos', signal, body)).json)
  const path = `/v1/videos/${video.id}`
  while (video.status === 'processing') {
    await sleepUntil(clock, clock.now() + POLL_MS, signal)
    video = AlternateVideo.parse((await call(service, path, signal)).json)
  }
  const link = Link.parse((await call(service, `${path}/download`, signal)).json)
  return { ...video, file: await filmAt(link.download_url, signal) }
}

const Key = z.object({ key: z.string() })

/** A customer's own account at the sandbox: the one behind the gateway is the gateway's only. */
const accountAt = async (url: string, name: string, signal: AbortSignal): Promise<Service> => {
  const { json } = await call({ url, key: '' }, '/sandbox/keys', signal, { interface: name })
  return { url, key: Key.parse(json).key }
}

/** Clients of the services themselves, run where they were and then at the gateway: the same code, the same result. */
const showDropIn = async (stage: Stage): Promise<void> => {
  const { screen, sandbox, gateway, receiver, signal, moved } = stage
  screen.heading('Drop-in', 'clients of the two services: another URL and another key, the same code')
  const announced = receiver.deliveries.length + 1
  const primary = await accountAt(sandbox.primaryUrl, 'primary', signal)
  const alternate = await accountAt(sandbox.alternateUrl, 'alternate', signal)
  const films: [label: string, url: string, film: Promise<Film>][] = [
    ['primary interface', `${primary.url}/api/v1`, primaryFilm(primary, stage)],
    ['  at the gateway', `${gateway.url}/api/v1`, primaryFilm(gateway, stage, { webhook_url: receiver.url })],
    ['alternate interface', `${alternate.url}/v1`, alternateFilm(alternate, stage)],
    ['  at the gateway', `${gateway.url}/v1`, alternateFilm(gateway, stage)],
  ]
  await Promise.all(films.map(([, , film]) => film.then(moved)))
  for (const [label, url, making] of films) {
    const { id, status, file } = await making
    if (status !== 'completed') throw new Error(`the film of ${url} ended as ${status}`)
    fine(screen, label, `${status}, ${kilobytes(file.length)} MP4  ${id}`, url)
  }
  // The gateway announces a video of the interface that announces none.
  const delivery = (await receiver.received(announced, signal))[announced - 1]
  if (delivery?.type !== 'video.completed') throw new Error(`the film was announced as ${delivery?.type ?? 'nothing'}`)
  fine(screen, 'webhook (primary)', delivery.type, delivery.eventId)
}

/** A video for each row of a file: the command as people type it, with its bar on a terminal. */
const showBatch = async (stage: Stage, context: CliContext): Promise<void> => {
  const { screen, folder, gateway, signal, moved } = stage
  screen.heading('Batch', 'talkbridge batch run guests.csv --template card.json')
  await rm(join(folder, 'guests'), { recursive: true, force: true })
  await writeFile(join(folder, 'guests.csv'), 'name\nAda\nAlan\nGrace\n')
  await writeFile(join(folder, 'card.json'), '{ "puppet_id": "alt:pup_ada", "text": "Hello {{name}}!" }\n')
  const stdout = (text: string): void => (moved(), context.stdout(`  ${text}`))
  const program = new Command()
  batchCommand(program, { ...context, cwd: folder, signal, stdout })
  const args = ['batch', 'run', 'guests.csv', '--template', 'card.json', '--url', gateway.url, '--key', gateway.key]
  await program.parseAsync(args, { from: 'user' }).catch((cause: unknown) => {
    throw new Error(messageOf(cause) || 'a row has no file', { cause })
  })
}

/** So long may nothing move: what hangs is a failure too. The whole takes about six seconds. */
const STILL_MS = 120_000

/** Sandbox, gateway and receiver on free ports, their data in a folder that goes when they close. */
const setUp = async (context: CliContext, signal: AbortSignal, moved: () => void, closers: Lifecycle) => {
  const folder = resolve(context.cwd, OUTPUT_DIR)
  await mkdir(folder, { recursive: true })
  const clock = createSystemClock()
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-demo-'))
  closers.onClose('temporary folder', () => rm(dataDir, { recursive: true, force: true }))
  // Twice as fast as usual: there are two rounds of videos.
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
  const service: Service = { url: gateway.url, key: SANDBOX_CLIENT_KEY }
  let reads = 0
  const counted: typeof fetch = (input, init) => {
    if (init?.method === 'GET') reads += 1
    return fetch(input, init)
  }
  const client = createTalkbridge({ ...service, fetch: counted })
  const { secret } = (await client.GET('/unified/v1/webhook_secret', { signal })).data
  const receiver = await startDemoReceiver(secret, clock.now, moved)
  closers.onClose('receiver', () => receiver.close())

  const screen = createScreen(context)
  screen.heading('Talkbridge', 'one API, two backends, signed webhooks')
  screen.line(`gateway              ${gateway.url}/unified/v1`)
  screen.line(`sandbox, primary     ${sandbox.primaryUrl}`)
  screen.line(`sandbox, alternate   ${sandbox.alternateUrl}`)
  screen.line(`webhook receiver     ${receiver.url}`)
  return { client, reads: () => reads, gateway: service, receiver, sandbox, screen, clock, signal, moved, folder }
}

type Step = <T>(name: string, work: () => T | Promise<T>) => Promise<T>

const play = async (stage: Stage, step: Step, context: CliContext): Promise<void> => {
  const created = await step('create the videos', () => createAll(stage))
  const scenes = await step('wait for the videos', () => watch(stage, created))
  await step('check how they ended', () => checkEnds(scenes))
  const deliveries = await step('verify the webhooks', () => checkWebhooks(stage, scenes))
  await step('download the videos', () => download(stage, scenes))
  await step('read the timelines', () => showTimelines(stage, scenes, deliveries))
  await step('replay the creates', () => replay(stage, scenes))
  await step('count the jobs', () => prove(stage, scenes))
  await step('run clients of the services themselves', () => showDropIn(stage))
  await step('run a batch', () => showBatch(stage, context))
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
    await play(stage, step, context)
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
