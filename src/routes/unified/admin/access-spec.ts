import { EXAMPLE_IDS } from '../../../core/ids.ts'
import type { AuditEntryView, ClientView, KeyView } from '../../../core/api/admin.ts'
import { listOfOne } from '../../openapi/examples.ts'
import { BODY_PROBLEMS, json, operations } from '../../openapi/operation.ts'
import { PageQuery } from '../../parse.ts'
import { ListAuditQuery, ListKeysQuery } from './access-input.ts'

const ADMIN = '/unified/v1/admin'
const AT = '2026-11-20T12:00:00.000Z'
const KEY_ID = EXAMPLE_IDS.key

const KEY: KeyView = {
  id: KEY_ID,
  object: 'key',
  client: 'acme',
  name: 'checkout service',
  last_four: 'x7Qd',
  scopes: ['videos:create', 'videos:read'],
  status: 'active',
  created_at: AT,
  expires_at: '2027-02-18T12:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
  rotated_to: null,
  replaces: null,
}
// Of the right form, and with a checksum that is wrong: no scanner takes it for a key that leaked.
const SHOWN = { ...KEY, key: 'tb_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE000000000' }

const CLIENT: ClientView = {
  id: 'acme',
  object: 'client',
  source: 'stored',
  description: 'The shop',
  backends: ['main'],
  limits: {
    requests_per_minute: 600,
    videos_per_month: 1_000,
    credits_per_month: null,
    queued_videos: 100,
    streams: 20,
  },
  enabled: true,
  disabled_at: null,
  created_at: AT,
  updated_at: AT,
}

const ENTRY: AuditEntryView = {
  id: 'aud_01M7WA9S7VF4P8S27TV0W2QQJ9',
  object: 'audit_entry',
  at: AT,
  actor: 'ops',
  actor_key: 'clients.ops.key',
  address: '203.0.113.7',
  request_id: 'req_01M7WA9S7VF4P8S27TV0W2QQJ9',
  action: 'key.create',
  subject: KEY_ID,
  detail: { client: 'acme', scopes: ['videos:create', 'videos:read'] },
}

const KEY_OPERATIONS = operations('Administration', {
  createKey: {
    at: ['post', `${ADMIN}/keys`],
    summary: 'Issue a key',
    description:
      'The client may be in the configuration or stored. Only this answer shows the key: the gateway keeps only its SHA-256. You can give only scopes that your own key has. Others get 403 `insufficient_scope`. Only a key with `*` can give `*`. At most 10,000 keys can be active.',
    scope: 'admin',
    body: {
      name: 'CreateKey',
      examples: {
        usual: {
          summary: 'A key for one service, with an end',
          value: {
            client: 'sandbox',
            name: 'checkout service',
            scopes: ['videos:create', 'videos:read'],
            expires_at: '2099-12-31T23:59:59Z',
          },
        },
      },
    },
    answers: { 201: json('The key, which works from now on.', 'KeyWithSecret', SHOWN, { Location: 'always' }) },
    problems: BODY_PROBLEMS,
  },
  listKeys: {
    at: ['get', `${ADMIN}/keys`],
    summary: 'List issued keys',
    description: 'Lists active and ended keys. The gateway keeps ended keys for `retention_days`.',
    scope: 'admin',
    query: ListKeysQuery,
    answers: { 200: json('A page, newest first.', 'KeyList', listOfOne(KEY)) },
    problems: ['invalid_cursor'],
  },
  getKey: {
    at: ['get', `${ADMIN}/keys/{id}`],
    summary: 'Read an issued key',
    scope: 'admin',
    answers: { 200: json('What is known of the key, without the key itself.', 'Key', KEY) },
    problems: ['key_not_found'],
  },
  rotateKey: {
    at: ['post', `${ADMIN}/keys/{id}/rotate`],
    summary: 'Replace a key',
    description:
      'Makes a key with the same client, name and scopes. The old key works for `overlap` longer, by default a day. A key that ended, or was rotated before, gets 409 `key_not_active`. A key with a scope that your own key lacks gets 403.',
    scope: 'admin',
    body: {
      name: 'RotateKey',
      optional: true,
      examples: {
        hour: { summary: 'Both keys work for an hour', value: { overlap: '1h' } },
      },
    },
    answers: {
      200: json('The new secret.', 'KeyWithSecret', { ...SHOWN, replaces: 'key_01M7WA9S7VF4P8S27TV0W2QQJ8' }),
    },
    problems: [...BODY_PROBLEMS, 'key_not_found', 'key_not_active'],
  },
  revokeKey: {
    at: ['post', `${ADMIN}/keys/{id}/revoke`],
    summary: 'Revoke a key',
    description:
      'Takes effect on every process within a second. New requests are refused, streams end, and requests that wait get their answer. You can safely repeat this call.',
    scope: 'admin',
    answers: { 200: json('The key, which no longer works.', 'Key', { ...KEY, status: 'revoked', revoked_at: AT }) },
    problems: ['key_not_found'],
  },
})

