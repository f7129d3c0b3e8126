import type { z } from 'zod'
import { dotted, isMapping, valueAt, type Fault, type Path } from './faults.ts'
import {
  Client,
  aliasFaults,
  aliasNameFaults,
  noSuchBackend,
  routingFaults,
  BackendTimeout,
  Server,
  Webhooks,
  storeFaults,
} from './schema.ts'
import { durationText } from '../core/time/clock.ts'
import { NAME, NAME_TITLE, isLoopback } from './fields.ts'
import { proxyFaults } from './sources.ts'
import { ADAPTERS, type InterfaceName } from '../adapters/index.ts'
import { doubtWarning } from '../core/video.ts'
import type { Capabilities } from '../core/vocabulary.ts'

/** Whose key `console.admin_key` is. */
export const CONSOLE_CLIENT = 'console'

/** A client like those of the file, with every right: whoever holds the key is an operator. */
export const consoleClient = (adminKey: string | null): z.output<typeof Client>[] =>
  adminKey === null || adminKey === '' ? [] : [Client.parse({ id: CONSOLE_CLIENT, key: adminKey, scopes: ['*'] })]

/** With an admin key the id is taken, and the key is nobody else's. `tree` as the other rules over several keys read it. */
const consoleFaults = (tree: unknown): Fault[] => {
  const key = valueAt(tree, ['console', 'admin_key']) || null
  const clients = valueAt(tree, ['clients'])
  if (key === null || !Array.isArray(clients)) return []
  return clients.flatMap((client: unknown, i): Fault[] => {
    if (!isMapping(client)) return []
    const { id, key: own, keys } = client
    const isTaken = id === CONSOLE_CLIENT
    const isShared = own === key || (Array.isArray(keys) && keys.includes(key))
    return [
      ...(isTaken
        ? [{ path: dotted(['clients', i, 'id']), message: 'is reserved for console.admin_key: choose another id' }]
        : []),
      ...(isShared ? [{ path: 'console.admin_key', message: `the same key as clients.${i}` }] : []),
    ]
  })
}

/**
 * The second pass: rules over several keys. It reads the tree, not zod's result, because one fault anywhere would
 * suppress zod's own object-level checks and with them every fault that they find.
 */
export const crossFieldFaults = (tree: unknown): Fault[] => [
  ...backendNames(tree)
    .filter((name) => !NAME.test(name))
    .map(badName),
  ...duplicateIds(tree),
  ...keyFaults(tree),
  ...consoleFaults(tree),
  ...unknownBackends(tree),
  ...routingFaults(tree, backendNames(tree), clientIds(tree)),
  ...graceFaults(tree),
  ...storeFaults(tree),
  ...proxyFaults(tree),
  ...aliasNameFaults(tree),
  ...aliasFaults(tree, backendNames(tree)),
]

/** The backend that serves what nothing else decides: the named one, or the only one; null where that is not settled. */
export const defaultBackend = (tree: unknown): string | null => {
  const named = valueAt(tree, ['routing', 'default']) ?? null
  if (named !== null) return typeof named === 'string' ? named : null
  const [only, ...others] = backendNames(tree)
  return only !== undefined && others.length === 0 ? only : null
}

const backendNames = (tree: unknown): string[] => {
  const backends = valueAt(tree, ['backends'])
  return isMapping(backends) ? Object.keys(backends) : []
}

const listAt = (tree: unknown, path: Path): readonly unknown[] => {
  const value = valueAt(tree, path)
  return Array.isArray(value) ? value : []
}

const clientIds = (tree: unknown): string[] =>
  listAt(tree, ['clients']).flatMap((client) => {
    const id = valueAt(client, ['id'])
    return typeof id === 'string' ? [id] : []
  })

const badName = (name: string): Fault => ({ path: dotted(['backends', name]), message: `expected ${NAME_TITLE}` })

const duplicateIds = (tree: unknown): Fault[] => {
  const values = listAt(tree, ['clients']).map((client) => valueAt(client, ['id']))
  return values.flatMap((value, i) => {
    const first = values.indexOf(value)
    if (typeof value !== 'string' || first === i) return []
    return [{ path: dotted(['clients', i, 'id']), message: `the same id as clients.${first}` }]
  })
}

/** Each client has a key, and no two keys are the same, of whichever client. */
const keyFaults = (tree: unknown): Fault[] => {
  const clients = listAt(tree, ['clients'])
  const keyless = clients.flatMap((client, i) => {
    const [key, keys] = [valueAt(client, ['key']) ?? null, valueAt(client, ['keys']) ?? []]
    const isKeyless = isMapping(client) && key === null && Array.isArray(keys) && keys.length === 0
    return isKeyless
      ? [{ path: dotted(['clients', i, 'key']), message: 'required: set it, or at least one of `keys`' }]
      : []
  })
  const all = clients.flatMap((client, i) => [
    { value: valueAt(client, ['key']), path: ['clients', i, 'key'], of: i },
    ...listAt(client, ['keys']).map((value, n) => ({ value, path: ['clients', i, 'keys', n], of: i })),
  ])
  const first = new Map<unknown, number>()
  const doubled = all.flatMap(({ value, path, of }) => {
    if (typeof value !== 'string') return []
    const before = first.get(value)
    if (before === undefined) first.set(value, of)
    return before === undefined ? [] : [{ path: dotted(path), message: `the same key as clients.${before}` }]
  })
  return [...keyless, ...doubled]
}

