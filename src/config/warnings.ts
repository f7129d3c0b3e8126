import { ADAPTERS, type InterfaceName } from '../adapters/index.ts'
import { doubtWarning } from '../core/video.ts'
import type { Capabilities } from '../core/vocabulary.ts'
import { dotted, type Fault } from './faults.ts'
import { isLoopback } from './fields.ts'

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
