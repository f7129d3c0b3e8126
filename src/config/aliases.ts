import { didYouMean, nearest } from '../core/errors.ts'
import { dotted, isMapping, valueAt, type Fault, type Path } from './faults.ts'

/** Rules over aliases that hold between keys: each stands for one thing on each backend, and each thing for one alias. */

interface Line {
  alias: string
  backend: string
  entry: unknown
  path: Path
}

const KINDS = ['voices', 'puppets'] as const

const linesOf = (tree: unknown, kind: (typeof KINDS)[number]): Line[] => {
  const aliases = valueAt(tree, ['aliases', kind])
  if (!isMapping(aliases)) return []
  return Object.entries(aliases).flatMap(([alias, entries]) =>
    isMapping(entries)
      ? Object.entries(entries).map(([backend, entry]) => ({
          alias,
          backend,
          entry,
          path: ['aliases', kind, alias, backend],
        }))
      : [],
  )
}

const imageOf = (entry: unknown): string | null => {
  const url = valueAt(entry, ['image_url'])
  return typeof url === 'string' ? (URL.parse(url)?.href ?? url) : null
}

/** What a request may name instead of the alias; null: nothing readable. */
const thingOf = ({ backend, entry }: Line): string | null => {
  if (typeof entry === 'string') return JSON.stringify([backend, entry])
  const image = imageOf(entry)
  return image === null ? null : JSON.stringify([image])
}

const faultsOf = (lines: readonly Line[], backends: readonly string[], names: ReadonlySet<string>): Fault[] => {
  const first = new Map<string, Line>()
  return lines.flatMap((line): Fault[] => {
    const { alias, backend, entry } = line
    const path = dotted(line.path)
    if (backends.length > 0 && !backends.includes(backend)) {
      return [{ path, message: `there is no backend with this name${didYouMean(nearest(backend, backends))}` }]
    }
    if (typeof entry === 'string' && backends.includes(entry.split(':', 1)[0] ?? '') && entry.includes(':')) {
      return [{ path, message: 'expected the backend’s own id, without a backend’s name before it' }]
    }
    if (typeof entry === 'string' && entry !== alias && names.has(entry)) {
      return [{ path, message: 'is also the name of another alias: a request could mean either' }]
    }
    const thing = thingOf(line)
    const earlier = thing === null ? undefined : first.get(thing)
    if (thing !== null && !earlier) first.set(thing, line)
    // One image may stand for one alias on several backends.
    if (!earlier || earlier.alias === alias) return []
    return [{ path, message: `the same as ${dotted(earlier.path)}: a request could mean either` }]
  })
}

export const aliasFaults = (tree: unknown, backends: readonly string[]): Fault[] =>
  KINDS.flatMap((kind) => {
    const lines = linesOf(tree, kind)
    return faultsOf(lines, backends, new Set(lines.map(({ alias }) => alias)))
  })

/** Names are checked here: zod would skip the body of an alias whose name is wrong. */
export const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const ALIAS_TITLE =
  'a name of 1 to 63 characters a-z, A-Z, 0-9, ., _ and -, starting with a letter or digit (a colon would make it the id of a backend)'

export const aliasNameFaults = (tree: unknown): Fault[] =>
  KINDS.flatMap((kind) => {
    const aliases = valueAt(tree, ['aliases', kind])
    return (isMapping(aliases) ? Object.keys(aliases) : [])
      .filter((alias) => !ALIAS.test(alias))
      .map((alias) => ({ path: dotted(['aliases', kind, alias]), message: `expected ${ALIAS_TITLE}` }))
  })
