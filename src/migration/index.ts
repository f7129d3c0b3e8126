import { isAllowed } from '../core/access.ts'
import { Problem, isProblemCode } from '../core/errors.ts'
import { type Log, logFailure } from '../core/log.ts'
import type { AudioCarrier, UploadLookup } from '../core/media.ts'
import type { Ports } from '../core/ports.ts'
import { PASSED_OVER, type RecordedStore, type RefusalCount, type ShadowRecord } from '../core/store/accounts.ts'
import { breath, iso } from '../core/time/clock.ts'
import { NO_INPUT, type VideoRecord } from '../core/video.ts'
import { type Lists, type PortraitOf, createPlan } from '../engine/create/plan.ts'
import type { AliasConfig, Aliases } from '../engine/create/route.ts'
import type { Videos } from '../engine/index.ts'
import {
  backendsUnder,
  placeOf,
  type PoolsConfig,
  type RuleConfig,
  rulesOf,
  splitsOf,
} from '../engine/routing/rules.ts'
import { type Backend, type Backends, namedBy } from '../engine/upstream/accounts.ts'
import { createReport } from './report.ts'
import { backendOrPool, type CatalogueReader, type Judge, createJudge, readSide } from './verdict.ts'

const WRITTEN_AFTER_MS = 1_000
/** A closed set: what a client may call a field is none of it. */
const FIELDS: ReadonlySet<string> = new Set([...Object.keys(NO_INPUT), 'backend'])
/** Of the backend that was meant: nothing else has as many. */
const WAITING_AT_MOST = 1_000

/**
 * Counts creates by day, backend, code and field: those that were refused, of which there is no video, and those that a
 * side of a split did not get. It writes them after they were answered.
 */
export const createRefusals = ({
  store,
  clock,
  log,
  config: { routing },
}: Pick<MigrationDeps, 'clock' | 'log' | 'config'> & { store: Pick<RecordedStore, 'countRefusals'> }) => {
  const { pools } = routing
  const splits = splitsOf(rulesOf(routing.rules))
  let counts = new Map<string, RefusalCount>()
  let cancel: (() => void) | null = null

  const flush = async (): Promise<void> => {
    cancel?.()
    cancel = null
    const written = [...counts.values()]
    counts = new Map()
    if (written.length > 0) await store.countRefusals(written)
  }

  const add = (backend: string, code: string, field: string | undefined): void => {
    const known = {
      day: iso(clock.now()).slice(0, 10),
      backend,
      code,
      field: field && FIELDS.has(field) ? field : null,
    }
    const key = JSON.stringify(known)
    const counted = counts.get(key)
    if (counted) counted.count += 1
    else if (counts.size < WAITING_AT_MOST) counts.set(key, { ...known, count: 1 })
    cancel ??= clock.at(clock.now() + WRITTEN_AFTER_MS, () => {
      flush().catch((error: unknown) => logFailure(log, { err: error }, 'refused creates could not be counted'))
    })
  }

  return {
    /** `backend`: the one that the request names; the error's own comes first. */
    count(error: unknown, named: string | null, isKnown: (backend: string) => boolean): void {
      if (!(error instanceof Problem) || !isProblemCode(error.code)) return
      const backend = error.extras.backend ?? named
      if (backend !== null && isKnown(backend)) add(backend, error.code, error.extras.param)
    },
    /** A side of a split that did not get the video, by the last word of why. One of its members is enough to get it. */
    passed({ backend, routing: { rule, considered } }: VideoRecord): void {
      const split = splits.find(({ key }) => key === rule)
      for (const side of split ? [split.old, split.new] : []) {
        const members = backendsUnder(pools, side)
        const passed = considered.find((one) => one.reason !== null && [side, ...members].includes(one.backend))
        if (passed && !members.includes(backend)) add(side, PASSED_OVER, passed.reason?.split(' ').at(-1))
      }
    },
    /** Writes what was counted so far. */
    flush,
  }
}

export interface ShadowSettings {
  readonly from: string
  readonly to: string
  /** From 0 to 1. */
  readonly share: number
}

interface ShadowDeps extends Pick<Ports, 'clock'> {
  store: Pick<RecordedStore, 'putShadows'>
  log: Log
  catalogue: CatalogueReader
  judge: Judge
  backends: Backends
  visibleTo: (client: string, target: Backend) => Backends
  settings: ShadowSettings | null
}

/** Creates that wait to be judged; what comes while as many wait is dropped, and counted. */
const QUEUE = 1_000
/** Long after the answer of the first of them has gone out. */
const LATER_MS = 500
const AT_ONCE = 50

/** The same videos on every process and after a restart. */
export const isShadowed = (videoId: string, { share }: ShadowSettings): boolean =>
  placeOf('shadow', videoId) < share * 100

/**
 * Works out, for a share of one backend's new videos, what they would have been on another. Nothing of it is on the way
 * of an answer: a create only puts its video into a queue. Sends nothing but the catalogue's own reads.
 */
