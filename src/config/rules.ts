import type { z } from 'zod'
import { ADAPTERS, type InterfaceName } from '../adapters/index.ts'
import { didYouMean, nearest } from '../core/errors.ts'
import { durationText } from '../core/time/clock.ts'
import { doubtWarning } from '../core/video.ts'
import { SURFACES, type Capabilities } from '../core/vocabulary.ts'
import { dotted, isMapping, valueAt, type Fault, type Path } from './faults.ts'
import { isLoopback, NAME, NAME_TITLE } from './fields.ts'
import type { Environment } from './sources.ts'

/** Whose key `console.admin_key` is. */
export const CONSOLE_CLIENT = 'console'

/**
 * Rules over several keys. They see what zod has read so far, in which any value may be of another type than it should.
 */
interface Broken {
  readonly path: Path
  readonly message: string
}

const broken = (isSo: boolean, path: Path, message: string): Broken[] => (isSo ? [{ path, message }] : [])

/** For `superRefine`: reports what breaks the rules, beside whatever else is wrong. */
export const reporting = (brokenIn: (value: unknown) => Broken[]) =>
  [
    (value: unknown, context: z.core.$RefinementCtx): void => {
      for (const { path, message } of brokenIn(value))
        context.addIssue({ code: 'custom', path: [...path], message, params: { isRule: true } })
    },
    { when: () => true },
  ] as const

const keysOf = (value: unknown): string[] => (isMapping(value) ? Object.keys(value) : [])
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

type KnownNames = (name: unknown, path: Path) => Broken[]

/** Refuses a name that is not there. Where there is none at all, that is the fault to report. */
const among =
  (what: string, names: readonly string[], pools: readonly string[] = []): KnownNames =>
  (name, path) => {
    if (typeof name !== 'string' || names.length === 0 || names.includes(name)) return []
    if (pools.includes(name)) return [{ path, message: `is a pool: expected the name of one ${what}` }]
    return [{ path, message: `there is no ${what} with this name${didYouMean(nearest(name, names))}` }]
  }

export const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const ALIAS_TITLE =
  'a name of 1 to 63 characters a-z, A-Z, 0-9, ., _ and -, starting with a letter or digit (a colon would make it the id of a backend)'

/** zod would skip the body of an entry whose name is wrong. */
const badNames = (config: unknown, path: Path, pattern: RegExp, title: string): Broken[] =>
  keysOf(valueAt(config, path)).flatMap((name) => broken(!pattern.test(name), [...path, name], `expected ${title}`))

/** Each client has an id and a key of its own, and sees backends that there are. */
const clientRules = (config: unknown, backend: KnownNames): Broken[] => {
  const firstOf = { id: new Map<string, number>(), key: new Map<string, number>() }
  const again = (what: 'id' | 'key', value: unknown, path: Path, i: number): Broken[] => {
    if (typeof value !== 'string') return []
    const first = firstOf[what].get(value)
    if (first === undefined) firstOf[what].set(value, i)
    return broken(first !== undefined, path, `the same ${what} as clients.${first}`)
  }
  const adminKey = valueAt(config, ['console', 'admin_key']) || null
  return listOf(valueAt(config, ['clients'])).flatMap((client, i) => {
    if (!isMapping(client)) return []
    const { id, key = null, keys = [], backends } = client
    const at = (...path: Path): Path => ['clients', i, ...path]
    const all = listOf(keys)
    return [
      ...again('id', id, at('id'), i),
      ...broken(
        key === null && Array.isArray(keys) && keys.length === 0,
        at('key'),
        'required: set it, or at least one of `keys`',
      ),
      ...again('key', key, at('key'), i),
      ...all.flatMap((one, n) => again('key', one, at('keys', n), i)),
      ...broken(
        adminKey !== null && id === CONSOLE_CLIENT,
        at('id'),
        'is reserved for console.admin_key: choose another id',
      ),
      ...broken(
        adminKey !== null && [key, ...all].includes(adminKey),
        ['console', 'admin_key'],
        `the same key as clients.${i}`,
      ),
      ...listOf(backends).flatMap((name, j) => backend(name, at('backends', j))),
    ]
  })
}

/** Keys that objects keep before all others, wherever they stood in the file. */
const ORDERLESS = /^(0|[1-9]\d*)$/

