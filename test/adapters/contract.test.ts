import { describe } from 'vitest'
import { INTERFACES } from '../../src/adapters/index.ts'
import { adapterContract } from '../contract/adapter.ts'
import { KITS } from './kits/index.ts'

/** Every interface of the table: without a kit it fails. */
describe.each(INTERFACES)('%s', (name) => adapterContract(name, KITS[name]))
