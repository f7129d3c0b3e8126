import { createHmac, randomBytes } from 'node:crypto'
import { INTERFACES } from './adapters/index.ts'
import { createCatalog, type Catalog } from './catalog/index.ts'
import { openAccess, type Access } from './access/index.ts'
import { callbacksOf, configuredKeys, createBackends, createGuards, proxiesOf, settingsOf } from './accounts.ts'
import type { Config } from './config.ts'
import { createCursors, createLinkSignatures, type Cursors, type LinkSignatures, linksTo } from './core/api/signed.ts'
import type { Clock, ProcessClock } from './core/time/clock.ts'
import type { ConsoleParts, Replica, Wake } from './core/ports.ts'
import { Problem } from './core/errors.ts'
import { createIds, type NewId } from './core/ids.ts'
import { type Lifecycle, type Log, createLifecycle } from './core/log.ts'
import type { Store } from './core/store/index.ts'
import type { Rates, StreamPlaces } from './core/limits/rates.ts'
import { SILENT, type Tally } from './core/tally.ts'
import type { Tracing } from './core/tracing.ts'
import { createAgents, sentHeaders } from './http/exchange.ts'
import { createAudioCarrier, spoolBeside, sweepSpool, createMediaCarrier } from './http/carriers.ts'
import { USER_AGENT } from './core/vocabulary.ts'
import { type Lookup, createLookup, createResolve } from './http/guard.ts'
import { type HandThrough, createHandThrough, createLines } from './http/hand-through.ts'
import { type Metrics, createMetrics, createScrape } from './metrics/scrape.ts'
import { createMigration, type Migration } from './migration/index.ts'
import { createResources, type Resources } from './resources/index.ts'
import { createClients, type Clients } from './routes/clients.ts'
import { ownWebhookBody } from './routes/dropin/alternate/views.ts'
import { openSharing, openStore, type StoreContext } from './stores/index.ts'
import { inspectSqlite } from './stores/inspect.ts'
import { type Aliases, createAliases } from './engine/create/route.ts'
import { createCatalogLoader } from './engine/upstream/catalog-loader.ts'
import { type CatchUp, createCatchUp, createMaintainer, type Maintainer } from './engine/upkeep/maintain.ts'
import { createVideos, type Backends, type Videos } from './engine/index.ts'
import { createBoard, createDriftBoard } from './engine/replicas/board.ts'
import { createOneAtATime, thisReplica } from './engine/replicas/replica.ts'
import { createRanked } from './engine/routing/pools.ts'
import { createRouting, type Routing } from './engine/routing/index.ts'
import { createUpstream } from './engine/upstream/tickets.ts'
import { openTracing } from './tracing/index.ts'
import { createCallbackTokens, type CallbackTokens } from './webhooks/sign.ts'
import { createWebhooks, type Webhooks } from './webhooks/index.ts'
import { createResends, RESEND_WINDOW_MS, type Resends, createVetWebhookUrl } from './webhooks/endpoints.ts'
import { createSecretBox, deriveKey, type SecretBox, masterKey, verifySecretKey } from './webhooks/secrets.ts'

/** Everything that the surfaces use, made once and closed in reverse. */
export interface Deps {
  config: Config
  /** The kinds of backends that there are. */
  interfaces: readonly string[]
  clock: Clock
  log: Log
  tally: Tally
  /** What `/metrics` answers. */
  scrape: () => Promise<string>
  tracing: Tracing
  newId: NewId
  /** This process among those that share the store. */
  replica: Replica
  store: Store
  wake: Wake
  backends: Backends
  aliases: Aliases
  videos: Videos
  migration: Migration
  catalog: Catalog
  resources: Resources
  /** Streams a request to a backend and its answer back. */
  handThrough: HandThrough
  media: ReturnType<typeof createMediaCarrier>
  sender: Webhooks['sender']
  webhooks: Webhooks
  maintainer: Maintainer
  catchUp: CatchUp
  routing: Routing
  /** Issued keys, and clients beside those of the configuration. */
  access: Access
  clients: Clients
  rates: Rates
  streamPlaces: StreamPlaces
  cursors: Cursors
  linkSignatures: LinkSignatures
  callbackTokens: CallbackTokens
  /** Of the process. */
  lifecycle: Lifecycle
  /** Of what this configuration only uses: closed with the process, or once nothing runs under it any more. */
  own: Lifecycle
  /** Everything again under another configuration, over the same store; nothing of it is started. */
  rewire: (config: Config) => Deps
  /**
   * Where clients reach this process, no trailing slash: `public_url`, otherwise reported by the one that listens.
   * `callbacks`: where backends do, null where they cannot.
   */
  origin: { url: string; callbacks: string | null }
  /** Resolves, with the reason, if the store can be written no more: a new process is needed. */
  lost: Promise<Error>
  /** Aborted from the moment that the process was asked to stop. */
  stopping: AbortController
  console: ConsoleParts
  /** Aborted when this configuration is no longer in force: what is held open for its clients ends. */
  ending: AbortController
}