const splitRules = (split: unknown, backend: KnownNames, path: Path): Broken[] => {
  if (!isMapping(split)) return []
  const names = Object.keys(split)
  const unknown = names.flatMap((name) => backend(name, [...path, name]))
  if (unknown.length > 0) return unknown
  if (names.length !== 2) return broken(true, path, 'expected two backends: the old side first, then the new one')
  const digits = names.find((name) => ORDERLESS.test(name))
  if (digits !== undefined)
    return broken(true, path, `the order of the two sides is lost if a backend’s name is a number: rename ${digits}`)
  const sum = names.reduce((before, name) => before + Number(split[name]), 0)
  return broken(sum !== 100 && !Number.isNaN(sum), path, `the weights must add up to 100; they add up to ${sum}`)
}

/** What one rule of `routing.rules` says in vain, before its default is filled in. */
export const vainKeys = (rule: unknown): Broken[] =>
  ['stop_if', 'by'].flatMap((key) =>
    broken(
      isMapping(rule) && (rule['split'] ?? null) === null && (rule[key] ?? null) !== null,
      [key],
      'has no effect without split',
    ),
  )

const routingRule = (rule: unknown, backend: KnownNames, client: KnownNames, path: Path): Broken[] => {
  if (!isMapping(rule)) return []
  const { to = null, split = null } = rule
  return [
    ...broken((to === null) === (split === null), path, 'expected either to or split'),
    ...backend(to, [...path, 'to']),
    ...splitRules(split, backend, [...path, 'split']),
    ...client(valueAt(rule, ['when', 'client']), [...path, 'when', 'client']),
  ]
}

/** Members are accounts of one interface, each in one pool. */
const poolRules = (config: unknown, backend: KnownNames): Broken[] => {
  const at = (...path: Path): unknown => valueAt(config, path)
  const of = (name: unknown, key: string): unknown => (typeof name === 'string' ? at('backends', name, key) : undefined)
  const accountOf = (name: unknown): string => {
    const url = of(name, 'base_url')
    const origin = typeof url === 'string' ? (URL.parse(url)?.origin ?? url) : url
    return JSON.stringify([origin, of(name, 'interface'), of(name, 'api_key')])
  }
  const poolOf = new Map<unknown, string>()
  /** Of members of all pools. */
  const firstOf = new Map<string, unknown>()
  return keysOf(at('routing', 'pools')).flatMap((pool) => {
    const path = ['routing', 'pools', pool]
    const members = listOf(at(...path))
    const [first] = members
    return [
      ...broken(at('backends', pool) !== undefined, path, 'is the name of a backend, too: give the pool another one'),
      ...broken(
        Array.isArray(at(...path)) && members.length < 2,
        path,
        'expected at least two members: one backend needs no pool',
      ),
      ...members.flatMap((name, n) => {
        const here = [...path, n]
        const same = of(name, 'base_url') === undefined ? name : (firstOf.get(accountOf(name)) ?? name)
        firstOf.set(accountOf(name), same)
        const earlier = poolOf.get(name)
        poolOf.set(name, pool)
        return [
          ...backend(name, here),
          ...broken(earlier === pool, here, 'is in this pool already'),
          ...broken(
            earlier !== undefined && earlier !== pool,
            here,
            `is in ${dotted(['routing', 'pools', earlier ?? ''])} already`,
          ),
          ...broken(
            of(name, 'interface') !== undefined && of(name, 'interface') !== of(first, 'interface'),
            here,
            `speaks another interface than ${String(first)}: all members of a pool must speak the same`,
          ),
          ...broken(
            same !== name,
            here,
            `is the same account as ${String(same)}: a pool needs a key of its own for each member`,
          ),
        ]
      }),
    ]
  })
}

