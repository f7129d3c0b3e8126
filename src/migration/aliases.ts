import type { AliasConfig, Entry } from '../engine/create/route.ts'
import type { Candidate } from './candidates.ts'
import { aliasesText, type Line } from './yaml.ts'

/** A voice or portrait that videos used and that nothing leads to on the other backend. */
export interface Lacking {
  kind: 'voice' | 'puppet' | 'image'
  /** As the backend calls it that made them; or an image URL. */
  id: string
  name: string | null
  videos: number
  candidates: readonly Candidate[]
}

export interface Suggested {
  /** The whole section, to be pasted in the place of the one that is there. */
  text: string
  /** By kind and id: what stands for it now, and under which alias. */
  chosen: ReadonlyMap<string, { alias: string; id: string }>
}

interface SuggestDeps {
  configured: AliasConfig
  /** The names of the account that made the videos, the one that is meant first. */
  from: readonly string[]
  to: string
  /** All backends: an id must not look as if it named one. */
  backends: Iterable<string>
  /** Ids that clients may write: an alias of that name would hide them. */
  reserved: ReadonlySet<string>
}

type Group = Readonly<Record<string, Entry>>
type Section = keyof AliasConfig

export const keyOfLacking = ({ kind, id }: Pick<Lacking, 'kind' | 'id'>): string => `${kind}\0${id}`

const imageOf = (entry: Entry): string | null =>
  typeof entry === 'string' ? null : (URL.parse(entry.image_url)?.href ?? entry.image_url)

/** In the place of a query: no alias can name such an image. */
export const HIDDEN = '?…'

const IMAGE = /^https:\/\/[^\s\p{Cc}\\/?#][^\s\p{Cc}\\]*$/iu

/** Whether the configuration takes it. */
const isAllowed = (entry: Entry, backends: ReadonlySet<string>): boolean =>
  typeof entry === 'string'
    ? /^.{1,200}$/su.test(entry) && !(entry.includes(':') && backends.has(entry.split(':', 1)[0] ?? ''))
    : !entry.image_url.endsWith(HIDDEN) &&
      entry.image_url.length <= 2_048 &&
      IMAGE.test(entry.image_url) &&
      URL.canParse(entry.image_url)

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 40)

const countOf = (videos: number): string => `${videos} ${videos === 1 ? 'video' : 'videos'}`

const entryOf = ({ kind, id }: Lacking): Entry => (kind === 'image' ? { image_url: id } : id)

/** One section: `voices` or `puppets`. */
const createSection = (configured: Readonly<Record<string, Group>>, { from, to, backends, reserved }: SuggestDeps) => {
  const [main = ''] = from
  const names = new Set(backends)
  const groups = new Map<string, { entries: Group; note: string | null }>(
    Object.entries(configured).map(([name, entries]) => [name, { entries, note: null }]),
  )
  const ideas: Line[] = []
  const isSame = (one: Entry, other: Entry): boolean =>
    typeof other === 'string' ? one === other : imageOf(one) === imageOf(other)
  /** The alias that has it on one of these backends; of images: on any. */
  const holding = (entry: Entry, on: readonly string[]): string | null =>
    [...groups].find(([, { entries }]) =>
      Object.entries(entries).some(
        ([backend, one]) => isSame(one, entry) && (typeof entry !== 'string' || on.includes(backend)),
      ),
    )?.[0] ?? null

  const isTaken = (name: string): boolean =>
    groups.has(name) ||
    reserved.has(name) ||
    ideas.some((line) => line.name === name) ||
    [...groups.values()].some(({ entries }) => Object.values(entries).includes(name))

  const nameFor = (wanted: string, fallback: string): string => {
    const base = slugOf(wanted) || fallback
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? base : `${base}-${n}`
      if (!isTaken(name)) return name
    }
  }

  /** Why it cannot stand for this one; null: it can. */
  const obstacle = (lacking: Lacking, candidate: Candidate): string | null => {
    const own = entryOf(lacking)
    if (!isAllowed(own, names) || !isAllowed(candidate.id, names)) return 'an alias cannot name it'
    if ([own, candidate.id].some((entry) => typeof entry === 'string' && groups.has(entry)))
      return 'an alias has the same name'
    const holder = holding(candidate.id, [to])
    if (holder !== null) return `it already means ${holder}`
    return candidate.isGood ? null : 'doubtful'
  }

  const put = (lacking: Lacking, { id, name, why }: Candidate): string => {
    const own = entryOf(lacking)
    const known = holding(own, from)
    const alias = known ?? nameFor(lacking.name ?? name ?? '', lacking.kind === 'voice' ? 'voice' : 'puppet')
    const before = groups.get(alias)?.entries ?? { [main]: own }
    groups.set(alias, { entries: { ...before, [to]: id }, note: `${countOf(lacking.videos)}; ${why}` })
    return alias
  }

  const suggest = (lacking: Lacking): { alias: string; id: string } | null => {
    const own = entryOf(lacking)
    const known = holding(own, from)
    const isStale = known !== null && groups.get(known)?.entries[to] !== undefined
    const reasons: string[] = []
    for (const candidate of lacking.candidates) {
      const why = isStale ? `${known} has an id that ${to} does not have` : obstacle(lacking, candidate)
      if (why === null) return { alias: put(lacking, candidate), id: candidate.id }
      reasons.push(`${candidate.id} (${why}; ${candidate.why})`)
    }
    const [first] = lacking.candidates
    const note = `${countOf(lacking.videos)}; ${reasons.length === 0 ? `nothing like it on ${to}` : reasons.join('; ')}`
    const name = known ?? nameFor(lacking.name ?? '', lacking.kind === 'voice' ? 'voice' : 'puppet')
    ideas.push({ name, entries: { [main]: own, [to]: first?.id ?? '?' }, note, isActive: false })
    return null
  }

  const lines = (): Line[] => [
    ...[...groups].map(([name, { entries, note }]): Line => ({ name, entries, note, isActive: true })),
    ...ideas,
  ]
  return { suggest, lines }
}

/**
 * An `aliases:` section that keeps what is configured, and adds what has a good candidate; the rest stands there as
 * comments. What is used most chooses first: an alias stands for one thing on each backend, so that no two share one.
 */
export const suggestAliases = (lacking: readonly Lacking[], deps: SuggestDeps): Suggested => {
  const { voices, puppets } = deps.configured
  const reserved = new Set([...deps.reserved, ...lacking.map(({ id }) => id)])
  const sections = {
    voices: createSection(voices, { ...deps, reserved }),
    puppets: createSection(puppets, { ...deps, reserved }),
  }
  const sectionOf = ({ kind }: Lacking): Section => (kind === 'voice' ? 'voices' : 'puppets')
  const chosen = new Map<string, { alias: string; id: string }>()
  for (const one of lacking.toSorted((a, b) => b.videos - a.videos)) {
    const found = sections[sectionOf(one)].suggest(one)
    if (found) chosen.set(keyOfLacking(one), found)
  }
  return { text: aliasesText({ voices: sections.voices.lines(), puppets: sections.puppets.lines() }), chosen }
}
