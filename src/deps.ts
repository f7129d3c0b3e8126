import { createHmac, randomBytes } from 'node:crypto'
import { INTERFACES } from './adapters/index.ts'
import { createCatalog, type Catalog } from './catalog/index.ts'
import { configuredClients, createBackends, policyOf, settingsOf } from './accounts.ts'
import type { Config } from './config.ts'
import { createContentSignature, type ContentSignature } from './core/api/content-signature.ts'
import type { Clock, ProcessClock } from './core/time/clock.ts'
import { createCursors, type Cursors } from './core/api/cursor.ts'
import { createIds, type NewId } from './core/ids.ts'
import type { Log } from './core/log.ts'
import type { Replica } from './core/replica.ts'
import type { Store } from './core/store/index.ts'
import type { Wake } from './core/wake.ts'
import type { Rates } from './core/limits/rates.ts'
import type { StreamPlaces } from './core/limits/stream-places.ts'
import { createTally, type Tally } from './core/tally.ts'
import { createAgents } from './http/agents.ts'
import { createAudioCarrier, spoolBeside, sweepSpool } from './http/audio-carrier.ts'
import { sentHeaders, USER_AGENT } from './http/call-json.ts'
import { createLookup, type Lookup } from './http/guard.ts'
import { createGuardedAgent } from './http/guard-agent.ts'
import { createHandThrough, type HandThrough } from './http/hand-through.ts'
import { createLines } from './http/proxy-lines.ts'
import { createResolve } from './http/resolve.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createMigration, type Migration } from './migration/index.ts'
import { createResources, type Resources } from './resources/index.ts'
import { createClients, type Clients } from './routes/clients.ts'
import { ownWebhookBody } from './routes/dropin/webhook-body.ts'
import { openSharing } from './stores/sharing.ts'
import { openStore, type StoreContext } from './stores/index.ts'
import { createAliases } from './engine/create/aliases.ts'
import { createCatalogLoader } from './engine/upstream/catalog-loader.ts'
import { createCatchUp, type CatchUp } from './engine/upkeep/catch-up.ts'
import { createVideos, type Backends, type Videos } from './engine/index.ts'
import { createMaintainer, type Maintainer } from './engine/upkeep/maintain.ts'
import { createBoard } from './engine/replicas/board.ts'
import { createDriftBoard } from './engine/replicas/drift.ts'
import { createOneAtATime } from './engine/replicas/one-at-a-time.ts'
import { thisReplica } from './engine/replicas/this-replica.ts'
import { createRouting, type Routing } from './engine/routing/index.ts'
import { createUpstream } from './engine/upstream/tickets.ts'
import { createCallbackTokens, type CallbackTokens } from './webhooks/inbound.ts'
import { createWebhooks, type Webhooks } from './webhooks/index.ts'
import { createResends, RESEND_WINDOW_MS, type Resends } from './webhooks/resends.ts'
import { createSecretBox, deriveKey, type SecretBox } from './webhooks/secrets.ts'
import { masterKey, verifySecretKey } from './webhooks/store-key.ts'
import { createVetWebhookUrl } from './webhooks/vet.ts'

/** Everything that the surfaces use, made once and closed in reverse. */
export interface Deps {
  config: Config
  /** The kinds of backends that there are. */
  interfaces: readonly string[]
  clock: Clock
  log: Log
  tally: Tally
  newId: NewId
  /** This process among those that share the store. */
  replica: Replica
  store: Store
  wake: Wake
  backends: Backends
  videos: Videos
  migration: Migration
  catalog: Catalog
  resources: Resources
  /** Streams a request to a backend and its answer back. */
  handThrough: HandThrough
  sender: Webhooks['sender']
  webhooks: Webhooks
  maintainer: Maintainer
  catchUp: CatchUp
  routing: Routing
  clients: Clients
  rates: Rates
  streamPlaces: StreamPlaces
  cursors: Cursors
  contentSignature: ContentSignature
  callbackTokens: CallbackTokens
  /** Of the process. */
  lifecycle: Lifecycle
  /** Of what this configuration alone uses: closed with the process, or once nothing runs under it any more. */
  own: Lifecycle
  /** Everything once more under another configuration, over the same store; nothing of it is started. */
  rewire: (config: Config) => Deps
  /**
   * Where clients reach this process, no trailing slash: `public_url`, else told by whoever listens. `callbacks`: where
   * backends do, null where they cannot.
   */
  origin: { url: string; callbacks: string | null }
  /** Resolves, with the reason, if the store can be written no more: a new process is needed. */
  lost: Promise<Error>
  /** Aborted from the moment that the process was asked to stop. */
  stopping: AbortController
  /** Aborted when this configuration is no longer in force: what is held open for its clients ends. */
  ending: AbortController
}

