import { z } from 'zod'
import { AUDIT_ACTIONS } from '../access.ts'
import { SCOPES } from '../vocabulary.ts'

/** What operators see of keys, clients and the audit log: one schema each, which documents, types and tests it. */

const time = z.iso.datetime()

export const KEY_STATUSES = ['active', 'expired', 'revoked', 'suspended'] as const

export const KeyView = z.strictObject({
  id: z.string().describe('`key_…`: the id of the key. It is not a secret'),
  object: z.literal('key'),
  client: z.string(),
  name: z.string().nullable(),
  last_four: z.string().describe('The last four characters of the key'),
  scopes: z.array(z.enum(SCOPES)),
  status: z
    .enum(KEY_STATUSES)
    .describe(
      'Only `active` keys work. `suspended`: the client is disabled, deleted, or no longer in the configuration',
    ),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable().describe('To about a minute'),
  revoked_at: time.nullable(),
  rotated_to: z.string().nullable().describe('The key that replaces this one. Both work until `expires_at`'),
  replaces: z.string().nullable().describe('The key that this one replaces'),
})
export type KeyView = z.infer<typeof KeyView>

export const KeyWithSecretView = KeyView.extend({
  key: z.string().describe('`tb_live_…`: the key itself. Only this answer shows it'),
})

export const SOURCES = ['configuration', 'stored'] as const

export const ClientLimitsView = z.strictObject({
  requests_per_minute: z.int(),
  videos_per_month: z.int().nullable().describe('Null: no limit'),
  credits_per_month: z.int().nullable().describe('Null: no limit'),
  queued_videos: z.int(),
  streams: z.int(),
})

export const ClientView = z.strictObject({
  id: z.string(),
  object: z.literal('client'),
  source: z
    .enum(SOURCES)
    .describe('`configuration`: you change it only in the configuration file. `stored`: it was made through the API'),
  description: z.string().nullable(),
  backends: z.array(z.string()).nullable().describe('The names of the backends that it may use; null: all'),
  limits: ClientLimitsView,
  enabled: z.boolean().describe('False: the gateway refuses its issued keys'),
  disabled_at: time.nullable(),
  created_at: time.nullable().describe('Null: the client is in the configuration'),
  updated_at: time.nullable(),
})
export type ClientView = z.infer<typeof ClientView>

export const AuditEntryView = z.strictObject({
  id: z.string().describe('`aud_…`'),
  object: z.literal('audit_entry'),
  at: time,
  actor: z.string().describe('The id of a client, or `gateway`'),
  actor_key: z
    .string()
    .nullable()
    .describe('The key that was used: `key_…`, or its place in the configuration. Null: the gateway itself'),
  address: z.string().nullable().describe('The IP address of the caller. It depends on `server.trust_proxy`'),
  request_id: z.string().nullable(),
  action: z.enum(AUDIT_ACTIONS),
  subject: z.string().describe('What was changed: the id of a key, a client or a video, or the key of a rule'),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntryView = z.infer<typeof AuditEntryView>
