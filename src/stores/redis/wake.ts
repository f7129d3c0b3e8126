import type { Log } from '../../core/log.ts'
import type { WorkKind } from '../../core/store/deliveries.ts'
import type { Tally } from '../../core/tally.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Wake, WakeHandlers } from '../../core/ports.ts'
import { createChannel } from './channel.ts'
import type { Connections } from './connect.ts'
import { createHints, startWorker, type WorkerDeps } from './hints.ts'
import { createWatched, type Part } from './watched.ts'

export interface RedisWakeDeps {
  connections: Connections
  prefix: string
  clock: Clock
  log: Log
  tally: Pick<Tally, 'count'>
  /** This process's own, which rings what comes, and everything while Redis is away. */
  local: Wake
  /** Unlike any other process's. */
  process: string
  /** Default: every 2 s, half a minute. Workers take turns at the beats of all, so each hears one every few seconds. */
  watch?: { beatMs: number; staleMs: number }
  /** What tests put in its place. */
  makeWorker?: (deps: WorkerDeps) => Part
}

/** Work that is due later gets no hint: the sweep finds it as well. */
const AHEAD_MS = 60_000
const WATCH = { beatMs: 2_000, staleMs: 30_000 }

/**
 * `Wake` for many processes.
 *
 * A hint for a delivery or a transfer goes through a queue of BullMQ to one process, also where it is due at once and
 * was made here: this process may be busy and another idle, and a round trip is short beside an HTTP request. A hint for
 * an account goes to all, because only the holder of its lease can act. So does word of a change.
 *
 * While Redis is away everything rings in this process alone. A hint whose round trip failed may ring twice: leases in
 * the store decide who acts.
 */
export const createRedisWake = (deps: RedisWakeDeps): Wake => {
  const { connections, clock, log, tally, local, process, makeWorker = startWorker, watch = WATCH } = deps
  const { isUp } = connections
  const renewed = (part: 'worker' | 'subscriber') => (silentMs: number) => {
    tally.count('wake_renewed', { part })
    log.warn({ part, silent_ms: silentMs }, 'nothing was heard through redis: the connection is replaced')
  }
  const workers = new Set<Partial<WakeHandlers>>()
  /** For what comes through Redis: nobody's turn of the event loop is under way, so what is due rings at once. */
  const ring = (kind: WorkKind, id: string, dueAtMs: number): void => {
    if (dueAtMs > clock.now()) return local.hint(kind, id, dueAtMs)
    for (const handlers of workers) handlers.work?.(kind, id)
  }
  const channel = createChannel({
    ...deps,
    beaten: () => subscriber.heard(),
    account: (id, dueAtMs) => ring('account', id, dueAtMs),
    changed: local.changed,
  })
  const subscriber = createWatched({
    ...watch,
    clock,
    isUp,
    start: channel.listen,
    beat: () => void channel.beat(),
    onStale: renewed('subscriber'),
  })
  const hints = createHints({
    ...deps,
    // A beat that could not be sent: silence says nothing then.
    refused: ({ kind, id, dueAtMs }) => (kind === 'beat' ? worker.heard() : local.hint(kind, id, dueAtMs)),
  })
  const worker = createWatched({
    ...watch,
    clock,
    isUp,
    start: () =>
      makeWorker({
        ...deps,
        onHint({ kind, id, dueAtMs }) {
          worker.heard()
          if (kind !== 'beat') ring(kind, id, dueAtMs)
        },
      }),
    beat: () => hints.add({ kind: 'beat', id: process, dueAtMs: clock.now() }) || worker.heard(),
    onStale: renewed('worker'),
  })
  let closed = false
  const listen = (handlers: Partial<WakeHandlers>): void => {
    workers.add(handlers)
    if (workers.size === 1 && !closed) worker.start()
  }
  /** A process that acts on nothing takes no hints from those that do. */
  const leave = (handlers: Partial<WakeHandlers>): void => {
    if (workers.delete(handlers) && workers.size === 0 && !closed) worker.stop()
  }
  subscriber.start()

  return {
    hint(kind, id, dueAtMs) {
      if (closed || dueAtMs - clock.now() > AHEAD_MS) return
      if (kind === 'account') {
        local.hint(kind, id, dueAtMs)
        channel.account(id, dueAtMs)
      } else if (!hints.add({ kind, id, dueAtMs })) {
        local.hint(kind, id, dueAtMs)
      }
    },
    changed(id, version, client) {
      if (closed) return
      local.changed(id, version, client)
      channel.changed(id, version, client)
    },
    on(handlers) {
      const off = local.on(handlers)
      if (!handlers.work) return off
      listen(handlers)
      return () => {
        off()
        leave(handlers)
      }
    },
    async close() {
      closed = true
      workers.clear()
      subscriber.stop()
      worker.stop()
      hints.close()
      await Promise.all([local.close(), subscriber.ended(), worker.ended()])
    },
  }
}
