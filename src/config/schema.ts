import { z } from 'zod'
import { FAILOVER_REASONS, PRIORITIES, SURFACES, APP_SCOPES, SCOPES } from '../core/vocabulary.ts'
import {
  duration,
  filePath,
  text,
  whole,
  redisUrl,
  secretUrl,
  backendUrl,
  baseUrl,
  cidr,
  imageUrl,
  NAME,
  NAME_TITLE,
  plainUrl,
  port,
  proxyUrl,
  secret,
  secretOrEmpty,
  webhookSecret,
  webOrigin,
} from './fields.ts'
import { ADAPTERS, INTERFACES } from '../adapters/index.ts'
import { DEFAULT_LIMITS } from '../core/access.ts'
import { ALIAS, brokenRules, reporting, vainKeys } from './rules.ts'

/** `routing`: which backend makes a video, and what becomes of one whose backend is down (docs/routing.md). */

const backendName = () => z.string().meta({ title: 'the name of a backend' })
const backendOrPool = () => z.string().meta({ title: 'the name of a backend or pool' })
const part = (least: 'above 0' | 'from 0', min: number) =>
  z
    .number()
    .min(min)
    .max(1)
    .meta({ title: `a number ${least} to 1` })

/** Every field that is given must match. */
const When = z.strictObject({
  client: z
    .string()
    .meta({ title: 'the id of a client' })
    .nullable()
    .default(null)
    .describe('Matches only videos of this client.'),
  surface: z.enum(SURFACES).nullable().default(null).describe('Matches only videos that were created on this surface.'),
  source: z
    .enum(['text', 'audio'])
    .nullable()
    .default(null)
    .describe('Matches only videos from this source: text or audio.'),
  metadata: z
    .record(z.string(), z.string())
    .meta({ title: 'a mapping of metadata keys to values' })
    .prefault({})
    .describe('Matches only videos whose metadata has these values.'),
})

const StopIf = z.strictObject({
  failure_rate: part('above 0', 0.001).describe('Stop if at least this share of the videos failed, from 0 to 1.'),
  of: whole(1, 1_000).describe('Stop only after at least this many videos.'),
  window: duration('1m', '30d').describe('Count videos that ended within this time.'),
})

const Rule = z
  .strictObject({
    when: When.prefault({}).describe('Which videos the rule is for. Every field must match. Empty: all videos.'),
    to: backendOrPool().nullable().default(null).describe('The backend or pool that makes these videos.'),
    /** The old side first, then the new one; per cent. */
    split: z
      .record(z.string(), whole(0, 100))
      .meta({ title: 'two backends and their weights, such as { main: 90, alt: 10 }' })
      .nullable()
      .default(null)
      .describe('Instead of `to`: two backends, the old side first, and their shares in percent.'),
    by: text('client or metadata.<key>', /^(client|metadata\..{1,40})$/su)
      .optional()
      // Not a default of the reader: without a split it must not be given.
      .meta({ default: 'client' })
      .describe('What stays on one side of a split: each client, or each value of metadata.<key>.'),
    stop_if: StopIf.nullable().default(null).describe('When a split returns to the old side by itself.'),
  })
  .superRefine(...reporting(vainKeys))
  .transform(({ by = 'client', ...rule }) => ({ ...rule, by }))

/** What must hold on the new side before `migrate step`, beside the old side. */
const Gates = z.strictObject({
  /** Finished videos on the new side since the last step. */
  least_videos: whole(1, 1_000_000).default(20),
  /** How much more often than the old side the new one may fail. */
  failure_rate: part('from 0', 0).default(0.02),
  /** Times the old side's. */
  p95: z.number().min(1).max(100).meta({ title: 'a number from 1 to 100' }).default(1.5),
  /** Times the old side's credits a video. */
  credits: z.number().min(1).max(100).meta({ title: 'a number from 1 to 100' }).default(1.5),
  /** The part of the new side's videos that lost an option. */
  warnings: part('from 0', 0).default(0.1),
  /** The part of the new side's creates that it passed over or refused. */
  not_moved: part('from 0', 0).default(0.5),
})

const OnDown = z.enum(['refuse', 'queue'])

const Routing = z.strictObject({
  pools: z
    .record(
      z.string().meta({ pattern: NAME.source }),
      z.array(backendName()).max(50).meta({ title: 'a list of backends' }),
    )
    .meta({ title: 'a mapping of names to lists of backends' })
    .prefault({}),
  /** null: the only backend; with several it must be named. */
  default: backendOrPool().nullable().default(null),
  rules: z.array(Rule).max(1_000).meta({ title: 'a list of rules' }).default([]),
  failover: z
    .record(z.string(), z.array(backendOrPool()).min(1).meta({ title: 'a list of backend names' }))
    .meta({ title: 'a mapping of backends to lists of their stand-ins' })
    .prefault({}),
  failover_on: z
    .array(z.enum(FAILOVER_REASONS))
    .meta({ title: `a list of ${FAILOVER_REASONS.join(', ')}` })
    .default(['down']),
  on_down: OnDown.default('refuse'),
  gates: Gates.prefault({}),
  shadow: z
    .strictObject({
      from: backendOrPool().describe('The backend whose videos are checked.'),
      to: backendOrPool().describe('The backend that could make them instead.'),
      share: part('from 0', 0).describe('The share of videos that is checked, from 0 to 1.'),
    })
    .nullable()
    .default(null),
  /** null: the default if it speaks that interface, else the first backend that does. */
  dropin: z
    .strictObject({
      primary: backendOrPool().nullable().default(null),
      alternate: backendOrPool().nullable().default(null),
    })
    .prefault({}),
})

