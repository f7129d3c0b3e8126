import type { Page, Puppet, Voice } from '../../core/adapter.ts'
import type { Dialect } from './dialect.ts'
import {
  absoluteUrl,
  asObject,
  count,
  find,
  idText,
  languageName,
  locale,
  text,
  time,
  unwrapBy,
  verbatim,
} from './read.ts'

export type Noun = 'voices' | 'puppets' | 'videos'

const items = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null)

/** The items of a list: `data`, else `items`, `results`, the plural noun, or the body itself; null if it is no list. */
export const readItems = (body: unknown, noun: Noun, { list }: Dialect): readonly unknown[] | null => {
  const spellings = [...list.items, noun]
  return find(body, spellings, items) ?? items(body) ?? find(find(body, ['data'], asObject), spellings, items)
}

/** Voices that have an id, with languages and genders in normalized form; null if the body holds no list. */
export const readVoices = (body: unknown, base: URL, dialect: Dialect): Voice[] | null => {
  const { voice } = dialect
  const listed = readItems(body, 'voices', dialect)
  if (listed === null) return null
  return listed.flatMap((item) => {
    const id = find(item, voice.id, idText)
    if (id === null) return []
    const languageCode = find(item, voice.languageCode, locale)
    return {
      id,
      name: find(item, voice.name, text),
      provider: find(item, voice.provider, text),
      language: find(item, voice.language, text) ?? (languageCode === null ? null : languageName(languageCode)),
      languageCode,
      gender: find(item, voice.gender, text)?.toLowerCase() ?? null,
      previewUrl: find(item, voice.preview, absoluteUrl(base)),
    }
  })
}

/** A puppet whose kind is not told is taken to be somebody's own. */
const puppetType = (item: unknown, { puppet }: Dialect): Puppet['type'] =>
  find(item, puppet.type, text)?.toLowerCase() === 'stock' ? 'stock' : 'custom'

const puppetOf = (item: unknown, base: URL, dialect: Dialect): Puppet | null => {
  const { puppet } = dialect
  const id = find(item, puppet.id, idText)
  if (id === null) return null
  return {
    id,
    name: find(item, puppet.name, text),
    type: puppetType(item, dialect),
    imageUrl: find(item, puppet.image, absoluteUrl(base)),
    thumbnailUrl: find(item, puppet.thumbnail, absoluteUrl(base)),
    createdAtMs: find(item, puppet.created, time),
    verbatim: verbatim(item),
  }
}

/** The puppet itself, or what is in its wrapper. */
export const unwrapPuppet = (body: unknown, { puppet }: Dialect): unknown =>
  unwrapBy(body, ['puppet', 'data'], puppet.id, idText)

/** One puppet; null if the body names none. */
export const readPuppet = (body: unknown, base: URL, dialect: Dialect): Puppet | null =>
  puppetOf(unwrapPuppet(body, dialect), base, dialect)

/** Puppets that have an id; null if the body holds no list. The caller says which page comes next. */
export const readPuppets = (
  body: unknown,
  base: URL,
  dialect: Dialect,
  nextCursor: string | null,
): Page<Puppet> | null => {
  const listed = readItems(body, 'puppets', dialect)
  if (listed === null) return null
  const puppets = listed.flatMap((item): Puppet[] => {
    const puppet = puppetOf(item, base, dialect)
    return puppet === null ? [] : [puppet]
  })
  return { items: puppets, nextCursor }
}

const MAX_PAGES = 1000

/** The page after this one, if a `pagination` object speaks of it (alternate contract, "Pagination"). */
export const nextPage = (body: unknown, cursor: string | null, { list }: Dialect): string | null => {
  const page = find(body, list.page, count)
  const totalPages = find(body, list.totalPages, count)
  if (page === null || totalPages === null || page >= Math.min(totalPages, MAX_PAGES)) return null
  // A backend that ignores `page` would answer the first one for ever.
  return String(page) === (cursor ?? '1') ? String(page + 1) : null
}

/** The cursor of the next page, where an answer names one; one that leads to itself would page for ever. */
export const nextCursor = (body: unknown, cursor: string | null, { list }: Dialect): string | null => {
  const next = find(body, list.nextCursor, idText)
  return next === cursor ? null : next
}