const unknownBackends = (tree: unknown): Fault[] =>
  listAt(tree, ['clients']).flatMap((client, i) =>
    listAt(client, ['backends']).flatMap((name, j) =>
      noSuchBackend(name, backendNames(tree), ['clients', i, 'backends', j]),
    ),
  )

const read = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null => {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** A stop that gave up before its longest request would cut it off in the middle: a doubt made by ourselves. */
const graceFaults = (tree: unknown): Fault[] => {
  const graceMs = read(Server.shape.shutdown_grace, valueAt(tree, ['server', 'shutdown_grace']))
  const timeouts = [
    { path: 'webhooks.timeout', ms: read(Webhooks.shape.timeout, valueAt(tree, ['webhooks', 'timeout'])) },
    ...backendNames(tree).map((name) => ({
      path: dotted(['backends', name, 'timeout']),
      ms: read(BackendTimeout, valueAt(tree, ['backends', name, 'timeout'])),
    })),
  ]
  const longest = timeouts.toSorted((a, b) => (b.ms ?? 0) - (a.ms ?? 0))[0]
  if (graceMs === null || !longest || longest.ms === null || graceMs > longest.ms) return []
  const message = `must be longer than ${longest.path} (${durationText(longest.ms)})`
  return [{ path: 'server.shutdown_grace', message }]
}

interface Given {
  readonly exclusive: boolean
  readonly resend_when_absent: boolean
}
interface Warned {
  readonly server: { readonly public_url: string | null; readonly streams: number; readonly max_connections: number }
  readonly store: { readonly driver: string; readonly url: string | null }
  readonly redis: { readonly url: string | null }
  readonly backends: Readonly<Record<string, Given & { readonly interface: InterfaceName }>>
}

type Environment = Readonly<Record<string, string | undefined>>

type Said = [key: keyof Given, message: string]

/** Whoever sets what does nothing counts on it. */
const withoutEffect = (can: Capabilities, given: Given): Said[] => {
  const set = (['exclusive', 'resend_when_absent'] as const).filter((key) => given[key])
  if (can.native_idempotency)
    return set.map((key) => [
      key,
      'has no effect: this interface has idempotency keys, so the gateway needs no other evidence',
    ])
  if (!can.native_list) return set.map((key) => [key, 'has no effect: this interface has no list to search'])
  return given.resend_when_absent && !given.exclusive
    ? [['resend_when_absent', 'has no effect without exclusive: true']]
    : []
}

/** By what an interface can do: what a lost answer would cost, and what is set in vain. */
export const evidenceWarnings = (can: Capabilities, given: Given, isReachable: boolean): Said[] => {
  const cost = doubtWarning(can, { exclusive: given.exclusive, isReachable })
  return [...(cost === null ? [] : [['exclusive', cost] satisfies Said]), ...withoutEffect(can, given)]
}

const keyWarnings = ({ store }: Warned, env: Environment): Fault[] =>
  store.driver === 'postgres' && !env['TALKBRIDGE_SECRET_KEY']
    ? [
        {
          path: 'store.driver',
          message:
            'postgres needs the variable TALKBRIDGE_SECRET_KEY, with the same value for all replicas; it is not set here',
        },
      ]
    : []

/** Whether the server is one of this machine: its address, or the path of a socket. */
const isNear = ({ hostname, searchParams }: URL): boolean => {
  const host = searchParams.get('host') ?? hostname
  return host === '' || /^(\/|%2f)/i.test(host) || isLoopback(host)
}

/** Whoever is between two machines reads, and changes, what goes over without TLS, or with TLS that anybody can end. */
const plainWarnings = ({ store, redis }: Warned, env: Environment): Fault[] => {
  const database = store.driver === 'postgres' && store.url !== null ? URL.parse(store.url) : null
  const mode = database?.searchParams.get('sslmode') ?? env['PGSSLMODE']
  const hints = redis.url === null ? null : URL.parse(redis.url)
  const why = 'is on another machine, and the URL does not ask for TLS that verifies it'
  return [
    ...(database && mode !== 'verify-full' && !isNear(database)
      ? [{ path: 'store.url', message: `PostgreSQL ${why}: add ?sslmode=verify-full` }]
      : []),
    ...(hints?.protocol === 'redis:' && !isNear(hints)
      ? [{ path: 'redis.url', message: `Redis ${why}: write rediss:// in place of redis://` }]
      : []),
  ]
}

/** What is allowed, and costs or does nothing: said before it does. `env`: the variables that can be seen here. */
export const configWarnings = (config: Warned, env: Environment): Fault[] => [
  ...(config.server.streams >= config.server.max_connections
    ? [{ path: 'server.streams', message: 'leaves no connection for other requests: raise server.max_connections' }]
    : []),
  ...keyWarnings(config, env),
  ...plainWarnings(config, env),
  ...Object.entries(config.backends).flatMap(([name, backend]) =>
    evidenceWarnings(ADAPTERS[backend.interface].capabilities, backend, config.server.public_url !== null).map(
      ([key, message]) => ({ path: dotted(['backends', name, key]), message }),
    ),
  ),
]
