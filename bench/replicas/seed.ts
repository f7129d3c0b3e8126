import { parseConfig } from '../../src/config.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { buildDeps } from '../../src/deps.ts'
import { createLog } from '../../src/log.ts'
import { draft, event } from '../../test/fakes/records.ts'
import { bodyOf } from '../webhooks/protocol.ts'

export interface SeedSetup {
  config: Readonly<Record<string, unknown>>
  secretKey: string
  /** Ended videos, each with one event to be delivered to one of the targets in turn. */
  videos: number
  targets: readonly string[]
}

/** In a process of its own: puts into the store what gateways have to deliver, and ends. Nothing of it is sent here. */
const { config, secretKey, videos, targets } = JSON.parse(process.argv[2] ?? '') as SeedSetup
const clock = createSystemClock()
const parsed = parseConfig({ text: JSON.stringify(config), format: 'json', env: {}, readFile: () => '' })
if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
const deps = await buildDeps({ config: parsed.config, clock, log, secretKey, random: Math.random })

/** Made at once: one turn of the store's writer takes as many. */
const AT_ONCE = 100
const limits = { queue: 1e9, client: 1e9, videosPerMonth: null, creditsPerMonth: null }

const put = async (n: number): Promise<string> => {
  const id = deps.newId('vid')
  const owed = event(id, 1, { id: deps.newId('evt'), type: 'video.completed', atMs: clock.now(), body: bodyOf(n) })
  const asked = draft(
    { id, phase: 'ended', status: 'completed', endedAtMs: clock.now(), dueAtMs: null },
    { events: [{ event: owed, targets: [{ kind: 'video', url: `${targets[n % targets.length]}/hook` }] }] },
  )
  await deps.store.open(asked, null, limits, null)
  return id
}

const ids: string[] = []
let next = 0
const work = async (): Promise<void> => {
  while (next < videos) {
    next += 1
    ids.push(await put(next))
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work))
await deps.lifecycle.close()
process.send?.(ids)
process.disconnect?.()
