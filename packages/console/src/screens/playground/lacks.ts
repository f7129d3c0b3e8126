import type { Schema } from '../../api.ts'
import type { Form } from './form.ts'

type Backend = Pick<Schema<'Backend'>, 'name' | 'capabilities'>

/** What a backend must be able to do for a field to mean something. */
const NEEDS: Partial<Record<keyof Form, string>> = {
  text: 'text_source',
  audio_url: 'audio_source',
  upload_id: 'uploads',
  image_url: 'image_url',
  puppet_id: 'puppet_id',
  language: 'language',
  expressiveness: 'expressiveness',
  resolution: 'resolution',
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Which backends cannot do what a field asks for, in words; null: those that may get it all can. Pure. */
export const lacks = (field: keyof Form, chosen: string, backends: readonly Backend[]): string | null => {
  const capability = NEEDS[field]
  if (capability === undefined) return null
  const asked = chosen === '' ? backends : backends.filter(({ name }) => name === chosen)
  const names = asked.filter(({ capabilities }) => capabilities[capability] === false).map(({ name }) => name)
  if (names.length === 0) return null
  return `${list.format(names)} ${names.length === 1 ? 'does' : 'do'} not have this option.`
}
