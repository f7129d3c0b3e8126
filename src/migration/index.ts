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
  return (client: string, target: Backend): Backends => {
    const names = allowed.has(client) ? allowed.get(client) : storedBackends(client)
    const visible = [...backends.values()].filter(({ name }) => !names || names.includes(name))
    return new Map(visible.map((one) => [one.name, one.name === target.name ? { ...one, drain: false } : one]))
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
