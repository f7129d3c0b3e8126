import { onTestFinished } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { expectAllAsked, scriptedAdapter } from '../fakes/adapter.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { openSqlite } from '../stores/sqlite-file.ts'
import { assemble, passOf, restOf, type EngineOptions } from './harness.ts'

type Made = ReturnType<typeof assemble>

/** One of two processes: an engine with a handle of its own on the store they share, and no hints of the other's. */
export interface Replica extends Made {
  name: string
  /** How often each verb was called. */
  verbs: Map<string, number>
  start(): void
  /** From now on it does and hears nothing, as one that was killed. */
  kill(): void
}

export interface Pair {
  one: Replica
  two: Replica
  clock: FakeClock
  adapter: ReturnType<typeof scriptedAdapter>
  /** Beside both. */
  store: Store
  pass(ms: number): Promise<void>
  record(id: string): Promise<VideoRecord>
}

const counting = (store: Store, verbs: Map<string, number>, isDead: () => boolean): Store =>
  new Proxy(store, {
    get(target, name: keyof Store) {
      const verb = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        if (isDead()) return new Promise(() => undefined)
        verbs.set(name, (verbs.get(name) ?? 0) + 1)
        return verb(...args)
      }
    },
  })

/** Two processes over one store, of which none is started. `given`: what is different about one of them. */
export const openPair = async (
  options: EngineOptions = {},
  given: { one?: EngineOptions; two?: EngineOptions } = {},
): Promise<Pair> => {
  const current = await openSqlite(options.clock ? { clock: options.clock } : {})
  const { clock } = current
  const adapter = options.adapter?.(clock.now) ?? scriptedAdapter(clock.now, options.interface)
  const open = async (name: 'one' | 'two', seed: number): Promise<Replica> => {
    const verbs = new Map<string, number>()
    let dead = false
    const store = counting(await current.second(), verbs, () => dead)
    const own = given[name]?.adapter?.(clock.now) ?? adapter
    const made = assemble(store, createLocalWake(clock), clock, own, {
      ...options,
      ...given[name],
      replica: name,
      seed,
    })
    return {
      ...made,
      name,
      verbs,
      busy: () => (dead ? 0 : made.busy()),
      start: () => made.videos.start(),
      kill() {
        dead = true
        made.videos.halt()
      },
    }
  }
  const [one, two] = [await open('one', 1), await open('two', 2)]
  onTestFinished(async () => {
    for (const { videos } of [one, two]) videos.halt()
    await current.destroy()
    expectAllAsked(adapter)
  })
  return {
    one,
    two,
    clock,
    adapter,
    store: current.store,
    pass: (ms) => passOf(clock, ms, () => restOf(() => one.busy() + two.busy())),
    record: async (id) => must(await current.store.video(id)),
  }
}
