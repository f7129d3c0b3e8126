import { Agent, request } from 'undici'

/** The reference: the same reads in a loop, as often as they are ordered, and nothing learned of the answers. */
export interface Order {
  /** A second. */
  rate: number
  forMs: number
}
export interface Done {
  requests: number
  /** CPU of the whole process for each. */
  cpuUs: number
}

const { url } = JSON.parse(process.argv[2] ?? '') as { url: string }
const TICK_MS = 5
const agent = new Agent({ allowH2: false })

const ask = async (n: number): Promise<void> => {
  const { body } = await request(`${url}/api/v1/videos/bare_${n}`, {
    dispatcher: agent,
    headers: { authorization: 'Bearer upstream_0123456789abcdef', accept: 'application/json' },
  })
  const { status }: { status?: unknown } = JSON.parse(await body.text())
  if (status !== 'processing') throw new Error(`the upstream said ${String(status)}`)
}

/** Evenly, as polls are due; as fast as it can where it falls behind. */
const run = async ({ rate, forMs }: Order): Promise<Done> => {
  const before = process.cpuUsage()
  const begunAt = performance.now()
  const running: Promise<void>[] = []
  let asked = 0
  for (let passedMs = 0; passedMs < forMs; passedMs = performance.now() - begunAt) {
    for (; asked < (passedMs * rate) / 1_000; asked += 1) running.push(ask(asked))
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    if (running.length > rate) await Promise.all(running.splice(0))
  }
  await Promise.all(running)
  const { user, system } = process.cpuUsage(before)
  return { requests: asked, cpuUs: (user + system) / Math.max(1, asked) }
}

process.on('message', (order: Order) => void run(order).then((done) => process.send?.(done)))
process.once('disconnect', () => process.exit())
