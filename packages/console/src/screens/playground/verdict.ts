import type { ApiError, Schema } from '../../api.ts'
import type { Form } from './form.ts'

export type Check = Schema<'Check'>
type Judged = Check['backends'][number]

export interface Verdict {
  tone: 'good' | 'warn' | 'bad'
  /** Alone on its line. */
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
export const fieldOf = (param: string | null): keyof Form | null => FIELDS[param?.split('.')[0] ?? ''] ?? null

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
