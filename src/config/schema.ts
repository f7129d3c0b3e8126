import { z } from 'zod'
import { ADAPTERS, INTERFACES } from '../adapters/index.ts'
import { DEFAULT_LIMITS } from '../core/access.ts'
import { APP_SCOPES, SCOPES } from '../core/vocabulary.ts'
import { ALIAS } from './aliases.ts'
import {
  backendUrl,
  baseUrl,
  cidr,
  duration,
  imageUrl,
  NAME,
  NAME_TITLE,
  plainUrl,
  port,
  proxyUrl,
  secret,
  secretOrEmpty,
  text,
  webhookSecret,
  webOrigin,
  whole,
} from './fields.ts'
import { OnDown, Routing } from './routing.ts'
import { Redis, Store } from './store.ts'

/**
 * Every key that exists, with its default. `config/default.yaml` gives the reasons.
 * `prefault` stands where the default is written as in the file (`30s`) and still has to be read.
 */

const ports = z.array(port(1)).min(1).meta({ title: 'a list of ports' })

export const Server = z.strictObject({
  host: text('a host name or address', /^\S+$/).default('127.0.0.1'),
  /** 0: any free port. */
  port: port(0).default(8080),
  public_url: baseUrl().nullable().prefault(null),
  /** A number says how many proxies stand in front. `true` believes any `X-Forwarded-For`. */
  trust_proxy: z
    .union([z.boolean(), whole(1, 32)])
    .meta({ title: 'true, false or the number of proxies in front' })
    .default(false),
  shutdown_delay: duration('0s', '5m').prefault('0s'),
  shutdown_grace: duration('1s', '10m').prefault('35s'),
  max_connections: whole(1, 1_000_000).default(4_096),
  streams: whole(1, 100_000).default(1_000),
  cors: z
    .strictObject({
      origins: z
        .array(webOrigin())
        .max(100)
        .refine((origins) => !origins.includes('*') || origins.length === 1, "expected '*' alone, or origins")
        .meta({ title: "a list of origins, or ['*']" })
        .default([]),
    })
    .prefault({}),
})

const BackendKeys = z.strictObject({
  interface: z.enum(INTERFACES),
  base_url: backendUrl(),
  api_key: secret(1),
  /** These two as the interface has them, where the file says nothing. */
  slots: whole(1, 10_000).nullable().optional(),
  requests_per_minute: whole(1, 100_000).optional(),
  timeout: duration('100ms', '5m').prefault('30s'),
  exclusive: z.boolean().default(false),
  resend_when_absent: z.boolean().default(false),
  absent_after: duration('10s', '24h').prefault('5m'),
  drain: z.boolean().default(false),
  /** null: as `routing.on_down` says. */
  on_down: OnDown.nullable().default(null),
  /** null: by `HTTPS_PROXY` and `NO_PROXY`, which are filled in here. */
  proxy: proxyUrl().nullable().default(null),
})
export const BackendTimeout = BackendKeys.shape.timeout

const Backend = BackendKeys.transform(({ slots, requests_per_minute, ...backend }) => {
  const { defaults } = ADAPTERS[backend.interface]
  return {
    ...backend,
    slots: slots === undefined ? defaults.slots : slots,
    requests_per_minute: requests_per_minute ?? defaults.requestsPerMinute,
  }
})

const ClientLimits = z.strictObject({
  requests_per_minute: whole(1, 1_000_000).default(DEFAULT_LIMITS.requestsPerMinute),
  /** null: no limit. */
  videos_per_month: whole(1, 1_000_000_000).nullable().default(DEFAULT_LIMITS.videosPerMonth),
  credits_per_month: whole(1, 1_000_000_000).nullable().default(DEFAULT_LIMITS.creditsPerMonth),
  queued_videos: whole(1, 1_000_000).default(DEFAULT_LIMITS.queuedVideos),
  streams: whole(1, 10_000).default(DEFAULT_LIMITS.streams),
})

