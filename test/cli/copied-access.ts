import type { Store } from '../../src/core/store/index.ts'
import { auditEntry, clientRecord, keyRecord, sessionRecord } from '../fakes/access.ts'
import { T0 } from '../fakes/records.ts'

/** What a store holds of keys, clients, sessions and the audit log. */
export const fillAccess = async (store: Store): Promise<void> => {
  const other = keyRecord({ id: 'key_2', client: 'other' })
  await store.changeAccess({ keys: [keyRecord()], clients: [clientRecord()], audit: auditEntry('aud_4') })
  await store.changeAccess({ keys: [other], clients: [], audit: auditEntry('aud_5') })
  await store.keysUsed([{ id: 'key_1', atMs: T0 + 7 }])
  await store.beginSession(sessionRecord(), 10)
}

export type AccessWrites =
  | 'purgeAudit'
  | 'changeAccess'
  | 'keysUsed'
  | 'purgeKeys'
  | 'beginSession'
  | 'sessionSeen'
  | 'endSession'
  | 'purgeSessions'

const ALL = { actor: null, action: null, subject: null, sinceMs: null, before: null, limit: 100 }

/** A question for every read of it. */
export const ACCESS_READS = {
  audit: (store: Store) => store.audit(ALL),
  auditOf: (store: Store) => store.auditOf('key_1', 100),
  keysSince: (store: Store) => store.keysSince(0, 100),
  clientsSince: (store: Store) => store.clientsSince(0, 100),
  sessions: (store: Store) => store.sessions([sessionRecord().id]),
  keyOf: (store: Store) => store.keyOf('key_1'),
  clientOf: (store: Store) => store.clientOf('acme'),
  keys: (store: Store) => store.keys({ client: 'acme', before: null, limit: 100 }),
}
