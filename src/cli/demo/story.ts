import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { iso, sleepUntil, type Clock } from '../../core/time/clock.ts'
import type { Sandbox } from '@talkbridge/sandbox'
import type { Service } from './customers.ts'
import type { DemoClient, DemoTimeline, DemoVideo } from './client.ts'
import type { Delivery, DemoReceiver } from './receiver.ts'
import { bar, kilobytes, seconds, shortened, type Screen } from './screen.ts'

/** What the steps share. Each step throws with a message that says what was not as promised. */
export interface Stage {
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
export interface Scene extends Plan {
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
export const createAll = async ({ client, receiver, screen }: Stage): Promise<Scene[]> => {
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

export const LABEL_CHARS = 20
const isOver = ({ status }: DemoVideo): boolean => status === 'completed' || status === 'failed'

const state = ({ video }: Scene, { paint }: Screen): string => {
  if (video.status === 'completed') return paint.green('completed')
  if (video.status === 'failed') return `${paint.red('failed')} ${paint.dim(`(${video.error?.code ?? 'no code'})`)}`
  return video.progress === null ? video.status : `${video.status} ${Math.round(video.progress * 100)} %`
}

const barLine = (scene: Scene, screen: Screen, tick: number): string => {
  const { video, label } = scene
  const drawing = bar(video.status === 'failed' ? 0 : video.progress, tick)
  const { green, red, cyan } = screen.paint
  const paint = video.status === 'completed' ? green : video.status === 'failed' ? red : cyan
  return `${label.padEnd(LABEL_CHARS)} ${paint(drawing)}  ${state(scene, screen)}`
}

const FRAME_MS = 120

/** Shows how the videos move until all have ended. Reads cost the backends nothing, so it reads as often as it draws. */
export const watch = async (
  { client, screen, clock, signal, moved }: Stage,
  created: readonly Scene[],
): Promise<Scene[]> => {
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
export const checkEnds = (scenes: readonly Scene[]): void => {
  for (const { label, ends, video } of scenes) {
    if (video.status === ends) continue
    throw new Error(
      `"${label}" should end as ${ends}, and ended as ${video.status} (${video.error?.code ?? 'no error'})`,
    )
  }
}

/** One terminal event a video, its signature valid. */
export const checkWebhooks = async (stage: Stage, scenes: readonly Scene[]): Promise<Map<string, Delivery>> => {
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
    const { green, dim } = screen.paint
    screen.line(`${label.padEnd(LABEL_CHARS)} ${green('✓')} ${delivery.type.padEnd(16)} ${dim(delivery.eventId)}`)
  }
  return byVideo
}

/** An MP4 starts with a box of type `ftyp` (ISO/IEC 14496-12, 4.3). */
export const isMp4 = (bytes: Buffer): boolean => bytes.toString('latin1', 4, 8) === 'ftyp'

export const download = async ({ client, screen, output }: Stage, scenes: readonly Scene[]): Promise<void> => {
  screen.heading('Files', 'through content_url: no key, and it does not die')
  for (const { label, name, ends, video } of scenes) {
    if (ends !== 'completed') continue
    const bytes = await client.file(video.content_url)
    if (!isMp4(bytes)) throw new Error(`what the content_url of "${label}" leads to is no MP4`)
    await writeFile(join(output.path, `${name}.mp4`), bytes)
    const { green, dim } = screen.paint
    screen.line(
      `${label.padEnd(LABEL_CHARS)} ${green('✓')} ${output.shown}/${name}.mp4  ${dim(`${kilobytes(bytes.length)}, MP4`)}`,
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

export const showTimelines = async (
  { client, screen }: Stage,
  scenes: readonly Scene[],
  deliveries: ReadonlyMap<string, Delivery>,
): Promise<void> => {
  screen.heading('Timelines', 'GET /unified/v1/videos/{id}?expand=timeline, and the receiver')
  for (const { label, video } of scenes) {
    screen.line(`${label}  ${screen.paint.dim(video.id)}`)
    for (const line of timelineLines(await client.timeline(video.id), deliveries.get(video.id))) screen.line(line)
  }
}

/** The same requests once more: the same videos, no new job, no charge; on the interface without keys of its own too. */
export const replay = async (stage: Stage, scenes: readonly Scene[]): Promise<void> => {
  const { client, screen, sandbox } = stage
  screen.heading('Replays', 'the same requests again, each with its Idempotency-Key')
  const before = sandbox.ledger()
  for (const { label, body, idempotencyKey, video } of scenes) {
    const again = await client.create(body, idempotencyKey)
    if (again.video.id !== video.id) throw new Error(`the replay of "${label}" made another video`)
    if (!again.replayed) throw new Error(`the replay of "${label}" was not marked Idempotency-Replayed`)
    screen.line(`${label.padEnd(LABEL_CHARS)} ${screen.paint.green('✓')} the same video`)
  }
  const after = sandbox.ledger()
  if (after.requests_total !== before.requests_total) throw new Error('a replay reached a backend')
  if (after.charges.length !== before.charges.length) throw new Error('a replay was charged')
  screen.line(screen.paint.dim('no request reached a backend, nothing was charged'))
}

/** What the backends themselves have on record. */
export const prove = ({ sandbox, screen, client, receiver }: Stage, scenes: readonly Scene[]): void => {
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
