import type { AliasConfig, Entry } from '../engine/create/route.ts'
import type { Puppet, Voice } from '../core/adapter.ts'

/** YAML of `aliases:` that the configuration's reader takes, whatever ids backends give out. */

const SPECIAL = /^(true|false|null|yes|no|on|off|y|n)$/i
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*$/
/** Characters that YAML wants escaped, or that no reader sees, and that JSON leaves as they are. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff\ud800-\udfff]/gu

const escaped = (character: string): string => {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** A JSON string is a YAML string in double quotes. `$${` represents `${`, which would be a reference. */
const quoted = (text: string): string => JSON.stringify(text.replaceAll('${', () => '$${')).replaceAll(UNSEEN, escaped)

const keyOf = (name: string): string => (PLAIN.test(name) && !SPECIAL.test(name) ? name : quoted(name))

const entryText = (entry: Entry): string =>
  typeof entry === 'string' ? quoted(entry) : `{ image_url: ${quoted(entry.image_url)} }`

interface Line {
  name: string
  entries: Readonly<Record<string, Entry>>
  /** Null: it was there before. */
  note: string | null
  isActive: boolean
}

const lineText = ({ name, entries, note, isActive }: Line): string => {
  const inner = Object.entries(entries).map(([backend, entry]) => `${keyOf(backend)}: ${entryText(entry)}`)
  // A comment ends with its line.
  const said = note === null ? '' : ` # ${note.replaceAll(UNSEEN, ' ')}`
  return `    ${isActive ? '' : '# '}${keyOf(name)}: { ${inner.join(', ')} }${said}`
}

const sectionText = (kind: keyof AliasConfig, lines: readonly Line[]): string => {
  // Behind `{}` no comment could be made a line.
  return [`  ${kind}:${lines.length === 0 ? ' {}' : ''}`, ...lines.map(lineText), ''].join('\n')
}

/** Something on the other backend that may represent what has no alias. */
export interface Candidate {
  id: string
  name: string | null
  language: string | null
  gender: string | null
  /** From 0 to 1. */
  score: number
  why: string
  /** Good enough to be used without asking a person. */
  isGood: boolean
}

const MOST = 3
/** Names less alike than this are not alike. */
const TOLD = 0.2
/** Language before gender before region and name: a wrong accent is noticed less than a wrong gender. */
const WEIGHTS = { language: 0.5, gender: 0.3, region: 0.1, name: 0.1 } as const

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')

const pairsOf = (name: string): string[] =>
  Array.from({ length: Math.max(name.length - 1, 0) }, (_, i) => name.slice(i, i + 2))

/** How alike two names are, from 0 to 1: the part of their pairs of letters that they share. */
const likeness = (one: string | null, other: string | null): number => {
  if (one === null || other === null) return 0
  const [a, b] = [plain(one), plain(other)]
  if (a === '' || b === '') return 0
  if (a === b) return 1
  const left = new Map<string, number>()
  for (const pair of pairsOf(a)) left.set(pair, (left.get(pair) ?? 0) + 1)
  const shared = pairsOf(b).filter((pair) => {
    const count = left.get(pair) ?? 0
    left.set(pair, count - 1)
    return count > 0
  })
  const total = a.length + b.length - 2
  return total === 0 ? 0 : (2 * shared.length) / total
}

const percent = (part: number): string => `${Math.round(part * 100)} %`
const baseOf = (code: string): string => code.toLowerCase().split(/[-_]/)[0] ?? ''

const best = (candidates: Candidate[]): Candidate[] =>
  candidates.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, MOST)

const round = (score: number): number => Math.round(score * 1000) / 1000

/** The three best voices for one of another backend; none speaks another language than it. */
export const voicesLike = (voice: Voice, others: Iterable<Voice>): Candidate[] => {
  const { languageCode: code, gender, name } = voice
  if (code === null) return []
  const found: Candidate[] = []
  for (const other of others) {
    const { id, languageCode: language } = other
    if (language === null || baseOf(language) !== baseOf(code)) continue
    const isSameRegion = language.toLowerCase() === code.toLowerCase()
    const isSameGender = gender !== null && other.gender === gender
    const like = likeness(name, other.name)
    const score =
      WEIGHTS.language + (isSameGender ? WEIGHTS.gender : 0) + (isSameRegion ? WEIGHTS.region : 0) + WEIGHTS.name * like
    const why = [isSameRegion ? `same language (${code})` : `${language} for ${code}`]
    if (isSameGender) why.push(`same gender (${gender})`)
    else why.push(gender === null || other.gender === null ? 'gender unknown' : `${other.gender} for ${gender}`)
    if (like >= TOLD) why.push(`names ${percent(like)} alike`)
    const { name: called, gender: sex } = other
    found.push({
      id,
      name: called,
      language,
      gender: sex,
      score: round(score),
      why: why.join(', '),
      isGood: isSameGender,
    })
  }
  return best(found)
}

const NAMES_LIKE = 0.5

/**
 * The three best puppets for a portrait of this name. A name says little of a face: only the same one is good, and only
 * where the backend itself calls the portrait so (`isTold`); a file's name is a guess.
 */
