import { createAccessAdmin, type AccessAdminDeps } from './admin.ts'
import { createKeyring, type KeyringDeps } from './keyring.ts'
import { createSessions, type SessionsDeps } from './sessions.ts'

export interface AccessDeps extends Omit<AccessAdminDeps, 'keyring' | 'store'>, Omit<KeyringDeps, 'store'> {
  store: AccessAdminDeps['store'] & KeyringDeps['store'] & SessionsDeps['store']
  /** What marks of keys are made with: the same for all processes. */
  marking: Buffer
  lifecycle: { onClose: (name: string, close: () => Promise<void>) => void }
}

/**
 * Issued keys, clients beside those of the configuration, and sessions of the console: of the process, whatever configuration is in force. Rejects
 * if the store cannot be read.
 */
export const openAccess = async (deps: AccessDeps) => {
  const keyring = createKeyring(deps)
  deps.lifecycle.onClose('issued keys', keyring.close)
  await keyring.refresh()
  const sessions = createSessions(deps)
  deps.lifecycle.onClose('sessions', sessions.close)
  return { keyring, sessions, admin: createAccessAdmin({ ...deps, keyring }) }
}
export type Access = Awaited<ReturnType<typeof openAccess>>
export { isWellFormed } from './key.ts'
export { unknownClient, unknownKey } from './admin.ts'
export type { Keyring } from './keyring.ts'
export type { Sessions } from './sessions.ts'
