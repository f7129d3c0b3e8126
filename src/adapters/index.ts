import { alternate } from './alternate/index.ts'
import { primary } from './primary/index.ts'
import type { Interface } from './shared/dialect.ts'

export { CAPABILITIES_OF, type AdapterAccount, type Drift, type Interface, type Operation } from './shared/dialect.ts'

/**
 * A line an interface: the only place that names them. A key is what a configuration calls it (`interface: primary`) and
 * its folder.
 */
export const ADAPTERS = { primary, alternate } satisfies Record<string, Interface>

export type InterfaceName = keyof typeof ADAPTERS
export const INTERFACES = Object.keys(ADAPTERS) as readonly InterfaceName[]
