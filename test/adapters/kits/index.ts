import type { InterfaceName } from '../../../src/adapters/index.ts'
import type { AdapterKit } from '../../contract/adapter-kit.ts'
import { alternate } from './alternate.ts'
import { primary } from './primary.ts'

/** One an interface: the table of adapters is what it must cover. */
export const KITS: Record<InterfaceName, AdapterKit> = { primary, alternate }
