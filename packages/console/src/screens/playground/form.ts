import type { Schema, ApiError } from '../../api.ts'

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
  /** Options that a backend lacks are left out, and it continues. */
  isLenient: boolean
  webhook_url: string
  /** A pair a line: `order=1001`. */
  metadata: string
}

const EMPTY: Form = {
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

/** The request of a video that was made before, as text in the fields. Pure. */
export const fromVideo = ({
  input,
  metadata,
  webhook_url: webhook,
  routing,
  backend,
  warnings,
}: Schema<'Video'>): Form => {
  const text = (value: string | number | null): string => (value === null ? '' : String(value))
  return {
    ...EMPTY,
    ...Object.fromEntries(Object.entries(input).map(([field, value]) => [field, text(value)])),
    backend: routing.chosen_by === 'request' ? backend : '',
    source: input.audio_url !== null ? 'audio_url' : input.upload_id !== null ? 'upload_id' : 'text',
    portrait: input.image_url === null ? 'puppet_id' : 'image_url',
    isLenient: warnings.length > 0,
    webhook_url: text(webhook),
    metadata: Object.entries(metadata)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  }
}

export const toQuery = (form: Form): Record<string, string> =>
  Object.fromEntries(Object.entries(IN_URL).map(([name, field]) => [name, form[field]]))

interface Pairs {
  pairs: Record<string, string>
  /** Of the first line that is no pair. */
  error: string | null
}

/** The lines of the metadata. Pure. */
const pairsOf = (text: string): Pairs => {
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

export type Check = Schema<'Check'>
type Judged = Check['backends'][number]

export interface Verdict {
  tone: 'good' | 'warn' | 'bad'
  /** By itself on its line. */
  title: string
  /** What each backend says. */
  lines: string[]
  /** By field: what is wrong with it, or would be lost. */
  errors: Partial<Record<keyof Form, string>>
  hints: Partial<Record<keyof Form, string>>
}

const FIELDS: Readonly<Record<string, keyof Form>> = {
  script: 'text',
  text: 'text',
  audio_url: 'audio_url',
  upload_id: 'upload_id',
  image_url: 'image_url',
  puppet_id: 'puppet_id',
  voice_id: 'voice_id',
  language: 'language',
  expressiveness: 'expressiveness',
  resolution: 'resolution',
  backend: 'backend',
  webhook_url: 'webhook_url',
  metadata: 'metadata',
}

/** `metadata.order` is about the metadata. */
const fieldOf = (param: string | null): keyof Form | null => FIELDS[param?.split('.')[0] ?? ''] ?? null

const WORDS: Readonly<Record<Judged['verdict'], string>> = {
  ok: 'can make this',
  warn: 'can make this, but a part is not certain',
  unsupported: 'cannot make this',
  unavailable: 'can make this, but not now',
}

const sentence = ({ backend, verdict, problem, warnings }: Judged): string => {
  const why = [problem?.message, ...warnings.map(({ message }) => message)].filter((text) => text !== undefined)
  return `${backend} ${WORDS[verdict]}${why.length > 0 ? `: ${why.join('; ')}` : ''}`
}

const isFine = ({ verdict }: Judged): boolean => verdict === 'ok' || verdict === 'warn'

/** The check in plain words. Pure. */
export const verdictOf = (check: Check, pinned: string): Verdict => {
  const name = pinned === '' ? check.chosen : pinned
  const chosen = check.backends.find(({ backend }) => backend === name)
  const errors: Verdict['errors'] = {}
  const hints: Verdict['hints'] = {}
  // With nobody to take it, what any of them complains of is worth showing.
  for (const { problem } of chosen ? [chosen] : check.backends) {
    const field = fieldOf(problem?.param ?? null)
    if (problem && field) errors[field] ??= problem.message
  }
  for (const { param, message } of chosen?.warnings ?? []) {
    const field = fieldOf(param)
    if (field) hints[field] ??= message
  }
  const lines = check.backends.map(sentence)
  if (!chosen) return { tone: 'bad', title: 'No backend can make this', lines, errors, hints }
  if (!isFine(chosen)) {
    const title =
      chosen.verdict === 'unavailable' ? `${chosen.backend} cannot make it now` : `${chosen.backend} cannot make this`
    return { tone: chosen.verdict === 'unavailable' ? 'warn' : 'bad', title, lines, errors, hints }
  }
  const by = pinned === '' ? ', chosen by routing' : ''
  return {
    tone: chosen.verdict === 'ok' ? 'good' : 'warn',
    title: `Ready: ${chosen.backend} makes it${by}`,
    lines,
    errors,
    hints,
  }
}

/** A refusal, of the check or of the create, at the field that it is about. Pure. */
export const refusalOf = (error: ApiError): Verdict['errors'] => {
  const field = fieldOf(error.param)
  return field ? { [field]: error.message } : {}
}

type Backend = Pick<Schema<'Backend'>, 'name' | 'capabilities'>

/** What a backend must be able to do for a field to mean something. */
const NEEDS: Partial<Record<keyof Form, string | readonly string[]>> = {
  text: 'text_source',
  audio_url: 'audio_source',
  upload_id: 'uploads',
  image_url: 'image_url',
  // A saved portrait goes to a backend without puppets as its image.
  puppet_id: ['puppet_id', 'image_url'],
  language: 'language',
  expressiveness: 'expressiveness',
  resolution: 'resolution',
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Which backends cannot do what a field asks for, in words; null: those that may get it all can. Pure. */
export const lacks = (field: keyof Form, chosen: string, backends: readonly Backend[]): string | null => {
  const needed = [NEEDS[field] ?? []].flat()
  if (needed.length === 0) return null
  const asked = chosen === '' ? backends : backends.filter(({ name }) => name === chosen)
  const names = asked
    .filter(({ capabilities: can }) => needed.every((one) => can[one] === false))
    .map(({ name }) => name)
  if (names.length === 0) return null
  return `${list.format(names)} ${names.length === 1 ? 'does' : 'do'} not have this option.`
}
