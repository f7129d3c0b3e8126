import { randomBytes } from 'node:crypto'
import { createKeyring, type KeyringDeps } from '../../src/access/keyring.ts'
import { fakeClock } from './clock.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const empty = { keysSince: async () => [], clientsSince: async () => [], keysUsed: async () => undefined }

/** Over a store without keys, unless one is given. */
export const fakeKeyring = (given: Partial<KeyringDeps> = {}) =>
  createKeyring({ store: empty, clock: fakeClock(), log: silent, isShared: false, randomBytes, ...given })
