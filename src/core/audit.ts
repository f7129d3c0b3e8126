/** Who does something as an operator, and from where. */
export interface Actor {
  /** The id of a client, or `gateway`. */
  client: string
  /** Which of its keys: `key_…`, or where in the configuration; null for the gateway itself. */
  key: string | null
  /** As `server.trust_proxy` lets it be known. */
  address: string | null
  requestId: string | null
}

/** The gateway by itself. */
export const GATEWAY: Actor = { client: 'gateway', key: null, address: null, requestId: null }

/** Everything that the audit log tells of. */
export const AUDIT_ACTIONS = [
  'key.create',
  'key.rotate',
  'key.revoke',
  'client.create',
  'client.update',
  'client.delete',
  'video.resolve',
  'video.cancel',
  'event.redeliver',
  'split.step',
  'split.rollback',
  'split.resume',
  'split.stop',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Who did what, to what, when and from where. `detail` has no secret in it. */
export interface AuditEntry {
  /** `aud_…` */
  id: string
  atMs: number
  /** The id of a client, or `gateway`. */
  actor: string
  key: string | null
  address: string | null
  requestId: string | null
  action: AuditAction
  /** What it was done to: the id of a key, a client or a video, or the key of a rule. */
  subject: string
  detail: Readonly<Record<string, unknown>>
}

/** What was done, without who and when. */
export type Deed = Pick<AuditEntry, 'action' | 'subject' | 'detail'>

export const entryOf = ({ client, ...from }: Actor, id: string, atMs: number, deed: Deed): AuditEntry => ({
  id,
  atMs,
  actor: client,
  ...from,
  ...deed,
})
