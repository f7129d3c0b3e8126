import type { Schema, ApiError } from '../../api.ts'

export type Body = Schema<'CreateVideo'>

const EMPTY = {
  backend: '',
  source: 'text' as 'text' | 'audio_url' | 'upload_id',
  text: '',
  audio_url: '',
  upload_id: '',
  portrait: 'puppet_id' as 'puppet_id' | 'image_url',
  puppet_id: '',
  image_url: '',
  voice_id: '',
  language: '',
  expressiveness: '',
  resolution: '',
  /** Options that a backend lacks are left out, and it continues. */
  isLenient: false,
  webhook_url: '',
  /** A pair a line: `order=1001`. */
  metadata: '',
}
/** What somebody has filled in: text as it was typed, empty where nothing was. */
export type Form = typeof EMPTY

/** What is short and nobody's secret lives in the URL: the words, links and metadata do not. */
const IN_URL = { backend: 'backend', voice: 'voice_id', puppet: 'puppet_id' } as const

export const fromQuery = (query: Readonly<Record<string, string>>): Form => ({
  ...EMPTY,
  ...Object.fromEntries(Object.entries(IN_URL).map(([name, field]) => [field, query[name] ?? ''])),
})

/** The request of a video that was made before, as text in the fields. Pure. */
export const fromVideo = (video: Schema<'Video'>): Form => {
  const { input, metadata, webhook_url: webhook, routing, backend, warnings } = video
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

/** The lines of the metadata, and what is wrong with the first that is no pair. Pure. */
const pairsOf = (text: string): { pairs: Record<string, string>; error: string | null } => {
  const lines = text.split('\n').map((line) => [line, line.indexOf('=')] as const)
  const wrong = lines.findIndex(([line, at]) => line.trim() !== '' && at < 1)
  if (wrong !== -1) return { pairs: {}, error: `line ${wrong + 1} is not name=value` }
  const pairs = lines
    .filter(([, at]) => at > 0)
    .map(([line, at]) => [line.slice(0, at).trim(), line.slice(at + 1).trim()])
  return { pairs: Object.fromEntries(pairs) as Record<string, string>, error: null }
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

const NEEDED = {
  puppet_id: 'Choose a puppet, or give the URL of an image.',
  image_url: 'Give the URL of an image, or choose a puppet.',
  text: 'Write the text to speak.',
  audio_url: 'Give the URL of the audio.',
  upload_id: 'Give the id of the upload.',
} as const

/** What must be there before anything can be asked, by its field. Pure. */
export const missing = (form: Form): { field: keyof Form; message: string } | null => {
  const field = [form.portrait, form.source].find((one) => form[one].trim() === '')
  if (field) return { field, message: NEEDED[field] }
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

const FIELDS = Object.keys(EMPTY) as (keyof Form)[]

/** `metadata.order` is about the metadata, `script` about the text. */
const fieldOf = (param: string | null | undefined): keyof Form | undefined => {
  const name = param?.split('.')[0]
  return name === 'script' ? 'text' : FIELDS.find((one) => one === name)
}

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

const TONES: Readonly<Record<Judged['verdict'], Verdict['tone']>> = {
  ok: 'good',
  warn: 'warn',
  unsupported: 'bad',
  unavailable: 'warn',
}

const titleOf = ({ backend, verdict }: Judged, pinned: string): string => {
  if (verdict === 'unavailable') return `${backend} cannot make it now`
  if (verdict === 'unsupported') return `${backend} cannot make this`
  return `Ready: ${backend} makes it${pinned === '' ? ', chosen by routing' : ''}`
}

/** The check in plain words. Pure. */
export const verdictOf = (check: Check, pinned: string): Verdict => {
  const name = pinned === '' ? check.chosen : pinned
  const chosen = check.backends.find(({ backend }) => backend === name)
  const errors: Verdict['errors'] = {}
  const hints: Verdict['hints'] = {}
  // With nobody to take it, what any of them complains of is worth showing.
  for (const { problem } of chosen ? [chosen] : check.backends) {
    const field = fieldOf(problem?.param)
    if (problem && field) errors[field] ??= problem.message
  }
  for (const { param, message } of chosen?.warnings ?? []) {
    const field = fieldOf(param)
    if (field) hints[field] ??= message
  }
  return {
    tone: chosen ? TONES[chosen.verdict] : 'bad',
    title: chosen ? titleOf(chosen, pinned) : 'No backend can make this',
    lines: check.backends.map(sentence),
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
