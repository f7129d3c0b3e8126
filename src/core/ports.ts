import type { NewId } from './ids.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'
import type { Tally } from './tally.ts'
import type { Clock } from './time/clock.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { Wake } from './wake.ts'

/** What a part of the gateway is handed from outside, so that tests decide the time, chance and storage. */
export interface Ports {
  store: Store
  wake: Wake
  clock: Clock
  log: Log
  tally: Tally
  tracing: Tracing
  newId: NewId
  /** In [0, 1): jitter. */
  random: () => number
}
