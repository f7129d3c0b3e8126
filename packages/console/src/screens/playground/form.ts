import type { Schema } from '../../api.ts'

export type Body = Schema<'CreateVideo'>
export type Source = 'text' | 'audio_url' | 'upload_id'
export type Portrait = 'puppet_id' | 'image_url'

/** What somebody has filled in: text as it was typed, empty where nothing was. */
export interface Form {
  backend: string
  source: Source
  text: string
  audio_url: string
  upload_id: string
  portrait: Portrait
  puppet_id: string
  image_url: string
  voice_id: string
  language: string
  expressiveness: string
  resolution: string
  /** Options that a backend lacks are left out, and it goes on. */
  isLenient: boolean
  webhook_url: string
  /** A pair a line: `order=1001`. */
  metadata: string
}

export const EMPTY: Form = {
  backend: '',
  source: 'text',
  text: '',
  audio_url: '',
  upload_id: '',
  portrait: 'puppet_id',
  puppet_id: '',
  image_url: '',
  voice_id: '',
  language: '',
  expressiveness: '',
  resolution: '',
  isLenient: false,
  webhook_url: '',
  metadata: '',
}

/** What is short and nobody's secret lives in the URL: the words, links and metadata do not. */
const IN_URL = { backend: 'backend', voice: 'voice_id', puppet: 'puppet_id' } as const

export const fromQuery = (query: Readonly<Record<string, string>>): Form => ({
  ...EMPTY,
  ...Object.fromEntries(Object.entries(IN_URL).map(([name, field]) => [field, query[name] ?? ''])),
})

export const toQuery = (form: Form): Record<string, string> =>
  Object.fromEntries(Object.entries(IN_URL).map(([name, field]) => [name, form[field]]))

export interface Pairs {
  pairs: Record<string, string>
  /** Of the first line that is no pair. */
  error: string | null
}

/** The lines of the metadata. Pure. */
export const pairsOf = (text: string): Pairs => {
  const pairs = new Map<string, string>()
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf('=')
    if (at < 1) return { pairs: {}, error: `line ${n + 1} is not name=value` }
    pairs.set(line.slice(0, at).trim(), line.slice(at + 1).trim())
  }
  return { pairs: Object.fromEntries(pairs), error: null }
}

const RESOLUTIONS = ['720p', '1080p'] as const

/** The body of the create. Pure. */
export const bodyOf = (form: Form): Body => {
  const { pairs } = pairsOf(form.metadata)
  const resolution = RESOLUTIONS.find((one) => one === form.resolution)
  const given = (field: keyof Form): object => (form[field] === '' ? {} : { [field]: form[field] })
  return {
    ...given('backend'),
    ...given(form.portrait),
    ...given(form.source),
    ...(form.source === 'text' && given('voice_id')),
    ...given('language'),
    ...(form.expressiveness !== '' && { expressiveness: Number(form.expressiveness) }),
    ...(resolution && { resolution }),
    ...(form.isLenient && { unsupported: 'warn' as const }),
    ...given('webhook_url'),
    ...(Object.keys(pairs).length > 0 && { metadata: pairs }),
  }
}

/** What must be there before anything can be asked, by its field. Pure. */
export const missing = (form: Form): { field: keyof Form; message: string } | null => {
  if (form.portrait === 'puppet_id' && form.puppet_id === '')
    return { field: 'puppet_id', message: 'Choose a puppet, or give the URL of an image.' }
  if (form.portrait === 'image_url' && form.image_url === '')
    return { field: 'image_url', message: 'Give the URL of an image, or choose a puppet.' }
  if (form[form.source].trim() === '')
    return {
      field: form.source,
      message: {
        text: 'Write the text to speak.',
        audio_url: 'Give the URL of the audio.',
        upload_id: 'Give the id of the upload.',
      }[form.source],
    }
  // As JSON it would be null, and so not given.
  if (Number.isNaN(Number(form.expressiveness)))
    return { field: 'expressiveness', message: 'Give a number, such as 0.5.' }
  const { error } = pairsOf(form.metadata)
  return error === null ? null : { field: 'metadata', message: error }
}