/** What of `routing` names something that is not there, or contradicts itself. */
const routingRules = (config: unknown, backend: KnownNames, client: KnownNames): Broken[] => {
  const at = (...path: Path): unknown => valueAt(config, ['routing', ...path]) ?? null
  const named = (...path: Path): Broken[] => backend(at(...path), ['routing', ...path])
  const isUnsettled = at('default') === null && keysOf(valueAt(config, ['backends'])).length > 1
  const isMember = (name: unknown, pool: unknown): boolean =>
    typeof pool === 'string' && listOf(at('pools', pool)).includes(name)
  /** A pool and one of its members, in any order. */
  const besideItsPool = (one: unknown, other: unknown, path: Path): Broken[] =>
    broken(
      isMember(one, other) || isMember(other, one),
      ['routing', ...path],
      'expected another backend or pool: this names a pool and a member of it',
    )
  const isShadowOfItself = at('shadow', 'from') !== null && at('shadow', 'from') === at('shadow', 'to')
  return [
    ...broken(isUnsettled, ['routing', 'default'], 'required: with several backends, name the default one'),
    ...named('default'),
    ...listOf(at('rules')).flatMap((rule, i) => {
      const [old, next] = keysOf(valueAt(rule, ['split']))
      const path = ['rules', i]
      return [
        ...routingRule(rule, backend, client, ['routing', ...path]),
        ...besideItsPool(old, next, [...path, 'split']),
      ]
    }),
    ...keysOf(at('failover')).flatMap((from) => [
      ...backend(from, ['routing', 'failover', from]),
      ...listOf(at('failover', from)).flatMap((to, i) =>
        to === from
          ? broken(true, ['routing', 'failover', from], 'a backend cannot stand in for itself')
          : [...named('failover', from, i), ...besideItsPool(from, to, ['failover', from, i])],
      ),
    ]),
    ...named('shadow', 'from'),
    ...broken(isShadowOfItself, ['routing', 'shadow', 'to'], 'must not be the same backend as from'),
    ...named('shadow', 'to'),
    ...besideItsPool(at('shadow', 'from'), at('shadow', 'to'), ['shadow', 'to']),
    ...SURFACES.flatMap((surface) => named('dropin', surface)),
  ]
}

/** Whose older videos an account's are: one client's, which may use it, and the account has a list to find them in. */
const historyRules = (config: unknown, backend: KnownNames, client: KnownNames): Broken[] => {
  const at = (...path: Path): unknown => valueAt(config, path)
  const accountOf = (name: string): string =>
    JSON.stringify(['base_url', 'api_key'].map((key) => at('backends', name, key)))
  const names = keysOf(at('dropin', 'history'))
  return names.flatMap((name, n) => {
    const path = ['dropin', 'history', name]
    const id = at(...path)
    const can = Object.entries(ADAPTERS).find(([kind]) => kind === at('backends', name, 'interface'))?.[1].capabilities
    const seen = valueAt(
      listOf(at('clients')).find((one) => valueAt(one, ['id']) === id),
      ['backends'],
    )
    const same = names.slice(0, n).find((other) => accountOf(other) === accountOf(name))
    return [
      ...backend(name, path),
      ...client(id, path),
      ...broken(can?.native_list === false, path, 'the interface of this backend has no list of videos'),
      ...broken(
        Array.isArray(seen) && !seen.includes(name),
        path,
        'this client may not use the backend: see `backends` of the client',
      ),
      ...broken(same !== undefined, path, `the same account as ${dotted(['dropin', 'history', same ?? ''])}`),
    ]
  })
}

/** A stop that gave up before its longest request would cut it off in the middle: a doubt made by ourselves. */
const graceRule = (config: unknown): Broken[] => {
  const graceMs = valueAt(config, ['server', 'shutdown_grace'])
  const timeouts = [['webhooks'], ...keysOf(valueAt(config, ['backends'])).map((name) => ['backends', name])]
    .map((owner) => [...owner, 'timeout'])
    .flatMap((path) => {
      const ms = valueAt(config, path)
      return typeof ms === 'number' ? [{ path, ms }] : []
    })
  const [longest] = timeouts.toSorted((a, b) => b.ms - a.ms)
  if (typeof graceMs !== 'number' || longest === undefined) return []
  const message = `must be longer than ${dotted(longest.path)} (${durationText(longest.ms)})`
  return broken(graceMs <= longest.ms, ['server', 'shutdown_grace'], message)
}

/** A low video has to count as normal before it is given up. */
const lowRule = (config: unknown): Broken[] => {
  const [lowMs, ageMs] = ['low_after', 'max_age'].map((key) => valueAt(config, ['engine', key]))
  if (typeof lowMs !== 'number' || typeof ageMs !== 'number') return []
  const message = `must not be longer than engine.max_age (${durationText(ageMs)}): a low video would fail before it counts as normal`
  return broken(lowMs > ageMs, ['engine', 'low_after'], message)
}