export interface DepsOptions {
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
  /** Less room for the store than there is. */
  storeRoom?: StoreContext['room']
}

const DAY_MS = 86_400_000
/** The composition root: hand-wired, nothing started. Rejects if the store cannot be opened or the key does not fit it. */
export const buildDeps = async (options: DepsOptions): Promise<Deps> => {
  const { config, clock, log, secretKey, random, wrapStore, storeRoom } = options
  const lookup = createLookup(options.lookup ?? createResolve())
  const lifecycle = createLifecycle(log)
  try {
    const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>()
    const opened = await openStore(config.store, { clock, log, onLost, room: storeRoom })
    lifecycle.onClose('store', () => opened.close())
    const store = wrapStore ? wrapStore(opened) : opened
    const isShared = config.store.driver === 'postgres'
    const { key: master, whence } = await masterKey(secretKey, config.store, randomBytes)
    const box = createSecretBox(deriveKey(master, 'box'), randomBytes)
    await verifySecretKey(store, box, whence)
    await sweepSpool(spoolBeside(config.store.path), isShared ? 'others too' : 'alone')
    const newId = createIds(clock)
    const tally = createTally()
    const { wake, rates, streamPlaces, close } = await openSharing(config.redis, { clock, log, tally })
    lifecycle.onClose('wake', close)
    const cursors = createCursors(deriveKey(master, 'cursor'))
    const stopping = new AbortController()
    const replica = thisReplica(!isShared)
    const kept = { replica, store, wake, master, box, lifecycle, newId, cursors, stopping, lost }
    const counts = { rates: rates(), streamPlaces, resends: createResends(rates(RESEND_WINDOW_MS)) }
    const handThrough = createHandThrough()
    return wire({ clock, log, tally, random, lookup, ...kept, ...counts, handThrough }, config)
  } catch (error) {
    await lifecycle.close()
    throw error
  }
}

type Kept = 'replica' | 'log' | 'tally' | 'store' | 'wake' | 'lifecycle' | 'newId' | 'cursors'

/** What outlives a configuration. */
interface Base extends Pick<Deps, Kept | 'rates' | 'streamPlaces' | 'stopping' | 'lost'> {
  clock: ProcessClock
  random: () => number
  lookup: Lookup
  resends: Resends
  handThrough: ReturnType<typeof createHandThrough>
  master: Buffer
  box: SecretBox
}