const CLIENT_OPERATIONS = operations('Administration', {
  createClient: {
    at: ['post', `${ADMIN}/clients`],
    summary: 'Create a client',
    description:
      'Adds a client to those of the configuration. It has no key yet: issue one with createKey. You cannot reuse the id of a deleted client.',
    scope: 'admin',
    body: {
      name: 'CreateClient',
      examples: {
        usual: {
          summary: 'With a quota',
          value: { id: 'acme', backends: ['main'], limits: { videos_per_month: 1_000 } },
        },
      },
    },
    answers: { 201: json('The new client.', 'Client', CLIENT, { Location: 'always' }) },
    problems: [...BODY_PROBLEMS, 'client_exists', 'client_configured'],
  },
  listClients: {
    at: ['get', `${ADMIN}/clients`],
    summary: 'List clients',
    description: 'Lists the clients of the configuration and the stored ones.',
    scope: 'admin',
    query: PageQuery,
    answers: { 200: json('A page, ordered by id.', 'ClientList', listOfOne(CLIENT)) },
    problems: ['invalid_cursor'],
  },
  getClient: {
    at: ['get', `${ADMIN}/clients/{id}`],
    summary: 'Read a client',
    scope: 'admin',
    answers: { 200: json('As it is now.', 'Client', CLIENT) },
    problems: ['client_not_found'],
  },
  updateClient: {
    at: ['patch', `${ADMIN}/clients/{id}`],
    summary: 'Change a client',
    description:
      'Fields that you leave out stay as they are. The change takes effect on every process within a second. While a client is disabled, its keys are refused. Its videos continue.',
    scope: 'admin',
    body: {
      name: 'UpdateClient',
      examples: {
        limit: { summary: 'Allow more requests', value: { limits: { requests_per_minute: 1_200 } } },
        disable: { summary: 'Refuse its keys', value: { enabled: false } },
      },
    },
    answers: { 200: json('As it is now.', 'Client', CLIENT) },
    problems: [...BODY_PROBLEMS, 'client_not_found', 'client_configured'],
  },
  deleteClient: {
    at: ['delete', `${ADMIN}/clients/{id}`],
    summary: 'Delete a client',
    description:
      'You cannot undo this. The keys of the client are refused, and nobody can reuse its id. The gateway follows its open videos to their end.',
    scope: 'admin',
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['client_not_found', 'client_configured'],
  },
  listAudit: {
    at: ['get', `${ADMIN}/audit`],
    summary: 'Read the audit log',
    description:
      'Lists every change by an operator: who did what, when and from where. The gateway keeps entries for `retention_days`.',
    scope: 'admin',
    query: ListAuditQuery,
    answers: { 200: json('A page, newest first.', 'AuditEntryList', listOfOne(ENTRY)) },
    problems: ['invalid_cursor'],
  },
})

export const ACCESS_OPERATIONS = [...KEY_OPERATIONS, ...CLIENT_OPERATIONS]