/** Connections are kept by origin, so that all backends of one go the same way. */
const proxyRule = (config: unknown): Broken[] => {
  const backends = valueAt(config, ['backends'])
  const first = new Map<string, { name: string; proxy: unknown }>()
  return keysOf(backends).flatMap((name) => {
    const baseUrl = valueAt(backends, [name, 'base_url'])
    const origin = typeof baseUrl === 'string' ? URL.parse(baseUrl)?.origin : undefined
    if (origin === undefined) return []
    const proxy = valueAt(backends, [name, 'proxy']) ?? null
    const earlier = first.get(origin)
    if (earlier === undefined) first.set(origin, { name, proxy })
    return broken(
      earlier !== undefined && earlier.proxy !== proxy,
      ['backends', name, 'proxy'],
      `must be that of ${dotted(['backends', earlier?.name ?? ''])}: both have the same origin`,
    )
  })
}

/** What a request may name instead of the alias; null: nothing readable. */
const namedBy = (backend: string, entry: unknown): string | null => {
  if (typeof entry === 'string') return JSON.stringify([backend, entry])
  const url = valueAt(entry, ['image_url'])
  return typeof url === 'string' ? JSON.stringify([URL.parse(url)?.href ?? url]) : null
}

/** An alias means one thing on each backend, and each thing has one alias. */
const aliasRules = (config: unknown, kind: 'voices' | 'puppets', backends: readonly string[]): Broken[] => {
  const aliases = valueAt(config, ['aliases', kind])
  const names = keysOf(aliases)
  const first = new Map<string, { alias: string; path: Path }>()
  const messageFor = (alias: string, backend: string, entry: unknown, path: Path): string | null => {
    if (backends.length > 0 && !backends.includes(backend))
      return `there is no backend with this name${didYouMean(nearest(backend, backends))}`
    if (typeof entry === 'string' && entry.includes(':') && backends.includes(entry.split(':', 1)[0] ?? ''))
      return 'expected the backend’s own id, without a backend’s name before it'
    if (typeof entry === 'string' && entry !== alias && names.includes(entry))
      return 'is also the name of another alias: a request could mean either'
    const named = namedBy(backend, entry)
    const earlier = named === null ? undefined : first.get(named)
    if (named !== null && !earlier) first.set(named, { alias, path })
    // One image may have one alias on several backends.
    if (!earlier || earlier.alias === alias) return null
    return `the same as ${dotted(earlier.path)}: a request could mean either`
  }
  return names.flatMap((alias) =>
    keysOf(valueAt(aliases, [alias])).flatMap((backend) => {
      const path = ['aliases', kind, alias, backend]
      const message = messageFor(alias, backend, valueAt(config, path), path)
      return message === null ? [] : [{ path, message }]
    }),
  )
}

const isInUrl = (key: 'username' | 'password', url: unknown): boolean => {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed !== null && (parsed[key] !== '' || parsed.searchParams.has(key))
}

/** Of `store` or `redis`. */
const passwordRule = (config: unknown, section: string): Broken[] => {
  const [url, file] = ['url', 'password_file'].map((key) => valueAt(config, [section, key]) ?? null)
  return broken(file !== null && isInUrl('password', url), [section, 'password_file'], 'the URL has a password, too')
}

/** One way to Redis, in full. */
const redisRules = (config: unknown): Broken[] => {
  const given = (key: string): unknown => valueAt(config, ['redis', ...key.split('.')]) ?? null
  const [url, sentinels, master, cluster, prefix] = ['url', 'sentinels', 'master', 'cluster', 'prefix'].map(given)
  const isSplit = cluster !== null && typeof prefix === 'string' && !prefix.includes('{')
  const ways = [url, sentinels, cluster].filter((way) => way !== null)
  return [
    ...broken(ways.length > 1, ['redis'], 'expected one of url, sentinels and cluster'),
    ...broken(
      (sentinels === null) !== (master === null),
      ['redis', 'master'],
      'is required with sentinels, and only then',
    ),
    ...broken(
      isSplit,
      ['redis', 'prefix'],
      'needs braces with a cluster, such as "{talkbridge}": all keys must be on one node',
    ),
    ...passwordRule(config, 'redis'),
    ...broken(
      given('username') !== null && (isInUrl('username', url) || isInUrl('password', url)),
      ['redis', 'username'],
      'the URL has a user or a password, too',
    ),
    ...broken(
      (given('tls.cert_file') === null) !== (given('tls.key_file') === null),
      ['redis', 'tls'],
      'expected both cert_file and key_file, or neither',
    ),
  ]
}

