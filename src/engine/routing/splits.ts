import type { RoutingStoppedView } from '../../core/api/migration.ts'
import type { PauseState, SideCount, SplitState, Stopped } from '../../core/store/accounts.ts'
import { breath, iso } from '../../core/time/clock.ts'
import { type EventRecord, eventOfNoVideo } from '../../core/video.ts'
import { backendsUnder, type PoolsConfig, type Split, stopOf, type WeightOf } from './rules.ts'
import type { Ports } from '../../core/ports.ts'
import { type Actor, type Deed, entryOf, GATEWAY } from '../../core/access.ts'
import { logFailure } from '../../core/log.ts'

/** What an operator's endpoints and history record of a canary that stopped itself. Pure. */
const stoppedEvent = (
  client: string,
  split: Split,
  state: SplitState,
  { atMs, sinceMs, ...counts }: Stopped,
  weight: number,
): EventRecord => {
  const body: RoutingStoppedView = {
    type: 'routing.stopped',
    timestamp: iso(atMs),
    data: {
      rule: split.key,
      old: split.old,
      new: split.new,
      weight,
      outcomes_since: iso(sinceMs),
      outcomes: counts,
      stopped_at: iso(atMs),
    },
  }
  // Names the write, so that one stop is one event of a client.
  const named = JSON.stringify([client, 'routing.stopped', state.key, state.version])
  return eventOfNoVideo(client, named, atMs, body)
}

interface SplitsDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'tally' | 'newId'> {
  splits: readonly Split[]
  pools: PoolsConfig
  /** Ids of clients that are informed when a canary stops. */
  operators: () => readonly string[]
  /** What is read with them. */
  pauses: { readonly keys: readonly string[]; readonly learn: (state: PauseState) => void }
}

/** A change by one process is in force on every other one within twice this time. */
const EVERY_MS = 1_000

/** Refreshes every second what others may change in the store. Logs once that it cannot, and once that it can again. */
export const createRefresh = (
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  refresh: () => Promise<void>,
  said: { lost: string; back: string },
) => {
  const stopping = new AbortController()
  let cancel = (): void => {}
  let running: Promise<void> = Promise.resolve()
  let isBlind = false
  const start = (): void => {
    running = refresh()
      .then(
        () => {
          if (isBlind) log.info({}, said.back)
          isBlind = false
        },
        (err: unknown) => {
          if (!isBlind) logFailure(log, { err }, said.lost)
          isBlind = true
        },
      )
      .then(() => {
        if (!stopping.signal.aborted) cancel = clock.at(clock.now() + EVERY_MS, start)
      })
  }
  return {
    start,
    isStopping: (): boolean => stopping.signal.aborted,
    async stop(): Promise<void> {
      stopping.abort()
      cancel()
      await running
    },
  }
}

/** As it is before anybody changed it. */
const untouched = (key: string): SplitState => ({
  key,
  version: 0,
  weight: null,
  steppedAtMs: null,
  steppedBy: null,
  resumedAtMs: null,
  stopped: null,
})

/** Per cent of the new side while the split is not stopped. */
export const rampWeight = ({ weight: ofFile }: Split, { weight }: SplitState): number => weight ?? ofFile

/** Per cent of the new side that is in force. */
export const weightInForce = (split: Split, state: SplitState): number => (state.stopped ? 0 : rampWeight(split, state))