export const Client = z.strictObject({
  id: text(NAME_TITLE, NAME),
  /** This one, or `keys`, or both. */
  key: secret(20).nullable().optional(),
  keys: z.array(secret(20)).max(20).meta({ title: 'a list of at most 20 keys' }).default([]),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .meta({ title: 'a list of scopes' })
    .default([...APP_SCOPES]),
  /** null: every backend. */
  backends: z.array(z.string()).min(1).meta({ title: 'null or a list of backend names' }).nullable().default(null),
  /** null: the gateway makes one and keeps it encrypted. */
  webhook_secret: webhookSecret().nullable().default(null),
  limits: ClientLimits.prefault({}),
})

const nativeId = text('the backend’s own id, 1 to 200 characters', /^.{1,200}$/su)

/** Names are checked in the second pass, as those of backends. */
const aliasesOf = <S extends z.ZodType>(entry: S) =>
  z
    .record(
      z.string().meta({ pattern: ALIAS.source }),
      z
        .record(z.string(), entry)
        .refine((entries) => Object.keys(entries).length > 0, 'at least one backend is required')
        .meta({ title: 'a mapping of backends to their own ids', minProperties: 1 }),
    )
    .meta({ title: 'a mapping of names to the backends’ own ids' })

const Aliases = z.strictObject({
  voices: aliasesOf(nativeId).prefault({}),
  puppets: aliasesOf(
    z
      .union([
        nativeId,
        z.strictObject({ image_url: imageUrl().describe('URL of the portrait, for a backend that takes images.') }),
      ])
      .meta({ title: "the backend’s own id, or { image_url: 'https://…' }" }),
  ).prefault({}),
})

const Engine = z.strictObject({
  max_age: duration('1m', '30d').prefault('24h'),
  queue_limit: whole(1, 1_000_000).default(10_000),
  resend_window: duration('1s', '24h').prefault('1h'),
  transfer_audio: z.boolean().default(true),
  poll: z
    .strictObject({
      min_interval: duration('10ms', '10m').prefault('1s'),
      /** null: as many as the window has to spare. */
      polls_per_job: z.number().min(1).max(1_000).meta({ title: 'a number from 1 to 1000' }).nullable().default(null),
    })
    .prefault({}),
})

const Allow = z.strictObject({
  cidr: cidr().describe('The gateway may send webhooks to this address range.'),
  ports: ports.nullable().default(null).describe('Allowed ports in this range. null: every port.'),
  http: z.boolean().default(false).describe('true: plain http is allowed in this range.'),
})

export const Webhooks = z.strictObject({
  allow: z.array(Allow).default([]),
  ports: ports.default([443, 8443]),
  timeout: duration('100ms', '5m').prefault('15s'),
  concurrency: whole(1, 10_000).default(256),
})

const Metrics = z.strictObject({
  enabled: z.boolean().default(true),
  /** null: `/metrics` is open. */
  token: secret(20).nullable().default(null),
})

const Console = z.strictObject({
  enabled: z.boolean().default(true),
  /** null or empty: none but those of `clients`. */
  admin_key: secretOrEmpty(20).nullable().default(null),
  session_idle: duration('5m', '7d').prefault('8h'),
})

const Log = z.strictObject({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** `auto`: pretty on a terminal, else json. */
  format: z.enum(['auto', 'json', 'pretty']).default('auto'),
})

export const ConfigSchema = z.strictObject({
  server: Server.prefault({}),
  store: Store.prefault({}),
  redis: Redis.prefault({}),
  // Names are checked in the second pass: zod would skip the body of a backend whose name is wrong.
  backends: z
    .record(z.string().meta({ pattern: NAME.source }), Backend)
    .refine((backends) => Object.keys(backends).length > 0, 'at least one backend is required')
    .meta({ title: 'a mapping of names to backends', minProperties: 1 }),
  clients: z.array(Client).min(1).meta({ title: 'a list of at least one client' }),
  routing: Routing.prefault({}),
  dropin: z
    .strictObject({
      adopt_existing: z.boolean().default(false),
      unsupported: z.enum(['warn', 'reject']).default('warn'),
    })
    .prefault({}),
  aliases: Aliases.prefault({}),
  engine: Engine.prefault({}),
  webhooks: Webhooks.prefault({}),
  retention_days: whole(1, 3650).default(30),
  metrics: Metrics.prefault({}),
  console: Console.prefault({}),
  log: Log.prefault({}),
  tracing: z.strictObject({ otlp_endpoint: plainUrl().nullable().prefault(null) }).prefault({}),
})