/** `store` and `redis`: where the truth is kept, and what wakes and counts for many processes (docs/replicas.md). */

export const Store = z.strictObject({
  driver: z.enum(['sqlite', 'postgres']).default('sqlite'),
  /** Of `sqlite`. Audio on its way to a backend is put beside it, with either driver. */
  path: filePath().default('./data/talkbridge.db'),
  /** Of `postgres`, as the next three. */
  url: secretUrl('null or a URL such as postgres://user:password@host:5432/database', 'postgres|postgresql')
    .nullable()
    .default(null),
  password_file: filePath().nullable().default(null),
  pool: whole(2, 100).default(10),
  schema: text('a name of 1 to 40 characters a-z, 0-9 and _, starting with a letter', /^[a-z][a-z0-9_]{0,39}$/).default(
    'talkbridge',
  ),
})

const addresses = () =>
  z
    .array(
      z.strictObject({
        host: z.string().min(1).meta({ title: 'a host name or address' }).describe('Its host name or address.'),
        port: port(1).describe('Its port.'),
      }),
    )
    .min(1)
    .meta({ title: 'a list of hosts and ports, such as [{ host: redis-1, port: 6379 }]' })
    .nullable()
    .default(null)
const PREFIX_TITLE = 'a name of 1 to 40 characters a-z, 0-9, _ and -, of which a part may be in braces'

const Redis = z.strictObject({
  /** null: one process, or several that find each other's work by their sweeps; unless one of the next two is given. */
  url: redisUrl().nullable().default(null),
  sentinels: addresses(),
  master: z.string().min(1).meta({ title: 'the name that the sentinels use' }).nullable().default(null),
  cluster: addresses(),
  prefix: text(PREFIX_TITLE, /^(?=.{1,40}$)[a-z0-9_-]*(\{[a-z0-9_-]+\}[a-z0-9_-]*)?$/).default('talkbridge'),
  username: z.string().min(1).meta({ title: 'the name of a user of Redis' }).nullable().default(null),
  password_file: filePath().nullable().default(null),
  tls: z
    .strictObject({
      ca_file: filePath().nullable().default(null).describe('Certificates to trust (PEM). null: those of Node.js.'),
      cert_file: filePath().nullable().default(null).describe('Own certificate (PEM), if Redis asks for one.'),
      key_file: filePath().nullable().default(null).describe('Key of the own certificate (PEM).'),
    })
    .nullable()
    .default(null),
})

/**
 * Every key that exists, with its default. `config/default.yaml` gives the reasons.
 * `prefault` is where the default is written as in the file (`30s`) and still has to be read.
 */

const ports = z.array(port(1)).min(1).meta({ title: 'a list of ports' })

const Server = z.strictObject({
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

const Backend = BackendKeys.transform(({ slots, requests_per_minute, ...backend }) => {
  const { defaults } = ADAPTERS[backend.interface]
  return {
    ...backend,
    slots: slots === undefined ? defaults.slots : slots,
    requests_per_minute: requests_per_minute ?? defaults.requestsPerMinute,
  }
})

const RetentionDays = whole(1, 3650)

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
  priority: z.enum(PRIORITIES).default('normal'),
  /** null: none. */
  reuse: duration('1s', '365d').nullable().default(null),
  /** null: the gateway makes one and keeps it encrypted. */
  webhook_secret: webhookSecret().nullable().default(null),
  limits: ClientLimits.prefault({}),
  /** null: the gateway's. */
  retention_days: RetentionDays.nullable().default(null),
})

const nativeId = text('the backend’s own id, 1 to 200 characters', /^.{1,200}$/su)

/** Names are checked by a rule, as those of backends. Null: all its lines are comments. */
const aliasesOf = <S extends z.ZodType>(entry: S) =>
  z
    .record(
      z.string().meta({ pattern: ALIAS.source }),
      z
        .record(z.string(), entry)
        .refine((entries) => Object.keys(entries).length > 0, 'at least one backend is required')
        .meta({ title: 'a mapping of backends to their own ids', minProperties: 1 }),
    )
    .nullable()
    .meta({ title: 'a mapping of names to the backends’ own ids' })
    .transform((aliases) => aliases ?? {})

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
  low_after: duration('1s', '30d').prefault('1h'),
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

const Webhooks = z.strictObject({
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

export const ConfigSchema = z
  .strictObject({
    server: Server.prefault({}),
    store: Store.prefault({}),
    redis: Redis.prefault({}),
    // Names are checked by a rule: zod would skip the body of a backend whose name is wrong.
    backends: z
      .record(z.string().meta({ pattern: NAME.source }), Backend)
      .refine((backends) => Object.keys(backends).length > 0, 'at least one backend is required')
      .meta({ title: 'a mapping of names to backends', minProperties: 1 }),
    clients: z.array(Client).min(1).meta({ title: 'a list of at least one client' }),
    routing: Routing.prefault({}),
    dropin: z
      .strictObject({
        adopt_existing: z.boolean().default(false),
        history: z
          .record(z.string(), Client.shape.id)
          .meta({ title: 'a mapping of backends to the ids of clients' })
          .prefault({}),
        unsupported: z.enum(['warn', 'reject']).default('warn'),
      })
      .prefault({}),
    aliases: Aliases.prefault({}),
    engine: Engine.prefault({}),
    webhooks: Webhooks.prefault({}),
    retention_days: RetentionDays.default(30),
    metrics: Metrics.prefault({}),
    console: Console.prefault({}),
    log: Log.prefault({}),
    tracing: z.strictObject({ otlp_endpoint: plainUrl().nullable().prefault(null) }).prefault({}),
  })
  .superRefine(...reporting(brokenRules))
