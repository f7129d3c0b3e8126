import {
  type AuditEntry,
  type ClientRecord,
  GATEWAY,
  type KeyRecord,
  type SessionRecord,
} from '../../src/core/access.ts'
import { HOUR, T0 } from './records.ts'

/** Records of keys and clients, and what is told of them. */

export const keyRecord = (given: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'key_1',
  client: 'acme',
  name: null,
  hash: `hash of ${given.id ?? 'key_1'}`,
  lastFour: 'aaaa',
  scopes: ['videos:read'],
  createdAtMs: T0,
  expiresAtMs: null,
  revokedAtMs: null,
  rotatedTo: null,
  replaces: null,
  change: 0,
  ...given,
})

export const clientRecord = (given: Partial<ClientRecord> = {}): ClientRecord => ({
  id: 'acme',
  description: null,
  backends: null,
  limits: { requestsPerMinute: 600, videosPerMonth: null, creditsPerMonth: null, queuedVideos: 100, streams: 20 },
  createdAtMs: T0,
  updatedAtMs: T0,
  disabledAtMs: null,
  deletedAtMs: null,
  change: 0,
  ...given,
})

export const sessionRecord = (given: Partial<SessionRecord> = {}): SessionRecord => ({
  id: 'session_1',
  client: 'acme',
  key: 'key_1',
  createdAtMs: T0,
  seenAtMs: T0,
  endsAtMs: T0 + 8 * HOUR,
  ...given,
})

export const auditEntry = (id: string, given: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  atMs: T0,
  actor: 'ops',
  key: 'key_ops',
  address: '203.0.113.7',
  requestId: 'req_1',
  action: 'key.create',
  subject: 'key_1',
  detail: { client: 'acme' },
  ...given,
})

/** For tests that only need somebody. */
export const OPERATOR = { ...GATEWAY, client: 'ops', key: 'clients.ops.key' }