export const createShadow = (deps: ShadowDeps) => {
  const { store, clock, log, catalogue, judge, backends, visibleTo, settings } = deps
  const to = settings && backendOrPool(settings.to, backends)
  const target = to && to.members[0]
  const queue: VideoRecord[] = []
  const stopping = new AbortController()
  let dropped = 0
  let cancel: (() => void) | null = null
  let working: Promise<void> = Promise.resolve()

  const work = async (): Promise<void> => {
    if (!settings || !to || !target) return
    while (queue.length > 0 && !stopping.signal.aborted) {
      const side = await readSide(to, catalogue)
      const made: ShadowRecord[] = []
      for (const video of queue.splice(0, AT_ONCE)) {
        await breath()
        const { verdict, losses } = await judge(video, side, visibleTo(video.client, target))
        const kinds = losses.map(({ code, field }) => ({ code, field }))
        made.push({ videoId: video.id, atMs: video.createdAtMs, from: settings.from, to: to.name, verdict, kinds })
      }
      await store.putShadows(made)
    }
  }

  const arm = (): void => {
    if (cancel !== null || stopping.signal.aborted) return
    cancel = clock.at(clock.now() + LATER_MS, () => {
      working = work()
        .catch((error: unknown) => logFailure(log, { err: error }, 'shadows could not be worked out'))
        .then(() => {
          cancel = null
          if (queue.length > 0) arm()
        })
    })
  }

  return {
    /** Takes a new video, if it is one of the share. Costs a hash. */
    offer(video: VideoRecord): void {
      const isFrom = video.backend === settings?.from || video.routing.pool === settings?.from
      if (!settings || !target || !isFrom || !isShadowed(video.id, settings)) return
      if (queue.length >= QUEUE) return void (dropped += 1)
      queue.push(video)
      arm()
    },
    dropped: () => dropped,
    /** What still waits is forgotten. */
    async stop(): Promise<void> {
      stopping.abort()
      cancel?.()
      await working
    },
  }
}

export interface MigrationDeps extends Pick<Ports, 'clock'> {
  store: RecordedStore
  log: Log
  backends: Backends
  catalog: { of: CatalogueReader; fresh: Lists }
  aliases: Aliases
  uploads: UploadLookup
  carrier: Pick<AudioCarrier, 'fault'>
  knownPortraitOf: PortraitOf
  config: {
    readonly aliases: AliasConfig
    readonly routing: {
      readonly default: string
      readonly shadow: ShadowSettings | null
      readonly rules: readonly RuleConfig[]
      readonly pools: PoolsConfig
    }
    readonly clients: readonly { readonly id: string; readonly backends: readonly string[] | null }[]
  }
  /** The allow-list of a client that is not of the configuration; null: every backend. */
  storedBackends: (client: string) => readonly string[] | null
}

/** What a client may use. That the target takes no new videos just now says nothing of its requests. */
const visibility = ({ backends, config, storedBackends }: MigrationDeps) => {
  const allowed = new Map(config.clients.map(({ id, backends: names }) => [id, names]))
  return (client: string, target: Backend): Backends => {
    const names = allowed.has(client) ? allowed.get(client) : storedBackends(client)
    const visible = [...backends.values()].filter((one) => isAllowed(names, one))
    return new Map(visible.map((one) => [one.name, one.name === target.name ? { ...one, drain: false } : one]))
  }
}

/** Moving from one backend to another: what would be lost, and what was. */
export const createMigration = (deps: MigrationDeps) => {
  const { catalog, aliases, uploads, carrier, knownPortraitOf, config } = deps
  // The backend is always named: no rule is asked.
  const noRules = { rules: [], weightOf: () => 0 }
  const settings = { defaultBackend: config.routing.default }
  const plan = createPlan({ uploads, carrier, aliases, lists: catalog.fresh, ...noRules, settings })
  const judge = createJudge({ plan, uploads, aliases, knownPortraitOf })
  const given = { ...deps, catalogue: catalog.of, judge, visibleTo: visibility(deps) }
  const shadow = createShadow({ ...given, settings: config.routing.shadow })
  const refusals = createRefusals(deps)
  return {
    judge,
    report: createReport({ ...given, configured: config.aliases, dropped: shadow.dropped }),
    /** The same videos, whose creates are watched: new ones are shadowed, refused ones counted. Neither is waited for. */
    watching: (videos: Videos): Videos => ({
      ...videos,
      async create(creator, request, idempotencyKey) {
        try {
          const created = await videos.create(creator, request, idempotencyKey)
          if (!created.replayed) {
            shadow.offer(created.video)
            refusals.passed(created.video)
          }
          return created
        } catch (error) {
          refusals.count(error, request.backend, (name) => namedBy(name, creator.visible).length > 0)
          throw error
        }
      },
    }),
    /** What was counted is written; what was to be shadowed is forgotten. */
    async close(): Promise<void> {
      await shadow.stop()
      await refusals.flush()
    },
  }
}
export type Migration = ReturnType<typeof createMigration>
