import { INTERFACES } from '../src/adapters/index.ts'

const SERVICES = ['access', 'catalog', 'migration', 'resources', 'webhooks']
/**
 * Who may import whom, besides itself, npm and node; type imports count like others, but `type x` allows only them.
 * A room is a file or a folder of `src`, without `.ts`, or of the `src` of a package, behind the package; a file belongs to the longest room that names it.
 * The order is that of the house: the process outside, the vocabulary inside. A backend is known in its own folder only,
 * a driver of the store likewise; routes know no backend; the sandbox shares nothing with what it stands in for, so that
 * one misreading cannot cancel another. An arrow is added here by decision, never to make a test pass.
 *
 * The table of adapters is named by the composition root, and by the configuration, which takes from it what an
 * `interface:` may be and its defaults: a file of names would be a second line for every interface.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  cli: [
    'cli/doctor',
    'gateway',
    'app',
    'deps',
    'config',
    'log',
    'packages/sandbox',
    'packages/client',
    'webhooks',
    'stores/copy',
    'core',
  ],
  // Looks at what a gateway would use, without one: nothing of it runs.
  'cli/doctor': [
    'cli',
    'config',
    'accounts',
    'adapters/index',
    'http',
    'webhooks',
    'stores/inspect',
    'engine/upstream',
    'tracing',
    'core',
  ],
  gateway: ['app', 'server', 'deps', 'core'],
  server: ['lines', 'routes/middleware', 'core'],
  lines: [],
  app: ['routes', 'type deps', 'core'],
  // The composition root, in two files.
  accounts: ['type config', 'adapters/index', 'http', 'type engine/upstream', 'core'],
  deps: [
    'adapters/index',
    'accounts',
    'config',
    'stores',
    'engine/index',
    'engine/create/route',
    'engine/routing',
    'engine/upstream',
    'engine/upkeep',
    'engine/replicas',
    'metrics',
    ...SERVICES,
    'http',
    'routes/clients',
    'routes/dropin/alternate/views',
    'tracing',
    'core',
  ],
  log: ['type config', 'core'],
  // OpenTelemetry's packages are loaded here alone, and only where spans are wanted.
  tracing: ['core'],
  config: ['adapters/index', 'core'],
  routes: ['engine/index', ...SERVICES, 'type deps', 'core'],
  // The rooms of the engine, from what holds them together to what knows none of the others.
  'engine/index': ['engine', 'core'],
  'engine/jobs': ['engine/create', 'engine/doubt', 'engine/upstream', 'type engine/replicas', 'engine/life', 'core'],
  'engine/create': [
    'type engine/account',
    'type engine/send',
    'type engine/audio',
    'engine/doubt',
    'engine/routing',
    'engine/upstream',
    'engine/life',
    'core',
  ],
  'engine/account': [
    'engine/polling',
    'engine/routing',
    'engine/send',
    'engine/doubt',
    'type engine/replicas',
    'engine/upstream',
    'engine/life',
    'core',
  ],
  'engine/polling': ['type engine/replicas', 'engine/upstream', 'engine/life', 'core'],
  'engine/upkeep': ['engine/doubt', 'type engine/upstream', 'engine/life', 'core'],
  'engine/send': ['engine/upstream', 'engine/life', 'core'],
  'engine/audio': ['type engine/upstream', 'engine/life', 'core'],
  'engine/doubt': ['engine/upstream', 'engine/life', 'core'],
  'engine/read': ['type engine/upstream', 'type engine/replicas', 'type engine/life', 'core'],
  'engine/routing': ['type engine/upstream', 'core'],
  'engine/upstream': ['type engine/replicas', 'core'],
  'engine/replicas': ['core'],
  'engine/life': ['core'],
  access: ['core'],
  migration: ['engine/create', 'engine/routing', 'type engine/index', 'engine/upstream', 'core'],
  resources: ['engine/upstream', 'engine/create/route', 'core'],
  // Reads what it is handed: no other room knows that there is a Prometheus.
  metrics: ['core'],
  webhooks: ['http', 'core'],
  catalog: ['http', 'core'],
  'adapters/index': [...INTERFACES.map((name) => `adapters/${name}`), 'adapters/shared', 'core'],
  ...Object.fromEntries(INTERFACES.map((name) => [`adapters/${name}`, ['adapters/shared', 'http', 'core']])),
  'adapters/shared': ['http', 'core'],
  'stores/index': ['stores', 'core'],
  // How the doctor looks at each driver's.
  'stores/inspect': ['stores'],
  // Moves one driver's store to another's: the only place, beside the one that picks, that knows two.
  'stores/copy': ['stores/sqlite', 'stores/postgres', 'stores/sql', 'core'],
  'stores/redis': ['core'],
  'stores/sql': ['core'],
  'stores/sqlite': ['core', 'stores/sql'],
  'stores/postgres': ['core', 'stores/sql'],
  http: ['core'],
  'packages/sandbox': [],
  core: [],
  // What apps load, also in browsers: types of the OpenAPI document, and what calls the API by them.
  'packages/client': [],
  // The page at /console: a client of the public API like any other.
  'packages/console': ['type packages/client/schema.d'],
}