export const puppetsLike = (name: string, isTold: boolean, others: Iterable<Puppet>): Candidate[] => {
  const found: Candidate[] = []
  for (const other of others) {
    const like = likeness(name, other.name)
    if (like < NAMES_LIKE) continue
    const what = isTold ? 'names' : 'the file’s name and its name'
    const why = like === 1 ? `${what} are the same` : `${what} are ${percent(like)} alike`
    const { id, name: called } = other
    const isGood = isTold && like === 1
    found.push({ id, name: called, language: null, gender: null, score: round(like), why, isGood })
  }
  return best(found)
}

/** What the last part of a URL's path calls a picture: `anna` of `https://cdn.example/anna.png`. */
export const fileNameOf = (url: string): string => {
  const last =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(last).replace(/\.[A-Za-z0-9]{1,5}$/, '')
  } catch {
    return last
  }
}

/** A voice or portrait that videos used and that nothing leads to on the other backend. */
export interface Lacking {
  kind: 'voice' | 'puppet' | 'image'
  /** As the backend calls it that made them; or an image URL. */
  id: string
  name: string | null
  videos: number
  candidates: readonly Candidate[]
}

interface Suggested {
  /** The whole section, to be pasted in the place of the one that is there. */
  text: string
  /** By kind and id: what represents it now, and under which alias. */
  chosen: ReadonlyMap<string, { alias: string; id: string }>
}

interface SuggestDeps {
  configured: AliasConfig
  /** The names of the account that made the videos, the one that is meant first. */
  from: readonly string[]
  to: string
  /** All backends and pools: an id must not look as if it named one. */
  backends: Iterable<string>
  /** Ids that clients may write: an alias of that name would hide them. */
  reserved: ReadonlySet<string>
}

type Group = Readonly<Record<string, Entry>>

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

/** A backend's own name for a voice or puppet may be of any length, and the patterns below grow with its square. */
const MAX_SLUGGED = 200

const slugOf = (text: string): string =>
  text
    .slice(0, MAX_SLUGGED)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 40)

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

  const nameFor = (wanted: string | null, { kind }: Lacking): string => {
    const base = slugOf(wanted ?? '') || (kind === 'voice' ? 'voice' : 'puppet')
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? base : `${base}-${n}`
      if (!isTaken(name)) return name
    }
  }

  /** Why it cannot represent this one; null: it can. */
  const obstacle = (lacking: Lacking, candidate: Candidate): string | null => {
    const own = entryOf(lacking)
    if (!isAllowed(own, names) || !isAllowed(candidate.id, names)) return 'an alias cannot name it'
    if ([own, candidate.id].some((entry) => typeof entry === 'string' && groups.has(entry)))
      return 'an alias has the same name'
    const holder = holding(candidate.id, [to])
    if (holder !== null) return `it already means ${holder}`
    return candidate.isGood ? null : 'doubtful'
  }

  const suggest = (lacking: Lacking): { alias: string; id: string } | null => {
    const own = entryOf(lacking)
    const count = `${lacking.videos} ${lacking.videos === 1 ? 'video' : 'videos'}`
    const known = holding(own, from)
    const isStale = known !== null && groups.get(known)?.entries[to] !== undefined
    const reasons: string[] = []
    for (const candidate of lacking.candidates) {
      const { id, name, why } = candidate
      const against = isStale ? `${known} has an id that ${to} does not have` : obstacle(lacking, candidate)
      if (against === null) {
        const alias = known ?? nameFor(lacking.name ?? name, lacking)
        const before = groups.get(alias)?.entries ?? { [main]: own }
        groups.set(alias, { entries: { ...before, [to]: id }, note: `${count}; ${why}` })
        return { alias, id }
      }
      reasons.push(`${id} (${against}; ${why})`)
    }
    const note = `${count}; ${reasons.length === 0 ? `nothing like it on ${to}` : reasons.join('; ')}`
    const entries = { [main]: own, [to]: lacking.candidates[0]?.id ?? '?' }
    ideas.push({ name: known ?? nameFor(lacking.name, lacking), entries, note, isActive: false })
    return null
  }

  const lines = (): Line[] => [
    ...[...groups].map(([name, { entries, note }]): Line => ({ name, entries, note, isActive: true })),
    ...ideas,
  ]
  return { suggest, lines }
}

/**
 * An `aliases:` section that keeps what is configured, and adds what has a good candidate; the rest is there as
 * comments. What is used most chooses first: an alias represents one thing on each backend, so that no two share one.
 */
export const suggestAliases = (lacking: readonly Lacking[], deps: SuggestDeps): Suggested => {
  const reserved = new Set([...deps.reserved, ...lacking.map(({ id }) => id)])
  const voices = createSection(deps.configured.voices, { ...deps, reserved })
  const puppets = createSection(deps.configured.puppets, { ...deps, reserved })
  const chosen = new Map<string, { alias: string; id: string }>()
  for (const one of lacking.toSorted((a, b) => b.videos - a.videos)) {
    const found = (one.kind === 'voice' ? voices : puppets).suggest(one)
    if (found) chosen.set(keyOfLacking(one), found)
  }
  const text = `aliases:\n${sectionText('voices', voices.lines())}${sectionText('puppets', puppets.lines())}`
  return { text, chosen }
}
