import { z } from 'zod'
import { AUDIT_ACTIONS, DEFAULT_LIMITS } from '../../../core/access.ts'
import { durationMs, UNIT_MS } from '../../../core/time/clock.ts'
import { SCOPES } from '../../../core/vocabulary.ts'
import { BackendName, DocumentedAs, Instant, PAGE } from '../../parse.ts'

/** What the operations on keys, clients and the audit log read. */

/** As `clients[].id` of a configuration. */
const ClientId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be 1 to 63 characters a-z, 0-9, _ and -, starting with a letter or digit')
const id = z.string().min(1).max(100)
const expiresAt = Instant('The gateway refuses the key from this time on').nullable().optional()

export const CreateKeyBody = z.strictObject({
  client: ClientId.describe('The client that gets the key'),
  name: z.string().min(1).max(100).nullable().optional().describe('A name that shows people what the key is for'),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1, 'must not be empty')
    .max(SCOPES.length)
    .describe('What the key may do. You can give only scopes that your own key has'),
  expires_at: expiresAt,
})

const MAX_OVERLAP_MS = 30 * UNIT_MS.d
const NO_OVERLAP = 'must be 0 or a duration up to 30d, such as 90m, 24h or 7d'

const overlapMs = (text: string): number => (text === '0' ? 0 : durationMs(text, ['s', 'm', 'h', 'd']))

export const RotateKeyBody = z.strictObject({
  overlap: DocumentedAs(
    z
      .string()
      .max(10)
      .default('24h')
      .transform((text, context) => {
        const ms = overlapMs(text)
        if (ms <= MAX_OVERLAP_MS) return ms
        context.addIssue({ code: 'custom', message: NO_OVERLAP })
        return z.NEVER
      }),
    {
      type: 'string',
      maxLength: 10,
      default: '24h',
      description: 'How long the old key still works beside the new one: `0`, or a duration up to `30d`',
    },
  ),
  expires_at: Instant('When the new key ends. Default: it lives as long as the old key was made for')
    .nullable()
    .optional(),
})

const whole = (most: number) => z.int().min(1).max(most)
const defaultText = (value: number | null): string => `Default: ${value ?? 'null, no limit'}`
/** As `clients[].limits` of a configuration. */
const Limits = z.strictObject({
  requests_per_minute: whole(1_000_000).optional().describe(defaultText(DEFAULT_LIMITS.requestsPerMinute)),
  videos_per_month: whole(1_000_000_000).nullable().optional().describe(defaultText(DEFAULT_LIMITS.videosPerMonth)),
  credits_per_month: whole(1_000_000_000).nullable().optional().describe(defaultText(DEFAULT_LIMITS.creditsPerMonth)),
  queued_videos: whole(1_000_000).optional().describe(defaultText(DEFAULT_LIMITS.queuedVideos)),
  streams: whole(10_000).optional().describe(defaultText(DEFAULT_LIMITS.streams)),
})

const shared = {
  description: z.string().max(500).nullable().optional(),
  backends: z
    .array(BackendName)
    .min(1, 'must not be empty')
    .max(100)
    .nullable()
    .optional()
    .describe('The names of the backends that it may use. Default: null, all'),
  limits: Limits.optional(),
}

export const CreateClientBody = z.strictObject({ id: ClientId, ...shared })
export const PatchClientBody = z.strictObject({
  ...shared,
  enabled: z.boolean().optional().describe('False: the gateway refuses its keys until you set true again'),
})

export const ListKeysQuery = z.strictObject({ ...PAGE, client: id.optional().describe('Only keys of this client') })
export const ListAuditQuery = z.strictObject({
  ...PAGE,
  actor: id.optional().describe('Only changes by this client, or by the `gateway`'),
  action: z.enum(AUDIT_ACTIONS).optional(),
  subject: z.string().min(1).max(200).optional().describe('Only changes of this key, client, video or rule'),
  since: Instant('Only entries from this time on').optional(),
})
