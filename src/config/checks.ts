import type { z } from 'zod'
import { durationText } from '../core/time/clock.ts'
import { aliasFaults, aliasNameFaults } from './aliases.ts'
import { consoleFaults } from './console.ts'
import { dotted, isMapping, valueAt, type Fault, type Path } from './faults.ts'
import { NAME, NAME_TITLE } from './fields.ts'
import { proxyFaults } from './proxy.ts'
import { noSuchBackend, routingFaults } from './routing.ts'
import { BackendTimeout, Server, Webhooks } from './schema.ts'
import { storeFaults } from './store.ts'

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
