import type { AudioCarrier, UploadLookup } from '../core/media.ts'
import type { Log } from '../core/log.ts'
import type { Ports } from '../core/ports.ts'
import type { RecordedStore } from '../core/store/accounts.ts'
import type { AliasConfig, Aliases } from '../engine/create/route.ts'
import { createPlan, type PortraitOf } from '../engine/create/plan.ts'
import type { Videos } from '../engine/index.ts'
import type { Backend, Backends } from '../engine/upstream/accounts.ts'
import { type CatalogueReader, createJudge } from './verdict.ts'
import { createRefusals, createShadow, type ShadowSettings } from './shadow.ts'
import { createReport } from './report.ts'

export interface MigrationDeps extends Pick<Ports, 'clock'> {
  store: RecordedStore
  log: Log
  backends: Backends
  catalog: { of: CatalogueReader }
  aliases: Aliases
  uploads: UploadLookup
  carrier: Pick<AudioCarrier, 'fault'>
  knownPortraitOf: PortraitOf
  config: {
    readonly aliases: AliasConfig
    readonly routing: { readonly default: string; readonly shadow: ShadowSettings | null }
    readonly clients: readonly { readonly id: string; readonly backends: readonly string[] | null }[]
  }
  /** The allow-list of a client that is not of the configuration; null: every backend. */
  storedBackends: (client: string) => readonly string[] | null
}

/** What a client may use. That the target takes no new videos just now says nothing of its requests. */
const visibility = ({ backends, config, storedBackends }: MigrationDeps) => {
  const allowed = new Map(config.clients.map(({ id, backends: names }) => [id, names]))
  const known = new Map<string, Backends>()
  return (client: string, target: Backend): Backends => {
    const names = allowed.has(client) ? (allowed.get(client) ?? null) : storedBackends(client)
    const key = names === null ? target.name : `${target.name}\0${names.join()}`
    const before = known.get(key)
    if (before) return before
    const visible = new Map(
      [...backends]
        .filter(([name]) => names === null || names.includes(name))
        .map(([name, backend]) => [name, name === target.name ? { ...backend, drain: false } : backend]),
    )
    known.set(key, visible)
    return visible
  }
}

/** Moving from one backend to another: what would be lost, and what was. */
export const createMigration = (deps: MigrationDeps) => {
  const { catalog, aliases, uploads, carrier, knownPortraitOf, config } = deps
  // The backend is always named: no rule is asked.
  const noRules = { rules: [], weightOf: () => 0 }
  const settings = { defaultBackend: config.routing.default }
  const plan = createPlan({ uploads, carrier, aliases, ...noRules, settings })
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
          if (!created.replayed) shadow.offer(created.video)
          return created
        } catch (error) {
          refusals.count(error, request.backend, (name) => creator.visible.has(name))
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