export interface DepsOptions extends Partial<Pick<Deps, 'newId'>> {
  config: Config
  clock: ProcessClock
  log: Log
  /** `TALKBRIDGE_SECRET_KEY`; null: kept in a file beside the store. */
  secretKey: string | null
  /** In [0, 1): jitter. */
  random: () => number
  /** Resolves the names that clients give; default: the hosts file, then DNS. */
  lookup?: Lookup
  /** What tests put between the engine and its store. */
  wrapStore?: (store: Store) => Store
  /** The store is a copy that was put in the place of an earlier one; default: it is not. */
  isRestored?: boolean | undefined
  /** Less room for the store than there is. */
  storeRoom?: StoreContext['room']
  console?: ConsoleParts
}

const DAY_MS = 86_400_000

/**
 * The composition root: hand-wired, nothing started. Rejects if the store cannot be opened or the key does not fit it.
 */
export const buildDeps = async (options: DepsOptions): Promise<Deps> => {
  const { config, clock, log, secretKey, random, wrapStore, storeRoom, isRestored = false } = options
  const lookup = createLookup(options.lookup ?? createResolve())
  const lifecycle = createLifecycle(log)
  const metrics = config.metrics.enabled ? createMetrics() : null
  lifecycle.onClose('metrics', () => metrics?.close())
  const tally = metrics?.tally ?? SILENT
  try {
    const tracing = await openTracing(config.tracing.otlp_endpoint, { clock, log })
    lifecycle.onClose('traces', () => tracing.close())
    const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>()
    const opened = await openStore(config.store, { clock, log, tally, onLost, isRestored, room: storeRoom })
    lifecycle.onClose('store', () => opened.close())
    const store = wrapStore ? wrapStore(opened) : opened
    const isShared = config.store.driver === 'postgres'
    const hasKey = (): boolean => (inspectSqlite(config.store.path).store?.secretCheck ?? null) !== null
    const { key: master, whence } = await masterKey(secretKey, config.store, hasKey, randomBytes)
    const box = createSecretBox(deriveKey(master, 'box'), randomBytes)
    await verifySecretKey(store, box, whence)
    await sweepSpool(spoolBeside(config.store.path), isShared ? 'others too' : 'alone')
    const newId = options.newId ?? createIds(clock)
    const { wake, rates, streamPlaces, close } = await openSharing(config.redis, { clock, log, tally })
    lifecycle.onClose('wake', close)
    const cursors = createCursors(deriveKey(master, 'cursor'))
    const stopping = new AbortController()
    const replica = thisReplica(!isShared)
    const marking = deriveKey(master, 'console')
    const access = await openAccess({ store, clock, log, newId, randomBytes, isShared, lifecycle, marking })
    const kept = { access, replica, store, wake, master, box, lifecycle, newId, cursors, stopping, lost }
    const counts = { rates: rates(), streamPlaces, resends: createResends(rates(RESEND_WINDOW_MS)) }
    const own = { tracing, random, lookup, handThrough: createHandThrough(), console: options.console ?? {} }
    const upSinceMs = clock.now()
    return wire({ clock, upSinceMs, log, tally, metrics, ...own, ...kept, ...counts }, config)
  } catch (error) {
    await lifecycle.close()
    throw error
  }
}

type Kept = 'access' | 'replica' | 'log' | 'tally' | 'tracing' | 'store' | 'wake' | 'lifecycle' | 'newId' | 'cursors'

/** What outlives a configuration. */
interface Base extends Pick<Deps, Kept | 'console' | 'rates' | 'streamPlaces' | 'stopping' | 'lost'> {
  clock: ProcessClock
  upSinceMs: number
  /** Null: nobody asks for them. */
  metrics: Metrics | null
  random: () => number
  lookup: Lookup
  resends: Resends
  handThrough: ReturnType<typeof createHandThrough>
  master: Buffer
  box: SecretBox
}

