import type { LackingView } from '../core/api/migration.ts'
import { breath } from '../core/time/clock.ts'
import type { Lacking } from './aliases.ts'
import { fileNameOf, puppetsLike, voicesLike, type Candidate } from './candidates.ts'
import type { Side } from './catalogues.ts'
import { withoutQuery, type SeenNamed, type Tallies } from './tallies.ts'

/** Of each list. */
export const LISTED = 200

interface Described extends Lacking, Pick<LackingView, 'language' | 'gender'> {}

const imageOwner = ({ puppets }: Side, id: string) =>
  [...(puppets?.values() ?? [])].find(({ imageUrl }) => imageUrl !== null && withoutQuery(imageUrl) === id)

/** What the old backend says of it, and what the new one has that is like it. */
const described = ({ kind, id }: SeenNamed, videos: number, from: Side, to: Side): Described => {
  if (kind === 'voice') {
    const voice = from.voices?.get(id)
    const candidates = voice && to.voices ? voicesLike(voice, to.voices.values()) : []
    const { name = null, languageCode: language = null, gender = null } = voice ?? {}
    return { kind, id, videos, name, language, gender, candidates }
  }
  const saved = kind === 'puppet' ? from.puppets?.get(id) : imageOwner(from, id)
  const told = saved?.name ?? null
  const name = told ?? (kind === 'image' ? fileNameOf(id) : null)
  const candidates: Candidate[] =
    name !== null && to.puppets ? puppetsLike(name, told !== null, to.puppets.values()) : []
  return { kind, id, videos, name, language: null, gender: null, candidates }
}

/**
 * What is missing, the most used first, with what may stand for it. Each is compared with a whole catalogue, so that other
 * work runs after each. Rejects with the signal's reason when it aborts.
 */
export const lackingOf = async (
  { lacking }: Pick<Tallies, 'lacking'>,
  from: Side,
  to: Side,
  signal: AbortSignal,
): Promise<Described[]> => {
  const listed: Described[] = []
  for (const { thing, count } of [lacking.voices, lacking.portraits].flatMap((top) => top.list().slice(0, LISTED))) {
    await breath()
    signal.throwIfAborted()
    listed.push(described(thing, count, from, to))
  }
  return listed
}
