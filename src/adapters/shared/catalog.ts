import type { Page, Puppet, Voice } from '../../core/adapter.ts'
import { absoluteUrl, asObject, count, find, idText, languageName, locale, text, time, unwrapBy } from './read.ts'
import { LIST, PUPPET, VOICE } from './spellings.ts'

const items = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null)

/** The items of a list: `data`, else `items`, `results`, the plural noun, or the body itself; null if it is no list. */
export const readItems = (body: unknown, noun: 'voices' | 'puppets' | 'videos'): readonly unknown[] | null => {
  const spellings = [...LIST.items, noun]
  return find(body, spellings, items) ?? items(body) ?? find(find(body, ['data'], asObject), spellings, items)
}

/** Where an interface writes a voice's language: as a locale, as a name, or both. */
export interface LanguageSpellings {
  code: readonly string[]
  name: readonly string[]
}

/** Voices that have an id, with languages and genders in normalized form; null if the body holds no list. */
export const readVoices = (body: unknown, base: URL, language: LanguageSpellings): Voice[] | null => {
  const listed = readItems(body, 'voices')
  if (listed === null) return null
  return listed.flatMap((item) => {
    const id = find(item, VOICE.id, idText)
    if (id === null) return []
    const languageCode = find(item, language.code, locale)
    return {
      id,
      name: find(item, VOICE.name, text),
      provider: find(item, VOICE.provider, text),
      language: find(item, language.name, text) ?? (languageCode === null ? null : languageName(languageCode)),
      languageCode,
      gender: find(item, VOICE.gender, text)?.toLowerCase() ?? null,
      previewUrl: find(item, VOICE.preview, absoluteUrl(base)),
    }
  })
}

/** A puppet whose kind is not told is taken to be somebody's own. */
const puppetType = (item: unknown): Puppet['type'] =>
  find(item, PUPPET.type, text)?.toLowerCase() === 'stock' ? 'stock' : 'custom'

const puppetOf = (item: unknown, base: URL): Puppet | null => {
  const id = find(item, PUPPET.id, idText)
  if (id === null) return null
  return {
    id,
    name: find(item, PUPPET.name, text),
    type: puppetType(item),
    imageUrl: find(item, PUPPET.image, absoluteUrl(base)),
    thumbnailUrl: find(item, PUPPET.thumbnail, absoluteUrl(base)),
    createdAtMs: find(item, PUPPET.created, time),
  }
}

/** The puppet itself, or what is in its wrapper. */
export const unwrapPuppet = (body: unknown): unknown => unwrapBy(body, ['puppet', 'data'], PUPPET.id, idText)

/** One puppet; null if the body names none. */
export const readPuppet = (body: unknown, base: URL): Puppet | null => puppetOf(unwrapPuppet(body), base)

/** Puppets that have an id; null if the body holds no list. The caller says which page comes next. */
export const readPuppets = (body: unknown, base: URL, nextCursor: string | null): Page<Puppet> | null => {
  const listed = readItems(body, 'puppets')
  if (listed === null) return null
  const puppets = listed.flatMap((item): Puppet[] => {
    const puppet = puppetOf(item, base)
    return puppet === null ? [] : [puppet]
  })
  return { items: puppets, nextCursor }
}

const MAX_PAGES = 1000

/** The page after this one, if a `pagination` object speaks of it (alternate contract, "Pagination"). */
export const readNextPage = (body: unknown, cursor: string | null): string | null => {
  const page = find(body, LIST.page, count)
  const totalPages = find(body, LIST.totalPages, count)
  if (page === null || totalPages === null || page >= Math.min(totalPages, MAX_PAGES)) return null
  // A backend that ignores `page` would answer the first one for ever.
  return String(page) === (cursor ?? '1') ? String(page + 1) : null
}
