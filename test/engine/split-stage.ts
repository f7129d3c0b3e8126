import { onTestFinished } from 'vitest'
import { createIds } from '../../src/core/ids.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { createSplits } from '../../src/engine/routing/splits.ts'
import type { Split } from '../../src/engine/routing/rules.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { ROOMY } from '../contract/store/helpers.ts'
import { seededRandom } from '../fakes/random.ts'
import { draft, ended, HOUR } from '../fakes/records.ts'
import { openSqlite } from '../stores/sqlite-file.ts'
import { SILENT } from '../../src/core/tally.ts'

export const SPLIT: Split = {
  key: 'rule_a',
  old: 'main',
  new: 'alt',
  weight: 10,
  by: null,
  stopIf: { failureRate: 0.5, of: 4, windowMs: HOUR },
}

const NO_PAUSES = { keys: [], learn: () => undefined }

/** One store, and as many processes over it as a test starts. */
export const splitStage = async (splits: readonly Split[] = [SPLIT]) => {
  const current = await openSqlite()
  let destroyed: Promise<void> | null = null
  const close = (): Promise<void> => (destroyed ??= current.destroy())
  onTestFinished(close)
  const { clock, store } = current
  const warned: string[] = []
  const logged: string[] = []
  let ids = 0
  let videos = 0

  /** A process over a handle of its own, or over another store. */
  const start = async (over: Store | null = null, operators: readonly string[] = ['acme']) => {
    ids += 1
    const log = {
      info: (_: unknown, message: string) => void logged.push(message),
      warn: (_: unknown, message: string) => void warned.push(message),
      error: (_: unknown, message: string) => void logged.push(message),
    }
    const newId = createIds(clock, seededRandom(ids))
    const wake = createLocalWake(clock)
    const ports = { store: over ?? (await current.second()), wake, clock, log, tally: SILENT, newId }
    const made = createSplits({ ...ports, splits, pools: {}, operators: () => operators, pauses: NO_PAUSES })
    await made.load()
    return made
  }

  /** A video of a split ended now. */
  const end = async (
    backend: string,
    status: 'completed' | 'failed' | 'canceled',
    given: Partial<VideoRecord> = {},
  ) => {
    videos += 1
    const record = ended({
      id: `vid_${videos}`,
      backend,
      status,
      createdAtMs: clock.now(),
      endedAtMs: clock.now(),
      ...given,
    })
    const routing = { chosen_by: 'rule', rule: SPLIT.key, pool: null, considered: [] } as const
    await store.open(draft({ ...record, routing: { ...routing, considered: [] } }), null, ROOMY, null)
  }

  const told = async (client = 'acme') =>
    (await store.eventsOf(client, { after: 0, limit: 100, types: null })).events.map(({ event }) => event)

  return { clock, store, current, start, end, told, warned, logged, close }
}
