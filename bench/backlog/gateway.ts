import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { accountId } from '../../src/accounts.ts'
import { parseConfig, type Config } from '../../src/config.ts'
import { NO_INPUT } from '../../src/core/video.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway, type Gateway } from '../../src/gateway.ts'
import { createLog, batchedTo } from '../../src/log.ts'
import { UNIFIED_CREATE, type CreateRequest } from '../../src/engine/index.ts'
import { creatorOf } from '../../src/routes/clients.ts'
import {
  AT_ONCE,
  clientOf,
  idOf,
  keyOf,
  retryInMs,
  WAITING_FROM,
  type Measured,
  type Order,
  type Setup,
  type Work,
} from './protocol.ts'

/** The whole gateway as `serve` runs it, on a store that has a backlog already. What is measured is asked of its engine. */
const { folder, config, backlog } = JSON.parse(process.argv[2] ?? '') as Setup

const parsed = parseConfig({
  text: JSON.stringify({ ...config, store: { path: join(folder, 'talkbridge.db') } }),
  format: 'json',
  env: {},
  readFile: () => {
    throw new Error('this configuration names no file')
  },
})
if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))

/** CPU of this thread since it began, in microseconds: what others have of the machine is not in it. */
const threadUs = (): number => {
  // Of the thread alone, Linux tells what it knew at the last tick of four milliseconds; to count the process brings that up to date.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return user + system
}
const processUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** The most CPU that this thread spent between two of its timers of a millisecond: nothing else was answered meanwhile. */
const held = { watching: true, sinceUs: threadUs(), worstUs: 0 }
const beat = (): void => {
  const nowUs = threadUs()
  held.worstUs = Math.max(held.worstUs, nowUs - held.sinceUs)
  held.sinceUs = nowUs
  if (held.watching) setTimeout(beat, 1)
}
const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const REQUEST: CreateRequest = {
  ...UNIFIED_CREATE,
  input: { ...NO_INPUT, image_url: 'https://img.example/anna.png', text: 'Hello there' },
  backend: null,
  unsupported: 'reject',
  webhookUrl: null,
  webhookEvents: [],
  metadata: {},
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let asked = (): void => {}
const start = (settings: Config): Promise<Gateway> =>
  startGateway({
    config: settings,
    clock: createSystemClock(),
    log: createLog(settings.log, batchedTo(openSync(join(folder, 'log'), 'a')), false),
    secretKey: null,
    random: Math.random,
    // every turn of an account asks once how long the queue is: so one is known to have come.
    wrapStore: (store) => ({
      ...store,
      queue: (account) => {
        asked()
        return store.queue(account)
      },
    }),
  })

const worksOf = ({ deps }: Gateway, settings: Config): Record<Work, (n: number) => unknown> => {
  const { videos, clients, wake, clock } = deps
  const backend = settings.backends['main']
  if (!backend) throw new Error('there is no backend main')
  const account = accountId(backend)
  const last = Math.max(1, backlog.waiting)
  return {
    // Up and down the queue.
    async reads(n) {
      const at = (n * 7_919) % last
      const found = await videos.find({ id: clientOf(at), visible: new Map() }, idOf(WAITING_FROM + at))
      if (!found) throw new Error('a video that waits was not found')
      const { queue } = await videos.render(found)
      if (!queue?.position) throw new Error('a video that waits has no place')
    },
    async creates(n) {
      const { client } = clients.authenticate(`Bearer ${keyOf(clientOf(n))}`)
      const { video } = await videos.create(creatorOf(client), REQUEST, null)
      if (video.phase !== 'waiting') throw new Error(`a video that was to wait is ${video.phase}`)
    },
    async turns() {
      const came = new Promise<void>((resolve) => (asked = resolve))
      wake.hint('account', account, clock.now())
      await came
      // Until it has ended: it writes at most once.
      for (let n = 0; n < 4; n += 1) await rest()
    },
    // What the sender says of each after an attempt that failed.
    retries(n) {
      wake.hint('deliver', `dlv_${n}`, clock.now() + retryInMs(n))
    },
    collect() {
      collect()
    },
  }
}

const measure = async ({ work, count }: Order, from: number): Promise<Measured> => {
  held.worstUs = 0
  const beforeUs = processUs()
  for (let n = 0; n < count; n += AT_ONCE[work]) {
    await Promise.all(Array.from({ length: AT_ONCE[work] }, (_, i) => works[work](from + n + i)))
    await rest()
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    cpuUs: (processUs() - beforeUs) / Math.max(1, count),
    heldMs: held.worstUs / 1_000,
    rssBytes: rss,
    heapBytes: heapUsed + external,
  }
}

const gateway = await start(parsed.config)
beat()
const works = worksOf(gateway, parsed.config)
let done = 0
process.on('message', (order: Order) => {
  void measure(order, done).then((measured) => process.send?.(measured))
  done += order.count
})
process.once('disconnect', () => {
  held.watching = false
  void gateway.close().then(() => process.exit())
})
process.send?.('ready')