const wire = (base: Base, config: Config): Deps => {
  const { clock, log, tally, metrics, tracing, random, store, wake, master, box, lifecycle, newId, cursors } = base
  const { stopping, lost, access, replica, rates, streamPlaces, resends, lookup } = base
  const own = createLifecycle(log)
  lifecycle.onClose('a configuration', () => own.close())
  const agents = createAgents({ proxyOf: proxiesOf(config) })
  own.onClose('agents', () => agents.close())
  const lines = createLines({ proxyOf: proxiesOf(config) })
  own.onClose('lines to backends', lines.close)
  const guards = createGuards(config, lookup, tally)
  own.onClose('guarded agents', guards.close)
  const carrier = createAudioCarrier({ agent: guards.audio, own: agents.reads, folder: spoolBeside(config.store.path) })

  const linkSignatures = createLinkSignatures(deriveKey(master, 'content'))
  const callbackTokens = createCallbackTokens(deriveKey(master, 'callback'))
  const configured = new Map(config.clients.flatMap(({ id, webhook_secret: own }) => (own === null ? [] : [[id, own]])))
  const vet = createVetWebhookUrl(guards.policy, clock, lookup)

  const ports = { clock, log, tally, tracing, newId, random, store, wake }
  const sharing = { store, clock, log, replica }
  const drift = createDriftBoard(sharing)
  own.onClose('the drift board', drift.close)
  const oneAtATime = createOneAtATime(sharing)
  const routing = createRouting({ config, ...ports, withIssuedKeys: access.keyring.operators })
  const backends = createBackends(config, agents, ports, drift.of, routing.pauses.of)
  const clients = createClients({ configured: configuredKeys(config, backends), backends, access, clock })
  const upstream = createUpstream({ ...sharing, tally, board: createBoard(sharing, 'account') })
  own.onClose('tickets in hand', upstream.close)
  const aliases = createAliases(config.aliases)
  const catalog = createCatalog({ clock, ...createCatalogLoader({ backends, upstream, clock, oneAtATime }) })
  const outbound = deriveKey(master, 'idempotency')
  const resources = createResources({
    ...sharing,
    upstream,
    catalog,
    newId,
    aliases,
    ranked: createRanked({ store, clock, upstream }),
    defaultBackend: config.routing.default,
    outboundKey: (...parts) => createHmac('sha256', outbound).update(JSON.stringify(parts)).digest('base64url'),
    randomKey: () => randomBytes(32).toString('base64url'),
  })
  own.onClose('request counts', () => resources.requests.flush())
  const { public_url: publicUrl } = config.server
  const origin: Deps['origin'] = { url: publicUrl ?? '', callbacks: publicUrl }
  const videos = createVideos({
    ...ports,
    replica,
    oneAtATime,
    upstream,
    backends,
    ...linksTo(origin, linkSignatures),
    quotasOf: (id) => clients.byId(id)?.limits ?? null,
    maySee: (id, { name }) => clients.byId(id)?.visible.has(name) ?? false,
    ...callbacksOf(origin, callbackTokens),
    ownBody: ownWebhookBody,
    vetWebhookUrl: (url) => vet(url),
    portraitOf: resources.puppets.portraitOf,
    knownPortraitOf: resources.puppets.knownPortraitOf,
    fresh: catalog.fresh,
    lookUp: catalog.lookUp,
    async creditsLeft(backend) {
      const usage = await resources.usage.told(backend)
      return usage instanceof Problem ? null : usage.creditsRemaining
    },
    sentHeaders,
    aliases,
    ...settingsOf(config),
    historyOf: config.dropin.history,
    rules: routing.rules,
    weightOf: routing.splits.weightOf,
    uploads: resources.uploadLookup,
    carrier,
    upSinceMs: base.upSinceMs,
    isStopping: () => stopping.signal.aborted,
  })
  const { uploadLookup: uploads, puppets } = resources
  const seen = { backends, catalog, aliases, uploads, carrier, knownPortraitOf: puppets.knownPortraitOf, config }
  const migration = createMigration({ ...sharing, ...seen, storedBackends: access.keyring.backendsOf })
  own.onClose('migration', () => migration.close())
  const webhooks = createWebhooks({
    ...ports,
    resends,
    box,
    configured,
    agent: guards.webhooks,
    vet,
    timeoutMs: config.webhooks.timeout,
    concurrency: config.webhooks.concurrency,
    randomBytes,
    userAgent: USER_AGENT,
  })
  const lasting = { lifecycle, stopping, lost, rates, streamPlaces, console: base.console }
  return {
    config,
    interfaces: INTERFACES,
    ...ports,
    scrape: createScrape(metrics, { ...sharing, backends, describe: videos.describe, splits: routing.splits }),
    replica,
    backends,
    aliases,
    videos: migration.watching(videos),
    migration,
    catalog,
    resources,
    handThrough: base.handThrough(lines),
    media: createMediaCarrier({ agent: guards.audio, own: agents.reads }),
    sender: webhooks.sender,
    webhooks,
    maintainer: createMaintainer({
      store,
      clock,
      log,
      retentionMs: config.retention_days * DAY_MS,
      clientRetentionMs: new Map(
        config.clients.flatMap(({ id, retention_days: days }) => (days === null ? [] : [[id, days * DAY_MS]])),
      ),
    }),
    catchUp: createCatchUp({ store, clock, log }),
    routing,
    access,
    clients,
    cursors,
    linkSignatures,
    callbackTokens,
    ...lasting,
    own,
    rewire: (next) => wire(base, next),
    origin,
    ending: new AbortController(),
  }
}
