import type { Puppet, Voice } from '../core/adapter.ts'
import type { VideoInput } from '../core/video.ts'
import type { Aliases, Entry } from '../engine/create/route.ts'
import type { Backend, Backends } from '../engine/upstream/accounts.ts'

/** What a request names that must be found on the backend. */
export interface Named {
  kind: 'voice' | 'puppet' | 'image'
  /** What the request calls it. */
  said: string
  /** Whether the backend has it, by its own name or through an alias. Null: its catalogue could not be read. */
  isThere: boolean | null
  /** An alias leads to something, or its own name is tried. */
  leads: boolean
}

interface Place {
  backend: Backend
  voices: ReadonlyMap<string, Voice> | null
  puppets: ReadonlyMap<string, Puppet> | null
}

const isPuppetThere = (entry: Entry | null, { backend, puppets }: Place): boolean | null => {
  if (entry === null) return false
  if (typeof entry !== 'string') return backend.account.adapter.capabilities.image_url
  return puppets && puppets.has(entry)
}

/** The voice, and the portrait if it must be found: a backend that takes images takes any. */
export const leadsTo = (
  { voice_id: voice, puppet_id: puppet, image_url: image, text }: VideoInput,
  place: Place,
  aliases: Aliases,
  visible: Backends,
): Named[] => {
  const { backend, voices, puppets } = place
  const named: Named[] = []
  if (puppet !== null) {
    const entry = aliases.puppets.read(puppet, visible).on(backend)
    named.push({ kind: 'puppet', said: puppet, isThere: isPuppetThere(entry, place), leads: entry !== null })
  }
  if (image !== null && !backend.account.adapter.capabilities.image_url) {
    const id = aliases.puppets.savedImage(image, backend)
    const isThere = id === null ? false : puppets && puppets.has(id)
    named.push({ kind: 'image', said: image, isThere, leads: id !== null })
  }
  if (voice !== null && text !== null) {
    const id = aliases.voices.read(voice, visible).on(backend)
    const isThere = typeof id === 'string' ? voices && voices.has(id) : false
    named.push({ kind: 'voice', said: voice, isThere, leads: id !== null })
  }
  return named
}

/** What a voice or portrait is called on the backend that made the video; null: the request cannot be read any more. */
export const nativeOn = (
  { kind, said }: Pick<Named, 'kind' | 'said'>,
  from: Backend,
  aliases: Aliases,
  visible: Backends,
): Entry | null => {
  if (kind === 'image') return { image_url: said }
  return aliases[kind === 'voice' ? 'voices' : 'puppets'].read(said, visible).on(from)
}
