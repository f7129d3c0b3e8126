import { describe } from 'vitest'
import { ADAPTERS, type InterfaceName } from '../../src/adapters/index.ts'
import { adapterIsExact } from './adapter-exact.ts'
import type { AdapterKit } from './adapter-kit.ts'
import { adapterIsSafe } from './adapter-safe.ts'
import { adapterWritesContract, WRITES } from './adapter-writes.ts'

/** What every adapter owes: to be safe, whatever a backend does, and to be right, by its kit. */
export const adapterContract = (name: InterfaceName, kit: AdapterKit): void => {
  const { capabilities } = ADAPTERS[name]
  describe('is safe', () => adapterIsSafe(name, kit))
  describe('is exact', () => adapterIsExact(name, kit))
  const writes = WRITES.filter(({ needs }) => capabilities[needs])
  if (writes.length > 0) describe.each(writes)('$operation', (write) => adapterWritesContract(name, kit, write))
}
