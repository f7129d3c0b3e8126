import type { Puppet, Voice } from '../core/adapter.ts'

/** Something on the other backend that may stand for what has no alias. */
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
/** Language before gender before region and name: a wrong accent is heard less than a wrong gender. */
const WEIGHTS = { language: 0.5, gender: 0.3, region: 0.1, name: 0.1 } as const

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')

const pairsOf = (name: string): string[] =>
  Array.from({ length: Math.max(name.length - 1, 0) }, (_, i) => name.slice(i, i + 2))

/** How alike two names are, from 0 to 1: the part of their pairs of letters that they share. */
export const likeness = (one: string | null, other: string | null): number => {
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
    if (other.languageCode === null || baseOf(other.languageCode) !== baseOf(code)) continue
    const isSameRegion = other.languageCode.toLowerCase() === code.toLowerCase()
    const isSameGender = gender !== null && other.gender === gender
    const like = likeness(name, other.name)
    const score =
      WEIGHTS.language + (isSameGender ? WEIGHTS.gender : 0) + (isSameRegion ? WEIGHTS.region : 0) + WEIGHTS.name * like
    const language = isSameRegion ? `same language (${code})` : `${other.languageCode} for ${code}`
    const sex = isSameGender
      ? `same gender (${gender})`
      : gender === null || other.gender === null
        ? 'gender unknown'
        : `${other.gender} for ${gender}`
    found.push({
      id: other.id,
      name: other.name,
      language: other.languageCode,
      gender: other.gender,
      score: round(score),
      why: [language, sex, ...(like < TOLD ? [] : [`names ${percent(like)} alike`])].join(', '),
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
    found.push({
      id: other.id,
      name: other.name,
      language: null,
      gender: null,
      score: round(like),
      why,
      isGood: isTold && like === 1,
    })
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