/** What breaks a rule over several keys, in the order of the rules. Pure. */
export const brokenRules = (config: unknown): Broken[] => {
  const backends = keysOf(valueAt(config, ['backends']))
  const pools = keysOf(valueAt(config, ['routing', 'pools']))
  const backend = among('backend', backends, pools)
  const backendOrPool = among('backend', backends.length === 0 ? [] : [...backends, ...pools])
  const clients = listOf(valueAt(config, ['clients'])).map((client) => valueAt(client, ['id']))
  const client = among(
    'client',
    clients.filter((id) => typeof id === 'string'),
  )
  const isWithoutUrl =
    valueAt(config, ['store', 'driver']) === 'postgres' && (valueAt(config, ['store', 'url']) ?? null) === null
  return [
    ...badNames(config, ['backends'], NAME, NAME_TITLE),
    ...clientRules(config, backendOrPool),
    ...badNames(config, ['routing', 'pools'], NAME, NAME_TITLE),
    ...poolRules(config, backend),
    ...routingRules(config, backendOrPool, client),
    ...historyRules(config, backend, client),
    ...graceRule(config),
    ...lowRule(config),
    ...broken(isWithoutUrl, ['store', 'url'], 'is required with driver: postgres'),
    ...passwordRule(config, 'store'),
    ...redisRules(config),
    ...proxyRule(config),
    ...(['voices', 'puppets'] as const).flatMap((kind) => [
      ...badNames(config, ['aliases', kind], ALIAS, ALIAS_TITLE),
      ...aliasRules(config, kind, backends.length === 0 ? [] : [...backends, ...pools]),
    ]),
  ]
}

interface Given {
  readonly exclusive: boolean
  readonly resend_when_absent: boolean
}
interface Warned {
  readonly server: { readonly public_url: string | null; readonly streams: number; readonly max_connections: number }
  readonly store: { readonly driver: string; readonly url: string | null }
  readonly redis: {
    readonly url: string | null
    readonly tls: object | null
    readonly sentinels: readonly { readonly host: string }[] | null
    readonly cluster: readonly { readonly host: string }[] | null
  }
  readonly backends: Readonly<Record<string, Given & { readonly interface: InterfaceName }>>
}

type Said = [key: keyof Given, message: string]

/** Anyone who sets what does nothing counts on it. */
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

/** Whether the server is one of this machine: its address, or the path of a socket. */
const isNear = ({ hostname, searchParams }: URL): boolean => {
  const host = searchParams.get('host') ?? hostname
  return host === '' || /^(\/|%2f)/i.test(host) || isLoopback(host)
}

const warned = (isSo: boolean, path: string, message: string): Fault[] => (isSo ? [{ path, message }] : [])

/** Those that a start logs. What a lost answer costs on each backend it says by itself. */
export const startWarnings = ({ server, store, redis }: Omit<Warned, 'backends'>, env: Environment): Fault[] => {
  const database = store.driver === 'postgres' && store.url !== null ? URL.parse(store.url) : null
  const mode = database?.searchParams.get('sslmode') ?? env['PGSSLMODE']
  const { url, tls } = redis
  const ways =
    url === null ? [...(redis.sentinels ?? []), ...(redis.cluster ?? [])] : [{ host: URL.parse(url)?.hostname }]
  // Anyone who is between two machines reads, and changes, what goes over without TLS, or with TLS that anybody can end.
  const why = 'is on another machine, and you do not ask for TLS that verifies it'
  return [
    ...warned(
      server.streams >= server.max_connections,
      'server.streams',
      'leaves no connection for other requests: raise server.max_connections',
    ),
    ...warned(
      database !== null && mode !== 'verify-full' && !isNear(database),
      'store.url',
      `PostgreSQL ${why}: add ?sslmode=verify-full`,
    ),
    ...warned(
      tls === null && !url?.startsWith('rediss:') && !ways.every(({ host = '' }) => host === '' || isLoopback(host)),
      url === null ? 'redis.tls' : 'redis.url',
      url === null
        ? 'Redis is on another machine, and you ask for no TLS: set redis.tls'
        : `Redis ${why}: write rediss:// in place of redis://`,
    ),
  ]
}

/** What is allowed, and costs or does nothing: said before it does. `env`: the variables that can be seen here. */
export const configWarnings = (config: Warned, env: Environment): Fault[] => [
  ...startWarnings(config, env),
  ...Object.entries(config.backends).flatMap(([name, backend]) =>
    evidenceWarnings(ADAPTERS[backend.interface].capabilities, backend, config.server.public_url !== null).map(
      ([key, message]) => ({ path: dotted(['backends', name, key]), message }),
    ),
  ),
]
