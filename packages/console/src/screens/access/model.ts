import type { Schema } from '../../api.ts'

export type Key = Schema<'Key'>
export type Client = Schema<'Client'>
export type AuditEntry = Schema<'AuditEntry'>
export type Scope = Key['scopes'][number]

/** What a key with it may do, in words. */
export const SCOPES = [
  ['voices:read', 'voices:read', 'List voices'],
  ['videos:read', 'videos:read', 'Read and download videos, saved portraits, backends and usage'],
  ['videos:create', 'videos:create', 'Make and cancel videos: this spends credits'],
  ['tts:create', 'tts:create', 'Turn text into speech'],
  ['uploads:create', 'uploads:create', 'Upload audio files'],
  ['webhooks:read', 'webhooks:read', 'See endpoints, events and deliveries, and follow the stream'],
  ['webhooks:write', 'webhooks:write', 'Change endpoints, read the signing secret, resend events'],
  ['backends:import', 'backends:import', 'Import jobs that were made on the backends’ accounts without the gateway'],
  ['backends:read_all', 'backends:read_all', 'See all jobs of the backends’ accounts, also those of other clients'],
  ['admin', 'admin', 'Be an operator: see all clients, issue keys, change clients'],
  ['*', '* (everything)', 'All of these, and all that are added later'],
] as const satisfies readonly (readonly [Scope, string, string])[]

/** What an app needs that makes videos and hears of them. */
export const USUAL_SCOPES: readonly Scope[] = [
  'voices:read',
  'videos:read',
  'videos:create',
  'webhooks:read',
  'webhooks:write',
]

export const LIFETIMES = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const
const DAY_MS = 86_400_000
export const expiryOf = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

export const keyName = ({ name, last_four: lastFour }: Key): string =>
  name === null ? `…${lastFour}` : `${name} (…${lastFour})`

/** `2026-11`, by UTC, so many months ago. */
export const monthAgo = (months: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}
