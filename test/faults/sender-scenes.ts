import { must } from '../fakes/must.ts'
import { answer, type Behaviour, type Received } from '../fakes/receiver.ts'
import { deliveriesQuery } from '../fakes/records.ts'
import { until } from '../fakes/until.ts'
import type { Delivery } from '../../src/core/store/webhooks.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { SqliteStage } from '../webhooks/sqlite-stage.ts'

export const CLIENT = 'acme'
const DAY_MS = 24 * 3_600_000

/** One process's part in a run. */
export interface Life {
  stage: SqliteStage
  /** A replay is asked for and not done. */
  isReplaying(): boolean
  /** What the client does, unless it had its answer in a life before; `take` answers what is to be remembered of it. */
  step(name: string, take: () => Promise<string>): Promise<void>
}

export interface SenderScene {
  /** Before anything is sent, by a process that lives. Answers the first secret of each endpoint, by path. */
  seed(stage: SqliteStage, url: string): Promise<Record<string, string>>
  /** What the receiver of one run does; `nth`: which request it is, from 0, of its event at its path. */
  receiver(): (request: Received, nth: number) => Behaviour
  /** With the sender running: returns when nothing is left to do. */
  live(life: Life): Promise<void>
}

export const allDeliveries = async ({ store }: Pick<SqliteStage, 'store'>): Promise<Delivery[]> =>
  (await store.deliveries(CLIENT, deliveriesQuery({ limit: 100 }))).map(({ delivery }) => delivery)

const settled = ({ stage, isReplaying }: Life): Promise<void> =>
  until(async () => !isReplaying() && (await allDeliveries(stage)).every(({ status }) => status !== 'pending'))

/** One event a step, so that a replay takes several, and an answer to whether one is under way. */
export const watchReplays = () => {
  let busy = true
  return {
    isReplaying: () => busy,
    wrapStore: (store: Store): Store => ({
      ...store,
      async replay(asked) {
        const taken = await store.replay(asked)
        busy = true
        return taken
      },
      async replayStep() {
        const due = await store.replayStep(1)
        busy = due !== null
        return due
      },
    }),
  }
}

/** To the `webhook_url`s of two videos. Every first request is refused. */
const urls: SenderScene = {
  async seed(stage, url) {
    await stage.owe({ video: 'a', client: CLIENT, url: `${url}/a`, events: 2 })
    await stage.owe({ video: 'b', client: CLIENT, url: `${url}/b` })
    return {}
  },
  receiver: () => (_, nth) => answer(nth === 0 ? 500 : 204),
  live: settled,
}

const endpointAt = async ({ endpoints }: SqliteStage, path: string): Promise<string> =>
  must((await endpoints.list(CLIENT)).find(({ url }) => url.endsWith(path))).id

/**
 * To two endpoints. One is gone (410) for all but the first event until the other is told that it was disabled; then
 * its client changes a secret, enables it, replays the events of the first video, and sends its first event to all once more.
 */
const endpoints: SenderScene = {
  async seed(stage, url) {
    const secrets: Record<string, string> = {}
    for (const path of ['/well', '/gone']) {
      const given = { client: CLIENT, url: url + path, events: ['video.completed' as const], description: null }
      secrets[path] = (await stage.endpoints.create({ ...given, enabled: true })).secret
    }
    await stage.owe({ video: 'a', client: CLIENT, url: null, events: 2 })
    await stage.owe({ video: 'b', client: CLIENT, url: null })
    return secrets
  },
  receiver() {
    let isTold = false
    return ({ url, headers, body }, nth) => {
      const isFirst = headers['webhook-id'] === 'evt_a_1'
      if (url === '/gone') return answer(isTold || isFirst ? 204 : 410)
      isTold ||= body.includes('endpoint.disabled')
      return answer(isFirst && nth === 0 ? 500 : 204)
    }
  },
  async live(life) {
    const { stage, step } = life
    await settled(life)
    await step('rotate', async () => {
      const { secret } = await stage.endpoints.rotate(CLIENT, await endpointAt(stage, '/well'), DAY_MS)
      return secret
    })
    await step('enable', async () => {
      await stage.endpoints.change(CLIENT, await endpointAt(stage, '/gone'), { enabled: true })
      return ''
    })
    await settled(life)
    await step('replay', async () => {
      const untilMs = must(await stage.store.eventOf(CLIENT, 'evt_b_1')).event.atMs
      const endpointId = await endpointAt(stage, '/well')
      return String(
        await stage.endpoints.replay({ client: CLIENT, endpointId, sinceMs: 0, untilMs, onlyFailed: false }),
      )
    })
    await settled(life)
    await step('redeliver', async () => (await stage.endpoints.redeliver(CLIENT, 'evt_a_1')).join(' '))
    await settled(life)
  },
}

export const SENDER_SCENES = { urls, endpoints }
export type SenderSceneName = keyof typeof SENDER_SCENES
