import type { Adapter } from '../core/adapter.ts'
import type { InterfaceName } from '../core/vocabulary.ts'
import { alternate } from './alternate/index.ts'
import { primary } from './primary/index.ts'
import type { AdapterAccount } from './shared/account.ts'

export { CAPABILITIES_OF, type AdapterAccount, type Drift, type Operation } from './shared/account.ts'

/** One adapter an interface. A new kind of backend is a new folder and a line here. */
export const ADAPTERS = { primary, alternate } satisfies Record<InterfaceName, (account: AdapterAccount) => Adapter>