const wire = (base: Base, config: Config): Deps => {
  const { clock, log, tally, random, store, wake, master, box, lifecycle, newId, cursors, stopping, lost } = base
  const { replica, rates, streamPlaces, resends, lookup } = base
  const own = createLifecycle(log)
  lifecycle.onClose('a configuration', () => own.close())
  const agents = createAgents()
  own.onClose('agents', () => agents.close())
  const lines = createLines()
  own.onClose('lines to backends', lines.close)
  const policy = policyOf(config)
  const guarded = createGuardedAgent({ policy, lookup })
  own.onClose('webhook agent', () => guarded.close())

  const audioAgent = createGuardedAgent({ policy, lookup })
  own.onClose('audio agent', () => audioAgent.close())
  const carrier = createAudioCarrier({ agent: audioAgent, own: agents.reads, folder: spoolBeside(config.store.path) })

  const contentSignature = createContentSignature(deriveKey(master, 'content'))
  const callbackTokens = createCallbackTokens(deriveKey(master, 'callback'))
  const configured = new Map(config.clients.flatMap(({ id, webhook_secret: own }) => (own === null ? [] : [[id, own]])))
  const vet = createVetWebhookUrl(policy, clock, lookup)

  const sharing = { store, clock, log, replica }
  const drift = createDriftBoard(sharing)
  own.onClose('the drift board', drift.close)
  const oneAtATime = createOneAtATime(sharing)
  const backends = createBackends(config, agents, clock, log, drift.of)
  const upstream = createUpstream({ ...sharing, board: createBoard(sharing, 'account') })
  own.onClose('tickets in hand', upstream.close)
  const aliases = createAliases(config.aliases)
  const routing = createRouting({ config, store, wake, clock, log, newId })
  const catalog = createCatalog({ clock, ...createCatalogLoader({ backends, upstream, clock, oneAtATime }) })
  const outbound = deriveKey(master, 'idempotency')
  const resources = createResources({
    store,
    upstream,
    catalog,
    clock,
    newId,
    log,
    defaultBackend: config.routing.default,
    aliases,
    outboundKey: (...parts) => createHmac('sha256', outbound).update(JSON.stringify(parts)).digest('base64url'),
    randomKey: () => randomBytes(32).toString('base64url'),
  })
  own.onClose('request counts', () => resources.requests.flush())
  const { public_url: publicUrl } = config.server
  const origin: Deps['origin'] = { url: publicUrl ?? '', callbacks: publicUrl }
  const videos = createVideos({
    replica,
    oneAtATime,
    store,
    wake,
    clock,
    newId,
    random,
    log,
    tally,
    upstream,
    backends,
    contentUrl: (id) => `${origin.url}/unified/v1/videos/${id}/content?sig=${contentSignature.sign(id)}`,
    callbackUrl: ({ backend, id }, attempt) =>
      origin.callbacks === null
        ? null
        : `${origin.callbacks}/hooks/${backend}/${callbackTokens.make(backend, id, attempt)}`,
    ownBody: ownWebhookBody,
    takesCallbacks: () => origin.callbacks !== null,
    vetWebhookUrl: (url) => vet(url),
    portraitOf: resources.puppets.portraitOf,
    knownPortraitOf: resources.puppets.knownPortraitOf,
    fresh: catalog.fresh,
    sentHeaders,
    aliases,
    ...settingsOf(config),
    rules: routing.rules,
    weightOf: routing.splits.weightOf,
    uploads: resources.uploadLookup,
    carrier,
    isStopping: () => stopping.signal.aborted,
  })
  const { uploadLookup: uploads, puppets } = resources
  const { knownPortraitOf } = puppets
  const seen = { backends, catalog, aliases, uploads, carrier, knownPortraitOf, config }
  const migration = createMigration({ store, clock, log, ...seen })
  own.onClose('migration', () => migration.close())
  const webhooks = createWebhooks({
    store,
    wake,
    clock,
    log,
    tally,
    newId,
    resends,
    box,
    configured,
    agent: guarded,
    vet,
    timeoutMs: config.webhooks.timeout,
    concurrency: config.webhooks.concurrency,
    random,
    randomBytes,
    userAgent: USER_AGENT,
  })
  return {
    config,
    interfaces: INTERFACES,
    clock,
    log,
    tally,
    newId,
    replica,
    store,
    wake,
    backends,
    videos: migration.watching(videos),
    migration,
    catalog,
    resources,
    handThrough: base.handThrough(lines),
    sender: webhooks.sender,
    webhooks,
    maintainer: createMaintainer({ store, clock, log, retentionMs: config.retention_days * DAY_MS }),
    catchUp: createCatchUp({ store, clock, log }),
    routing,
    clients: createClients(configuredClients(config, backends)),
    cursors,
    contentSignature,
    callbackTokens,
    lifecycle,
    own,
    rewire: (next) => wire(base, next),
    origin,
    stopping,
    lost,
    ending: new AbortController(),
    rates,
    streamPlaces,
  }
}
