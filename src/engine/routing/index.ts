import type { Ports } from '../../core/ports.ts'
import { createMigration } from './migration.ts'
import type { GateLimits } from './ramp.ts'
import { rulesOf, splitsOf, type RuleConfig } from './rules.ts'
import { createSplits } from './splits.ts'

export interface RoutingDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'tally' | 'newId'> {
  /** Of a checked configuration. */
  config: {
    readonly routing: { readonly rules: readonly RuleConfig[]; readonly gates: GateLimits }
    readonly clients: readonly { readonly id: string; readonly scopes: readonly string[] }[]
    readonly backends: Readonly<Record<string, unknown>>
  }
  /** Clients of which an operator's key was issued. */
  withIssuedKeys: () => readonly string[]
}

/** The rules of one configuration, the weights in force, and what operators do to them. Nothing is started. */
export const createRouting = ({ config, withIssuedKeys, ...ports }: RoutingDeps) => {
  const rules = rulesOf(config.routing.rules)
  const configured = config.clients.filter(({ scopes }) => scopes.includes('admin') || scopes.includes('*'))
  const operators = () => [...new Set([...configured.map(({ id }) => id), ...withIssuedKeys()])]
  const splits = createSplits({ ...ports, splits: splitsOf(rules), operators })
  const { gates } = config.routing
  const migration = createMigration({ ...ports, splits, rules, backends: Object.keys(config.backends), gates })
  return { rules, splits, migration }
}
export type Routing = ReturnType<typeof createRouting>
