import type { Ports } from '../../core/ports.ts'
import { createMigration } from './migration.ts'
import type { GateLimits } from './ramp.ts'
import { rulesOf, splitsOf, type RuleConfig } from './rules.ts'
import { createSplits } from './splits.ts'

export interface RoutingDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'newId'> {
  /** Of a checked configuration. */
  config: {
    readonly routing: { readonly rules: readonly RuleConfig[]; readonly gates: GateLimits }
    readonly clients: readonly { readonly id: string; readonly scopes: readonly string[] }[]
    readonly backends: Readonly<Record<string, unknown>>
  }
}

/** The rules of one configuration, the weights in force, and what operators do to them. Nothing is started. */
export const createRouting = ({ config, ...ports }: RoutingDeps) => {
  const rules = rulesOf(config.routing.rules)
  const operators = config.clients.filter(({ scopes }) => scopes.includes('admin') || scopes.includes('*'))
  const splits = createSplits({ ...ports, splits: splitsOf(rules), operators: operators.map(({ id }) => id) })
  const { gates } = config.routing
  const migration = createMigration({ ...ports, splits, rules, backends: Object.keys(config.backends), gates })
  return { rules, splits, migration }
}
export type Routing = ReturnType<typeof createRouting>