/** The splits of one configuration as this process knows them. What counts is in the store. */
export const createSplits = ({ splits, pools, operators, pauses, ...ports }: SplitsDeps) => {
  const { store, wake, clock, log, tally, newId } = ports
  // Of two rules with one key the second never matches.
  const configured = new Map(splits.toReversed().map((split) => [split.key, split]))
  const keys = [...configured.keys()]
  const known = new Map<string, SplitState>()

  /** A read that began before a write may end after it. */
  const learn = (state: SplitState): void => {
    if (state.version >= (known.get(state.key)?.version ?? 0)) known.set(state.key, state)
  }

  /**
   * Reads the state of all splits, and of paused backends. Rejects if the store cannot be read: then everything stays as
   * it is known.
   */
  const load = async (): Promise<void> => {
    const read = await store.operated([...keys, ...pauses.keys])
    read.pauses.forEach(pauses.learn)
    const stored = new Map(read.splits.map((state) => [state.key, state]))
    for (const key of keys) learn(stored.get(key) ?? untouched(key))
  }

  /** How one split stands in the store. */
  const stateOf = async (key: string): Promise<SplitState> => {
    const [state = untouched(key)] = (await store.operated([key])).splits
    learn(state)
    return state
  }

  /** Writes a change of one version of a split, in force here immediately. False: another write came between. */
  const change = async (
    next: SplitState,
    by: Actor,
    deed: Omit<Deed, 'subject'>,
    events: Parameters<typeof store.changeSplit>[0]['events'] = [],
  ): Promise<boolean> => {
    const atMs = clock.now()
    const entry = entryOf(by, newId('aud'), atMs, { subject: next.key, ...deed })
    const deliveries = await store.changeSplit({ split: next, audit: entry, events })
    if (!deliveries) return false
    learn(next)
    for (const delivery of deliveries) wake.hint('deliver', delivery, atMs)
    return true
  }

  /** Only the process that wrote it reports it. One that lost to another write sees that one at the next refresh. */
  const stop = async (split: Split, state: SplitState, stopped: Stopped): Promise<void> => {
    const weight = weightInForce(split, state)
    const next = { ...state, version: state.version + 1, stopped }
    const events = operators().map((client) => stoppedEvent(client, split, next, stopped, weight))
    const { sinceMs, old, new: fresh } = stopped
    const detail = { weight, outcomes_since: iso(sinceMs), outcomes: { old, new: fresh } }
    if (!(await change(next, GATEWAY, { action: 'split.stop', detail }, events))) return
    tally.count('canary_stopped', {})
    log.warn(
      { rule: split.key, old: split.old, new: split.new, weight, outcomes: { old, new: fresh } },
      'a canary stopped itself: new videos go to the old side until it is resumed',
    )
  }

  const watch = async (split: Split): Promise<void> => {
    const state = known.get(split.key)
    // What gets no videos has nothing to stop.
    if (!state || weightInForce(split, state) === 0) return
    const count = async (side: string, sinceMs: number): Promise<SideCount> => {
      const sum = { videos: 0, failed: 0 }
      for (const backend of backendsUnder(pools, side)) {
        const { videos, failed } = await store.countOf({ rule: split.key, backend }, sinceMs)
        sum.videos += videos
        sum.failed += failed
      }
      return sum
    }
    const stopped = await stopOf(split, state, clock.now(), count)
    if (stopped) await stop(split, state, stopped)
    await breath()
  }

  /** Learns what others changed, then sees whether a canary must stop. */
  const refresh = async (): Promise<void> => {
    await load()
    for (const split of configured.values()) {
      if (refreshing.isStopping()) return
      if (split.stopIf) await watch(split)
    }
  }

  const refreshing = createRefresh({ clock, log }, refresh, {
    lost: 'weights of splits and pauses of backends cannot be read: the last known ones stay in force',
    back: 'weights of splits and pauses of backends can be read again',
  })

  /** Per cent of the new side, now: 0 while it is stopped, and before `load`. */
  const weightOf: WeightOf = ({ key }) => {
    const [split, state] = [configured.get(key), known.get(key)]
    return split && state ? weightInForce(split, state) : 0
  }

  return {
    weightOf,
    /** Those of the configuration, in the order of their rules. */
    all: (): Split[] => splits.filter((split) => configured.get(split.key) === split),
    /** Before the first create. Rejects if the store cannot be read. */
    load,
    refresh,
    stateOf,
    /** How many of them are stopped, as far as this process knows. */
    stopped: (): number => keys.filter((key) => Boolean(known.get(key)?.stopped)).length,
    change,
    /** Refreshes every second from now on. */
    start: refreshing.start,
    stop: refreshing.stop,
  }
}
export type Splits = ReturnType<typeof createSplits>
