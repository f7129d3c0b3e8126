import { isProblemCode, Problem } from '../core/errors.ts'
import { type Log, logFailure } from '../core/log.ts'
import { NO_INPUT } from '../core/video.ts'
import type { Ports } from '../core/ports.ts'
import type { RecordedStore, RefusalCount } from '../core/store/accounts.ts'
import { iso } from '../core/time/clock.ts'

interface RefusalsDeps extends Pick<Ports, 'clock'> {
  store: Pick<RecordedStore, 'countRefusals'>
  log: Log
}

const LATER_MS = 1_000
/** A closed set: what a client may call a field is none of it. */
const FIELDS: ReadonlySet<string> = new Set([...Object.keys(NO_INPUT), 'backend'])
/** Of the backend that was meant: nothing else has as many. */
const WAITING_AT_MOST = 1_000

/** Counts refused creates, of which no video tells, by day, backend, code and field; written after their answers. */
export const createRefusals = ({ store, clock, log }: RefusalsDeps) => {
  let counts = new Map<string, RefusalCount>()
  let cancel: (() => void) | null = null

  const flush = async (): Promise<void> => {
    cancel?.()
    cancel = null
    const written = [...counts.values()]
    counts = new Map()
    if (written.length > 0) await store.countRefusals(written)
  }

  return {
    /** `backend`: the one that the request names; the error's own comes first. */
    count(error: unknown, named: string | null, isKnown: (backend: string) => boolean): void {
      if (!(error instanceof Problem) || !isProblemCode(error.code)) return
      const backend = error.extras.backend ?? named
      if (backend === null || !isKnown(backend)) return
      const { code, extras } = error
      const field = extras.param !== undefined && FIELDS.has(extras.param) ? extras.param : null
      const day = iso(clock.now()).slice(0, 10)
      const key = JSON.stringify([day, backend, code, field])
      const known = counts.get(key)
      if (known) known.count += 1
      else if (counts.size < WAITING_AT_MOST) counts.set(key, { day, backend, code, field, count: 1 })
      cancel ??= clock.at(clock.now() + LATER_MS, () => {
        flush().catch((error_: unknown) => logFailure(log, { err: error_ }, 'refused creates could not be counted'))
      })
    },
    /** Writes what was counted so far. */
    flush,
  }
}
